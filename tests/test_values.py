"""Values of fields, through the front door: what is flagged, at which severity, and what never is."""

from __future__ import annotations

import pytest
from conftest import NAMESPACE, Run, Write, urlset

HOME = "https://www.acme.example"


def severities(run: Run, *arguments: str) -> dict[str, str]:
    return {finding["rule"]: finding["severity"] for finding in run(*arguments).report["findings"]}


@pytest.mark.parametrize(
    ("loc", "expected"),
    [
        (f"{HOME}/", {}),
        (HOME, {}),
        ("http://t.co", {}),
        ("HTTPS://WWW.ACME.EXAMPLE/Path", {}),
        (f"{HOME}/a;b=c/(d)/e,f'g!h*i$j:k@l?m=n/o?p&amp;q=%C3%A9", {}),
        (f"{HOME}/?filter[a]=1|2", {}),
        ("https://192.0.2.1.example/", {}),
        ("https://xn--mnchen-3ya.example/", {}),
        ("https://münchen.example/", {"loc-not-escaped": "notice"}),
        (f"{HOME}/日本", {"loc-not-escaped": "notice"}),
        ("/about", {"loc-not-absolute": "error"}),
        ("//www.acme.example/about", {"loc-not-absolute": "error"}),
        ("www.acme.example/about", {"loc-not-absolute": "error"}),
        ("None/about", {"loc-not-absolute": "error"}),
        ("undefined/about", {"loc-not-absolute": "error"}),
        ("localhost:3000/about", {"loc-not-absolute": "error"}),
        ("about", {"loc-not-absolute": "error"}),
        ("javascript:alert(1)", {"loc-scheme-unsupported": "error"}),
        ("ftp://www.acme.example/", {"loc-scheme-unsupported": "error"}),
        ("mailto:a@acme.example", {"loc-scheme-unsupported": "error"}),
        (f"{HOME}/a b", {"loc-invalid": "error"}),
        (f"{HOME}/a\tb", {"loc-invalid": "error"}),
        (f"{HOME}/%zz", {"loc-invalid": "error"}),
        (f"{HOME}/%2", {"loc-invalid": "error"}),
        (f"{HOME}/a|b", {"loc-invalid": "error"}),
        (f"{HOME}/a\\b", {"loc-invalid": "error"}),
        (f"{HOME}/a^b", {"loc-invalid": "error"}),
        (f"{HOME}/[a]", {"loc-invalid": "error"}),
        (f"{HOME}/{{id}}", {"loc-invalid": "error"}),
        (f"{HOME}/&lt;a&gt;", {"loc-invalid": "error"}),
        (f'{HOME}/"a"', {"loc-invalid": "error"}),
        ("\u00a0https://www.acme.example/", {"loc-invalid": "error"}),
        ("https://www.acme.example/\u3000", {"loc-invalid": "error"}),
        ("https://", {"loc-invalid": "error"}),
        ("https:/www.acme.example/", {"loc-invalid": "error"}),
        ("https:www.acme.example", {"loc-invalid": "error"}),
        ("https:///about", {"loc-invalid": "error"}),
        ("https://www..acme.example/", {"loc-invalid": "error"}),
        ("https://acme example/", {"loc-invalid": "error"}),
        ("https://ac!me.example/", {"loc-invalid": "error"}),
        ("https://www.acme.example:99999/", {"loc-invalid": "error"}),
        ("https://www.acme.example:http/", {"loc-invalid": "error"}),
        ("https://999.1.1.1/", {"loc-invalid": "error"}),
        ("https://[::zz]/", {"loc-invalid": "error"}),
        ("http://[::1", {"loc-invalid": "error"}),
        ("http://[::1/", {"loc-invalid": "error"}),
        ("http://[", {"loc-invalid": "error"}),
        (f"{HOME}/\ufdd0", {"loc-invalid": "error"}),
        (f"{HOME}/?q={'x' * 2030}", {"loc-too-long": "error"}),
        (f"{HOME}/?q={'x' * (2048 - len(HOME) - 4)}", {"loc-too-long": "warning"}),
        (f"{HOME}/?q={'x' * (2047 - len(HOME) - 4)}", {}),
        ("https://user:pass@www.acme.example/", {"loc-has-credentials": "error"}),
        ("https://user@www.acme.example/", {"loc-has-credentials": "error"}),
        (f"{HOME}/@user", {}),
        (f"{HOME}/#top", {"loc-has-fragment": "warning"}),
        (f"{HOME}/%2520", {"loc-double-escaped": "warning"}),
        (f"{HOME}/100%25-off", {}),
        (f"{HOME}/?a=1&amp;amp;b=2", {"loc-double-escaped": "warning"}),
        (f"  {HOME}/\n", {"loc-surrounding-space": "notice"}),
        (f"<![CDATA[{HOME}/]]>", {}),
        (f"{HOME}/?PHPSESSID=1", {"loc-session-id": "notice"}),
        (f"{HOME}/a;jsessionid=1", {"loc-session-id": "notice"}),
        (f"{HOME}/?a=1&amp;utm_source=x", {"loc-session-id": "notice"}),
        (f"{HOME}/?keyword=1&amp;monkey=2", {}),
        (f"{HOME}/404", {"loc-not-a-page": "warning"}),
        (f"{HOME}/en/404.html", {"loc-not-a-page": "warning"}),
        (f"{HOME}/robots.txt", {"loc-not-a-page": "warning"}),
        (f"{HOME}/post-sitemap.xml.gz", {"loc-not-a-page": "warning"}),
        (f"{HOME}/sitemap/", {}),
        (f"{HOME}/blog/404-pages-explained", {}),
        (f"{HOME}/docs/index.html", {"loc-index-html": "notice"}),
        (f"{HOME}/docs/index.htm", {"loc-index-html": "notice"}),
        (f"{HOME}/docs/my-index.html", {}),
        ("http://localhost/", {"loc-local-host": "error"}),
        ("http://app.localhost:8080/", {"loc-local-host": "error"}),
        ("http://127.0.0.1/", {"loc-local-host": "error"}),
        ("http://[::1]:3000/", {"loc-local-host": "error"}),
        ("http://10.1.2.3/", {"loc-local-host": "error"}),
        ("http://192.168.0.1/", {"loc-local-host": "error"}),
        ("http://printer.local/", {"loc-local-host": "error"}),
        ("https://acme.test/", {"loc-local-host": "error"}),
        ("https://wiki.internal/", {"loc-local-host": "error"}),
        ("https://8.8.8.8/", {}),
        ("https://www.example.com/", {"loc-placeholder-host": "warning"}),
        ("https://yourdomain.com/", {"loc-placeholder-host": "warning"}),
        ("https://your-site.org/", {"loc-placeholder-host": "warning"}),
        ("https://username.github.io/", {"loc-placeholder-host": "warning"}),
        ("https://myexample.com/", {}),
    ],
)
def test_a_listed_url(run: Run, write: Write, loc: str, expected: dict[str, str]) -> None:
    write("sitemap.xml", urlset(f"<url><loc>{loc}</loc></url>"))
    assert severities(run, "sitemap.xml") == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2026", {"lastmod-low-precision": "notice"}),
        ("2026-05", {"lastmod-low-precision": "notice"}),
        ("2026-05-06", {}),
        (" 2026-05-06\n", {}),
        ("2024-02-29", {}),
        ("2026-05-06T10:00Z", {}),
        ("2026-05-06T10:00:00+02:00", {}),
        ("2026-05-06T10:00:00.000Z", {}),
        ("2026-05-06T10:00:00", {"lastmod-zone-missing": "warning"}),
        ("2026-05-06T10:00", {"lastmod-zone-missing": "warning"}),
        ("2026-05-06 10:00:00", {"lastmod-invalid": "warning"}),
        ("2026-02-30", {"lastmod-invalid": "warning"}),
        ("2026-13-01", {"lastmod-invalid": "warning"}),
        ("2026-05-06Z", {"lastmod-invalid": "warning"}),
        ("2026-05-06T24:00:00Z", {"lastmod-invalid": "warning"}),
        ("2026-05-06T10:00:00+0200", {"lastmod-invalid": "warning"}),
        ("2026-05-06T10:00:00+15:00", {"lastmod-invalid": "warning"}),
        ("12026-05-06", {"lastmod-invalid": "warning"}),
        ("06.05.2026", {"lastmod-invalid": "warning"}),
        ("05/06/2026", {"lastmod-invalid": "warning"}),
        ("2026-5-6", {"lastmod-invalid": "warning"}),
        ("1715000000", {"lastmod-invalid": "warning"}),
        ("Invalid date", {"lastmod-invalid": "warning"}),
        ("yesterday", {"lastmod-invalid": "warning"}),
        ("2199-01-01", {"lastmod-in-future": "warning"}),
        ("1970-01-01", {"lastmod-implausible": "warning"}),
        ("0001-01-01T00:00:00Z", {"lastmod-implausible": "warning"}),
        ("", {"element-empty": "warning"}),
        ("<b>2026</b>", {"element-unknown": "error"}),
    ],
)
def test_a_lastmod(run: Run, write: Write, value: str, expected: dict[str, str]) -> None:
    write("sitemap.xml", urlset(f"<url><loc>{HOME}/</loc><lastmod>{value}</lastmod></url>"))
    assert severities(run, "sitemap.xml") == expected


