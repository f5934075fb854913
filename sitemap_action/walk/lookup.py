"""From the URL of an index's child to the file that serves it."""

from __future__ import annotations

import os
from pathlib import Path

from sitemap_action.model import Document
from sitemap_action.model.children import Child
from sitemap_action.site import Site
from sitemap_action.site.built import BuiltSite
from sitemap_action.sources import file_below, identity
from sitemap_action.values import urls


class Lookup:
    """Finds the file behind a child's URL, by its path, never by its base name alone."""

    def __init__(self, index: Document, built: BuiltSite | None, site: Site) -> None:
        self._index = index
        self._built = built
        self._host = site.url.host if site.url else index.host
        self._prefix = site.url.directory if site.url and site.url_from == "option" else "/"
        self._allowed = site.scope.allow_hosts
        self._shared = urls.common_folder([urls.split_origin(child.url)[1] for child in index.children])

    def find(self, child: Child) -> Path | None:
        """The file, or None with the child's outcome set."""
        if child.outcome:
            return None
        url = urls.parse(child.url)
        if url is None or (self._host and url.host != self._host and url.host not in self._allowed):
            child.outcome = "other-host"
            return None
        path = self._built_file(url.path) if self._built else self._near(url.path)
        if path is None:
            child.outcome = "unseen" if self._index.is_argument else "missing"
        return path

    def _built_file(self, url_path: str) -> Path | None:
        assert self._built is not None
        found = self._built.file_for(url_path)
        if found is not None or self._built.url is not None:
            return found
        return self._without_prefix(self._built.root, url_path, least=1) or self._near(url_path, self._built.root)

    def _near(self, url_path: str, top: Path | None = None) -> Path | None:
        """The index's folder taken for the site's root, then each folder above it, then a shared prefix left out."""
        assert self._index.file is not None
        folder = Path(os.path.abspath(self._index.file)).parent
        if self._prefix != "/" and url_path.startswith(self._prefix):
            return file_below(folder, url_path[len(self._prefix) :])
        tail = Path(".")
        for root in (folder, *folder.parents):
            if top is not None and not root.is_relative_to(os.path.abspath(top)):
                break
            # The index's own URL would be root + tail, so the child must lie in or below one of its folders.
            if root == folder or url_path.startswith("/" + tail.as_posix() + "/"):
                found = file_below(root, url_path)
                if found is not None:
                    return found
            tail = Path(root.name) / tail
        return self._without_prefix(folder, url_path, least=2)

    def _without_prefix(self, root: Path, url_path: str, least: int) -> Path | None:
        """Leave out folders that all children share: the site may be served below a path.

        In a built directory a base name may be what is left of a path; near a lone file that proves nothing.
        """
        parts = url_path.lstrip("/").split("/")
        for skipped in range(1, len(parts) - least + 1):
            prefix = "/" + "".join(f"{part}/" for part in parts[:skipped])
            if not self._shared.startswith(prefix):
                return None
            found = file_below(root, "/".join(parts[skipped:]))
            if found is not None and identity(found) != identity(self._index.file or found.parent):
                return found
        return None
