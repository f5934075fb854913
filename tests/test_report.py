"""The report: JSON held to its schema, steps and score, counts and caps, text that a person reads."""

from __future__ import annotations

import json
import re
import sys
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest
from conftest import Run, Write, index, runner, urlset

from sitemap_action.cli import main
from sitemap_action.command import request as request_module
from sitemap_action.formats.style import Style
from sitemap_action.rules import all_rules

HOME = "https://www.acme.example"
SCHEMA = json.loads(files("sitemap_action.schemas").joinpath("report.schema.json").read_text(encoding="utf-8"))
EXAMPLE = Path(__file__).parents[1] / "example" / "public"

# The rules of the specification but those about the listed pages.
COVERED = """
sitemap-missing robots-sitemap-not-absolute robots-sitemap-misspelled robots-sitemap-other-host robots-no-sitemap
robots-unreadable robots-not-at-root sitemap-not-in-robots fetch-failed sitemap-blocked-by-robots fetch-refused
http-status-not-ok sitemap-redirects content-type-html content-type-unexpected index-child-unreachable
gzip-corrupt gzip-name-mismatch compression-unsupported decompression-limit index-child-missing
document-empty content-is-html template-unrendered merge-conflict-markers xml-not-well-formed xml-leading-content
encoding-not-utf8 encoding-invalid-bytes doctype-present root-unknown namespace-missing namespace-wrong
namespace-legacy extension-namespace-wrong extension-namespace-unknown extension-misplaced element-unknown
element-repeated element-empty element-order attribute-unknown text-unexpected schema-violation urlset-empty
urls-too-many sitemaps-too-many document-too-large document-near-limit text-line-not-url feed-version-unsupported
feed-link-missing
loc-missing loc-not-absolute loc-scheme-unsupported loc-invalid loc-too-long loc-has-credentials loc-has-fragment
loc-not-escaped loc-double-escaped loc-surrounding-space loc-local-host loc-placeholder-host loc-host-mismatch
loc-scheme-mismatch loc-port-mismatch loc-outside-path loc-mixed-hosts loc-repeated loc-variant-repeated
loc-not-a-page loc-index-html loc-session-id lastmod-invalid lastmod-zone-missing lastmod-low-precision
lastmod-in-future lastmod-implausible lastmod-all-identical lastmod-stale changefreq-invalid priority-invalid
priority-all-equal
index-empty index-nested index-cycle index-child-repeated index-child-other-host index-child-outside-path
index-lastmod-stale
image-loc-missing image-loc-not-absolute images-too-many image-tag-unknown image-tag-retired
video-thumbnail-missing video-title-missing video-description-missing video-content-missing video-url-not-absolute
video-content-is-page video-description-too-long video-duration-invalid video-rating-invalid
video-view-count-invalid video-date-invalid video-expired video-yes-no-invalid video-restriction-invalid
video-platform-invalid video-uploader-too-long video-tags-too-many video-element-repeated video-tag-unknown
video-tag-retired
news-publication-missing news-name-missing news-language-missing news-date-missing news-title-missing news-repeated
news-too-many news-language-invalid news-date-invalid news-too-old news-tag-unknown news-tag-retired
hreflang-attribute-missing hreflang-not-absolute hreflang-code-invalid hreflang-code-repeated hreflang-self-missing
hreflang-no-return-link hreflang-target-not-listed hreflang-x-default-missing
""".split()


def test_the_rule_list_is_complete(run: Run) -> None:
    listed = [line.split()[0] for line in run("--list-rules", format=None).stdout.splitlines()]
    assert set(COVERED) <= set(listed)
    assert sorted(all_rules()) == sorted(listed)


@pytest.mark.parametrize("target", [EXAMPLE, EXAMPLE / "sitemap-index.xml", EXAMPLE / "robots.txt"])
def test_the_report_keeps_to_its_schema(run: Run, target: Path) -> None:
    jsonschema.validate(run(target).report, SCHEMA)
    jsonschema.validate(run("--max-findings", "0", target).report, SCHEMA)


def test_an_empty_report_keeps_to_its_schema(run: Run) -> None:
    jsonschema.validate(run(".").report, SCHEMA)