@pytest.mark.parametrize("value", ["0", "1", ".5", "1.00", "0.0", "+0.5", " 0.5 ", "1."])
def test_priorities_that_are_fine(run: Run, write: Write, value: str) -> None:
    write("sitemap.xml", urlset(f"<url><loc>{HOME}/</loc><priority>{value}</priority></url>"))
    assert severities(run, "sitemap.xml") == {}


@pytest.mark.parametrize("value", ["0,5", "1.1", "-0.1", "high", "50%", "1e0", "0.5.0", "NaN", "0x1"])
def test_priorities_that_are_not(run: Run, write: Write, value: str) -> None:
    write("sitemap.xml", urlset(f"<url><loc>{HOME}/</loc><priority>{value}</priority></url>"))
    assert severities(run, "sitemap.xml") == {"priority-invalid": "warning"}


def stamps(*values: str | None) -> str:
    lines = (f"<lastmod>{value}</lastmod>" if value else "" for value in values)
    return urlset(*(f"<url><loc>{HOME}/{number}</loc>{line}</url>" for number, line in enumerate(lines)))


BUILD = "2026-05-06T04:47:02Z"


@pytest.mark.parametrize(
    ("values", "is_flagged"),
    [
        ([BUILD] * 4, False),
        ([BUILD] * 5, True),
        ([BUILD] * 5 + [None] * 20, True),
        ([BUILD] * 9 + ["2026-05-06T04:47:03Z"], False),
        ([BUILD] * 51 + [f"2026-05-06T05:{n:02}:00Z" for n in range(49)], True),
        ([BUILD] * 50 + [f"2026-05-06T05:{n:02}:00Z" for n in range(50)], False),
        (["2026-05-06"] * 19, False),
        (["2026-05-06"] * 20, True),
        (["2026-05-06"] * 99 + ["2026-05-07"], False),
    ],
)
def test_one_build_date_on_every_page(run: Run, write: Write, values: list[str | None], is_flagged: bool) -> None:
    write("sitemap.xml", stamps(*values))
    assert (run("sitemap.xml").rules() == ["lastmod-all-identical"]) is is_flagged


