"""One cause, one finding, at its place: cases that went wrong once."""

from __future__ import annotations

import pytest
from conftest import NAMESPACE, Run, Write, index, urlset

HOME = "https://www.acme.example"
IMAGE = ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
VIDEO = ' xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"'
XHTML = ' xmlns:xhtml="http://www.w3.org/1999/xhtml"'
ENTRY = f"<url><loc>{HOME}/</loc></url>"


def root(body: str, attributes: str = "", name: str = "urlset") -> str:
    return f'<{name} xmlns="{NAMESPACE}"{attributes}>{body}</{name}>'


@pytest.mark.parametrize(
    ("content", "rules"),
    [
        (root(f"{ENTRY}<url><loc>{HOME}/caf").encode() + b"\xe9</loc></url></urlset>", ["encoding-invalid-bytes"]),
        (
            root(f"{ENTRY}<url><loc>{HOME}/x").encode() + b"\xed\xa0\x80</loc></url></urlset>",
            ["encoding-invalid-bytes"],
        ),
        ("<!-- see <rss > -->" + root(ENTRY), []),
        (f"<!-- <urlset> --><rss version='2.0'><channel><item><link>{HOME}/</link></item></channel></rss>", []),
        ('<!-- <?xml version="1.0"?> -->' + root(ENTRY), []),
        (root(f"<?php foreach($a as $b): ?>{ENTRY}"), ["template-unrendered"]),
        (root("<url><loc><?php echo $x ?></loc></url>"), ["template-unrendered"]),
        (root("<url><loc><![CDATA[{{ x }}]]></loc></url>"), ["template-unrendered"]),
        (root(ENTRY, " {{ attributes }}"), ["template-unrendered"]),
        (f"+++\ntitle = 1\n+++\n{root(ENTRY)}", ["template-unrendered"]),
        ("{# comment #}\n" + root(ENTRY), ["template-unrendered"]),
        ("https://{{ host }}/b\n", ["template-unrendered"]),
        (
            root(
                f"<url><loc>{HOME}/</loc><image:image><image:loc>{HOME}/a.jpg</image:loc>"
                "<image:title>{{ x }}</image:title></image:image></url>",
                IMAGE,
            ),
            ["image-tag-retired"],
        ),
        (root("<f:x/>", ' xmlns:f="https://f.example/"'), ["urlset-empty", "extension-namespace-unknown"]),
        (root("<url><loc>/rel</loc></url>", name="UrlSet"), ["root-unknown", "loc-not-absolute"]),
        (
            f"<feed><entry><link href='{HOME}/1'/></entry><entry><link href='{HOME}/2'/></entry></feed>",
            ["feed-version-unsupported"],
        ),
        (root(f"<url><Loc>{HOME}/</Loc></url>"), ["element-unknown"]),
        (
            root(f"<url><loc>{HOME}/</loc><image:image><loc>{HOME}/a.jpg</loc></image:image></url>", IMAGE),
            ["element-unknown"],
        ),
        (root(f"<url><loc>{HOME}/</loc><link rel='alternate' hreflang='en' href='x'/></url>"), ["element-unknown"]),
        (root(f"<url><loc>{HOME}/</loc><url><loc>{HOME}/b</loc></url></url>"), ["element-unknown"]),
        (urlset(f"{HOME}/&amp;#39;s"), ["loc-double-escaped"]),
        (f'<urlset xmls="{NAMESPACE}">{ENTRY}</urlset>', ["namespace-missing"]),
        (urlset(f"{HOME}/", "https://u:p@www.acme.example/"), ["loc-has-credentials"]),
        ("<rss version='2.0'><channel></channel></rss>".encode("utf-16-le"), ["encoding-not-utf8"]),
        (f"{HOME}/\n".encode("utf-16-be"), ["encoding-not-utf8"]),
    ],
)
def test_one_finding(run: Run, write: Write, content: str | bytes, rules: list[str]) -> None:
    write("sitemap.xml", content)
    assert run("sitemap.xml").rules() == rules


def test_a_host_may_be_written_in_two_alphabets(run: Run, write: Write) -> None:
    write("sitemap.xml", urlset("https://xn--mnchen-3ya.example/a", "https://xn--mnchen-3ya.example/b"))
    assert run("--site-url", "https://münchen.example", "sitemap.xml").rules() == []