def test_the_steps_have_fixed_weights_and_the_score_adds_them_up(run: Run, write: Write) -> None:
    write("sitemap.xml", urlset("/relative", f"{HOME}/#x", "http://localhost/", f"{HOME}/a", f"{HOME}/b"))
    report = run("sitemap.xml").report
    steps = [(step["id"], step["weight"], step["status"], step["score"]) for step in report["steps"]]
    assert steps == [
        ("discover", 0.2, "pass", 1.0),
        ("fetch", 0.25, "pass", 1.0),
        ("parse", 0.25, "fail", 0.0),
        ("field-quality", 0.1, "warn", 0.5),
        ("scope", 0.2, "fail", 0.0),
    ]
    assert report["score"] == 0.5
    assert report["verdict"] == "fail"


@pytest.mark.parametrize(
    ("content", "statuses"),
    [
        ("", ["pass", "pass", "fail", "skip", "skip"]),
        ("<html>", ["pass", "pass", "fail", "skip", "skip"]),
        (b"\x1f\x8b", ["pass", "fail", "pass", "skip", "skip"]),
        ("---\ntitle: x\n---\n", ["pass", "pass", "pass", "skip", "skip"]),
        (urlset(), ["pass", "pass", "warn", "pass", "pass"]),
    ],
)
def test_steps_that_a_failure_left_nothing_for_are_skipped(
    run: Run, write: Write, content: str | bytes, statuses: list[str]
) -> None:
    write("sitemap.xml", content)
    assert [step["status"] for step in run("sitemap.xml").report["steps"]] == statuses


def test_one_readable_document_keeps_the_steps_going(run: Run, write: Write) -> None:
    write("site/sitemap.xml", index(f"{HOME}/a.xml", f"{HOME}/b.xml"))
    write("site/a.xml", "broken")
    write("site/b.xml", urlset(f"{HOME}/#x"))
    assert [s["status"] for s in run("site").report["steps"]] == ["pass", "pass", "fail", "warn", "pass"]


def test_a_step_that_does_not_pass_says_what_failed_in_it(run: Run, write: Write) -> None:
    write("sitemap.xml", urlset("/a", "/b", f"{HOME}/#x", f"{HOME}/", "ftp://www.acme.example/"))
    evidence = {step["id"]: step["evidence"] for step in run("sitemap.xml").report["steps"]}
    assert evidence["parse"][:2] == [
        "3 errors: loc-not-absolute ×2, loc-scheme-unsupported",
        "urlset 1",
    ]
    assert evidence["field-quality"][0].startswith("1 warning: loc-has-fragment")
    assert evidence["fetch"] == [line for line in evidence["fetch"] if "error" not in line]
    values = ("loc-not-absolute", "loc-scheme-unsupported", "loc-has-fragment")
    ignored = [word for rule in values for word in ("--ignore", rule)]
    plain = [step["evidence"][0] for step in run("sitemap.xml", *ignored).report["steps"]]
    assert not any("error" in line or "warning" in line for line in plain)


def test_many_rules_that_failed_a_step_are_counted(run: Run, write: Write) -> None:
    locs = ["/a", "ftp://www.acme.example/", "http://localhost/", f"{HOME}/{'x' * 3000}", f"https://u:p@{HOME[8:]}/"]
    write("sitemap.xml", urlset(*locs, f"{HOME}/a b", "http://[/", "<url></url>", f"<url><loc>{HOME}/</loc><x/></url>"))
    grades = [f"--severity={rule}=error" for rule in ("loc-too-long", "loc-has-credentials", "element-unknown")]
    (parse,) = [step for step in run("sitemap.xml", *grades).report["steps"] if step["id"] == "parse"]
    assert re.search("^[0-9]+ errors: (?:[a-z-]+(?: ×2)?, ){6}and 1 more rule$", parse["evidence"][0])


def test_the_ways_in_which_sitemaps_were_found_add_up(run: Run) -> None:
    (discover,) = [step for step in run(EXAMPLE).report["steps"] if step["id"] == "discover"]
    assert discover["evidence"][:2] == [
        "6 sitemaps",
        "found by: index 4, robots.txt + convention + link 1, robots.txt 1",
    ]


def test_findings_are_counted_in_full_and_listed_up_to_the_cap(run: Run, write: Write) -> None:
    write("sitemap.xml", urlset(*(f"/{number}" for number in range(25))))
    report = run("sitemap.xml").report
    assert [finding["count"] for finding in report["findings"]] == [25, *[1] * 9]
    assert [finding["line"] for finding in report["findings"]] == list(range(3, 13))
    assert report["counts"]["error"] == 25
    assert len(run("--max-findings", "0", "sitemap.xml").report["findings"]) == 25
    assert len(run("--max-findings", "3", "sitemap.xml").report["findings"]) == 3


