"""Google's news extension."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import ClassVar

from sitemap_action.model import XML_SPACE, Document, Shape
from sitemap_action.rules.base import GOOGLE_NEWS, Found, ShapeVerdict, Verdict, shown
from sitemap_action.rules.extension import DateInvalid, ExtensionRule, MissingChild, RetiredTag, UnknownTag, latest
from sitemap_action.values import codes

MAX_NEWS = 1000
MAX_AGE = timedelta(hours=48)
_LANGUAGES = codes.LANGUAGES | codes.LANGUAGES_3 | {"zh-cn", "zh-tw"}


class _News(ExtensionRule):
    spec = GOOGLE_NEWS
    retired = frozenset({"news:access", "news:genres", "news:keywords", "news:stock_tickers", "news:geo_locations"})
    tags: ClassVar = {
        "news:news": frozenset({"news:publication", "news:publication_date", "news:title"}) | retired,
        "news:publication": frozenset({"news:name", "news:language"}),
        "": frozenset({"news:news"}),
    }


class NewsPublicationMissing(_News, MissingChild):
    """A `<news:news>` has no publication.

    Google requires `<news:publication>` with the name and the language of the publication.

    Fix: add <news:publication> with <news:name> and <news:language>.

    Bad:
        <url><loc>https://www.acme.example/a</loc><news:news>
        <news:publication_date>2026-05-06</news:publication_date><news:title>Acme opens</news:title></news:news></url>
    Good:
        <url><loc>https://www.acme.example/a</loc><news:news>
        <news:publication><news:name>Acme News</news:name><news:language>en</news:language></news:publication>
        <news:publication_date>2026-05-06</news:publication_date><news:title>Acme opens</news:title></news:news></url>
    """

    id = "news-publication-missing"
    within = ("news:news",)
    children = ("news:publication",)


class NewsNameMissing(_News, MissingChild):
    """A `<news:publication>` has no name.

    Google requires `<news:name>`, exactly as the publication is called on its pages.

    Fix: add <news:name> to <news:publication>.

    Bad:
        <url><loc>https://www.acme.example/a</loc><news:news>
        <news:publication><news:language>en</news:language></news:publication>
        <news:publication_date>2026-05-06</news:publication_date><news:title>Acme opens</news:title></news:news></url>
    Good:
        <url><loc>https://www.acme.example/a</loc><news:news>
        <news:publication><news:name>Acme News</news:name><news:language>en</news:language></news:publication>
        <news:publication_date>2026-05-06</news:publication_date><news:title>Acme opens</news:title></news:news></url>
    """

    id = "news-name-missing"
    within = ("news:news", "news:publication")
    children = ("news:name",)


class NewsLanguageMissing(_News, MissingChild):
    """A `<news:publication>` has no language.

    Google requires `<news:language>` to know whom the article is for.

    Fix: add <news:language> with an ISO 639 code to <news:publication>.

    Bad:
        <url><loc>https://www.acme.example/a</loc><news:news>
        <news:publication><news:name>Acme News</news:name></news:publication>
        <news:publication_date>2026-05-06</news:publication_date><news:title>Acme opens</news:title></news:news></url>
    Good:
        <url><loc>https://www.acme.example/a</loc><news:news>
        <news:publication><news:name>Acme News</news:name><news:language>en</news:language></news:publication>
        <news:publication_date>2026-05-06</news:publication_date><news:title>Acme opens</news:title></news:news></url>
    """

    id = "news-language-missing"
    within = ("news:news", "news:publication")
    children = ("news:language",)


class NewsDateMissing(_News, MissingChild):
    """A `<news:news>` has no publication date.

    Google requires `<news:publication_date>`: only articles of the last two days are news.

    Fix: add <news:publication_date> with the article's first publication.

    Bad:
        <url><loc>https://www.acme.example/a</loc><news:news>
        <news:publication><news:name>Acme News</news:name><news:language>en</news:language></news:publication>
        <news:title>Acme opens</news:title></news:news></url>
    Good:
        <url><loc>https://www.acme.example/a</loc><news:news>
        <news:publication><news:name>Acme News</news:name><news:language>en</news:language></news:publication>
        <news:publication_date>2026-05-06</news:publication_date><news:title>Acme opens</news:title></news:news></url>
    """

    id = "news-date-missing"
    within = ("news:news",)
    children = ("news:publication_date",)


class NewsTitleMissing(_News, MissingChild):
    """A `<news:news>` has no title.

    Google requires `<news:title>`, the headline as the page shows it.

    Fix: add <news:title>.

    Bad:
        <url><loc>https://www.acme.example/a</loc><news:news>
        <news:publication><news:name>Acme News</news:name><news:language>en</news:language></news:publication>
        <news:publication_date>2026-05-06</news:publication_date><news:title/></news:news></url>
    Good:
        <url><loc>https://www.acme.example/a</loc><news:news>
        <news:publication><news:name>Acme News</news:name><news:language>en</news:language></news:publication>
        <news:publication_date>2026-05-06</news:publication_date><news:title>Acme opens</news:title></news:news></url>
    """

    id = "news-title-missing"
    within = ("news:news",)
    children = ("news:title",)


class NewsRepeated(_News):
    """A `<url>` has more than one `<news:news>`.

    One page is one article; the schema lets several pass, Google does not.

    Fix: give every article its own <url>.

    Bad:
        <url><loc>https://www.acme.example/a</loc>
        <news:news><news:publication><news:name>Acme</news:name><news:language>en</news:language></news:publication>
        <news:publication_date>2026-05-06</news:publication_date><news:title>Acme opens</news:title></news:news>
        <news:news><news:publication><news:name>Acme</news:name><news:language>en</news:language></news:publication>
        <news:publication_date>2026-05-07</news:publication_date><news:title>Acme shuts</news:title></news:news></url>
    Good:
        <url><loc>https://www.acme.example/a</loc><news:news>
        <news:publication><news:name>Acme News</news:name><news:language>en</news:language></news:publication>
        <news:publication_date>2026-05-06</news:publication_date><news:title>Acme opens</news:title></news:news></url>
    """

    id = "news-repeated"

    def shape(self, shape: Shape) -> Iterator[ShapeVerdict]:
        records = shape.named("news:news")
        if len(records) > 1:
            yield records[1], f"The page has {len(records):,} <news:news>; one page is one article."


class NewsTooMany(_News):
    """The file has more than 1,000 `<news:news>`.

    Google reads up to 1,000 news records from one file.

    Fix: split the file, or drop the articles that are older than two days.

    Bad:
        <url><loc>https://acme.example/{n}</loc><news:news><news:title>News {n}</news:title></news:news></url> × 1,001
    Good:
        <url><loc>https://acme.example/{n}</loc></url> × 1,001
    """

    id = "news-too-many"

    def document(self, document: Document) -> Iterator[Found]:
        records = [(shape, record) for shape in document.shapes for record in shape.named("news:news")]
        places = sorted((entry, record.ordinal) for shape, record in records for entry in document.entries_of(shape))
        if len(places) > MAX_NEWS:
            message = f"The file has {len(places):,} <news:news>; Google reads {MAX_NEWS:,}."
            yield self.found(message, document, place=document.locate(*places[MAX_NEWS]))


class NewsLanguageInvalid(_News):
    """A `<news:language>` is not a language code that Google News reads.

    It is an ISO 639 code of two or three letters without a region, except for `zh-cn` and `zh-tw`.

    Fix: write the language alone, such as en or pt.

    Bad:
        <url><loc>https://www.acme.example/a</loc><news:news>
        <news:publication><news:name>Acme News</news:name><news:language>en-US</news:language></news:publication>
        <news:publication_date>2026-05-06</news:publication_date><news:title>Acme opens</news:title></news:news></url>
    Good:
        <url><loc>https://www.acme.example/a</loc><news:news>
        <news:publication><news:name>Acme News</news:name><news:language>zh-tw</news:language></news:publication>
        <news:publication_date>2026-05-06</news:publication_date><news:title>Acme opens</news:title></news:news></url>
    """

    id = "news-language-invalid"
    fields = ("news:news/news:publication/news:language",)

    def value(self, value: str, field: str) -> Verdict:
        code = value.strip(XML_SPACE).lower()
        if code in _LANGUAGES:
            return None
        language = code.replace("_", "-").partition("-")[0]
        hint = f" Write `{language}`." if language != code and language in _LANGUAGES else ""
        return f"<news:language> is {shown(value)}, which is neither an ISO 639 code nor zh-cn or zh-tw.{hint}"


class NewsDateInvalid(_News, DateInvalid):
    """A `<news:publication_date>` is not a W3C date.

    Google takes a full day, or a day with a time and its zone; without a date nothing is news.

    Fix: write 2026-05-06 or 2026-05-06T10:00:00+02:00.

    Bad:
        <url><loc>https://www.acme.example/a</loc><news:news>
        <news:publication><news:name>Acme News</news:name><news:language>en</news:language></news:publication>
        <news:publication_date>May 6, 2026</news:publication_date><news:title>Acme opens</news:title></news:news></url>
    Good:
        <url><loc>https://www.acme.example/a</loc><news:news>
        <news:publication><news:name>Acme News</news:name><news:language>en</news:language></news:publication>
        <news:publication_date>2026-05-06T10:00Z</news:publication_date><news:title>Open</news:title></news:news></url>
    """

    id = "news-date-invalid"
    fields = ("news:news/news:publication_date",)


class NewsTooOld(_News):
    """A live news sitemap lists an article that is more than two days old.

    Google News reads the last 48 hours. Committed and built files are not held to it: they age.

    Fix: drop the <news:news> of older articles; their <url> may stay.

    Bad:
        $ live
        <url><loc>https://www.acme.example/a</loc><news:news>
        <news:publication><news:name>Acme News</news:name><news:language>en</news:language></news:publication>
        <news:publication_date>2020-05-06</news:publication_date><news:title>Acme opens</news:title></news:news></url>
    Good:
        <url><loc>https://www.acme.example/a</loc></url>
    """

    id = "news-too-old"
    asks_the_clock = True
    fields = ("news:news/news:publication_date",)

    def value(self, value: str, field: str) -> Verdict:
        is_old = self.site.live and (end := latest(value)) and self.site.scope.now - end > MAX_AGE
        return f"The article is of {shown(value)}; Google News reads the last 48 hours." if is_old else None


class NewsTagUnknown(_News, UnknownTag):
    """An element in the news namespace is unknown, or not where it belongs.

    Engines skip it, and with it what it was meant to say. Names are case-sensitive.

    Fix: correct the name; name and language belong into <news:publication>, the rest into <news:news>.

    Bad:
        <url><loc>https://www.acme.example/a</loc><news:news><news:author>Ann</news:author>
        <news:publication><news:name>Acme News</news:name><news:language>en</news:language></news:publication>
        <news:publication_date>2026-05-06</news:publication_date><news:title>Acme opens</news:title></news:news></url>
    Good:
        <url><loc>https://www.acme.example/a</loc><news:news>
        <news:publication><news:name>Acme News</news:name><news:language>en</news:language></news:publication>
        <news:publication_date>2026-05-06</news:publication_date><news:title>Acme opens</news:title></news:news></url>
    """

    id = "news-tag-unknown"


class NewsTagRetired(_News, RetiredTag):
    """The file uses news tags that Google has retired.

    `access`, `genres`, `keywords`, `stock_tickers` and `geo_locations` are ignored. They do no harm.

    Fix: leave the tags out.

    Bad:
        <url><loc>https://www.acme.example/a</loc><news:news><news:keywords>acme</news:keywords>
        <news:publication><news:name>Acme News</news:name><news:language>en</news:language></news:publication>
        <news:publication_date>2026-05-06</news:publication_date><news:title>Acme opens</news:title></news:news></url>
    Good:
        <url><loc>https://www.acme.example/a</loc><news:news>
        <news:publication><news:name>Acme News</news:name><news:language>en</news:language></news:publication>
        <news:publication_date>2026-05-06</news:publication_date><news:title>Acme opens</news:title></news:news></url>
    """

    id = "news-tag-retired"
