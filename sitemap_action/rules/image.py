"""Google's image extension."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from sitemap_action.model import Shape
from sitemap_action.rules.base import GOOGLE_IMAGE, ShapeVerdict
from sitemap_action.rules.extension import ExtensionRule, MissingChild, RetiredTag, UnknownTag, UrlNotAbsolute

MAX_IMAGES = 1000


class _Image(ExtensionRule):
    spec = GOOGLE_IMAGE
    retired = frozenset({"image:caption", "image:geo_location", "image:title", "image:license"})
    tags: ClassVar = {"image:image": frozenset({"image:loc"}) | retired, "": frozenset({"image:image"})}


class ImageLocMissing(_Image, MissingChild):
    """An `<image:image>` does not say where the image is.

    The address is the only thing that the image extension still carries, so a record
    without it is dropped.

    Fix: give every <image:image> one <image:loc> with the image's full URL.

    Bad:
        <url><loc>https://www.acme.example/</loc><image:image></image:image></url>
    Bad:
        <url><loc>https://www.acme.example/</loc><image:image><image:loc/></image:image></url>
    Good:
        <url><loc>https://www.acme.example/</loc>
        <image:image><image:loc>https://www.acme.example/a.jpg</image:loc></image:image></url>
    """

    id = "image-loc-missing"
    within = ("image:image",)
    children = ("image:loc",)


class ImageLocNotAbsolute(_Image, UrlNotAbsolute):
    """An `<image:loc>` is not a full http or https URL.

    Engines do not resolve addresses in a sitemap against the page, so the image is not found.
    An image on another host, such as a CDN, is fine.

    Fix: write the image's address with scheme and host, and escape what a URL cannot contain.

    Bad:
        <url><loc>https://www.acme.example/</loc>
        <image:image><image:loc>/images/a.jpg</image:loc></image:image></url>
    Good:
        <url><loc>https://www.acme.example/</loc>
        <image:image><image:loc>https://cdn.acme.example/images/a.jpg</image:loc></image:image></url>
    """

    id = "image-loc-not-absolute"
    fields = ("image:image/image:loc",)


class ImagesTooMany(_Image):
    """A `<url>` has more than 1,000 images.

    Google reads up to 1,000 `<image:image>` for one page; the rest may be ignored.

    Fix: list the most important 1,000 images of the page.

    Bad:
        <url><loc>https://www.acme.example/</loc>
        <image:image><image:loc>https://www.acme.example/{n}.jpg</image:loc></image:image> × 1,001
        </url>
    Good:
        <url><loc>https://www.acme.example/</loc>
        <image:image><image:loc>https://www.acme.example/{n}.jpg</image:loc></image:image> × 1,000
        </url>
    """

    id = "images-too-many"

    def shape(self, shape: Shape) -> Iterator[ShapeVerdict]:
        images = shape.named("image:image")
        if len(images) > MAX_IMAGES:
            yield images[MAX_IMAGES], f"The page has {len(images):,} images; Google reads {MAX_IMAGES:,}."


class ImageTagUnknown(_Image, UnknownTag):
    """An element in the image namespace is unknown, or not where it belongs.

    Engines skip it, and with it what it was meant to say. Names are case-sensitive.

    Fix: correct the name; an <image:loc> belongs into an <image:image>, and that into the <url>.

    Bad:
        <url><loc>https://www.acme.example/</loc>
        <image:image><image:loc>https://www.acme.example/a.jpg</image:loc><image:alt>A</image:alt></image:image></url>
    Bad:
        <url><loc>https://www.acme.example/</loc><image:loc>https://www.acme.example/a.jpg</image:loc></url>
    Good:
        <url><loc>https://www.acme.example/</loc>
        <image:image><image:loc>https://www.acme.example/a.jpg</image:loc></image:image></url>
    """

    id = "image-tag-unknown"


class ImageTagRetired(_Image, RetiredTag):
    """The file uses image tags that Google retired in 2022.

    `caption`, `geo_location`, `title` and `license` are ignored. They do no harm; they only make
    the file larger.

    Fix: leave the tags out; say the same in the page, in its alt texts and structured data.

    Bad:
        <url><loc>https://www.acme.example/</loc>
        <image:image><image:loc>https://acme.example/a.jpg</image:loc><image:title>A</image:title></image:image></url>
    Good:
        <url><loc>https://www.acme.example/</loc>
        <image:image><image:loc>https://www.acme.example/a.jpg</image:loc></image:image></url>
    """

    id = "image-tag-retired"
