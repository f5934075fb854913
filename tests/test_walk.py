"""Built sites as crawlers see them: discovery, indexes, sets, and where the site is served."""

from __future__ import annotations

import gzip
import os
from pathlib import Path
from typing import Any

import pytest
from conftest import Outcome, Run, Write, index, urlset

HOME = "https://www.acme.example"


def locations(outcome: Outcome) -> list[str]:
    return [document["location"] for document in outcome.report["documents"]]


def document(outcome: Outcome, location: str) -> dict[str, Any]:
    found: dict[str, Any] = next(d for d in outcome.report["documents"] if d["location"] == location)
    return found


def test_a_directory_is_discovered_as_a_crawler_would(run: Run, write: Write) -> None:
    write("public/robots.txt", f"User-agent: *\r\nSITEMAP : {HOME}/maps/named.xml # comment\r\n")
    write("public/maps/named.xml", urlset(f"{HOME}/maps/a"))
    write("public/sitemap.xml", index(f"{HOME}/children/one.xml.gz"))
    write("public/children/one.xml.gz", gzip.compress(urlset(f"{HOME}/children/b").encode()))
    write("public/index.html", '<html><head><link href="/linked.xml" rel="alternate Sitemap"></head></html>')
    write("public/linked.xml", urlset(f"{HOME}/c"))
    write("public/old/my-sitemap.xml", urlset(f"{HOME}/old/d"))
    outcome = run("public")
    assert [(d["location"], d["found_by"], d["parent"]) for d in outcome.report["documents"]] == [
        ("public/maps/named.xml", ["robots.txt"], None),
        ("public/sitemap.xml", ["convention"], None),
        ("public/children/one.xml.gz", ["index"], "public/sitemap.xml"),
        ("public/linked.xml", ["link"], None),
        ("public/old/my-sitemap.xml", ["directory"], None),
    ]
    assert outcome.report["target"]["site_url"] == f"{HOME}/"
    assert outcome.report["target"]["site_url_from"] == "robots"
    assert document(outcome, "public/children/one.xml.gz")["compressed"] is True


def test_project_pages_below_a_path_are_mapped_onto_the_directory(run: Run, write: Write) -> None:
    site = "https://acme.example/repo"
    write("dist/sitemap-index.xml", index(f"{site}/sitemap-0.xml"))
    write("dist/sitemap-0.xml", urlset(f"{site}/", f"{site}/about"))
    for options in (["--site-url", f"{site}/"], ["--site-url", site], []):
        outcome = run(*options, "dist")
        assert locations(outcome) == ["dist/sitemap-index.xml", "dist/sitemap-0.xml"]
        assert outcome.rules() == []


def test_robots_tells_the_path_prefix(run: Run, write: Write) -> None:
    site = "https://acme.example/repo"
    write("dist/robots.txt", f"Sitemap: {site}/maps/sitemap.xml\n")
    write("dist/maps/sitemap.xml", urlset(f"{site}/about"))
    outcome = run("dist")
    assert outcome.report["target"]["site_url"] == f"{site}/"
    assert outcome.rules() == ["robots-not-at-root"]


def test_a_nested_folder_below_an_unknown_prefix_is_no_false_alarm(run: Run, write: Write) -> None:
    write("dist/sitemap.xml", urlset("https://acme.example/repo/"))
    write("dist/en/sitemap.xml", urlset("https://acme.example/repo/en/", "https://acme.example/repo/en/a"))
    assert run("dist").rules() == []


def test_entries_above_the_sitemaps_folder_are_outside_unless_robots_names_the_index(run: Run, write: Write) -> None:
    write("dist/sitemap.xml", index(f"{HOME}/maps/1.xml"))
    write("dist/maps/1.xml", urlset(f"{HOME}/about", f"{HOME}/maps/x"))
    outcome = run("dist")
    assert outcome.rules() == ["loc-outside-path"]
    assert outcome.finding("loc-outside-path")["url"] == f"{HOME}/about"
    write("dist/robots.txt", f"Sitemap: {HOME}/sitemap.xml\n")
    assert run("dist").rules() == []


