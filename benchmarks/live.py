"""Measure live checking: `python benchmarks/live.py` checks a large origin on this machine, served by another process.

It wants the Python that has sitemap-action installed; nginx, if it is there, is the server that disturbs least.
The peer is ultimate-sitemap-parser, in the Python that `--peer-python` names: unless told otherwise, in the one that
`python benchmarks/run.py --peers` has filled. What is measured is processor time
of one run each, without the server's; the table goes to standard output.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from benchmarks import files
from benchmarks.measure import Failed, cost
from benchmarks.peers import USP, peer_python, version_of
from benchmarks.table import MEGA, GrowthRow, Harvest, RateRow, machine, render

_HOST = "127.0.0.1"
_LEAST = 5.0
_GROWTH = 1.25
_PATIENCE = 10.0
_INDEX = "sitemap-index.xml"
# Well-known paths are left out in the peer's favour: robots.txt names all there is.
_PARSE = """
import json, sys
from usp.tree import sitemap_tree_for_homepage
tree = sitemap_tree_for_homepage(sys.argv[1], use_known_paths=False)
urls = sum(1 for _ in tree.all_pages())
with open(sys.argv[2], "w") as file:
    json.dump({"urls": urls}, file)
"""
# One process, which runs as whoever started it and ends with the first signal.
_NGINX = """
daemon off; master_process off; pid {folder}/nginx.pid; error_log stderr error;
events {{ worker_connections 256; }}
http {{
    access_log off; sendfile on; tcp_nopush on; keepalive_requests 100000;
    types {{ text/html html; text/plain txt; application/xml xml; application/gzip gz; }}
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    server {{ listen {host}:{port}; root {root}; }}
}}
"""


@dataclass(frozen=True)
class Origin:
    """A folder and the address that it is served at; its index decides how large the origin is."""

    root: Path
    port: int

    @property
    def url(self) -> str:
        return f"http://{_HOST}:{self.port}"

    def child(self, number: int) -> str:
        return f"sitemap-{number:04}.xml.gz"

    def fill(self, children: int, urls: int) -> tuple[int, int]:
        """Write all that is served but the index; the answer is the children's bytes, packed and inflated.

        It is done in other processes because a command that is started later inherits our peak as its own.
        """
        (self.root / "index.html").write_text("<!DOCTYPE html><title>Home</title>\n", encoding="utf-8")
        (self.root / "robots.txt").write_text(f"User-agent: *\nSitemap: {self.url}/{_INDEX}\n", encoding="utf-8")
        paths = [self.root / self.child(n) for n in range(1, children + 1)]
        firsts = range(0, children * urls, urls)
        with ProcessPoolExecutor() as pool:
            sizes = pool.map(files.write_child, paths, itertools.repeat(self.url), firsts, itertools.repeat(urls))
            inflated = sum(sizes)
        return sum(path.stat().st_size for path in paths), inflated

    def list_children(self, count: int) -> None:
        """Let the index name the first so many children; the others are then out of everybody's sight."""
        entries = "".join(f"  <sitemap><loc>{self.url}/{self.child(n)}</loc></sitemap>\n" for n in range(1, count + 1))
        (self.root / _INDEX).write_text(
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            f'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{entries}</sitemapindex>\n',
            encoding="utf-8",
        )


def free_port() -> int:
    """The locs hold the port, so it is chosen before there is a server."""
    with socket.socket() as probe:
        probe.bind((_HOST, 0))
        return int(probe.getsockname()[1])


