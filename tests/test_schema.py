"""The official schema: the files, what they accept, and the memo held to xmlschema's full verdict."""

from __future__ import annotations

import hashlib
import re
import socket
import subprocess
import sys
from functools import lru_cache
from importlib import resources
from pathlib import Path

import pytest
import xmlschema
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from judging import judged
from lxml import etree
from schema_documents import DAY, ENTRY, HINT, LOC, PROBES, VALUES, escaped, sitemaps, verdict_by_parts, whole

from sitemap_action import schema
from sitemap_action.model import Column, Document
from sitemap_action.parse import parse
from sitemap_action.parse.names import FIELDS
from sitemap_action.report.sieve import Policy
from sitemap_action.rules import all_rules
from sitemap_action.rules.schema import SchemaViolation
from sitemap_action.site import Scope, Site

REFERENCE = Path(__file__).resolve().parents[2] / "shared" / "reference" / "siteindex.xsd"


def read(text: str) -> Document:
    return parse(Document("sitemap.xml"), text.encode(), limit=10_000_000)


def full_verdict(kind: str, text: str) -> bool:
    """xmlschema over the whole document; what makes it raise is not valid either."""
    etree.fromstring(text.encode())
    try:
        return schema.official(kind).is_valid(text)
    except (xmlschema.XMLSchemaException, OverflowError):
        return False


def vendored(name: str) -> bytes:
    return resources.files("sitemap_action.schemas").joinpath(name).read_bytes()


def test_the_vendored_schema_is_the_published_one_byte_for_byte() -> None:
    digest = hashlib.sha256(vendored("sitemap.xsd")).hexdigest()
    assert digest == "fbec77e84467050d5667394a57cc5cdfe1239d80aca1d61e9e0827173c3d9df9"
    assert digest in vendored("NOTICE.md").decode()
    assert b"ShareAlike 2.5" in vendored("LICENSE-CC-BY-SA-2.5.txt")


@pytest.mark.parametrize(("kind", "text", "valid"), PROBES)
def test_a_probe_is_judged_as_the_protocol_schema_judges_it(kind: str, text: str, valid: bool) -> None:
    assert full_verdict(kind, text) is valid
    if not any(stray.name.startswith("{") for stray in read(text).strays):
        assert verdict_by_parts(read(text)) is valid


@lru_cache(maxsize=3)
def by_libxml2(data: bytes) -> etree.XMLSchema:
    return etree.XMLSchema(etree.fromstring(data.replace(b'processContents="strict"', b'processContents="lax"')))


@pytest.mark.parametrize(("kind", "text", "valid"), PROBES)
def test_libxml2_agrees_on_every_probe(kind: str, text: str, valid: bool) -> None:
    name = {"urlset": "sitemap.xsd", "sitemapindex": "siteindex.xsd"}[kind]
    assert by_libxml2(vendored(name)).validate(etree.fromstring(text.encode())) is valid


def test_our_index_schema_agrees_with_the_published_one_where_that_is_at_hand() -> None:
    """The probes above state what the published schema says; here it says so itself, if it lies beside the project."""
    if REFERENCE.exists():
        published = REFERENCE.read_bytes()
        by_xmlschema = xmlschema.XMLSchema10(published.decode().replace('"strict"', '"lax"'), use_fallback=False)
        for kind, text, valid in PROBES:
            if kind == "sitemapindex":
                assert by_xmlschema.is_valid(text) is valid, text
                assert by_libxml2(published).validate(etree.fromstring(text.encode())) is valid, text


unhurried = settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))


@unhurried
@given(sitemaps(wild=False))
def test_the_memo_agrees_with_xmlschema_on_the_whole_document(sitemap: tuple[str, str]) -> None:
    kind, text = sitemap
    document = read(text)
    assert verdict_by_parts(document) is full_verdict(kind, text)


@unhurried
@given(sitemaps(wild=True))
@example(("urlset", whole("urlset", f"<url>{LOC}<f:x><urlset><url><loc>short</loc></url></urlset></f:x></url>")))
@example(("urlset", whole("urlset", f"<url>{LOC}{'<f:x>' * 9}<urlset/>{'</f:x>' * 9}</url>")))
@example(("urlset", whole("urlset", f"<url>{LOC}{'<f:x>' * 9}<f:y xml:space='none'/>{'</f:x>' * 9}</url>")))
@example(("urlset", whole("urlset", f"<url xsi:type='tUrl'>{LOC}</url>")))
@example(("urlset", whole("urlset", f"<url>\u00a0{LOC}</url>")))
@example(("urlset", whole("urlset", f"\u00a0<url>{LOC}</url>")))
@example(("sitemapindex", whole("sitemapindex", f"<f:x><sitemapindex/></f:x><sitemap>{LOC}</sitemap>")))
@example(("urlset", whole("urlset", f"<url xsi:type='nope'>{LOC}</url>")))
@example(("urlset", whole("urlset", f"<url>{LOC}</url><f:x/>")))
@example(("urlset", whole("urlset", f"<url>{LOC}<f:y xml:space='none'/></url>")))
def test_nothing_that_the_schema_rejects_is_passed_over_and_nothing_else_is_said_in_its_name(
    sitemap: tuple[str, str],
) -> None:
    kind, text = sitemap
    document = read(text)
    harmless = any(map(is_harmless, document.columns.items()))
    report = judged(document, Site(Scope()), list(all_rules().values()), Policy(), 10_000_000)
    said = {finding.rule.id for finding in report.findings()} - {"extension-namespace-unknown"}
    if full_verdict(kind, text):
        assert "schema-violation" not in said
    else:
        assert said or harmless