def test_totals_are_per_rule_document_and_severity(run: Run, write: Write) -> None:
    entries = [
        f"<url><loc>{HOME}/{number}</loc><changefreq>{value}</changefreq></url>"
        for number, value in enumerate(["Daily", "often", "Weekly", "seldom"])
    ]
    write("sitemap.xml", urlset(*entries))
    findings = [(f["severity"], f["line"], f["count"]) for f in run("sitemap.xml").report["findings"]]
    assert findings == [("notice", 3, 2), ("warning", 4, 2), ("notice", 5, 1), ("warning", 6, 1)]


def test_a_document_says_what_it_holds(run: Run, write: Write) -> None:
    image = "<image:image><image:loc>https://cdn.acme.example/a.jpg</image:loc></image:image>"
    entries = [
        f"<url><loc>{HOME}/1</loc><lastmod>2025-01-02</lastmod>{image}{image}</url>",
        f"<url><loc>{HOME}/2</loc><lastmod> 2026-03-04T05:06:07Z </lastmod></url>",
        f"<url><loc>{HOME}/3</loc></url>",
    ]
    text = urlset(*entries, attributes=' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"')
    write("sitemap.xml", text)
    report = run("sitemap.xml").report
    assert report["documents"] == [
        {
            "location": "sitemap.xml",
            "format": "urlset",
            "parent": None,
            "found_by": ["argument"],
            "http_status": None,
            "final_url": None,
            "fetched_from": None,
            "bytes": len(text),
            "compressed": False,
            "entries": 3,
            "lastmod": {"oldest": "2025-01-02", "newest": "2026-03-04T05:06:07Z", "missing": 1, "distinct": 2},
            "extensions": {"image": 2, "video": 0, "news": 0, "hreflang": 0},
        }
    ]
    assert report["urls"] == 3


def test_entries_without_a_date_are_counted_though_another_has_two(run: Run, write: Write) -> None:
    twice = f"<url><loc>{HOME}/1</loc><lastmod>2025-01-02</lastmod><lastmod>2025-01-03</lastmod></url>"
    dated = f"<url><loc>{HOME}/3</loc><lastmod>2025-01-04</lastmod></url>"
    write("sitemap.xml", urlset(twice, f"{HOME}/2", dated))
    assert run("sitemap.xml").report["documents"][0]["lastmod"]["missing"] == 1


def test_the_text_report_ends_with_the_verdict_and_is_plain_when_piped(run: Run) -> None:
    text = run(EXAMPLE, format="text").stdout
    assert "\x1b" not in text
    assert text.splitlines()[-1].startswith("FAIL  score ")
    assert "fix: " in text
    assert all(len(line) == len(line.rstrip()) for line in text.splitlines())


def test_places_in_the_text_are_few_and_of_many_documents(run: Run, write: Write) -> None:
    for name in range(20):
        write(f"site/sitemap-{name:02}.xml", urlset(*(f"/{name}/{number}" for number in range(10))))
    text = run("site", format="text").stdout
    assert "error loc-not-absolute ×200 in 20 documents  " in text
    block = text.partition("error loc-not-absolute")[2].partition("  fix:")[0].splitlines()[1:]
    assert [line.split(":")[0].strip() for line in block[:-1]] == [f"site/sitemap-{name:02}.xml" for name in range(10)]
    assert block[-1] == "  … and 190 more (--verbose lists all)"
    assert "--verbose --max-findings 0 lists all" in run("site", "--max-findings", "5", format="text").stdout
    verbose = run("site", "--verbose", "--max-findings", "5", format="text").stdout
    assert verbose.count("' has no scheme and host") == 100
    assert "… and 100 more (--max-findings 0 lists all)" in verbose


def test_quiet_says_nothing_when_all_is_well_and_no_notices_otherwise(run: Run, write: Write) -> None:
    write("good.xml", urlset(f"{HOME}/"))
    assert run("-q", "good.xml", format="text").stdout == ""
    write("bad.xml", urlset(f"{HOME}/é", "/x", f"{HOME}/"))
    text = run("--quiet", "bad.xml", format="text").stdout
    assert "loc-not-absolute" in text
    assert "loc-not-escaped" not in text
    assert "Documents" not in text