@pytest.mark.parametrize(
    ("first", "second", "rule"),
    [
        ("/a", "/a", "loc-repeated"),
        ("/%61", "/a", "loc-variant-repeated"),
        ("/caf%c3%a9", "/caf%C3%A9", "loc-variant-repeated"),
        ("/a", "/a/", "loc-variant-repeated"),
        ("/", "/index.html", "loc-variant-repeated"),
        ("/x/", "/x/index.htm", "loc-variant-repeated"),
        ("/a%2Fb", "/a/b", None),
        ("/a", "/A", None),
        ("/a?x=1", "/a?x=2", None),
        ("/a?x=1", "/a/?x=1", "loc-variant-repeated"),
    ],
)
def test_pages_listed_twice(run: Run, write: Write, first: str, second: str, rule: str | None) -> None:
    write("sitemap.xml", urlset(HOME + first, HOME + second))
    assert run("sitemap.xml").rules() == ([rule] if rule else [])


def test_variants_by_scheme_www_port_and_case(run: Run, write: Write) -> None:
    spellings = [
        "https://www.acme.example:443/a",
        "https://WWW.acme.example/a",
        "http://www.acme.example/a",
        "https://acme.example/a",
    ]
    write("sitemap.xml", urlset(f"{HOME}/a", f"{HOME}/b", f"{HOME}/c", *spellings))
    rules = run("sitemap.xml", "--select", "loc-repeated", "--select", "loc-variant-repeated").rules()
    assert rules == ["loc-variant-repeated"] * 4