def is_harmless(field: tuple[str, Column]) -> bool:
    """What the schema rejects and nobody should: `<loc>` of less than 12 characters, and times without seconds."""
    path, column = field
    if path == "loc":
        return any(len(value) < 12 for value in column.values)
    return path == "lastmod" and any(re.search(r"T\d\d:\d\d(?!:)", value) for value in column.values)


@unhurried
@given(st.sampled_from([(kind, field) for kind in ENTRY for field in FIELDS[kind]]), st.data())
def test_a_value_is_judged_alone_as_it_is_in_its_document(place: tuple[str, str], data: st.DataObject) -> None:
    kind, field = place
    value = data.draw(VALUES[field])
    before = LOC if field != "loc" else ""
    text = whole(kind, f"<{ENTRY[kind]}>{before}<{field}>{escaped(value)}</{field}></{ENTRY[kind]}>")
    assert (schema.value_error(kind, field, value) is None) is full_verdict(kind, text)


class NoSocket(socket.socket):
    def __init__(self, *_: object, **__: object) -> None:
        raise AssertionError("a socket was opened")


def test_a_schema_location_is_never_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "socket", NoSocket)
    schema.official.cache_clear()
    schema._declaration.cache_clear()
    schema._ask_shape.cache_clear()
    location = (
        "xsi:schemaLocation='urn:f http://127.0.0.1:9/f.xsd http://www.w3.org/1999/xhtml http://127.0.0.1:9/x.xsd'"
    )
    body = f"<url>{LOC}<xhtml:link bogus='1'/><f:x xml:lang='en'/></url><url>{LOC}<lastmod><f:x/></lastmod></url>"
    text = whole("urlset", body, location)
    assert full_verdict("urlset", text) is False
    found = SchemaViolation(Site(Scope())).document(read(text))
    assert [each.entry for one in found for each in one.each()] == [1]


def violations(text: str) -> list[str]:
    return [str(found.message) for found in SchemaViolation(Site(Scope())).document(read(text))]


EXPLAINED = [
    DAY + LOC,
    LOC + "<f:x/>" + DAY,
    LOC + LOC + DAY,
    LOC + "<bogus/>",
    LOC + "<lastmod><loc/></lastmod>",
    LOC + "<lastmod/><changefreq> </changefreq>",
    DAY,
    "<loc/>",
    "<loc><f:x/></loc>",
    "stray" + LOC,
    LOC + "<lastmod>2026-05-06<f:x/></lastmod>",
    "<loc id='1'>https://www.acme.example/</loc>",
    LOC + "<x xmlns=''/>",
    LOC + "<f:x><urlset/></f:x>",
    LOC + "<lastmod>2026</lastmod>",
    LOC + "<lastmod>2026-05-06T10:00Z</lastmod>",
    LOC + "<lastmod>2026-05-06T10:00+02:00</lastmod>",
    LOC + "<lastmod>yesterday</lastmod>",
    LOC + "<changefreq>Weekly</changefreq>",
    LOC + "<priority>high</priority>",
    "<loc>http://t.co</loc>",
    f"<loc>http://t.co/{'x' * 2048}</loc>",
]


@pytest.mark.parametrize("body", EXPLAINED)
def test_what_another_rule_says_is_no_schema_violation(body: str) -> None:
    text = whole("urlset", f"<url>{body}</url>", "id='1' xsi:schemaLocation='a b'")
    assert not verdict_by_parts(read(text))
    assert not violations(text)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (LOC + "<lastmod><f:x/></lastmod>", "<lastmod>: a simple content element can't have child elements."),
        (DAY + LOC + "<priority><image:loc/></priority>", "<priority>: a simple content element"),
        (LOC + "<lastmod xsi:nil='false'>2026-05-06</lastmod>", "<lastmod>: element is not nillable."),
        (LOC + "<lastmod>2026-05-06T10:00:00-14:30</lastmod>", "<lastmod>: invalid value '2026-05-06T10:00:00-14:30'."),
        (LOC + f"<priority>1.{'0' * 40}1</priority>", "<priority>: value has to be less than or equal"),
    ],
)
def test_what_no_other_rule_says_is_said_in_the_words_of_xmlschema(body: str, words: str) -> None:
    (message,) = violations(whole("urlset", f"<url>{body}</url>"))
    assert words in message
    assert "\n" not in message


def test_xsi_nil_on_the_root_is_a_schema_violation() -> None:
    assert violations(whole("urlset", f"<url>{LOC}</url>", "xsi:nil='true'")) == [
        "The schema rejects <urlset>: element is not nillable."
    ]


def test_xmlschema_is_not_even_imported_for_a_document_without_an_unexplained_oddity() -> None:
    program = (
        "import sys; from sitemap_action.parse import parse; from sitemap_action.model import Document\n"
        "from sitemap_action.rules.schema import SchemaViolation; from sitemap_action.site import Scope, Site\n"
        "for text in sys.argv[1:]:\n"
        "    document = parse(Document('sitemap.xml'), text.encode(), limit=10_000_000)\n"
        "    assert document.readable and not list(SchemaViolation(Site(Scope())).document(document))\n"
        "assert 'xmlschema' not in sys.modules and 'importlib.resources' not in sys.modules"
    )
    texts = [whole("urlset", f"<url>{body}</url>") for body in [LOC, HINT, *EXPLAINED]]
    subprocess.run([sys.executable, "-c", program, *texts], check=True, cwd=Path(__file__).resolve().parents[1])
