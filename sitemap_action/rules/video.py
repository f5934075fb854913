"""Google's video extension: what a record must have, what it may have, and how much of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import ClassVar

from sitemap_action.model import XML_SPACE, Element, Shape
from sitemap_action.rules.base import GOOGLE_VIDEO, ShapeVerdict, Verdict, elements_named
from sitemap_action.rules.extension import ExtensionRule, MissingChild, RetiredTag, UnknownTag, UrlNotAbsolute, tag

MAX_TAGS = 32
_CURRENT = """
    thumbnail_loc title description content_loc player_loc duration expiration_date rating view_count publication_date
    family_friendly restriction platform requires_subscription uploader live tag
    """
# `id` and `content_segment_loc` are in Google's schema and in no page of its documentation: retired, not unknown.
# What stands in a `tvshow` goes with it, as does the title of a `gallery_loc`.
_RETIRED = "category gallery_loc price tvshow id content_segment_loc player_loc@allow_embed player_loc@autoplay"


def _names(words: str) -> frozenset[str]:
    return frozenset("video:" + word for word in words.split())


class VideoRule(ExtensionRule):
    spec = GOOGLE_VIDEO
    retired = _names(_RETIRED)
    tags: ClassVar = {"video:video": _names(_CURRENT) | retired, "": _names("video")}


class VideoThumbnailMissing(VideoRule, MissingChild):
    """A `<video:video>` has no thumbnail.

    Google requires `<video:thumbnail_loc>` and shows it in results; it drops a record without it.

    Fix: add <video:thumbnail_loc> with the full URL of a still image.

    Bad:
        <url><loc>https://www.acme.example/k</loc><video:video>
        <video:title>Knots</video:title><video:description>How to tie one.</video:description>
        <video:content_loc>https://www.acme.example/k.mp4</video:content_loc></video:video></url>
    Good:
        <url><loc>https://www.acme.example/k</loc><video:video><video:description>How to tie.</video:description>
        <video:thumbnail_loc>https://www.acme.example/k.jpg</video:thumbnail_loc><video:title>Knots</video:title>
        <video:content_loc>https://www.acme.example/k.mp4</video:content_loc></video:video></url>
    """

    id = "video-thumbnail-missing"
    within = ("video:video",)
    children = ("video:thumbnail_loc",)


class VideoTitleMissing(VideoRule, MissingChild):
    """A `<video:video>` has no title.

    Google requires `<video:title>` and drops a record without it.

    Fix: add <video:title> with the title that the page shows.

    Bad:
        <url><loc>https://www.acme.example/k</loc><video:video>
        <video:thumbnail_loc>https://www.acme.example/k.jpg</video:thumbnail_loc>
        <video:description>How to tie one.</video:description>
        <video:content_loc>https://www.acme.example/k.mp4</video:content_loc></video:video></url>
    Good:
        <url><loc>https://www.acme.example/k</loc><video:video><video:description>How to tie.</video:description>
        <video:thumbnail_loc>https://www.acme.example/k.jpg</video:thumbnail_loc><video:title>Knots</video:title>
        <video:content_loc>https://www.acme.example/k.mp4</video:content_loc></video:video></url>
    """

    id = "video-title-missing"
    within = ("video:video",)
    children = ("video:title",)


class VideoDescriptionMissing(VideoRule, MissingChild):
    """A `<video:video>` has no description.

    Google requires `<video:description>` and drops a record without it.

    Fix: add <video:description>, in at most 2,048 characters.

    Bad:
        <url><loc>https://www.acme.example/k</loc><video:video>
        <video:thumbnail_loc>https://www.acme.example/k.jpg</video:thumbnail_loc>
        <video:title>Knots</video:title><video:description> </video:description>
        <video:content_loc>https://www.acme.example/k.mp4</video:content_loc></video:video></url>
    Good:
        <url><loc>https://www.acme.example/k</loc><video:video><video:description>How to tie.</video:description>
        <video:thumbnail_loc>https://www.acme.example/k.jpg</video:thumbnail_loc><video:title>Knots</video:title>
        <video:content_loc>https://www.acme.example/k.mp4</video:content_loc></video:video></url>
    """

    id = "video-description-missing"
    within = ("video:video",)
    children = ("video:description",)


class VideoContentMissing(VideoRule, MissingChild):
    """A `<video:video>` names neither the video file nor a player.

    The schema lets it pass, but Google needs one of `<video:content_loc>` and
    `<video:player_loc>` to find the video at all.

    Fix: add <video:content_loc> with the media file, or <video:player_loc> with the player.

    Bad:
        <url><loc>https://www.acme.example/k</loc><video:video><video:description>How to tie.</video:description>
        <video:thumbnail_loc>https://www.acme.example/k.jpg</video:thumbnail_loc><video:title>Knots</video:title>
        </video:video></url>
    Good:
        <url><loc>https://www.acme.example/k</loc><video:video><video:description>How to tie.</video:description>
        <video:thumbnail_loc>https://www.acme.example/k.jpg</video:thumbnail_loc><video:title>Knots</video:title>
        <video:player_loc>https://player.acme.example/embed/7</video:player_loc></video:video></url>
    """

    id = "video-content-missing"
    within = ("video:video",)
    children = ("video:content_loc", "video:player_loc")


class VideoUrlNotAbsolute(VideoRule, UrlNotAbsolute):
    """A thumbnail, video file or player is not given by a full http or https URL.

    Engines do not resolve addresses against the page. Another host, such as a CDN, is fine.

    Fix: write the address with scheme and host, and escape what a URL cannot contain.

    Bad:
        <url><loc>https://acme.example/k</loc><video:video><video:description>To tie.</video:description>
        <video:thumbnail_loc>/k.jpg</video:thumbnail_loc><video:title>Knots</video:title>
        <video:player_loc>https://acme.example/p</video:player_loc></video:video></url>
    Good:
        <url><loc>https://acme.example/k</loc><video:video><video:description>To tie.</video:description>
        <video:thumbnail_loc>https://cdn.acme.example/k.jpg</video:thumbnail_loc><video:title>Knots</video:title>
        <video:player_loc>https://acme.example/p</video:player_loc></video:video></url>
    """

    id = "video-url-not-absolute"
    fields = tuple(f"video:video/video:{name}_loc" for name in ("thumbnail", "content", "player"))


class VideoTagsTooMany(VideoRule):
    """A `<video:video>` has more than 32 tags.

    Google allows up to 32 `<video:tag>` for one video.

    Fix: keep the 32 tags that describe the video best.

    Bad:
        <url><loc>https://www.acme.example/k</loc><video:video><video:description>How to tie.</video:description>
        <video:thumbnail_loc>https://www.acme.example/k.jpg</video:thumbnail_loc><video:title>Knots</video:title>
        <video:content_loc>https://www.acme.example/k.mp4</video:content_loc>
        <video:tag>knot {n}</video:tag> × 33
        </video:video></url>
    Good:
        <url><loc>https://www.acme.example/k</loc><video:video><video:description>How to tie.</video:description>
        <video:thumbnail_loc>https://www.acme.example/k.jpg</video:thumbnail_loc><video:title>Knots</video:title>
        <video:content_loc>https://www.acme.example/k.mp4</video:content_loc>
        <video:tag>knot {n}</video:tag> × 32
        </video:video></url>
    """

    id = "video-tags-too-many"

    def shape(self, shape: Shape) -> Iterator[ShapeVerdict]:
        for video in elements_named(shape, "video:video"):
            tags = video.named("video:tag")
            if len(tags) > MAX_TAGS:
                yield tags[MAX_TAGS], f"The video has {len(tags):,} tags; Google allows {MAX_TAGS}."


class _TooLong(VideoRule):
    longest: ClassVar[int]

    def value(self, value: str, field: str) -> Verdict:
        size = len(value.strip(XML_SPACE))
        if size <= self.longest:
            return None
        return f"{tag(field.rpartition('/')[2])} has {size:,} characters; Google allows {self.longest:,}."


class VideoDescriptionTooLong(_TooLong):
    """A `<video:description>` has more than 2,048 characters.

    Google allows at most 2,048 characters.

    Fix: shorten the description.

    Bad:
        <url><loc>https://www.acme.example/k</loc><video:video><video:description>{x*2049}</video:description>
        <video:thumbnail_loc>https://www.acme.example/k.jpg</video:thumbnail_loc><video:title>Knots</video:title>
        <video:content_loc>https://www.acme.example/k.mp4</video:content_loc></video:video></url>
    Good:
        <url><loc>https://www.acme.example/k</loc><video:video><video:description>{x*2048}</video:description>
        <video:thumbnail_loc>https://www.acme.example/k.jpg</video:thumbnail_loc><video:title>Knots</video:title>
        <video:content_loc>https://www.acme.example/k.mp4</video:content_loc></video:video></url>
    """

    id = "video-description-too-long"
    fields = ("video:video/video:description",)
    longest = 2048


class VideoUploaderTooLong(_TooLong):
    """A `<video:uploader>` has more than 255 characters.

    The schema lets it pass; Google allows at most 255 characters.

    Fix: give the uploader's name only.

    Bad:
        <url><loc>https://acme.example/k</loc><video:video><video:description>To tie.</video:description>
        <video:thumbnail_loc>https://acme.example/k.jpg</video:thumbnail_loc><video:uploader>{x*256}</video:uploader>
        <video:title>Knots</video:title><video:player_loc>https://acme.example/p</video:player_loc></video:video></url>
    Good:
        <url><loc>https://acme.example/k</loc><video:video><video:description>To tie.</video:description>
        <video:thumbnail_loc>https://acme.example/k.jpg</video:thumbnail_loc><video:uploader>Acme Ropes</video:uploader>
        <video:title>Knots</video:title><video:player_loc>https://acme.example/p</video:player_loc></video:video></url>
    """

    id = "video-uploader-too-long"
    fields = ("video:video/video:uploader",)
    longest = 255


class VideoElementRepeated(VideoRule):
    """An element stands twice in one `<video:video>`.

    Every element but `<video:tag>` may stand once. Which of two titles or files counts is
    not defined; mostly two records were run into one.

    Fix: keep one of them, or give each video its own <video:video>.

    Bad:
        <url><loc>https://acme.example/k</loc><video:video><video:description>To tie.</video:description>
        <video:thumbnail_loc>https://acme.example/k.jpg</video:thumbnail_loc><video:title>Bends</video:title>
        <video:title>Knots</video:title><video:player_loc>https://acme.example/p</video:player_loc></video:video></url>
    Good:
        <url><loc>https://www.acme.example/k</loc><video:video><video:description>How to tie.</video:description>
        <video:thumbnail_loc>https://www.acme.example/k.jpg</video:thumbnail_loc><video:title>Knots</video:title>
        <video:content_loc>https://www.acme.example/k.mp4</video:content_loc></video:video></url>
    """

    id = "video-element-repeated"

    def shape(self, shape: Shape) -> Iterator[ShapeVerdict]:
        for video in elements_named(shape, "video:video"):
            yield from self._repeated(video)

    def _repeated(self, video: Element) -> Iterator[ShapeVerdict]:
        """Retired elements may stand as often as they like: nobody reads them."""
        once = self.tags["video:video"] - self.retired - {"video:tag"}
        for name, count in Counter(child.name for child in video.children).items():
            if count > 1 and name in once:
                yield video.named(name)[1], f"{tag(name)} stands {count} times in one <video:video>."


class VideoTagUnknown(VideoRule, UnknownTag):
    """An element in the video namespace is unknown, or not where it belongs.

    Engines skip it, and with it what it was meant to say. Names are case-sensitive.

    Fix: correct the name, and put every element directly into <video:video>.

    Bad:
        <url><loc>https://acme.example/k</loc><video:video><video:description>To tie.</video:description>
        <video:thumbnail_loc>https://acme.example/k.jpg</video:thumbnail_loc><video:durations>600</video:durations>
        <video:title>Knots</video:title><video:player_loc>https://acme.example/p</video:player_loc></video:video></url>
    Good:
        <url><loc>https://acme.example/k</loc><video:video><video:description>To tie.</video:description>
        <video:thumbnail_loc>https://acme.example/k.jpg</video:thumbnail_loc><video:duration>600</video:duration>
        <video:title>Knots</video:title><video:player_loc>https://acme.example/p</video:player_loc></video:video></url>
    """

    id = "video-tag-unknown"


class VideoTagRetired(VideoRule, RetiredTag):
    """The file uses video tags that Google has retired.

    `category`, `gallery_loc`, `price`, `tvshow`, and the attributes `allow_embed` and `autoplay`
    of `player_loc` are ignored. They do no harm; they only make the file larger.

    Fix: leave the tags out.

    Bad:
        <url><loc>https://acme.example/k</loc><video:video><video:description>To tie.</video:description>
        <video:thumbnail_loc>https://acme.example/k.jpg</video:thumbnail_loc><video:category>Sailing</video:category>
        <video:title>Knots</video:title><video:player_loc>https://acme.example/p</video:player_loc></video:video></url>
    Good:
        <url><loc>https://www.acme.example/k</loc><video:video><video:description>How to tie.</video:description>
        <video:thumbnail_loc>https://www.acme.example/k.jpg</video:thumbnail_loc><video:title>Knots</video:title>
        <video:player_loc>https://player.acme.example/embed/7</video:player_loc></video:video></url>
    """

    id = "video-tag-retired"