def test_an_image_before_the_loc_does_not_take_its_place(run: Run, write: Write) -> None:
    odd = "<url><image:image><image:loc>https://cdn.acme.example/i.png</image:loc></image:image>\n<loc>http://localhost/z</loc></url>"
    write("sitemap.xml", urlset(f"{HOME}/", f"{HOME}/a", odd, attributes=IMAGE))
    finding = run("sitemap.xml", "--ignore-url", "*cdn*").finding("loc-local-host")
    assert (finding["line"], finding["column"], finding["url"]) == (6, 1, "http://localhost/z")


@pytest.mark.parametrize(("newline", "line"), [("\n", 4), ("\r\n", 4), ("\r", 4)])
def test_lines_end_in_three_ways(run: Run, write: Write, newline: str, line: int) -> None:
    text = newline.join([f'<urlset xmlns="{NAMESPACE}">', "<url>", "", "  <loc>/x</loc>", "</url>", "</urlset>"])
    for end in ("", "\n"):
        write("sitemap.xml", text + end)
        finding = run("sitemap.xml").finding("loc-not-absolute")
        assert (finding["line"], finding["column"]) == (line, 3)


def test_stray_text_is_found_where_it_stands(run: Run, write: Write) -> None:
    write("sitemap.xml", urlset(f"<url>\n<loc>{HOME}/</loc>\n\n  foo bar\n</url>", "url <!-- url -->".join(["", ""])))
    finding = run("sitemap.xml").finding("text-unexpected")
    assert (finding["line"], finding["column"]) == (6, 3)
    assert "'foo bar'" in finding["message"]


def test_stray_text_below_the_root_is_not_taken_for_a_comment(run: Run, write: Write) -> None:
    write("sitemap.xml", urlset(ENTRY, "<url/>").replace("<url/>", "  url <!-- url -->"))
    finding = run("sitemap.xml").finding("text-unexpected")
    assert (finding["line"], finding["column"]) == (4, 3)


def test_a_namespace_that_is_switched_off_is_found_at_its_line(run: Run, write: Write) -> None:
    write("sitemap.xml", urlset(f"{HOME}/", f'<url xmlns=""><loc>{HOME}/a</loc></url>'))
    finding = run("sitemap.xml").finding("namespace-missing")
    assert (finding["line"], finding["column"]) == (4, 6)


def test_an_alternate_is_named_in_the_message(run: Run, write: Write) -> None:
    link = '<xhtml:link rel="alternate" hreflang="{}" href="{}"/>'
    one = f"<url><loc>{HOME}/en</loc>{link.format('en', HOME + '/en')}{link.format('de', HOME + '/de')}</url>"
    write("sitemap.xml", urlset(one, f"{HOME}/de", attributes=XHTML))
    finding = run("sitemap.xml").finding("hreflang-no-return-link")
    assert f"'{HOME}/de'" in finding["message"]
    assert finding["url"] == f"{HOME}/en"


def test_a_self_link_may_differ_by_a_slash(run: Run, write: Write) -> None:
    links = f'<xhtml:link rel="alternate" hreflang="en" href="{HOME}/en/"/>'
    write("sitemap.xml", urlset(f"<url><loc>{HOME}/en</loc>{links}</url>", attributes=XHTML))
    assert "hreflang-self-missing" not in run("sitemap.xml").rules()


def test_index_html_and_its_folder_in_two_files_are_one_finding(run: Run, write: Write) -> None:
    write("site/sitemap.xml", index(f"{HOME}/1.xml", f"{HOME}/2.xml"))
    write("site/1.xml", urlset(f"{HOME}/docs/index.html"))
    write("site/2.xml", urlset(f"{HOME}/docs/"))
    assert run("site").rules() == ["loc-variant-repeated"]


def test_a_page_repeats_across_files_though_one_of_them_has_images_elsewhere(run: Run, write: Write) -> None:
    picture = f"<url><loc>{HOME}/y</loc><image:image><image:loc>{HOME}/i.png</image:loc></image:image></url>"
    write("site/sitemap.xml", index(f"{HOME}/1.xml", f"{HOME}/2.xml"))
    write("site/1.xml", urlset(f"{HOME}/x", picture, attributes=IMAGE))
    write("site/2.xml", urlset(f"{HOME}/x", f"{HOME}/y"))
    assert run("site").rules() == ["loc-repeated"]