def test_the_user_may_name_a_local_or_placeholder_host(run: Run, write: Write) -> None:
    write("sitemap.xml", urlset("http://localhost:3000/", "http://localhost:3000/a"))
    assert run("--site-url", "http://localhost:3000", "sitemap.xml").rules() == []
    assert run("--site-url", HOME, "--allow-host", "localhost", "sitemap.xml").rules() == []
    assert set(run("--site-url", HOME, "sitemap.xml").rules()) == {"loc-local-host"}


@pytest.mark.parametrize("host", ["168.63.129.16", "224.0.0.1", "192.0.0.8", "[fec0::1]", "[64:ff9b:1::1]", "10.0.0.1"])
def test_an_address_that_is_not_public_is_a_local_host_whatever_python_says(run: Run, write: Write, host: str) -> None:
    write("sitemap.xml", urlset(f"{HOME}/", f"http://{host}/a"))
    assert run("--site-url", HOME, "sitemap.xml").rules() == ["loc-local-host"]


def test_so_many_hosts_are_as_many_hosts(run: Run, write: Write) -> None:
    """Beyond what two bytes can number."""
    lines = "".join(f"https://h{number}.acme.example/\n" for number in range(66_000))
    write("sitemap.txt", f"{lines}https://h65999.acme.example/a\nhttps://h1.acme.example/a\n")
    report = run("sitemap.txt", "--select", "loc-mixed-hosts", "--select", "loc-host-mismatch").report
    assert report["target"]["site_url"] is None  # a tie


def test_scope_is_judged_by_host_then_scheme_then_port(run: Run, write: Write) -> None:
    others = ["https://acme.example/", "http://www.acme.example:8080/", "https://www.acme.example:8443/"]
    write("sitemap.xml", urlset(*others, f"{HOME}/"))
    rules = run("--site-url", HOME, "sitemap.xml", "--ignore", "loc-variant-repeated").rules()
    assert rules == ["loc-host-mismatch", "loc-scheme-mismatch", "loc-port-mismatch"]


def test_a_site_below_a_path_bounds_a_file_that_lies_there(run: Run, write: Write) -> None:
    write("sitemap.xml", urlset(f"{HOME}/docs/a", f"{HOME}/blog/b"))
    finding = run("--site-url", f"{HOME}/docs/", "sitemap.xml").finding("loc-outside-path")
    assert finding["url"] == f"{HOME}/blog/b"


def test_a_feed_date_without_a_zone_says_so(run: Run, write: Write) -> None:
    item = f"<item><link>{HOME}/a</link><pubDate>{{}}</pubDate></item>"
    for date, rules in (("05 Jan 17 13:34:55", ["lastmod-zone-missing"]), ("Thu, 05 Jan 2017 13:34:55 +0100", [])):
        write("feed.xml", f'<rss version="2.0"><channel>{item.format(date)}</channel></rss>')
        assert run("feed.xml").rules() == rules