def find_nginx() -> str | None:
    """Debian keeps it where an ordinary user's path does not lead."""
    return shutil.which("nginx", path=os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin"]))


def server_command(nginx: str | None, origin: Origin, folder: Path) -> list[str]:
    """nginx with a config of its own, or else the server of the standard library."""
    if nginx is None:
        where = ["--bind", _HOST, "--directory", str(origin.root)]
        return [sys.executable, "-m", "http.server", str(origin.port), *where]
    config = folder / "nginx.conf"
    text = _NGINX.format(folder=folder, root=origin.root, host=_HOST, port=origin.port)
    config.write_text(text, encoding="utf-8")
    return [nginx, "-e", "stderr", "-p", str(folder), "-c", str(config)]


@contextmanager
def serving(origin: Origin, command: list[str], log: Path) -> Iterator[None]:
    """The server in a process of its own, from its first answer on."""
    with log.open("wb") as file, subprocess.Popen(command, stdout=file, stderr=file) as server:
        try:
            _await(origin, server, log)
            yield
        finally:
            server.terminate()


def _await(origin: Origin, server: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline and server.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex((_HOST, origin.port)) == 0:
                return
        time.sleep(0.05)
    raise Failed(f"{server.args!r} does not serve: {log.read_text(encoding='utf-8', errors='replace')}")


def harvest(command: list[str], told: Path, allowed: tuple[int, ...] = (0,)) -> Harvest:
    """One run; the command writes to the file how many URLs it saw."""
    told.unlink(missing_ok=True)
    spent = cost(command, allowed)
    urls = json.loads(told.read_text(encoding="utf-8"))["urls"]
    if not urls:
        raise Failed(f"{command[0]} saw no URL")
    return Harvest(urls, spent)


def ours(origin: Origin, children: int, told: Path) -> Harvest:
    origin.list_children(children)
    command = [sys.executable, "-m", "sitemap_action", origin.url, "--output", f"json={told}"]
    return harvest(command, told, allowed=(0, 1))


def against_peer(what: str, mine: Harvest, origin: Origin, children: int, python: str, told: Path) -> RateRow:
    """The peer may be given fewer children, for it is slow; rates can be compared all the same."""
    version = version_of(USP, python)
    if version is None:
        return RateRow(what, USP, mine, None, _LEAST, missing="not installed")
    origin.list_children(children)
    try:
        theirs = harvest([os.path.abspath(python), "-c", _PARSE, origin.url, str(told)], told)
    except Failed as error:
        return RateRow(what, USP, mine, None, _LEAST, missing=str(error).splitlines()[-1])
    return RateRow(what, f"{USP} {version}", mine, theirs, _LEAST)


def read_arguments(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--children", type=int, default=200, help="sitemaps of the origin")
    parser.add_argument("--urls", type=int, default=files.FULL, help="URLs of each sitemap")
    parser.add_argument("--peer-children", type=int, default=20, help="sitemaps that the peer is given")
    parser.add_argument("--peer-python", default=str(peer_python()), help=f"the Python that has {USP}")
    return parser.parse_args(arguments)


def main(arguments: list[str]) -> int:
    options = read_arguments(arguments)
    tenth = max(1, options.children // 10)
    nginx = find_nginx()
    with tempfile.TemporaryDirectory(prefix="sitemap-action-") as name:
        folder = Path(name)
        origin, told = Origin(folder / "root", free_port()), folder / "told.json"
        origin.root.mkdir()
        packed, inflated = origin.fill(options.children, options.urls)
        what = f"{options.children:,} gzip sitemaps, {packed / MEGA:,.0f} MB, {inflated / MEGA:,.0f} MB inflated"
        with serving(origin, server_command(nginx, origin, folder), folder / "server.log"):
            small = ours(origin, tenth, told)
            whole = ours(origin, options.children, told)
            peer_children = min(options.peer_children, options.children)
            rate = against_peer(what, whole, origin, peer_children, options.peer_python, told)
    beside = f"ourselves with {tenth:,} of them"
    growth = GrowthRow("the same, memory at its peak", beside, whole.cost, small.cost, _GROWTH)
    served = "nginx" if nginx else "http.server of Python"
    note = f"URLs for each second of processor time (user and system), one run, served by {served} on the same machine."
    print(render([rate, growth], [f"{note} {machine()}"]), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
