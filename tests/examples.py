"""The examples in the rules' docstrings, turned into files that the program can be run on."""

from __future__ import annotations

import gzip
import re
from dataclasses import dataclass, field
from pathlib import Path

from origins import Origin

_HEADER = re.compile(r"^--- (?P<name>\S+)(?: \((?P<how>[^)]+)\))?$", re.MULTILINE)
_SITE = b"https://www.acme.example"
_REPEAT = re.compile(r"^(?P<line>.*) × (?P<times>[\d,]+)$", re.MULTILINE)
_PAD = re.compile(r"\{x\*(\d+)\}")
_NAMESPACES = """xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:xhtml="http://www.w3.org/1999/xhtml"
        xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"
        xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"
        xmlns:news="http://www.google.com/schemas/sitemap-news/0.9\""""


@dataclass
class Example:
    """Files to write, the options to pass, and whether the directory or its one file is the target."""

    files: dict[str, bytes] = field(default_factory=dict)
    options: list[str] = field(default_factory=list)
    is_directory: bool = False
    is_live: bool = False
    answers: dict[str, str] = field(default_factory=dict)  # how a live origin answers, other than with 200 and the file

    def write(self, folder: Path) -> list[str]:
        """Put the files into the folder and return the command's arguments."""
        for name, content in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        target = str(folder) if self.is_directory else str(folder / next(iter(self.files)))
        return [*self.options, target]

    def serve(self, origin: Origin) -> list[str]:
        """Put the files on the origin, which stands for the site of the examples, and return the arguments."""
        for name, content in self.files.items():
            how = self.answers.get(name, "")
            status, _, target = how.partition(" ")
            if target:
                origin.redirect(f"/{name}", target, int(status))
            else:
                code, type = (int(how), "text/html") if how.isdigit() else (200, how or _type(name))
                origin.put(f"/{name}", content.replace(_SITE, origin.url.encode()), status=code, type=type)
        return [*self.options, origin.url]


def _type(name: str) -> str:
    return "text/plain" if name.endswith(".txt") else "application/xml"


def read_example(text: str) -> Example:
    """`$ --option value` lines give options, `$ live` makes it a live origin; `--- name (encoding)` lines start a
    file of a site, on an origin also `(404)`, `(301 /elsewhere)` or `(text/html)`; without one the text is a
    single sitemap file."""
    example = Example()
    lines = text.splitlines()
    while lines and lines[0].startswith("$ "):
        words = lines.pop(0)[2:].split()
        example.is_live |= words == ["live"]
        example.options += [] if words == ["live"] else words
    text = "\n".join(lines)
    pieces = _HEADER.split(text)
    if len(pieces) == 1:
        name = "sitemap.txt" if re.match(r"https?:|www|/", text) else "sitemap.xml"
        example.files[name] = _content(text, None)
        return example
    example.is_directory = True
    for name, how, body in zip(pieces[1::3], pieces[2::3], pieces[3::3], strict=True):
        is_answer = bool(how) and ("/" in how or how.isdigit())
        if is_answer:
            example.answers[name] = how
        example.files[name] = _content(body.strip("\n"), None if is_answer else how)
    return example


def _content(text: str, encoding: str | None) -> bytes:
    text = _REPEAT.sub(_repeated, text)
    text = _PAD.sub(lambda pad: "x" * int(pad[1]), text)
    if encoding == "hex":
        return bytes.fromhex(text)
    text = _wrapped(text)
    if encoding == "gzip":
        return gzip.compress(text.encode(), mtime=0)
    return text.encode(encoding or "utf-8")


def _repeated(found: re.Match[str]) -> str:
    times = int(found["times"].replace(",", ""))
    return "\n".join(found["line"].replace("{n}", str(number)) for number in range(1, times + 1))


def _wrapped(text: str) -> str:
    """A fragment that starts with an entry gets the root element it needs."""
    for entry, root in (("url", "urlset"), ("sitemap", "sitemapindex")):
        if re.match(rf"<{entry}[ >]", text):
            return f'<?xml version="1.0" encoding="UTF-8"?>\n<{root} {_NAMESPACES}>\n{text}\n</{root}>\n'
    return text + "\n" if text else text