def test_a_compressed_copy_is_not_a_second_sitemap(run: Run, write: Write) -> None:
    text = urlset(f"{HOME}/a")
    write("site/sitemap.xml", text)
    write("site/sitemap.xml.gz", gzip.compress(text.encode()))
    outcome = run("site")
    assert locations(outcome) == ["site/sitemap.xml"]
    assert any("compressed copy" in line for line in outcome.report["steps"][0]["evidence"])


def test_the_same_list_as_text_is_no_repetition(run: Run, write: Write) -> None:
    write("site/sitemap.xml", urlset(f"{HOME}/a", f"{HOME}/b"))
    write("site/sitemap.txt", f"{HOME}/a\n{HOME}/b\n")
    assert run("site").rules() == []


def test_a_url_in_two_files_of_the_set_is_reported_at_the_second(run: Run, write: Write) -> None:
    write("site/sitemap.xml", index(f"{HOME}/1.xml", f"{HOME}/2.xml"))
    write("site/1.xml", urlset(f"{HOME}/a", f"{HOME}/b"))
    write("site/2.xml", urlset(f"{HOME}/c", f"{HOME}/b"))
    finding = run("site").finding("loc-repeated")
    assert (finding["document"], finding["line"], finding["url"]) == ("site/2.xml", 4, f"{HOME}/b")
    assert "site/1.xml:4" in finding["message"]


def test_feeds_and_news_sitemaps_may_name_pages_again(run: Run, write: Write) -> None:
    write("site/sitemap.xml", index(f"{HOME}/1.xml", f"{HOME}/feed.xml"))
    write("site/1.xml", urlset(f"{HOME}/a"))
    feed = f'<rss version="2.0"><channel><item><link>{HOME}/a</link></item></channel></rss>'
    write("site/feed.xml", feed)
    outcome = run("site")
    assert outcome.rules() == []
    assert document(outcome, "site/feed.xml")["format"] == "rss"


def test_cycles_nesting_missing_children_and_other_hosts_belong_to_the_index(run: Run, write: Write) -> None:
    write(
        "site/sitemap.xml",
        index(
            f"{HOME}/sitemap.xml",
            f"{HOME}/nested.xml",
            f"{HOME}/gone.xml",
            "https://cdn.acme.example/x.xml",
            f"{HOME}/1.xml",
            f"{HOME}/1.xml",
        ),
    )
    write("site/nested.xml", index(f"{HOME}/sitemap.xml", f"{HOME}/1.xml"))
    write("site/1.xml", urlset(f"{HOME}/a"))
    findings = [(f["rule"], f["document"], f["line"], f["url"]) for f in run("site").report["findings"]]
    assert findings == [
        ("index-cycle", "site/sitemap.xml", 3, f"{HOME}/sitemap.xml"),
        ("index-nested", "site/sitemap.xml", 4, f"{HOME}/nested.xml"),
        ("index-child-missing", "site/sitemap.xml", 5, f"{HOME}/gone.xml"),
        ("index-child-other-host", "site/sitemap.xml", 6, "https://cdn.acme.example/x.xml"),
        ("index-child-repeated", "site/sitemap.xml", 8, f"{HOME}/1.xml"),
        ("index-cycle", "site/nested.xml", 3, f"{HOME}/sitemap.xml"),
    ]


def test_a_chain_of_indexes_ends_at_a_depth(run: Run, write: Write) -> None:
    for number in range(9):
        write(f"site/i{number}.xml", index(f"{HOME}/i{number + 1}.xml"))
    write("site/i9.xml", urlset(f"{HOME}/a"))
    write("site/robots.txt", f"Sitemap: {HOME}/i0.xml\n")
    outcome = run("site")
    assert set(outcome.rules()) == {"index-nested"}
    assert "not followed" in outcome.report["findings"][-1]["message"]


