"""The job summary as a person sees it on GitHub, and whatever the content is: text, and nothing but text."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from conftest import Run, Write, index, urlset
from markupsafe import Markup
from rendering import PAYLOADS, Page, needs_browser, rendered

from sitemap_action.formats.escape import clean
from sitemap_action.formats.markdown_format import Detail, template, view
from sitemap_action.formats.markup import code, marked, words
from sitemap_action.formats.style import Style
from sitemap_action.report import Report

pytestmark = needs_browser

EXAMPLE = Path(__file__).parents[1] / "example" / "public"
BLOB = "https://github.com/acme/site/blob/0123abc"


@pytest.fixture
def example(run: Run, tmp_path: Path) -> tuple[dict[str, Any], str, Page]:
    """The example site: its report, its summary and how that looks."""
    shutil.copytree(EXAMPLE, tmp_path / "public")
    report = run("public").report
    text = run("public", format="markdown").stdout
    return report, text, rendered(text, tmp_path)


Example = tuple[dict[str, Any], str, Page]


def test_the_first_line_has_the_verdict_and_the_score(example: Example) -> None:
    report, text, page = example
    first = text.splitlines()[0]
    assert first.startswith("## ")
    assert f"{report['verdict']}, score {report['score']:.2f}" in first
    told = str(page.tree.xpath("string(//h2[1])"))
    assert told == f"❌ Sitemaps of https://www.acme.example/ (public): {first.rpartition(': ')[2]}"
    counts = [f"{report['counts'][level]} {level}" for level in ("error", "warning", "notice")]
    assert all(count in page.text for count in counts)


def test_the_five_steps_are_a_table(example: Example) -> None:
    report, _, page = example
    _, *rows = page.table()
    assert [row[0] for row in rows] == [step["title"] for step in report["steps"]]
    for row, step in zip(rows, report["steps"], strict=True):
        assert step["status"] in row[1]
        assert row[2] == f"{step['weight']:.2f}"
        assert row[3] == "".join(step["evidence"])


def test_the_documents_are_a_table_in_the_order_of_their_tree(example: Example) -> None:
    report, _, page = example
    _, *rows = page.table_below("Documents")
    assert [row[0].lstrip("\u2003") for row in rows] == [document["location"] for document in report["documents"]]
    for row, document in zip(rows, report["documents"], strict=True):
        assert row[0].startswith("\u2003") is (document["parent"] is not None)
        assert row[1] == document["format"]
        assert row[2].replace("\u00a0", " ").startswith(f"{document['entries']} ")
        lastmod = document["lastmod"] or {"oldest": "", "newest": ""}
        if document["format"] != "rss":
            assert lastmod["oldest"][:10] in row[4]
            assert lastmod["newest"][:10] in row[4]
        found = [f for f in report["findings"] if f["document"] == document["location"]]
        assert sum(map(int, re.findall(r"\d+", row[5]))) == len(found)
    assert "1.0\u00a0kB" in rows[1][3].replace(" ", "\u00a0")


def test_findings_are_folded_by_cause_with_the_rule_and_the_fix(example: Example) -> None:
    report, _, page = example
    folds = [fold for fold in page.tree.xpath("//details") if fold.xpath("./summary/a")]
    assert [str(fold.xpath("string(./summary/a)")) for fold in folds] == [f["rule"] for f in by_weight(report)]
    for fold, finding in zip(folds, by_weight(report), strict=True):
        text = str(fold.text_content())
        assert fold.xpath("./summary/a/@href") == [finding["help"]]
        assert f"{finding['document']}:{finding['line']}:{finding['column']}" in text
        assert finding["message"].replace("`", "") in text
        assert "`" not in text
        assert finding["url"] is None or finding["url"] in text
        assert "Fix: " in text
    assert "open" in folds[0].attrib


def by_weight(report: dict[str, Any]) -> list[dict[str, Any]]:
    levels = ["error", "warning", "notice"]
    return sorted(report["findings"], key=lambda finding: levels.index(finding["severity"]))


def test_the_charts_have_their_numbers_in_text(example: Example) -> None:
    report, _, page = example
    assert [[row[0], row[2]] for row in page.table_below("Last modified")[-1:]] == [["none", "5"]]
    dated = sum(int(row[2] or 0) for row in page.table_below("Last modified"))
    assert dated == report["urls"]
    largest = {row[0]: int(row[2]) for row in page.table_below("URLs by document")}
    readable = [d for d in report["documents"] if d["format"] not in ("sitemapindex", "unknown")]
    assert largest == {document["location"]: document["entries"] for document in readable}
    assert [row[2] for row in page.table_below("Room to the limits")] == ["under 1 %", "under 1 %"]
    assert "img" not in page.elements


def test_a_clean_run_says_that_all_is_well(run: Run, write: Write, tmp_path: Path) -> None:
    write("robots.txt", "Sitemap: https://www.acme.example/sitemap.xml\n")
    write("sitemap.xml", urlset("<url><loc>https://www.acme.example/</loc></url>"))
    write("index.html", "<title>x</title>")
    page = rendered(run(".", format="markdown").stdout, tmp_path)
    assert "All is well: 1 document with 1 URL, and nothing to mend." in page.text
    assert "Findings" not in [str(title.text_content()) for title in page.tree.xpath("//h3")]


def test_files_are_linked_on_the_commit_if_git_knows_them(
    run: Run, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("public/a b#ü sitemap.xml", "public/built-sitemap.xml"):
        write(name, urlset("None/x"))
    for words_of_git in (["init", "-q"], ["add", "public/a b#ü sitemap.xml"]):
        subprocess.run(["git", *words_of_git], cwd=tmp_path, check=True)
    for name, value in {"ACTIONS": "true", "REPOSITORY": "acme/site", "WORKSPACE": str(tmp_path)}.items():
        monkeypatch.setenv(f"GITHUB_{name}", value)
    monkeypatch.chdir(tmp_path / "public")
    assert "/blob/" not in run(".", format="markdown").stdout.replace("sitemap-action/blob/main", "")
    monkeypatch.setenv("GITHUB_SHA", "0123abc")
    page = rendered(run(".", format="markdown").stdout, tmp_path)
    links = {target for target in page.targets if not target.startswith("https://github.com/sitemap-action/")}
    path = "/public/a%20b%23%C3%BC%20sitemap.xml"
    assert links == {BLOB + path, f"{BLOB}{path}#L3"}
    assert "built-sitemap.xml" in page.text


def test_places_are_spread_over_the_documents_and_what_is_left_is_somewhere(
    run: Run, write: Write, tmp_path: Path
) -> None:
    for number in range(60):
        write(f"site/sitemap-{number:02}.xml", urlset(*(f"/{number}/{n}" for n in range(12))))
    page = rendered(run("site", format="markdown").stdout, tmp_path)
    rows = page.table_below("loc-not-absolute ×720 in 60 documents")
    assert len({row[0].partition(":")[0] for row in rows}) == len(rows) == 50
    assert "… and 670 more: the JSON report has all with max-findings: 0." in page.text
    page = rendered(run("site", "--max-findings", "0", format="markdown").stdout, tmp_path)
    assert "… and 670 more: the JSON report has all." in page.text


def test_a_chart_shows_gaps_between_years_and_says_what_it_leaves_out(run: Run, write: Write, tmp_path: Path) -> None:
    years = [*range(1970, 2000), 2010, 2026]
    dated = "<url><loc>https://www.acme.example/{0}</loc><lastmod>{0}-01-01</lastmod></url>"
    write("site/sitemap.xml", urlset(*map(dated.format, years)))
    for number in range(14):
        write(f"site/sitemap-{number}.xml", urlset(f"https://www.acme.example/x/{number}"))
    page = rendered(run("site", format="markdown").stdout, tmp_path)
    rows = [row[0] for row in page.table_below("Last modified: the latest 24 of 32 periods; 8 URLs are older")]
    assert rows == [*map(str, range(1978, 2000)), "…", "2010", "…", "2026", "none"]
    assert len(page.table_below("URLs by document: the 12 largest of 15")) == 12
    opened = [fold for fold in page.tree.xpath("//details[@open]") if "modified" in fold.text_content()]
    assert len(opened) == 1


def test_months_have_gaps_too_and_a_small_site_has_no_chart_opened(run: Run, write: Write, tmp_path: Path) -> None:
    dated = "<url><loc>https://www.acme.example/{0}</loc><lastmod>{0}-01</lastmod></url>"
    write("sitemap.xml", urlset(*map(dated.format, ["2025-11", "2025-12", "2026-01", "2026-03"])))
    page = rendered(run("sitemap.xml", format="markdown").stdout, tmp_path)
    assert [row[0] for row in page.table_below("Last modified")] == ["2025-11", "2025-12", "2026-01", "…", "2026-03"]
    write("sitemap.xml", urlset("https://www.acme.example/"))
    page = rendered(run("sitemap.xml", format="markdown").stdout, tmp_path)
    assert page.table_below("Room to the limits")
    assert not page.tree.xpath("//details[@open]")


@pytest.mark.parametrize(("many", "folded"), [(2, False), (3, False), (4, True)])
def test_a_few_sites_have_a_line_each_and_many_are_folded(
    run: Run, write: Write, tmp_path: Path, many: int, folded: bool
) -> None:
    names = [write(f"{number}.xml", urlset(f"https://site-{number}.example/")).name for number in range(many)]
    page = rendered(run(*names, format="markdown").stdout, tmp_path)
    lines = [
        str(line.text_content()) for line in page.tree.xpath("//li" if folded else "//p[starts-with(., 'Site: ')]")
    ]
    told = [f"https://site-{number}.example/, told by the host most entries share" for number in range(many)]
    assert lines == (told if folded else [f"Site: {line}." for line in told])
    assert ("4 sites" in page.text) is folded


# Somebody else's text


def hostile(text: str, number: int) -> str:
    """An entry with the payload in each value, as XML allows it."""
    text = re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f]", "", text).replace("&", "&amp;").replace("<", "&lt;")
    loc = f"<loc>None/{number}/{text.replace(chr(13), '&#13;')}</loc>"
    return f"<url>{loc}<lastmod>{text}</lastmod><priority>{text}</priority><changefreq>{text}</changefreq></url>"


def site(write: Write, payloads: list[str], folder: str) -> None:
    write(f"{folder}/sitemap.xml", urlset(*(hostile(text, number) for number, text in enumerate(payloads))))
    lines = [f"Sitemap: //[{number}/{text}" for number, text in enumerate(payloads)]
    write(f"{folder}/robots.txt", "\n".join(re.sub("[\r\n\x85]|#.*", "", line) for line in lines))
    for number, text in enumerate(payloads):
        name = re.sub("[\x00/]", "", text)
        write(f"{folder}/{number:02} {name} sitemap.xml", index(f"https://www.acme.example/{folder}.xml"))


RULES = "loc-not-absolute lastmod-invalid priority-invalid changefreq-invalid robots-sitemap-not-absolute index-child-missing".split()
SELECTED = [word for rule in RULES for word in ("--select", rule)]


def assert_same_structure(found: Page, plain: Page) -> None:
    """Foreign backticks in a message may make more of it look like code, which is inert; nothing else comes of it."""
    assert found.elements - Counter(code=found.elements["code"]) == plain.elements - Counter(
        code=plain.elements["code"]
    )
    assert found.elements["code"] >= plain.elements["code"]
    assert not found.tree.xpath("//code//*[not(self::wbr)]")
    assert found.targets == plain.targets
    prose = "\n".join(found.prose)
    assert not re.search(r"@\w|:\w+:|#\d|GH-\d|[0-9a-f]{7}", prose, re.IGNORECASE)
    assert "pwned" in found.text
    assert not set(found.text) & set("\x00\x07\x1b\x7f\x85\u202e\u2066\u200b\ufeff")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows allows no such file names")
def test_no_content_makes_an_element_a_link_or_a_mention_of_a_summary(run: Run, write: Write, tmp_path: Path) -> None:
    site(write, PAYLOADS, "a")
    site(write, ["harmless"] * len(PAYLOADS), "b")
    texts = [run(folder, "--max-findings", "0", *SELECTED, format="markdown").stdout for folder in "ab"]
    found, plain = (rendered(text, tmp_path) for text in texts)
    assert_same_structure(found, plain)
    assert found.elements["tr"] > 4 * len(PAYLOADS)


def test_each_payload_is_shown_as_the_text_that_it_is(tmp_path: Path) -> None:
    rows = [f"<tr><td>{words(text)}</td><td>{code(text)}</td></tr>" for text in PAYLOADS]
    table = rendered("\n".join(["<table>", *rows, "</table>"]), tmp_path)
    assert [row[0] for row in table.table()] == [clean(text) for text in PAYLOADS]
    assert [row[1] for row in table.table()] == [clean(text) for text in PAYLOADS]
    many = len(PAYLOADS)
    assert table.elements == {"body": 1, "table": 1, "tbody": 1, "tr": many, "td": 2 * many, "code": many}
    paragraphs = rendered("\n\n".join(f"x {words(text)} {code(text)}" for text in PAYLOADS), tmp_path)
    assert paragraphs.elements == {"body": 1, "p": many, "code": many}
    assert paragraphs.targets == []
    assert not re.search(r"@\w|:\w+:|#\d|GH-\d|[0-9a-f]{7}", "\n".join(paragraphs.prose), re.IGNORECASE)


def test_sentences_of_the_rules_have_code_between_backticks_and_nothing_else(tmp_path: Path) -> None:
    fences = ["``a``", "`a", "a `` b", "`a\nb`", "```a```"]
    assert not any("<code>" in marked(text) for text in ["``a``", "`a", "a `` b", "```a```", "` `` "])
    assert marked("`<b>`") == "<code>&#60;b&#62;</code>"
    page = rendered("\n\n".join(f"x {marked(text)}" for text in [*PAYLOADS, *fences, "one `a` and `b`"]), tmp_path)
    assert set(page.elements) == {"body", "p", "code"}
    assert not page.tree.xpath("//code//*[not(self::wbr)]")
    assert str(page.tree.xpath("string(//p[last()])")) == "x one a and b"
    assert page.tree.xpath("//p[last()]/code/text()") == ["a", "b"]


def test_no_content_makes_an_element_a_link_or_a_mention_of_a_comment(
    run: Run, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site(write, PAYLOADS, "a")
    site(write, ["harmless"] * len(PAYLOADS), "b")
    reports: list[Report] = []
    monkeypatch.setattr("sitemap_action.report.Report.gate", lambda report, *_: reports.append(report))
    for folder in "ab":
        run(folder, "--max-findings", "0", *SELECTED, format="text")
    texts = [
        template("comment.md").render(
            view(report, Style(), Detail(0, 99, False)),
            marker=Markup("<!-- x -->"),
            resolved=False,
            run_url="https://x.example/1",
            log_has_all=False,
            most=99,
        )
        for report in reports
    ]
    found, plain = (rendered(text, tmp_path) for text in texts)
    assert_same_structure(found, plain)
    assert "https://x.example/1" in found.targets
