"""A Markdown text as a person sees it on GitHub: GFM to HTML, what GitHub would not allow taken out, a real browser."""

from __future__ import annotations

import shutil
import subprocess
from collections import Counter
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest
from lxml import html

# What stands for nothing: breaks that keep words apart.
_NEUTRAL = {"wbr"}
_TAGS = set(
    "h1 h2 h3 h4 h5 h6 p a img b i em strong s del sub sup code pre kbd blockquote ul ol li hr br wbr table thead tbody tr "
    "th td details summary div span input ins q samp tt var".split()
)
_ATTRIBUTES = {"*": {"align", "title", "open", "width", "height"}, "a": {"href"}, "img": {"src", "alt"}}

# Each would be a link, a picture, an element, a mention or an emoji if it were not made harmless.
PAYLOADS = [
    "[link](http://evil.example/)",
    "[link]: http://evil.example/",
    "![picture](http://evil.example/pixel.png)",
    "<img src=http://evil.example/pixel.png onerror=alert(1)>",
    "<script>document.title='pwned'</script>",
    "</td></tr></table><h1>pwned</h1>",
    "</code></summary></details><details open><summary>x",
    "<!-- sitemap-action:0123456789abcdef -->",
    "--> out of a comment",
    "<a href='javascript:alert(1)'>x</a>",
    "@octocat and @acme/team",
    "#1 acme/site#1 GH-1 gh-2",
    ":tada: :+1: ::tada::",
    "someone@evil.example mailto:someone@evil.example",
    "www.evil.example WWW.evil.example",
    "http://evil.example https://evil.example/?a=b&c=d ftp://evil.example",
    "<http://evil.example/>",
    "0123456789abcdef0123456789abcdef01234567",
    "`code` ``code`` ```code``` ` `` ```` `````",
    "a | b || c |",
    "\\ \\\\ \\[x\\](y) \\`x\\`",
    "&lt;b&gt; &amp;lt; &#60;b&#62; &copy;",
    "**bold** __bold__ *i* _i_ ~~s~~ $x^2$ $`x`$",
    "# heading ## heading",
    "- list 1. list > quote --- === ```",
    "- [x] task",
    "[^1] [[wiki]] { braces }",
    "\u202egnp.exe\u202c \u2066x\u2069 \u200bz",
    "\x1b[31mred\x1b[0m \x1b]0;title\x07",
    "nul \x00 bell \x07 delete \x7f next \x85",
    "line\r\n\r\n# heading\r\n\r\n- list",
    "<svg onload=alert(1)><math><style>*{display:none}</style>",
    "<iframe src=//evil.example></iframe><base href=//evil.example>",
    "é ß 漢字 \U0001f600 ‮",
]


class Page:
    """The tree of elements that a browser made of a text."""

    def __init__(self, source: str) -> None:
        self.tree: Any = html.document_fromstring(source).find("body")

    @cached_property
    def elements(self) -> Counter[str]:
        """How many of each there are."""
        return Counter(item.tag for item in self.tree.iter("*") if item.tag not in _NEUTRAL)

    @property
    def targets(self) -> list[str]:
        """Whatever leads or loads anything."""
        found: list[str] = self.tree.xpath("//@href | //@src")
        return [str(target) for target in found]

    @property
    def text(self) -> str:
        return str(self.tree.text_content())

    @property
    def prose(self) -> list[str]:
        """The texts that GitHub would look through for mentions, issues and emoji."""
        return [str(text) for text in self.tree.xpath("//text()[not(ancestor::code)]")]

    def table(self, number: int = 0) -> list[list[str]]:
        rows = self.tree.xpath("//table")[number].xpath(".//tr")
        return [[str(cell.text_content()) for cell in row.xpath("./td|./th")] for row in rows]

    def table_below(self, title: str) -> list[list[str]]:
        """The cells of the first table after a heading or a summary."""
        found = self.tree.xpath("//*[self::h3 or self::summary][contains(., $title)]/following::table[1]", title=title)
        return [[str(cell.text_content()) for cell in row.xpath("./td|./th")] for row in found[0].xpath(".//tr")]


def missing() -> str:
    """What is not there of the tools; empty if all are."""
    try:
        import nh3  # noqa: F401
    except ImportError:
        return "nh3"
    return ", ".join(name for name in ("cmark-gfm", "chromium") if shutil.which(name) is None)


needs_browser = pytest.mark.skipif(bool(missing()), reason=f"needs {missing()}")


def rendered(markdown: str, folder: Path) -> Page:
    import nh3

    extensions = [
        word for name in ("table", "strikethrough", "tasklist", "autolink", "tagfilter") for word in ("-e", name)
    ]
    made = subprocess.run(
        ["cmark-gfm", "--unsafe", *extensions], input=markdown.encode(), capture_output=True, check=True, timeout=60
    )
    body = nh3.clean(
        made.stdout.decode(), tags=_TAGS, attributes=_ATTRIBUTES, link_rel=None, url_schemes={"http", "https", "mailto"}
    )
    page = folder / "page.html"
    page.write_text(f"<!doctype html><meta charset=utf-8><body>{body}", encoding="utf-8")
    options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP * ~NOTFOUND"]
    command = ["chromium", *options, f"--user-data-dir={folder / 'chromium'}", "--dump-dom", page.as_uri()]
    return Page(subprocess.run(command, capture_output=True, check=True, timeout=60).stdout.decode())