def test_an_index_too_deep_in_a_chain_is_read_when_it_is_found_otherwise(run: Run, write: Write) -> None:
    for number in range(9):
        write(f"site/sitemap-{number}.xml", index(f"{HOME}/sitemap-{number + 1}.xml"))
    write("site/sitemap-9.xml", urlset(f"{HOME}/a", "/b"))
    write("site/robots.txt", f"Sitemap: {HOME}/sitemap-0.xml\n")
    outcome = run("site")
    assert len(locations(outcome)) == 10
    assert "loc-not-absolute" in outcome.rules()


def test_a_file_argument_finds_its_children_by_path_not_by_base_name(run: Run, write: Write) -> None:
    write("a/sitemap.xml", index(f"{HOME}/en/sitemap.xml", f"{HOME}/de/sitemap.xml"))
    write("a/en/sitemap.xml", urlset(f"{HOME}/en/"))
    outcome = run("a/sitemap.xml")
    assert locations(outcome) == ["a/sitemap.xml", "a/en/sitemap.xml"]
    finding = outcome.finding("index-child-missing")
    assert (finding["severity"], finding["line"]) == ("notice", 4)
    assert outcome.exit_code == 0


def test_a_base_name_beside_a_lone_index_proves_nothing_unless_the_site_url_says_so(run: Run, write: Write) -> None:
    site = "https://acme.example/repo"
    write("dist/sitemap-index.xml", index(f"{site}/sitemap-0.xml"))
    write("dist/sitemap-0.xml", urlset(f"{site}/a"))
    assert run("dist/sitemap-index.xml").rules() == ["index-child-missing"]
    outcome = run("--site-url", site, "dist/sitemap-index.xml")
    assert locations(outcome) == ["dist/sitemap-index.xml", "dist/sitemap-0.xml"]
    assert outcome.rules() == []


def test_a_longer_end_of_the_path_that_all_children_share_is_enough(run: Run, write: Write) -> None:
    site = "https://acme.example/repo"
    write("dist/sitemap-index.xml", index(f"{site}/maps/0.xml", f"{site}/maps/1.xml"))
    write("dist/maps/0.xml", urlset(f"{site}/maps/a"))
    write("dist/maps/1.xml", urlset(f"{site}/maps/b"))
    assert len(locations(run("dist/sitemap-index.xml"))) == 3


def test_a_file_argument_in_a_subfolder_knows_the_folders_above(run: Run, write: Write) -> None:
    write("public/blog/sitemap.xml", index(f"{HOME}/blog/posts.xml"))
    write("public/blog/posts.xml", urlset(f"{HOME}/blog/a"))
    assert locations(run("public/blog/sitemap.xml")) == ["public/blog/sitemap.xml", "public/blog/posts.xml"]


def test_a_child_given_as_argument_as_well_is_read_once(run: Run, write: Write) -> None:
    write("sitemap.xml", index(f"{HOME}/1.xml"))
    write("1.xml", urlset(f"{HOME}/a"))
    for arguments in (["sitemap.xml", "1.xml"], ["1.xml", "sitemap.xml"], ["1.xml", ".", "./1.xml"]):
        outcome = run(*arguments)
        assert sorted(locations(outcome)) == ["1.xml", "sitemap.xml"]
        assert set(document(outcome, "1.xml")["found_by"]) >= {"index", "argument"}
        assert document(outcome, "1.xml")["parent"] == "sitemap.xml"
        assert outcome.rules() == []


def test_files_of_different_hosts_are_sets_of_their_own(run: Run, write: Write) -> None:
    write("a.xml", urlset(f"{HOME}/", f"{HOME}/x"))
    write("b.xml", urlset("https://shop.acme.example/", "https://shop.acme.example/x"))
    outcome = run("a.xml", "b.xml")
    assert outcome.rules() == []
    assert outcome.report["target"]["site_url"] is None
    scoped = run("--site-url", HOME, "a.xml", "b.xml")
    assert scoped.finding("loc-host-mismatch")["count"] == 2
    assert run("--site-url", HOME, "--allow-host", "shop.acme.example", "a.xml", "b.xml").rules() == []