ATOM = "http://www.w3.org/2005/Atom"
FEEDS = [
    (f'<rss version="2.0"><channel><item><link>{HOME}/a</link></item></channel></rss>', {}),
    (f'<rss version="2.0"><channel><item><guid>{HOME}/a</guid></item></channel></rss>', {}),
    (
        f'<rss version="2.0"><channel><item><guid isPermaLink="false">{HOME}/a</guid></item></channel></rss>',
        {"feed-link-missing": "error"},
    ),
    ('<rss version="2.0"><channel><item><guid>abc</guid></item></channel></rss>', {"feed-link-missing": "error"}),
    ('<rss version="2.0"><channel></channel></rss>', {"urlset-empty": "warning"}),
    (
        f'<rss version="2.0"><channel><item><link>{HOME}/a</link><pubDate>soon</pubDate></item></channel></rss>',
        {"lastmod-invalid": "warning"},
    ),
    (
        f'<rss version="2.0"><channel><item><link>{HOME}/a</link><pubDate>Mon, 06 May 2024 10:00:00 GMT</pubDate>'
        "</item></channel></rss>",
        {},
    ),
    (
        f"<rss version='0.91'><channel><item><link>{HOME}/</link></item></channel></rss>",
        {"feed-version-unsupported": "warning"},
    ),
    (
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">'
        f"<item><link>{HOME}/</link></item></rdf:RDF>",
        {"feed-version-unsupported": "warning"},
    ),
    (
        f'<feed xmlns="http://purl.org/atom/ns#"><entry><link rel="alternate" href="{HOME}/"/></entry></feed>',
        {"feed-version-unsupported": "notice"},
    ),
    (f'<feed xmlns="{ATOM}"><entry><link href="{HOME}/a"/><updated>2026-05-06T10:00:00Z</updated></entry></feed>', {}),
    (f'<feed xmlns="{ATOM}" xml:base="{HOME}/blog/"><entry xml:base="x/"><link href="y"/></entry></feed>', {}),
    (f'<feed xmlns="{ATOM}"><entry><link href="y"/></entry></feed>', {"loc-not-absolute": "error"}),
    (f'<feed xmlns="{ATOM}"><entry><link rel="self" href="{HOME}/a"/></entry></feed>', {"feed-link-missing": "error"}),
    (
        f'<feed xmlns="{ATOM}"><entry><updated>x</updated><link href="{HOME}/a"/></entry></feed>',
        {"lastmod-invalid": "warning"},
    ),
    (
        f'<feed><entry><link href="{HOME}/a"/></entry></feed>',
        {"feed-version-unsupported": "warning"},
    ),
    (
        f'<rss version="2.0"><channel><item><title>{{{{ x }}}} {{% y %}}</title><link>{HOME}/a</link></item></channel></rss>',
        {},
    ),
    (
        '<rss version="2.0"><channel>{% for p in x %}<item/>{% endfor %}</channel></rss>',
        {"template-unrendered": "notice"},
    ),
    ("<!DOCTYPE rss><rss/>", {"doctype-present": "error"}),
    ("<rss><channel>", {"xml-not-well-formed": "error"}),
    (f'<x:urlset xmlns:x="{NAMESPACE}"><x:url><x:loc>{HOME}/</x:loc></x:url></x:urlset>', {}),
]


@pytest.mark.parametrize(("text", "expected"), FEEDS)
def test_feeds(run: Run, write: Write, text: str, expected: dict[str, str]) -> None:
    write("sitemap.xml", text)
    assert severities(run, "sitemap.xml") == expected


