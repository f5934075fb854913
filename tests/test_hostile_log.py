"""Nothing that a sitemap, a file name, a server or a config file says is a command to GitHub's runner."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape as xml

import pytest
from conftest import Run, Write, urlset
from hypothesis import given
from hypothesis import strategies as st
from origins import Origin
from runner_commands import COMMANDS, commands, forged, log, unescape

from sitemap_action.formats import FORMATS, escape
from sitemap_action.formats.markup import code, marked, words

LEVELS = ("error", "warning", "notice")
HARMFUL = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")
ANY_TEXT = st.text(st.characters()) | st.lists(st.sampled_from([*COMMANDS, "#", "[", ":", "%", ","])).map("".join)


@pytest.fixture
def on_github(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))


def hostile_site(write: Write) -> None:
    """Payloads wherever somebody else's text can stand."""
    spoken = [xml(re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f]", "", text)).replace("\r", "&#13;") for text in COMMANDS]
    news = ' xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"'
    entries = [f"<url><loc>{text}</loc><lastmod>{text}</lastmod><priority>{text}</priority></url>" for text in spoken]
    entries += [f"<url><loc>https://www.acme.example/{text}</loc></url>" for text in spoken]
    entries += [
        f"<url><loc>https://www.acme.example/{n}</loc><news:news><news:title>{text}</news:title>"
        f"<news:publication_date>{text}</news:publication_date></news:news></url>"
        for n, text in enumerate(spoken)
    ]
    write("public/sitemap.xml", urlset(*entries, attributes=news))
    write("public/sitemap.txt", "\n".join(["https://www.acme.example/", *COMMANDS]))
    lines = [f"Sitemap: {text}\nSitemap: https://www.acme.example/{text}\n{text}" for text in COMMANDS]
    write("public/robots.txt", "\n".join(lines))
    for number, text in enumerate(COMMANDS):
        write(f"public/sitemap-{number}.xml", f"<urlset {text}><url>{text}</url></urlset>")
        if os.name != "nt" and "\x00" not in text:
            write(f"public/{text} sitemap.xml", urlset("None/x"))


@pytest.mark.usefixtures("on_github")
@pytest.mark.parametrize("more", [(), ("--verbose",), ("--urls",), ("--color",)], ids=" ".join)
@pytest.mark.parametrize("format", FORMATS)
def test_no_content_is_a_command(run: Run, write: Write, format: str, more: tuple[str, ...]) -> None:
    hostile_site(write)
    outcome = run("public", "--max-findings", "0", *more, format=format)
    assert outcome.exit_code == 1
    assert outcome.stdout
    assert forged(log(outcome)) == []
    assert bool(commands(log(outcome))) is (format == "github" and "--urls" not in more)
    assert len(set(outcome.stdout) & set("\r\x00\x07\x0b\x0c\x85\u2028\ufeff")) == 0
    if format == "json" and "--urls" not in more:
        assert any("##[error]forged" in str(finding["url"]) for finding in outcome.report["findings"])


@pytest.mark.usefixtures("on_github")
@pytest.mark.parametrize("format", FORMATS)
def test_no_answer_of_a_server_is_a_command(run: Run, origin: Origin, format: str) -> None:
    lines = [f"Sitemap: {{origin}}/{text}" for text in COMMANDS]
    origin.put("/robots.txt", "\n".join(["Sitemap: {origin}/##[error]forged.xml", *lines]), type="text/plain")
    origin.put("/sitemap.xml", "no ##[error]forged", headers={"Location": "/##[error]forged"}, status=302)
    for more in ((), ("--urls",)):
        assert forged(log(run(origin.url, *more, format=format))) == []


@pytest.mark.usefixtures("on_github")
@pytest.mark.parametrize("payload", COMMANDS)
def test_no_impossible_request_is_a_command(run: Run, write: Write, payload: str) -> None:
    requests: list[tuple[str, ...]] = [(f"--{payload}",), ("--ignore", payload), ("--site-url", payload), (payload,)]
    for request in requests:
        outcome = run(*request, format=None)
        assert outcome.exit_code == 2
        assert forged(log(outcome)) == []
        assert len(commands(log(outcome))) == 1
    for text in (f"{json.dumps(payload)} = 1", f"site-url = {json.dumps(payload)}", f"x {payload}"):
        write(".sitemap-action.toml", text)
        outcome = run(format=None)
        assert outcome.exit_code == 2
        assert forged(log(outcome)) == []


# For any text


@given(ANY_TEXT)
def test_cleaned_text_has_no_character_that_moves_anything(text: str) -> None:
    cleaned = escape.clean(text)
    assert not HARMFUL.search(cleaned)
    assert escape.clean(cleaned) == cleaned
    assert HARMFUL.search(text) or cleaned == text


@given(ANY_TEXT)
def test_no_inert_line_is_a_command(text: str) -> None:
    line = escape.inert(escape.clean(text))
    assert commands(line) == []
    assert commands(f"{line}\n{line}") == []
    assert commands(escape.clean_lines([text, text])) == []


@given(st.sampled_from(LEVELS), st.dictionaries(st.sampled_from(["file", "other"]), ANY_TEXT), ANY_TEXT)
def test_the_runner_reads_back_what_a_command_was_given(name: str, properties: dict[str, Any], message: str) -> None:
    def read(text: str) -> str:
        return escape.clean(text).replace("##[", "#\\x23[")

    properties = {**properties, "title": "rule"}  # ours and last: the runner trims the end of the properties
    line = escape.runner_command(name, properties, message)
    [found] = commands(line)
    assert (found.name, found.message) == (name, read(message))
    assert found.properties == {key: read(value) for key, value in properties.items() if value}


@given(ANY_TEXT)
def test_json_in_a_log_means_the_same_and_is_no_command(text: str) -> None:
    written = escape.json_text(json.dumps({text: [text]}, indent=2))
    assert json.loads(written) == {text: [text]}
    assert commands(written) == []


@given(ANY_TEXT)
def test_foreign_text_in_markdown_is_plain_text_with_breaks(text: str) -> None:
    made = [words(text, 10**6), marked(text.replace("`", "'"), 10**6), code(text, 10**6)[6:-7]]
    for escaped, source in zip(made, [text, text.replace("`", "'"), text], strict=True):
        bare = escaped.replace("<wbr>", "")
        assert not re.search(r"[<>@#:`*_~|\\\[\]!\"'(){}$+^]|&(?!#\d+;)|www\.", re.sub(r"&#\d+;", "", bare))
        assert re.sub(r"&#(\d+);", lambda found: chr(int(found[1])), bare) == escape.clean(source)
        assert commands(escaped) == []


def test_the_reading_of_commands_is_that_of_the_runner() -> None:
    assert [given.name for given in commands("a ::error::no\n \t::error a=b%2C,c=d::yes%0A\rx ##[mask k=v;]e")] == [
        "error",
        "mask",
    ]
    assert [given.name for given in commands("::stop-commands::t\n::error::x\n::t::\n::error::y")] == [
        "stop-commands",
        "t",
        "error",
    ]
    assert unescape("%250A%0A", "%0A %25") == "%0A\n"
    assert all(commands(text) for text in COMMANDS if not re.search("[\x1b\ufeff\x00\x85\x0b\x0c]|%0D", text))