def test_the_plurality_decides_and_a_tie_leaves_the_host_unknown(run: Run, write: Write) -> None:
    other = "https://b.example"
    write("most.xml", urlset(f"{HOME}/", f"{HOME}/x", f"{other}/"))
    outcome = run("most.xml")
    assert outcome.rules() == ["loc-host-mismatch"]
    assert outcome.report["target"]["site_url_from"] == "entries"
    write("tie.xml", urlset(f"{HOME}/", f"{other}/"))
    tie = run("tie.xml")
    assert tie.rules() == ["loc-mixed-hosts"]
    assert tie.report["target"]["site_url"] is None


@pytest.mark.parametrize(("scheme", "expected"), [("https", "https"), ("http", "http")])
def test_a_cname_names_the_host_and_entries_its_scheme(run: Run, write: Write, scheme: str, expected: str) -> None:
    write("site/CNAME", "www.acme.example\n")
    write("site/sitemap.xml", urlset(f"{scheme}://www.acme.example/"))
    outcome = run("site")
    assert outcome.report["target"] == {
        "kind": "files",
        "values": ["site"],
        "site_url": f"{expected}://www.acme.example/",
        "site_url_from": "cname",
    }
    assert outcome.rules() == []


def test_a_sitemap_that_robots_names_and_that_is_not_built_is_found_at_its_line(run: Run, write: Write) -> None:
    write("site/robots.txt", f"User-agent: *\nSitemap: {HOME}/gone.xml\n")
    outcome = run("site")
    finding = outcome.finding("fetch-failed")
    assert (finding["document"], finding["line"], finding["url"]) == ("site/robots.txt", 2, f"{HOME}/gone.xml")
    assert locations(outcome) == [f"{HOME}/gone.xml"]
    assert [step["status"] for step in outcome.report["steps"]] == ["pass", "fail", "skip", "skip", "skip"]


def test_a_relative_line_in_robots_is_tried_and_reported(run: Run, write: Write) -> None:
    write("site/robots.txt", "Sitemap: maps/all.xml\n")
    write("site/maps/all.xml", urlset(f"{HOME}/about"))
    outcome = run("site")
    assert document(outcome, "site/maps/all.xml")["found_by"] == ["robots.txt"]
    assert outcome.rules() == ["robots-sitemap-not-absolute"]


def test_an_unusable_robots_file_is_only_a_notice(run: Run, write: Write) -> None:
    write("site/sitemap.xml", urlset(f"{HOME}/"))
    write("site/robots.txt", f"Sitemap: {HOME}/sitemap.xml\n" + "# padding\n" * 60_000)
    outcome = run("site")
    assert outcome.rules() == ["robots-unreadable"]
    assert document(outcome, "site/sitemap.xml")["found_by"] == ["robots.txt", "convention"]


def test_two_directories_are_two_sites_unless_one_url_is_given(run: Run, write: Write) -> None:
    write("a/sitemap.xml", urlset(f"{HOME}/"))
    write("b/sitemap.xml", urlset("https://shop.acme.example/"))
    assert run("a", "b").rules() == []
    assert run("--site-url", HOME, "a", "b").rules() == ["loc-host-mismatch"]


@pytest.mark.parametrize("targets", [["a", "a"], ["a", "./a/"], [".", "a"], ["a", "."]])
def test_a_directory_given_twice_is_not_missing_a_sitemap(run: Run, write: Write, targets: list[str]) -> None:
    write("a/sitemap.xml", urlset(f"{HOME}/1"))
    outcome = run(*targets)
    assert outcome.rules() == []
    assert locations(outcome) == ["a/sitemap.xml"]


