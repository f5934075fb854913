"""Google's video extension: the values of a record's elements."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar

from sitemap_action import lazy
from sitemap_action.model import XML_SPACE, Document, Shape
from sitemap_action.rules.base import Found, ShapeVerdict, Verdict, elements_named, shown
from sitemap_action.rules.extension import DateInvalid, latest, tag
from sitemap_action.rules.video import VideoRule
from sitemap_action.values import codes, urls
from sitemap_action.values.numbers import decimal_up_to

MAX_SECONDS = 28_800
_DURATION = lazy.pattern(r"\+?0*(\d{1,5})", re.ASCII)
_COUNT = lazy.pattern(r"\+?\d+|-0+", re.ASCII)
# No path, a directory, or a document: certainly no media file. A name without extension may be one.
_PAGE = lazy.pattern(r"https?://[^/?#]+(?:/(?:[^?#]*(?:/|\.(?:html?|php|aspx?|jsp)))?)?(?:[?#].*)?", re.IGNORECASE)


class VideoContentIsPage(VideoRule):
    """A `<video:content_loc>` leads to a page, not to a media file.

    Google fetches it as the video itself. The page is the entry's `<loc>`; a player is a
    `<video:player_loc>`.

    Fix: name the media file, or use <video:player_loc> instead.

    Bad:
        <url><loc>https://acme.example/k</loc><video:video><video:description>To tie.</video:description>
        <video:thumbnail_loc>https://acme.example/k.jpg</video:thumbnail_loc><video:title>Knots</video:title>
        <video:content_loc>https://www.acme.example/watch/knots.html</video:content_loc></video:video></url>
    Good:
        <url><loc>https://acme.example/k</loc><video:video><video:description>To tie.</video:description>
        <video:thumbnail_loc>https://acme.example/k.jpg</video:thumbnail_loc><video:title>Knots</video:title>
        <video:content_loc>https://www.acme.example/k.mp4</video:content_loc></video:video></url>
    """

    id = "video-content-is-page"

    def document(self, document: Document) -> Iterator[Found]:
        column = document.columns.get("video:video/video:content_loc")
        if column is None:
            return
        for value, entry, element in zip(column.values, column.entries, column.elements, strict=True):
            text, loc = value.strip(XML_SPACE), document.locs[entry]
            is_own = loc is not None and urls.same_page(text) == urls.same_page(loc)
            if (is_own or _PAGE.fullmatch(text)) and urls.parse(text):
                what = "the page itself" if is_own else "a page"
                message = f"<video:content_loc> {shown(text)} is {what}, not a media file."
                yield self.found(message, document, entry, element)


class VideoDurationInvalid(VideoRule):
    """A `<video:duration>` is not a whole number of seconds from 1 to 28,800.

    The schema lets 0 pass, Google does not. Eight hours are the most.

    Fix: write the seconds as a plain number, or leave the element out.

    Bad:
        <url><loc>https://acme.example/k</loc><video:video><video:description>To tie.</video:description>
        <video:thumbnail_loc>https://acme.example/k.jpg</video:thumbnail_loc><video:duration>10:00</video:duration>
        <video:title>Knots</video:title><video:player_loc>https://acme.example/p</video:player_loc></video:video></url>
    Good:
        <url><loc>https://acme.example/k</loc><video:video><video:description>To tie.</video:description>
        <video:thumbnail_loc>https://acme.example/k.jpg</video:thumbnail_loc><video:duration>600</video:duration>
        <video:title>Knots</video:title><video:player_loc>https://acme.example/p</video:player_loc></video:video></url>
    """

    id = "video-duration-invalid"
    fields = ("video:video/video:duration",)
    sees_empty = True

    def value(self, value: str, field: str) -> Verdict:
        number = _DURATION.fullmatch(value.strip(XML_SPACE))
        if number and 1 <= int(number[1]) <= MAX_SECONDS:
            return None
        return f"<video:duration> is {shown(value)}, which is no whole number from 1 to {MAX_SECONDS:,}."


class VideoRatingInvalid(VideoRule):
    """A `<video:rating>` is not a decimal number from 0.0 to 5.0.

    Google's scale ends at 5; a value out of 10 or in per cent is dropped.

    Fix: convert the rating to the scale from 0.0 to 5.0, with a point.

    Bad:
        <url><loc>https://acme.example/k</loc><video:video><video:description>To tie.</video:description>
        <video:thumbnail_loc>https://acme.example/k.jpg</video:thumbnail_loc><video:rating>8.5</video:rating>
        <video:title>Knots</video:title><video:player_loc>https://acme.example/p</video:player_loc></video:video></url>
    Good:
        <url><loc>https://acme.example/k</loc><video:video><video:description>To tie.</video:description>
        <video:thumbnail_loc>https://acme.example/k.jpg</video:thumbnail_loc><video:rating>4.2</video:rating>
        <video:title>Knots</video:title><video:player_loc>https://acme.example/p</video:player_loc></video:video></url>
    """

    id = "video-rating-invalid"
    fields = ("video:video/video:rating",)
    sees_empty = True

    def value(self, value: str, field: str) -> Verdict:
        if decimal_up_to(5, value.strip(XML_SPACE)) is not None:
            return None
        return f"<video:rating> is {shown(value)}, which is no decimal number from 0.0 to 5.0."


class VideoViewCountInvalid(VideoRule):
    """A `<video:view_count>` is not a whole number.

    Google reads plain digits; `1,234` and `10K` are dropped.

    Fix: write the number in plain digits, or leave the element out.

    Bad:
        <url><loc>https://acme.example/k</loc><video:video><video:description>To tie.</video:description>
        <video:thumbnail_loc>https://acme.example/k.jpg</video:thumbnail_loc><video:view_count>1,234</video:view_count>
        <video:title>Knots</video:title><video:player_loc>https://acme.example/p</video:player_loc></video:video></url>
    Good:
        <url><loc>https://acme.example/k</loc><video:video><video:description>To tie.</video:description>
        <video:thumbnail_loc>https://acme.example/k.jpg</video:thumbnail_loc><video:view_count>1234</video:view_count>
        <video:title>Knots</video:title><video:player_loc>https://acme.example/p</video:player_loc></video:video></url>
    """

    id = "video-view-count-invalid"
    fields = ("video:video/video:view_count",)
    sees_empty = True

    def value(self, value: str, field: str) -> Verdict:
        if _COUNT.fullmatch(value.strip(XML_SPACE)):
            return None
        return f"<video:view_count> is {shown(value)}, which is no whole number from 0 up."


class VideoDateInvalid(VideoRule, DateInvalid):
    """A video's publication or expiration date is not a W3C date.

    Google takes a full day, or a day with a time and its zone, and drops anything else.

    Fix: write 2026-05-06 or 2026-05-06T10:00:00+02:00.

    Bad:
        <url><loc>https://www.acme.example/k</loc><video:video><video:title>Knots</video:title>
        <video:thumbnail_loc>https://www.acme.example/k.jpg</video:thumbnail_loc>
        <video:description>To tie one.</video:description><video:publication_date>2026/05/06</video:publication_date>
        <video:content_loc>https://www.acme.example/k.mp4</video:content_loc></video:video></url>
    Good:
        <url><loc>https://www.acme.example/k</loc><video:video><video:title>Knots</video:title>
        <video:thumbnail_loc>https://www.acme.example/k.jpg</video:thumbnail_loc>
        <video:description>To tie one.</video:description><video:publication_date>2026-05-06</video:publication_date>
        <video:content_loc>https://www.acme.example/k.mp4</video:content_loc></video:video></url>
    """

    id = "video-date-invalid"
    fields = ("video:video/video:publication_date", "video:video/video:expiration_date")
    sees_empty = True


class VideoExpired(VideoRule):
    """A video's expiration date has passed.

    Google no longer shows a video after it; the record is only ballast.

    Fix: remove the record, or the date if the video is still to be seen.

    Bad:
        <url><loc>https://www.acme.example/k</loc><video:video><video:title>Knots</video:title>
        <video:thumbnail_loc>https://www.acme.example/k.jpg</video:thumbnail_loc>
        <video:description>To tie one.</video:description><video:expiration_date>2020-01-31</video:expiration_date>
        <video:content_loc>https://www.acme.example/k.mp4</video:content_loc></video:video></url>
    Good:
        <url><loc>https://www.acme.example/k</loc><video:video><video:title>Knots</video:title>
        <video:thumbnail_loc>https://www.acme.example/k.jpg</video:thumbnail_loc>
        <video:description>To tie one.</video:description><video:expiration_date>2999-12-31</video:expiration_date>
        <video:content_loc>https://www.acme.example/k.mp4</video:content_loc></video:video></url>
    """

    id = "video-expired"
    asks_the_clock = True
    fields = ("video:video/video:expiration_date",)

    def value(self, value: str, field: str) -> Verdict:
        end = latest(value)
        return f"The video expired on {shown(value)}." if end and end < self.site.scope.now else None


class VideoYesNoInvalid(VideoRule):
    """A yes-or-no element of a video says something else.

    `family_friendly`, `requires_subscription` and `live` take `yes` or `no`; other words are dropped.

    Fix: write yes or no.

    Bad:
        <url><loc>https://acme.example/k</loc><video:video><video:description>To tie.</video:description>
        <video:thumbnail_loc>https://acme.example/k.jpg</video:thumbnail_loc><video:live>true</video:live>
        <video:title>Knots</video:title><video:player_loc>https://acme.example/p</video:player_loc></video:video></url>
    Good:
        <url><loc>https://acme.example/k</loc><video:video><video:description>To tie.</video:description>
        <video:thumbnail_loc>https://acme.example/k.jpg</video:thumbnail_loc><video:live>no</video:live>
        <video:title>Knots</video:title><video:player_loc>https://acme.example/p</video:player_loc></video:video></url>
    """

    id = "video-yes-no-invalid"
    fields = tuple(f"video:video/video:{name}" for name in ("family_friendly", "requires_subscription", "live"))
    sees_empty = True

    def value(self, value: str, field: str) -> Verdict:
        if value.strip(XML_SPACE).lower() in ("yes", "no"):
            return None
        return f"{tag(field.rpartition('/')[2])} is {shown(value)}, which is neither yes nor no."


class _Relationship(VideoRule):
    """A list of words that an attribute `relationship` allows or denies."""

    words: ClassVar[frozenset[str]]
    kind: ClassVar[str]

    def shape(self, shape: Shape) -> Iterator[ShapeVerdict]:
        name = self.fields[0].rpartition("/")[2]
        for video in elements_named(shape, "video:video"):
            for element in video.named(name):
                if "relationship" not in element.attributes and not element.empty:
                    yield element, f"{tag(name)} has no attribute `relationship`, which is allow or deny."

    def value(self, value: str, field: str) -> Verdict:
        name, _, attribute = field.rpartition("/")[2].partition("@")
        if attribute:
            known = value.strip(XML_SPACE).lower() in ("allow", "deny")
            return None if known else f"The relationship of {tag(name)} is {shown(value)}, neither allow nor deny."
        wrong = [word for word in value.split() if word.lower() not in self.words]
        return f"{tag(name)} contains {shown(wrong[0])}, which is no {self.kind}." if wrong else None


class VideoRestrictionInvalid(_Relationship):
    """A `<video:restriction>` does not say which countries it allows or denies.

    It needs `relationship`, allow or deny, and two-letter country codes with spaces between them.
    Google cannot tell where a video may be shown from anything else.

    Fix: write ISO 3166-1 codes such as IE GB US, and relationship="allow" or "deny".

    Bad:
        <url><loc>https://acme.example/k</loc><video:video><video:description>To tie.</video:description>
        <video:thumbnail_loc>https://acme.example/k.jpg</video:thumbnail_loc><video:restriction>IE</video:restriction>
        <video:title>Knots</video:title><video:player_loc>https://acme.example/p</video:player_loc></video:video></url>
    Bad:
        <url><loc>https://www.acme.example/k</loc><video:video><video:title>Knots</video:title>
        <video:thumbnail_loc>https://www.acme.example/k.jpg</video:thumbnail_loc>
        <video:description>To tie.</video:description><video:restriction relationship="deny">UK</video:restriction>
        <video:content_loc>https://www.acme.example/k.mp4</video:content_loc></video:video></url>
    Good:
        <url><loc>https://www.acme.example/k</loc><video:video><video:title>Knots</video:title>
        <video:thumbnail_loc>https://www.acme.example/k.jpg</video:thumbnail_loc>
        <video:description>To tie.</video:description><video:restriction relationship="deny">IE GB</video:restriction>
        <video:content_loc>https://www.acme.example/k.mp4</video:content_loc></video:video></url>
    """

    id = "video-restriction-invalid"
    fields = ("video:video/video:restriction", "video:video/video:restriction@relationship")
    sees_empty = True
    words = frozenset(code.lower() for code in codes.REGIONS)
    kind = "ISO 3166-1 country code"


class VideoPlatformInvalid(_Relationship):
    """A `<video:platform>` does not say which platforms it allows or denies.

    It needs `relationship`, allow or deny, and a list of web, mobile and tv.

    Fix: write web, mobile or tv with spaces between them, and relationship="allow" or "deny".

    Bad:
        <url><loc>https://www.acme.example/k</loc><video:video><video:title>Knots</video:title>
        <video:thumbnail_loc>https://www.acme.example/k.jpg</video:thumbnail_loc>
        <video:description>To tie.</video:description><video:platform relationship="allow">desktop</video:platform>
        <video:content_loc>https://www.acme.example/k.mp4</video:content_loc></video:video></url>
    Good:
        <url><loc>https://www.acme.example/k</loc><video:video><video:title>Knots</video:title>
        <video:thumbnail_loc>https://www.acme.example/k.jpg</video:thumbnail_loc>
        <video:description>To tie.</video:description><video:platform relationship="allow">web tv</video:platform>
        <video:content_loc>https://www.acme.example/k.mp4</video:content_loc></video:video></url>
    """

    id = "video-platform-invalid"
    fields = ("video:video/video:platform", "video:video/video:platform@relationship")
    sees_empty = True
    words = frozenset({"web", "mobile", "tv"})
    kind = "platform; web, mobile and tv are"