def test_xml_base_is_resolved_for_the_pages_of_a_feed(run: Run, write: Write) -> None:
    write("atom.xml", FEEDS[11][0])
    assert run("--urls", "atom.xml", format=None).stdout == f"{HOME}/blog/x/y\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{HOME}/a\n{HOME}/b\n", {}),
        (f"\ufeff{HOME}/a\r\n{HOME}/b", {}),
        (f"{HOME}/a\n\n{HOME}/b\n", {"text-line-not-url": "notice"}),
        (f"{HOME}/a\nwww.acme.example\n", {"text-line-not-url": "error"}),
        (f"# list\n{HOME}/a\n", {"text-line-not-url": "error"}),
        (f"{HOME}/a {HOME}/b\n", {"text-line-not-url": "error"}),
        (f"{HOME}/a\nftp://www.acme.example/\n", {"loc-scheme-unsupported": "error"}),
        (f"{HOME}/a\n{HOME}/%zz\n", {"loc-invalid": "error"}),
        (f"{HOME}/a&amp;b\n", {"loc-double-escaped": "warning"}),
    ],
)
def test_text_sitemaps(run: Run, write: Write, text: str, expected: dict[str, str]) -> None:
    write("sitemap.txt", text)
    assert severities(run, "sitemap.txt") == expected


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        (f"<url><loc>{HOME}/</loc><Lastmod>2026-05-06</Lastmod></url>", {"element-unknown": "error"}),
        (f"<url><loc>{HOME}/</loc></url><link>x</link>", {"element-unknown": "error"}),
        (f"<url><loc>{HOME}/</loc></url>-", {"text-unexpected": "warning"}),
        (f"-<url><loc>{HOME}/</loc></url>", {"text-unexpected": "warning"}),
        (f"<url>\u00a0<loc>{HOME}/</loc></url>", {"text-unexpected": "warning"}),
        (f"<url><loc>{HOME}/</loc><!-- ok --></url><?pi ok?>", {}),
        (f"<url><loc xml:lang='en'>{HOME}/</loc></url>", {"attribute-unknown": "notice"}),
        (f"<url><loc>{HOME}/</loc><lastmod/><lastmod>2026</lastmod></url>", None),
        ("<url/>", {"loc-missing": "error"}),
        ("<url><loc>  </loc></url>", {"loc-missing": "error"}),
        (f"<url>{HOME}/</url>", {"loc-missing": "error"}),
    ],
)
def test_structure(run: Run, write: Write, entry: str, expected: dict[str, str] | None) -> None:
    write("sitemap.xml", urlset(entry.replace("<url", " <url", 1) if entry.startswith("-") else entry))
    if entry.startswith("-"):
        write("sitemap.xml", urlset().replace("</urlset>", entry + "</urlset>"))
    found = severities(run, "sitemap.xml")
    assert found == expected if expected is not None else {"element-repeated", "element-empty"} <= set(found)


def test_what_is_never_flagged(run: Run, write: Write) -> None:
    write("public/robots.txt", f"User-agent: x\nsitemap: {HOME}/sitemap.xml\nDisallow: /private/\n")
    schema = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="a b"'
    head = f'\ufeff<?xml-stylesheet href="/s.xsl"?>\r\n<!-- x --><urlset xmlns="{NAMESPACE}" {schema} '
    image = "<image:image><image:loc>https://cdn.other.example/a.jpg</image:loc></image:image>"
    links = "".join(
        f'<xhtml:link rel="alternate" hreflang="{code}" href="https://{code}.acme.example/"/>' for code in ("de", "fr")
    )
    own = f'<xhtml:link rel="alternate" hreflang="en" href="{HOME}/"/>'
    spaces = 'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" xmlns:xhtml="http://www.w3.org/1999/xhtml">'
    body = f"<url><loc>{HOME}</loc><priority>1.0</priority>{image}{own}{links}</url>\r\n<url><loc>{HOME}/z</loc></url></urlset>"
    write("public/sitemap.xml", head + spaces + body)
    outcome = run("public")
    assert outcome.report["findings"] == []
    assert outcome.report["verdict"] == "pass"
