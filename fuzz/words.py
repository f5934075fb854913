"""The dictionary: what a random byte would never spell, and what readers stumble over."""

from __future__ import annotations

_CORE = b"http://www.sitemaps.org/schemas/sitemap/0.9"

MARKUP = (
    b"<![CDATA[", b"]]>", b"]]", b"<!--", b"-->", b"--", b"<?php", b"<?x ?>", b"<?xml-stylesheet href='a'?>", b"?>",
    b"<!DOCTYPE a>", b"<!DOCTYPE a [<!ENTITY b 'c'>]>", b"&amp;", b"&lt;", b"&b;", b"&#x0;", b"&#0;", b"&#x1;",
    b"&#xD800;", b"&#xFFFE;", b"&#x110000;", b"&#9999999999;", b"&#65;", b"&#13;", b"&#10;", b"&", b"<", b">", b"</",
    b"/>", b"'", b'"', b"=", b"<?xml version='1.0' encoding='utf-16'?>", b'<?xml version="1.1"?>',
    b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>', b"<?xml version='1.0' encoding='latin-1'?>",
    b' xmlns=""', b" xmlns='%s'" % _CORE, b' xmlns="%s"' % _CORE, b' xmlns:a="%s"' % _CORE, b' xmlns:xml="x"',
    b' xmlns:x=""', b' xml:space="preserve"', b' xml:base="http://[/"', b' xml:base="//b/"', b"x:", b"a:url",
    b' xmlns="http://www.google.com/schemas/sitemap/0.84"', b' xmlns:x="http://www.w3.org/1999/xhtml"', b"<url>",
    b"</url>", b"<url/>", b"<loc>", b"</loc>", b"<loc/>", b"<lastmod>", b"</lastmod>", b"<a><b/></a>", b"<sitemap>",
    b"</sitemap>", b"<urlset>", b"</urlset>", b"</sitemapindex>", b"<x:link rel='alternate'/>",
)  # fmt: skip
TEXT = (
    b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\xff\xfe\x00\x00", b"\x00", b"\r", b"\r\n", b"\n", b"\n\n", b"\t",
    b"\x0b", b"\x0c", b"\x1b[31m", b"\x1b]0;x\x07", b"\x7f", b"\x80", b"\xc3", b"\xc3\xa9", b"\xed\xa0\x80",
    b"\xef\xbf\xbe", b"\xf4\x90\x80\x80", b"\xc2\x85", b"\xe2\x80\xa8", b"\xe2\x80\xae", b"\xe2\x81\xa6", b"\xc2\xa0",
    b"\xe3\x80\x80", b"\xf0\x9f\x98\x80", b"\xd9\xa3", b"\xcc\x81", b"\xc4\xb0", b"\xc5\xbf", b"\xe2\x84\xaa",
)  # fmt: skip
ORDERS = (
    b"::error::forged", b"  ::warning file=a,line=1::forged", b"::stop-commands::t", b"::add-mask::e",
    b"##[error]forged", b"##[set-output name=errors;]0", b"###[add-mask]e", b"a\r::error::forged",
    b"a%0D::error::forged", b"##", b"::", b"\n::error::forged", b"\xe3\x80\x80::error::forged",
    b"\xef\xbb\xbf::error::forged", b"</td></tr></table><h1>x",
    b"<img src=http://evil.example/p.png onerror=alert(1)>", b"![x](http://evil.example/)", b"[x](//evil.example)",
    b"`a``b```c", b"@octocat", b"|", b"\\", b"<!-- sitemap-action:0 -->", b"{{ 7*7 }}", b"{% raw %}", b"${x}",
    b"<%= x %>", b"$(touch pwned)", b"%s%n", b"{0.__class__}", b"\xef\xb8\x8f",
)  # fmt: skip
URLS = (
    b"https://www.acme.example/", b"http://www.acme.example", b"https://www.acme.example/a?b=c&amp;d",
    b"//b.example/x", b"https://user:pw@b.example/", b"http://[::1]/", b"http://[::1", b"http://[v1.x]/",
    b"https://xn--a.example/", "https://münchen.example/ü".encode(), b"https://b.example:99999/",
    b"https://b.example:/", b"http:///x", b"HTTPS://", b"https://a.example/%zz", b"%", b"%2e%2e%2f", b"/../", b"..",
    b"\\..\\", b"%00", b"#frag", b"?", b"ftp://b/", b"mailto:x", b"https://www.acme.example/a b",
    b"javascript:alert(1)", b"data:,x", b"None/x", b"/x", b"http://1.2.3/", b"http://a_b/", b"https://localhost/",
    b"https://" + b"a" * 64 + b".example/", b"https://a..b/", b"https://.example/", b"https://a.example./",
)  # fmt: skip
VALUES = (
    b"2026-05-06", b"2026-02-30", b"0000-00-00", b"9999-12-31T23:59:59-14:00", b"0001-01-01T00:00:00+14:00", b"2026",
    b"2026-05-06T07:08:09.123456789Z", b"2026-05-06T24:00:00Z", b"Wed, 06 May 2026 07:08:09 GMT", b"99 Xyz 99 99:99",
    b"Mon, 31 Dec 0000 00:00:00 +9999", b"1 Jan 1 1:11", b"NaN", b"inf", b"-0", b"1e999", b"0.5", b"+.5", b"1" * 5000,
    b"1" * 400, b"daily", b"Weekly", b"en", b"x-default", b"EN_us", b"zh-Hant-TW", b"true", b"false", b"null", b"[]",
    b"{}", b"-1", b"0", b"2147483648", b"18446744073709551616",
)  # fmt: skip
ROBOTS = (
    b"Sitemap:", b"sitemap :", b"Sitemap ", b"Site-map:", b"User-agent: *\n", b"Disallow: /", b"Allow: /$",
    b"Disallow: *a*b*$", b"Crawl-delay: 1e309", b"Crawl-delay: nan", b"Crawl-delay: -5", b"#", b"*", b"$",
    b"Disallow: /%", b"Disallow: /%zz", b"Request-rate: 1/0", b"Request-rate: a/b", b"Visit-time: 0-0", b"Host: x",
)  # fmt: skip
HTML = (
    b"<head>", b"</head>", b"<body>", b"</body >", b"<title>", b"</title>", b"<script>", b"</script>", b"<style>",
    b"<base href='//b/'>", b'<base href="http://[">', b'<meta name="robots" content="noindex">',
    b'<meta http-equiv="refresh" content="0;url=/x">', b'<link rel="canonical" href="https://www.acme.example/">',
    b'<link rel="sitemap" href="/s.xml">', b"<noscript>", b"<template>",
    b'<link rel="alternate" hreflang="de" href="/de/">', b"charset=utf-16", b"charset=utf-7",
    b'<meta charset="rot13">', b"<svg>",
    b'<script type="application/ld+json">{"dateModified": "2026-05-06"}</script>', b"content=", b"noindex", b"none",
    b"<!", b"<plaintext>", b'"dateModified" : "', b"ld+json", b"refresh", b"charset=undefined", b"charset=idna",
    b"charset=hex", b"<frameset>", b"<p><p>",
)  # fmt: skip
HOSTING = (
    b"/* /:splat 301!\n", b"/:a/* /x/:a/$1 200\n", b"/a /b Country=de\n", b"[[redirects]]\n", b'from = "/*"\n',
    b'to = "/:splat"\n', b"status = 200\n", b"force = true\n", b"[[headers]]\n", b"[headers.values]\n",
    b"X-Robots-Tag: noindex", b"!X-Robots-Tag", b'"source": ', b'"destination": ', b'"headers": ', b'"key": ',
    b'"value": ', b'"routes": ', b'"statusCode": ', b":path*", b":p(.*)", b"/:a?", b"(.*)", b"([^/]+)", b"(", b")",
    b"*", b"?", b"$1", b"$" + b"9" * 5000, b":splat", b"\\ud800", b"\\u0000", b"\\u2028", b",",
    b'"navigationFallback": {"rewrite": "/index.html", "exclude": ["/a/*"]}', b'"trailingSlash": "always"',
    b'"redirects": ', b"1e999",
)  # fmt: skip
TOML = (
    b'site-url = "https://www.acme.example/"\n', b'ignore = ["loc-index-html"]\n', b"ignore = []\n",
    b'fail-on = "warning"\n', b"[tool]\n", b"[tool.sitemap-action]\n", b"timeout = 1e400\n", b"timeout = nan\n",
    b"min-score = inf\n", b"pages = true\n", b"concurrency = 0\n", b"max-bytes = 99999999999999999999\n",
    b'severity = ["x=off"]\n', b'target = ["\\u0000"]\n', b'header = ["a: b"]\n', b'format = "xml"\n',
    b'output = ["json="]\n', b'allow-host = ["*"]\n', b"'''", b'"""', b"\\U0010ffff", b"2026-05-06", b"07:32:00",
    b"[[", b"]]", b"= {", b".", b'header = ["a: \\n"]\n', b'header = ["\\u00e9: x"]\n', b'user-agent = "\\u0007"\n',
    b'site-url = "http://["\n', b"0x" + b"f" * 5000, b"retries = -1\n", b'allow-host = ["http://["]\n',
    b'allow-host = ["a:b:c"]\n', b'ignore-url = ["[", "("]\n', b'output = ["x"]\n',
)  # fmt: skip
