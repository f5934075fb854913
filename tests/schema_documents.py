"""Documents for the tests of the schema: probes with the verdict they must get, and random ones."""

from __future__ import annotations

from hypothesis import strategies as st

from sitemap_action import schema
from sitemap_action.model import SITEMAP_NS, Document
from sitemap_action.parse.names import FIELDS

ENTRY = {"urlset": "url", "sitemapindex": "sitemap"}
XSI = "http://www.w3.org/2001/XMLSchema-instance"
LOC = "<loc>https://www.acme.example/</loc>"
DAY = "<lastmod>2026-05-06</lastmod>"


def whole(kind: str, body: str, attributes: str = "") -> str:
    return (
        f'<{kind} xmlns="{SITEMAP_NS}" xmlns:f="urn:f" xmlns:xsi="{XSI}" xmlns:xs="http://www.w3.org/2001/XMLSchema" '
        f'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" '
        f'xmlns:xhtml="http://www.w3.org/1999/xhtml" {attributes}>{body}</{kind}>'
    )


# What an entry of either kind may be, as facts: the body of the entry, and whether it is valid.
ENTRIES = {
    LOC: True,
    LOC + DAY: True,
    LOC + "<lastmod>2026-05-06T10:00:00Z</lastmod>": True,
    LOC + "<lastmod>2026-05-06T10:00:00.25+02:00</lastmod>": True,
    LOC + "<lastmod>2026-05-06T10:00:00</lastmod>": True,
    LOC + "<lastmod>2026-05-06Z</lastmod>": True,
    LOC + "<lastmod> 2026-05-06 </lastmod>": True,
    LOC + "<lastmod>12026-05-06</lastmod>": True,
    LOC + "<lastmod>2026-05-06T24:00:00</lastmod>": True,
    LOC + "<lastmod>2026-05-06T10:00:00+14:00</lastmod>": True,
    LOC + "<lastmod>2026-05-06T10:00:00+14:01</lastmod>": False,
    LOC + "<lastmod>2026-05-06T10:00Z</lastmod>": False,
    LOC + "<lastmod>2026-05</lastmod>": False,
    LOC + "<lastmod>2026</lastmod>": False,
    LOC + "<lastmod>2026-02-29</lastmod>": False,
    LOC + "<lastmod>2026-13-01</lastmod>": False,
    LOC + "<lastmod>today</lastmod>": False,
    LOC + "<lastmod/>": False,
    LOC + DAY + DAY: False,
    LOC + LOC: False,
    DAY + LOC: False,
    DAY: False,
    "": False,
    "<loc/>": False,
    "<loc>http://t.co</loc>": False,
    "<loc>http://t.co/</loc>": True,
    "<loc>  http://t.co  </loc>": False,
    "<loc>/relative/path</loc>": True,
    f"<loc>http://t.co/{'x' * 2036}</loc>": True,
    f"<loc>http://t.co/{'x' * 2037}</loc>": False,
    LOC + "<f:x/>": True,
    LOC + DAY + "<f:x a='1'>text<f:y/></f:x><f:x/>": True,
    LOC + "<image:image><image:loc/></image:image>": True,
    LOC + "<f:x/>" + DAY: False,
    "<f:x/>" + LOC: False,
    LOC + "<x xmlns=''/>": False,
    LOC + "<bogus/>": False,
    LOC + "<sitemap/>": False,
    LOC + "<url/>": False,
    LOC + "text": False,
    LOC + "<!-- a comment --><?and an instruction?>": True,
    "<loc id='1'>https://www.acme.example/</loc>": False,
    "<loc xml:lang='en'>https://www.acme.example/</loc>": False,
    "<loc>https://www.acme.example/<f:x/></loc>": False,
    LOC + "<lastmod><f:x/></lastmod>": False,
    LOC + "<lastmod xsi:nil='true'/>": False,
}
HINT = f"{LOC}<changefreq>weekly</changefreq>"
URLS = {
    HINT: True,
    HINT + "<priority>0.5</priority>": True,
    LOC + "<priority>.5</priority><f:x/>": True,
    LOC + "<priority>1.0</priority>": True,
    LOC + "<priority>1.1</priority>": False,
    LOC + "<priority>-0.1</priority>": False,
    LOC + "<priority>0,5</priority>": False,
    LOC + "<changefreq>Weekly</changefreq>": False,
    LOC + "<changefreq> weekly</changefreq>": False,
    LOC + "<priority>0.5</priority><changefreq>weekly</changefreq>": False,
}
INDEXED = dict.fromkeys(URLS, False)


