"""What a comment shows is somebody else's text: it stays short, and nothing in it comes to life."""

from __future__ import annotations

import re
import shutil
import subprocess
from xml.sax.saxutils import escape

import pytest
from conftest import urlset
from github_api import LONGEST, Comment
from github_job import Job, read_as_text, workflow_job
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import etree, html

from sitemap_action.github import comment

job = pytest.fixture(workflow_job)

CMARK = shutil.which("cmark-gfm")
EXTENSIONS = "-e table -e strikethrough -e tasklist -e autolink -e tagfilter"
ALLOWED = set("html body h3 p table tr td a code sub br wbr thead tbody".split())
PAYLOADS = [
    "@everyone please look",
    "![x](https://evil.example/pixel.png)",
    "[click](https://evil.example/)",
    "<https://evil.example/>",
    "www.evil.example and mallory@evil.example",
    "https://evil.example/#1 GH-1 acme/site#1 :tada:",
    "--> <script>alert(1)</script>",
    "<img src=https://evil.example/x>",
    '"><a href="https://evil.example/">x</a>',
    "</code></td></tr></table>\n\n# Owned\n\n- [ ] task",
    "<!-- sitemap-action:0000000000000000 0000000000000000 -->",
    "| a | b |\n|---|---|\n| c | d |",
    "```\ncode\n```\n~~~",
    "\r\n\r\n## Owned\r\n---\r\n",
    "&lt;b&gt; &#60;b&#62; &#x3C;i&#x3E;",
    "`a` **b** ~~c~~ $x$ [^1] \\",
    "\u202egnp.exe \u2066x",
]


def rendered(body: str) -> html.HtmlElement:
    """As GitHub renders it, before it sanitises; the mark at its start is gone."""
    assert CMARK is not None
    command = [CMARK, "--unsafe", *EXTENSIONS.split()]
    made = subprocess.run(command, input=body.encode(), capture_output=True, check=True).stdout.decode()
    return html.document_fromstring(f"<html><body>{made}</body></html>")


def assert_inert(body: str) -> None:
    assert len(body) <= LONGEST
    assert body.count("<!--") == body.count("-->") == 1
    assert "@" not in body
    assert "\r" not in body
    if CMARK is None:
        return
    page = rendered(body)
    elements = [node for node in page.iter() if isinstance(node.tag, str)]
    assert {node.tag for node in elements} <= ALLOWED
    assert all(set(node.attrib) <= {"href"} for node in elements)
    for link in page.iter("a"):
        assert re.match(r"https://github\.com/(sitemap-action|acme)/", link.get("href") or "")
    assert len([node for node in page.iter() if isinstance(node, etree._Comment)]) == 1
    assert len(page.xpath("//h3")) == 1


def wrong(text: str) -> str:
    """An entry with such text where each of several rules reads it."""
    safe = escape("".join(c if c in "\r\n\t" or c.isprintable() else f"\\{ord(c):x}" for c in text))
    return (
        f"<url><loc>ftp://{safe}</loc><lastmod>{safe}</lastmod><priority>{safe}</priority></url>"
        f"<url><loc>{safe}</loc><changefreq>{safe}</changefreq></url>"
    )


@pytest.mark.skipif(CMARK is None, reason="needs cmark-gfm (apt: cmark-gfm)")
def test_the_check_itself_notices_what_comes_to_life() -> None:
    for text in (*PAYLOADS[1:5], PAYLOADS[7], PAYLOADS[8]):
        with pytest.raises(AssertionError):
            assert_inert(f"<!-- x -->\n### x\n\n{text}")


@pytest.mark.parametrize("payload", PAYLOADS)
def test_a_payload_in_a_sitemap_comes_out_as_text(job: Job, payload: str) -> None:
    assert job.check(urlset(wrong(payload))).stderr == ""
    assert_inert(job.bodies[0])
    assert "priority-invalid" in job.bodies[0]


@pytest.mark.parametrize("payload", ["@all ![x](y) <img src=x>.xml", "a`b|c&lt;.xml", "<!-- --> [x](y).xml"])
def test_a_payload_in_the_name_of_a_file_comes_out_as_text(job: Job, payload: str) -> None:
    name = payload.replace("/", "")
    assert job.check(urlset(wrong("x")), name=name).stderr == ""
    assert_inert(job.bodies[0])
    assert name in read_as_text(job.bodies[0])


def test_a_mark_in_a_sitemap_makes_no_comment_of_another_ours(job: Job) -> None:
    job.check(urlset(wrong("x")))
    mark = job.bodies[0].partition("\n")[0]
    job.set(GITHUB_JOB="another")
    job.check(urlset(wrong(mark)))
    assert mark not in job.bodies[1]
    job.set(GITHUB_JOB="check")
    job.check(urlset(wrong("y")))
    assert [body.startswith(mark[:37]) for body in job.bodies] == [True, False]
    assert len(job.github.asked("PATCH")) == 1


def test_thousands_of_findings_with_huge_hostile_urls_fit(job: Job) -> None:
    payloads = [(f"{number}" + payload * 40)[:1500] for number in range(100) for payload in PAYLOADS]
    assert job.check(urlset(*map(wrong, payloads))).stderr == ""
    assert_inert(job.bodies[0])
    assert re.search("×[0-9],[0-9]{3}", job.bodies[0])


@pytest.mark.parametrize(("room", "rows"), [(9_000, 4), (1_500, 0)])
def test_kinds_of_findings_are_counted_where_they_have_no_room(job: Job, room: int, rows: int) -> None:
    job.monkeypatch.setattr(comment, "_ROOM", room)
    long = "@#:<>" * 400
    files = {"a.xml": urlset(wrong(long)), "b.xml": "<html>", "c.xml": "", "d.xml": "<"}
    files["e.xml"] = urlset("https://a.example/", "https://a.example/", f"https://b.example/{escape(long)}", "/x")
    for name, text in files.items():
        (job.folder / name).write_text(text, encoding="utf-8")
    assert job.run(*files).stderr == ""
    assert_inert(job.bodies[0])
    assert len(job.bodies[0]) <= room
    assert job.bodies[0].count("<tr>") == rows
    assert re.search("… and [0-9]+ more kinds? of findings", job.bodies[0])


def test_a_person_who_edits_the_rest_of_our_comment_does_not_make_it_strange(job: Job) -> None:
    job.check(urlset(wrong("x")))
    job.github.comments[0].body += "\nedited"
    job.github.add(Comment("x"))
    job.check(urlset(wrong("y")))
    assert "edited" not in job.bodies[0]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.one_of(st.text(max_size=80), st.text("<>&@#:!-[]()`*_|~\\/.\r\n aw1", max_size=80)))
def test_any_text_comes_out_as_text(job: Job, text: str) -> None:
    job.github.comments.clear()
    assert job.check(urlset(wrong(text))).stderr == ""
    assert_inert(job.bodies[0])
