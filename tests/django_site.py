"""A Django project in one file: contrib.sitemaps with an index, a paged section and a section in two languages."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from socketserver import ThreadingMixIn
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import django
from django.conf import settings
from django.contrib.sitemaps import Sitemap
from django.contrib.sitemaps.views import index, sitemap
from django.core.wsgi import get_wsgi_application
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils.translation import get_language

TOKYO = timezone(timedelta(hours=9))


class Posts(Sitemap):  # type: ignore[misc]  # Django has no types
    """Twelve posts, five to a file: the index lists `?p=2` and `?p=3` as well."""

    limit = 5
    # In UTC this is the day before. Django writes the time into the index and the day into the others.
    newest = datetime.now(TOKYO).replace(hour=0, minute=30)

    def items(self) -> range:
        return range(12)

    def lastmod(self, number: int) -> datetime:
        return self.newest - timedelta(days=number)

    def location(self, number: int) -> str:
        return f"/posts/?year=2024&number={number}"


class PostsWithoutZone(Posts):
    """What databases give back when USE_TZ is False."""

    newest = Posts.newest.replace(tzinfo=None)


class Pages(Sitemap):  # type: ignore[misc]
    """Pages in two languages, each with links to both and an x-default."""

    i18n = alternates = x_default = True
    changefreq = "monthly"

    def items(self) -> list[str]:
        return ["about", "contact"]

    def priority(self, name: str) -> float:
        return 0.8 if name == "about" else 0.3

    def location(self, name: str) -> str:
        return f"/{get_language()}/{name}/"


def robots(request: HttpRequest) -> HttpResponse:
    text = f"User-agent: *\nDisallow: /admin/\nSitemap: {request.build_absolute_uri('/sitemap.xml')}\n"
    return HttpResponse(text, content_type="text/plain")


sections: dict[str, Any] = {"posts": Posts, "pages": Pages}
urlpatterns = [
    path("robots.txt", robots),
    path("sitemap.xml", index, {"sitemaps": sections}),
    path("sitemap-<section>.xml", sitemap, {"sitemaps": sections}, name="django.contrib.sitemaps.views.sitemap"),
]

settings.configure(
    ALLOWED_HOSTS=["127.0.0.1"],
    INSTALLED_APPS=["django.contrib.sitemaps"],  # and not django.contrib.sites: the host is that of the request
    LANGUAGE_CODE="en",
    LANGUAGES=[("en", "English"), ("de", "Deutsch")],
    LOGGING_CONFIG=None,
    ROOT_URLCONF=__name__,
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}],
    TIME_ZONE="Asia/Tokyo",
    USE_TZ=True,
)
django.setup()


class _Server(ThreadingMixIn, WSGIServer):
    """Waits for its threads when it is closed."""


class _Quiet(WSGIRequestHandler):
    def log_message(self, *_message: object) -> None:
        """Say nothing."""


@contextlib.contextmanager
def serve() -> Iterator[str]:
    """Serve the project on a free port; its URL."""
    with make_server("127.0.0.1", 0, get_wsgi_application(), _Server, _Quiet) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