def test_verbose_shows_the_steps_the_reasons_and_the_link(run: Run, write: Write) -> None:
    write("bad.xml", urlset("/x", f"{HOME}/"))
    text = run("--verbose", "bad.xml", format="text").stdout
    assert "field-quality" in text
    assert "docs/rules.md#loc-not-absolute" in text
    assert "A sitemap has no base" in text


def test_colour_can_be_asked_for(run: Run, write: Write) -> None:
    write("bad.xml", urlset("/x", f"{HOME}/"))
    assert "\x1b[31m" in run("--color", "bad.xml", format="text").stdout
    assert "\x1b" not in run("--no-color", "bad.xml", format="text").stdout


@pytest.mark.parametrize(("variable", "colored"), [("", True), ("1", False)])
def test_on_a_terminal_there_is_colour_unless_no_color_is_set(
    run: Run, write: Write, monkeypatch: pytest.MonkeyPatch, variable: str, colored: bool
) -> None:
    class Terminal:
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("NO_COLOR", variable)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stdout", Terminal())
    style = request_module._style(None, False, False)
    assert style.color is colored
    assert style.width is not None


def test_long_lines_are_wrapped_to_the_terminals_width(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_module, "_style", lambda *_: Style(width=50))
    path = write("sitemap.xml", urlset("/" + "word " * 30))
    text = runner().invoke(main, [str(path)]).stdout
    folded = [line for line in text.splitlines() if line.startswith("      ")]
    assert folded
    assert all(len(line) <= 50 for line in folded)


def test_a_code_of_colour_is_never_cut_in_two(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write("a-name-that-leaves-no-room-sitemap.xml", urlset("/" + "x" * 100, "/y"))
    for width in range(25, 60):
        monkeypatch.setattr(request_module, "_style", lambda *_, width=width: Style(color=True, width=width))
        text = runner().invoke(main, ["--color", str(path)]).stdout
        assert text.count("\x1b") == len(re.findall(r"\x1b\[\d+m", text)) > 10


@pytest.mark.parametrize(("width", "ends"), [(40, "urlset"), (50, "1 URL"), (62, "159 B"), (120, "found by index")])
def test_a_narrow_terminal_gets_the_tree_without_what_matters_less(
    write: Write, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, width: int, ends: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(request_module, "_style", lambda *_: Style(width=width))
    write("site/sitemap.xml", index(f"{HOME}/a.xml"))
    write("site/a.xml", urlset(f"{HOME}/x"))
    lines = runner().invoke(main, ["site"]).stdout.splitlines()
    (row,) = [line for line in lines if line.lstrip().startswith("site/a.xml")]
    assert row.rstrip().endswith(ends)
    assert len(row) <= width


def test_the_overview_shows_the_tree_the_dates_and_the_limits(run: Run, write: Write) -> None:
    write("site/sitemap.xml", index(f"{HOME}/a.xml"))
    dates = ("2019-01-01", "2022-05-05", "2025-06-06")
    write(
        "site/a.xml", urlset(*(f"<url><loc>{HOME}/{d}</loc><lastmod>{d}</lastmod></url>" for d in dates), f"{HOME}/x")
    )
    text = run("site", format="text").stdout
    assert "  site/sitemap.xml" in text
    assert "    site/a.xml" in text
    assert "lastmod 2019-01-01 … 2025-06-06" in text
    assert "2019 █ 1  2022 █ 1  2025 █ 1  none 1" in text
    assert "under 1 % of 50,000 entries" in text


def test_many_documents_are_cut_short_unless_verbose(run: Run, write: Write) -> None:
    write("site/sitemap.xml", index(*(f"{HOME}/{number}.xml" for number in range(40))))
    for number in range(40):
        write(f"site/{number}.xml", urlset(f"{HOME}/{number}"))
    assert "… and 11 more" in run("site", format="text").stdout
    assert "more" not in run("-v", "site", format="text").stdout


def test_a_url_that_is_much_too_long_does_not_fill_the_screen(run: Run, write: Write) -> None:
    url = f"https://www.acme.example/{'x' * 50_000}"
    write("sitemap.xml", urlset(url))
    assert run("sitemap.xml").finding("loc-too-long")["url"] == url
    assert len(run("sitemap.xml", "--format", "text").stdout) < 2_000