def test_a_document_that_lists_itself_is_found_whatever_its_name(run: Run, write: Write) -> None:
    write("site/robots.txt", f"Sitemap: {HOME}/feed-list.xml\n")
    write("site/feed-list.xml", urlset(f"{HOME}/feed-list.xml", f"{HOME}/"))
    assert run("site").rules() == ["loc-not-a-page"]


@pytest.mark.parametrize("name", ["duration", "rating", "view_count", "live", "publication_date", "expiration_date"])
def test_an_empty_value_of_a_video_is_invalid(run: Run, write: Write, name: str) -> None:
    video = (
        f"<video:video><video:thumbnail_loc>{HOME}/t.jpg</video:thumbnail_loc><video:title>T</video:title>"
        f"<video:description>D</video:description><video:content_loc>{HOME}/v.mp4</video:content_loc>"
        f"<video:{name}></video:{name}></video:video>"
    )
    write("sitemap.xml", urlset(f"<url><loc>{HOME}/</loc>{video}</url>", attributes=VIDEO))
    assert len(run("sitemap.xml").rules("warning")) == 1


def test_minutes_are_compared_as_minutes(run: Run, write: Write) -> None:
    write("site/1.xml", urlset(f"<url><loc>{HOME}/</loc><lastmod>2026-05-01T10:00:30Z</lastmod></url>"))
    line = f"<sitemap><loc>{HOME}/1.xml</loc><lastmod>2026-05-01T10:00Z</lastmod></sitemap>"
    write("site/sitemap.xml", index().replace("</sitemapindex>", line + "</sitemapindex>"))
    assert run("site").rules() == []


def test_a_dash_from_a_browser_is_named(run: Run, write: Write) -> None:
    write("sitemap.xml", f'<?xml version="1.0"?>\n-{root(ENTRY)}')
    finding = run("sitemap.xml").finding("xml-not-well-formed")
    assert "copied from the page that a browser shows" in finding["message"]
    assert (finding["line"], finding["column"]) == (2, 1)


@pytest.mark.parametrize(
    "value", ["http://[", "//[::1", "http://a]b/", "https://acme.org\u2100/"], ids=["open", "relative", "close", "nfkc"]
)
def test_a_host_that_cannot_be_resolved_is_a_finding_everywhere(run: Run, write: Write, value: str) -> None:
    write("site/robots.txt", f"Sitemap: {value}\n")
    write("site/index.html", f'<link rel="sitemap" href="{value}">')
    write("site/sitemap.xml", urlset(f"{HOME}/"))
    assert "robots-sitemap-not-absolute" in run("site").rules()
    atom = "http://www.w3.org/2005/Atom"
    for feed in (
        f'<feed xmlns="{atom}" xml:base="{value}"><entry><link href="/a"/></entry></feed>',
        f'<feed xmlns="{atom}" xml:base="{HOME}/"><entry><link href="{value}"/></entry></feed>',
        f'<rss version="2.0" xml:base="{HOME}/"><channel><item><link>{value}</link></item></channel></rss>',
    ):
        write("feed.xml", feed)
        assert run("feed.xml").exit_code == 1


def test_front_matter_that_never_ends_takes_no_time(run: Run, write: Write) -> None:
    write("sitemap.xml", "---\r\n" + "title: x\r\n" * 10_000)
    assert run("sitemap.xml").rules() == ["xml-not-well-formed"]


def test_white_space_by_reference_is_no_value_for_either_reader(run: Run, write: Write) -> None:
    entries = [f"<url><lastmod>2020-01-01</lastmod><loc>{loc}</loc></url>" for loc in (f"{HOME}/x", "&#32;")]
    for text in (urlset(*entries), urlset(*entries, "<!-- x -->")):
        write("sitemap.xml", text)
        assert run("sitemap.xml", "--ignore", "element-order").rules() == ["loc-missing"]


def test_an_empty_query_is_part_of_the_url(run: Run, write: Write) -> None:
    for one, other in (("/a", "/a?"), ("/a;b", "/a;b?")):
        write("sitemap.xml", urlset(HOME + one, HOME + other))
        assert run("sitemap.xml").rules() == []


def test_a_promise_made_twice_is_broken_once(run: Run, write: Write) -> None:
    write("site/robots.txt", f"Sitemap: {HOME}/none.xml\n" * 2)
    outcome = run("site", "site")
    assert outcome.rules() == ["fetch-failed"]
    assert len(outcome.report["documents"]) == 1