def documents(kind: str) -> dict[str, bool]:
    """Whole documents of this kind, and whether they are valid."""
    entry = ENTRY[kind]
    bodies = ENTRIES | (URLS if kind == "urlset" else INDEXED)
    probes = {whole(kind, f"<{entry}>{body}</{entry}>"): valid for body, valid in bodies.items()}
    good = f"<{entry}>{LOC}</{entry}>"
    probes |= {
        whole(kind, ""): False,
        whole(kind, good * 3): True,
        whole(kind, "<f:x/><f:y><f:z/></f:y>" + good): True,
        whole(kind, good + "<f:x/>"): False,
        whole(kind, good + "<f:x/>" + good): False,
        whole(kind, "text" + good): False,
        whole(kind, good + "<loc/>"): False,
        whole(kind, good, "version='1'"): False,
        whole(kind, good, "xml:lang='en'"): False,
        whole(kind, good, "xsi:schemaLocation='urn:f f.xsd'"): True,
        whole(kind, good, "xsi:noNamespaceSchemaLocation='f.xsd'"): True,
        whole(kind, good, "xsi:nil='true'"): False,
        whole(kind, f"<{entry} id='1'>{LOC}</{entry}>"): False,
        whole(kind, good.replace(entry, "page")): False,
        whole(kind, good).replace(SITEMAP_NS, SITEMAP_NS.replace("http:", "https:")): False,
        whole(kind, good).replace(f'xmlns="{SITEMAP_NS}"', ""): False,
    }
    return probes


PROBES = [(kind, text, valid) for kind in ENTRY for text, valid in documents(kind).items()]