def test_a_site_that_begins_one_folder_below_the_target_is_no_false_alarm(run: Run, write: Write) -> None:
    write("dist/client/sitemap-index.xml", index(f"{HOME}/sitemap-0.xml"))
    write("dist/client/sitemap-0.xml", urlset(f"{HOME}/", f"{HOME}/about"))
    outcome = run("dist")
    assert locations(outcome) == ["dist/client/sitemap-index.xml", "dist/client/sitemap-0.xml"]
    assert outcome.rules() == []


def test_a_local_host_is_not_also_outside_of_a_path(run: Run, write: Write) -> None:
    write("site/sitemap.xml", index("http://localhost/en/sitemap.xml"))
    write("site/en/sitemap.xml", urlset("http://localhost/en/", "http://localhost/a"))
    assert set(run("site").rules()) == {"loc-local-host"}


def test_two_directories_of_one_host_are_one_set(run: Run, write: Write) -> None:
    write("a/sitemap.xml", urlset(f"{HOME}/1", f"{HOME}/2"))
    write("b/sitemap.xml", urlset(f"{HOME}/2", f"{HOME}/3"))
    for options in ([], ["--site-url", HOME]):
        assert run(*options, "a", "b").rules() == ["loc-repeated"]
    write("b/CNAME", "www.acme.example")
    assert run("a", "b").rules() == ["loc-repeated"]


def test_a_file_joins_the_directory_of_its_host(run: Run, write: Write) -> None:
    write("site/sitemap.xml", urlset(f"{HOME}/a"))
    write("extra.xml", urlset(f"{HOME}/a"))
    assert run("site", "extra.xml").rules() == ["loc-repeated"]


def test_links_in_urls_never_lead_out_of_the_directory(run: Run, write: Write, tmp_path: Path) -> None:
    write("secret.xml", urlset(f"{HOME}/secret"))
    write("site/sitemap.xml", index(f"{HOME}/../secret.xml", f"{HOME}/%2e%2e%2fsecret.xml", f"{HOME}/link.xml"))
    os.symlink(tmp_path / "secret.xml", tmp_path / "site" / "link.xml")
    outcome = run("--site-url", HOME, "site")
    assert locations(outcome) == ["site/sitemap.xml"]
    assert outcome.finding("index-child-missing")["count"] == 3


def test_folders_of_packages_and_hidden_ones_are_not_searched(run: Run, write: Write) -> None:
    write("site/sitemap.xml", urlset(f"{HOME}/"))
    for folder in ("node_modules", ".git", ".cache"):
        write(f"site/{folder}/sitemap.xml", "broken")
    write("site/.well-known/sitemap.xml", urlset(f"{HOME}/.well-known/x"))
    write("site/notes/sitemap-notes.txt", "remember to add the blog")
    assert locations(run("site")) == ["site/sitemap.xml", "site/.well-known/sitemap.xml"]


def test_paths_outside_of_the_working_directory_are_shown_as_given(
    run: Run, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("other/sitemap.xml", urlset(f"{HOME}/"))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir("work")
    assert locations(run("../other/sitemap.xml")) == ["../other/sitemap.xml"]
    assert locations(run(tmp_path / "other")) == [(tmp_path / "other/sitemap.xml").as_posix()]


def test_the_index_date_is_compared_with_the_newest_entry_at_the_coarser_precision(run: Run, write: Write) -> None:
    child = f"<url><loc>{HOME}/</loc><lastmod>2026-03-01T23:30:00+00:00</lastmod></url>"
    write("site/1.xml", urlset(child))
    for stated, rules in (("2026-03-01", []), ("2026-03", []), ("2026-02-28", ["index-lastmod-stale"])):
        line = f"<sitemap><loc>{HOME}/1.xml</loc><lastmod>{stated}</lastmod></sitemap>"
        write("site/sitemap.xml", index().replace("</sitemapindex>", line + "</sitemapindex>"))
        found = [rule for rule in run("site").rules() if rule != "lastmod-low-precision"]
        assert found == rules