XML_TEXT = st.text(st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\ufffe\uffff<&>"), max_size=15)
GOOD = {"loc": "https://www.acme.example/", "lastmod": "2026-05-06", "changefreq": "daily", "priority": "1"}
LOCS = ["http://t.co", " https://a.example/b c ", "https://a.example/%zz", "x" * 2048, "x" * 2049, " " * 20]
DATES = ["2026", "2026-05", "\n 2026-05-31\n", "2026-02-29", "0000-01-01", "9999-12-31T24:00:00", "1" * 20 + "-01-01"]
DATES += ["2026-05-06T10:00:00+14:30", "2026-05-06T10:00:00-14:00", "2026-05-06T10:00:60Z", "2026-05-06T24:00:01Z"]
DATE = r"-?\d{4,5}-[01]\d-[0-3]\d(T[012]\d:\d\d(:\d\d(\.\d{0,9})?)?)?(Z|[+-][01]\d:\d\d)?"
NUMBERS = ["1." + "0" * 40 + "1", "-0." + "0" * 400 + "1", "1e-1", "NaN", "\u0661", "\u00a00.5"]
VALUES = {
    "loc": st.one_of(
        st.sampled_from(LOCS),
        st.from_regex(r"[ \n\u00a0]?https?://[a-z]{0,5}[.:]?[a-zA-Z0-9/?#%=\[\]é]{0,9}[ \n\u00a0]?", fullmatch=True),
        XML_TEXT,
    ),
    "lastmod": st.one_of(
        st.sampled_from(DATES),
        st.dates().map(str),
        st.datetimes().map(lambda moment: moment.isoformat() + "Z"),
        st.from_regex(DATE, fullmatch=True),
        XML_TEXT,
    ),
    "changefreq": st.one_of(st.sampled_from(["weekly", "never", "Weekly", " weekly", "\u00a0weekly"]), XML_TEXT),
    "priority": st.one_of(
        st.sampled_from(NUMBERS),
        st.from_regex(r"[ \n]?[+-]?[01]{0,2}[.,]?\d{0,3}[ \n\u00a0]?", fullmatch=True),
        XML_TEXT,
    ),
}
# The wild ones bring in what shape and values do not hold (schema.is_beyond_parts).
TAME_ATTRIBUTES = [
    "id='1'",
    "f:a='b'",
    "xsi:nil='false'",
    "xsi:schemaLocation='urn:f http://f/'",
    "xsi:bogus='1'",
]
WILD_ATTRIBUTES = ["xml:lang='en'", "xml:space='none'", "xsi:type='tUrl'", "xsi:type='z:none'", "xsi:type=''"]
TAME_NAMES = ["loc", "lastmod", "bogus", "url", "f:x", "image:image", "xhtml:link", "x xmlns=''"]
WILD_NAMES = ["urlset", "sitemapindex", "xs:element", "f:x"]
FOREIGN = ["<f:x a='1'>text</f:x>", "<image:image><image:loc>x</image:loc></image:image>", "<xhtml:link bogus='1'/>"]
TAME_SEPARATORS = ["\n  ", "<!-- -->", "stray", "<![CDATA[ ]]>"]
WILD_SEPARATORS = ["\u00a0", "\u2003stray"]


def escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def element(name: str, attribute: str = "", content: str = "") -> str:
    return f"<{name} {attribute}>{content}</{name.split(' ')[0]}>"


def nodes(names: list[str], attributes: list[str], levels: int) -> st.SearchStrategy[str]:
    """An element with text or with another one in it, and so on."""
    text = XML_TEXT.map(escaped)
    inner = text if levels == 0 else st.one_of(text, nodes(names, attributes, levels - 1))
    return st.builds(element, st.sampled_from(names), st.sampled_from(["", *attributes]), inner)


@st.composite
def entries(draw: st.DrawFn, kind: str, wild: bool) -> str:
    """A good entry, of which something is then changed, most of the time."""
    names = TAME_NAMES + WILD_NAMES * wild
    attributes = TAME_ATTRIBUTES + WILD_ATTRIBUTES * wild
    fields = [field for field in FIELDS[kind] if field == "loc" or draw(st.booleans())]
    values, owned = dict(GOOD), dict.fromkeys(fields, "")
    oddities = draw(
        st.lists(st.sampled_from(["value", "attribute", "node", "extension", "order", "between", "own"]), max_size=2)
    )
    if "value" in oddities:
        field = draw(st.sampled_from(fields))
        values[field] = draw(VALUES[field])
    if "attribute" in oddities:
        owned[draw(st.sampled_from(fields))] = draw(st.sampled_from(attributes))
    children = [element(field, owned[field], escaped(values[field])) for field in fields]
    children += draw(st.lists(st.sampled_from(FOREIGN), max_size=2))
    if "node" in oddities:
        children.insert(draw(st.integers(0, len(children))), draw(nodes(names, attributes, 2)))
    if "order" in oddities:
        children = draw(st.permutations(children))[draw(st.integers(0, 1)) :]
    if "extension" in oddities:
        children.append(draw(nodes(["f:x", "image:image", *WILD_NAMES * wild], attributes, 1)))
    if "between" in oddities:
        between = draw(st.sampled_from(TAME_SEPARATORS + WILD_SEPARATORS * wild))
        children.insert(draw(st.integers(0, len(children))), between)
    own = draw(st.sampled_from(attributes)) if "own" in oddities else ""
    return element(ENTRY[kind], own, "".join(children))


@st.composite
def sitemaps(draw: st.DrawFn, *, wild: bool) -> tuple[str, str]:
    """A document and its kind."""
    kind = draw(st.sampled_from(sorted(ENTRY)))
    attributes = TAME_ATTRIBUTES + WILD_ATTRIBUTES * wild
    body = draw(st.lists(entries(kind, wild), min_size=1, max_size=2))
    if draw(st.integers(0, 9)) == 9:
        body = draw(st.sampled_from([[], [*body, "stray"], [*body, "<bogus/>"], ["stray", *body]]))
    if wild and draw(st.integers(0, 3)) == 3:
        body.insert(draw(st.integers(0, len(body))), draw(nodes(["f:x", *WILD_NAMES], attributes, 9)))
    attribute = draw(st.sampled_from([""] * 9 + attributes))
    return kind, whole(kind, draw(st.sampled_from(["", "\n"])).join(body), attribute)


def verdict_by_parts(document: Document) -> bool:
    """Whether the whole document is valid, worked out once per distinct shape and once per distinct value."""
    kind, root = document.format, document.root
    if root is None or kind not in FIELDS or root.namespace != SITEMAP_NS:
        return False
    if not document.entry_count or document.strays or schema.root_violation(kind, root.attributes):
        return False
    if any(schema.shape_violation(kind, shape.tokens) for shape in document.shapes):
        return False
    columns = {field: document.columns[field] for field in FIELDS[kind] if field in document.columns}
    return not any(schema.value_error(kind, field, value) for field in columns for value in columns[field].distinct)
