"""Where redirects lead, and to whom we say what: headers, names and passwords."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Run, index, urlset
from origins import Origin, fake_network

from sitemap_action import __version__

SITEMAP = urlset("{origin}/")


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sitemap_action.net.client._FIRST_PAUSE", 0.01)


# Redirects


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize(
    "to", ["/down/real.xml", "down/real.xml", "{origin}/down/real.xml#top", "//{host}/down/real.xml"]
)
def test_a_redirect_is_followed_and_reported(run: Run, origin: Origin, status: int, to: str) -> None:
    origin.redirect("/sitemap.xml", to.replace("{host}", origin.host_port), status)
    origin.put("/down/real.xml", urlset("{origin}/down/"))
    outcome = run(f"{origin.url}/sitemap.xml")
    (document,) = outcome.report["documents"]
    assert (outcome.exit_code, outcome.rules("error"), document["entries"]) == (0, [], 1)
    assert (document["location"], document["final_url"]) == (f"{origin.url}/sitemap.xml", f"{origin.url}/down/real.xml")
    assert document["http_status"] == 200
    assert [request.path for request in origin.requests].count("/down/real.xml") == 1


def test_ten_redirects_are_followed_and_an_eleventh_is_not(run: Run, origin: Origin) -> None:
    for hop in range(12):
        origin.redirect(f"/{hop}", f"/{hop + 1}")
    origin.put("/12", SITEMAP)
    assert run(f"{origin.url}/2").exit_code == 0
    outcome = run(f"{origin.url}/1")
    assert (outcome.exit_code, outcome.rules()) == (1, ["fetch-failed"])
    assert "too many redirects" in outcome.stdout


@pytest.mark.parametrize("ring", [["/sitemap.xml"], ["/b", "/sitemap.xml#again"], ["/b", "/c", "/b"]])
def test_redirects_in_a_circle_end_soon(run: Run, origin: Origin, ring: list[str]) -> None:
    for here, there in zip(["/sitemap.xml", *ring], ring, strict=False):
        origin.redirect(here, there)
    outcome = run(f"{origin.url}/sitemap.xml")
    assert (outcome.exit_code, outcome.rules()) == (1, ["fetch-failed"])
    assert "circle" in outcome.stdout
    assert max(origin.count(path) for path in ("/sitemap.xml", "/b", "/c")) == 1


@pytest.mark.parametrize(
    "to",
    ["ftp://127.0.0.1/x", "file:///etc/passwd", "javascript:alert(1)", "data:text/xml,<urlset/>", "gopher://127.0.0.1:70/",
     "http://user:secret@127.0.0.1/x", "http://127.1/", "http://2130706433/", "http://127.0.0.1:0/", "http://a b/"],
)  # fmt: skip
def test_only_sound_web_addresses_are_followed(run: Run, origin: Origin, to: str) -> None:
    origin.redirect("/sitemap.xml", to)
    outcome = run(f"{origin.url}/sitemap.xml")
    assert (outcome.exit_code, outcome.rules()) == (1, ["fetch-refused"])
    assert origin.count("/sitemap.xml") == 1


def test_a_redirect_may_be_written_in_utf_8(run: Run, origin: Origin) -> None:
    origin.redirect("/sitemap.xml", "/größe.xml")  # the server encodes headers as UTF-8
    origin.put("/gr%C3%B6%C3%9Fe.xml", SITEMAP)
    assert run(f"{origin.url}/sitemap.xml").exit_code == 0


@pytest.mark.parametrize("headers", [{}, {"Location": ""}, {"Location": "   "}])
def test_a_redirect_to_nowhere_is_just_a_status(run: Run, origin: Origin, headers: dict[str, str]) -> None:
    origin.put("/sitemap.xml", "", status=302, headers=headers)
    outcome = run(f"{origin.url}/sitemap.xml")
    assert (outcome.exit_code, outcome.rules()) == (1, ["http-status-not-ok"])
    assert "302" in outcome.stdout


# What we say of ourselves


def test_we_say_who_we_are_and_take_gzip_only(run: Run, origin: Origin) -> None:
    origin.put("/sitemap.xml", SITEMAP)
    run(origin.url)
    run(origin.url, "--user-agent", "probe/7 (nightly)")
    agents = [request.headers["user-agent"] for request in origin.requests]
    assert set(agents) == {agents[0], "probe/7 (nightly)"}
    assert agents[0].startswith(f"sitemap-action/{__version__} (+https://")
    assert {request.headers["accept-encoding"] for request in origin.requests} == {"gzip"}
    assert {request.method for request in origin.requests} == {"GET"}


def test_headers_go_to_the_origin_of_the_target_and_nowhere_else(
    run: Run, origin: Origin, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not to another port, another host, the end of a redirect or a host that is asked about its robots.txt."""
    with Origin() as other:
        fake_network(monkeypatch, {"cdn.example": [["93.184.216.34"]]}, {"93.184.216.34": ("127.0.0.1", other.port)})
        named = [f"{other.url}/named.xml", "http://cdn.example/cdn.xml", "{origin}/away.xml", "{origin}/sitemap.xml"]
        origin.put("/robots.txt", "".join(f"Sitemap: {url}\n" for url in named), type="text/plain")
        origin.put("/sitemap.xml", index("{origin}/child.xml", f"{other.url}/child.xml"))
        origin.put("/child.xml", urlset("{origin}/", "http://cdn.example/page"))
        origin.redirect("/away.xml", f"{other.url}/back.xml")
        other.redirect("/back.xml", f"{origin.url}/end.xml")
        origin.put("/end.xml", SITEMAP)
        run(origin.url, "--header", "X-Pass: sesame", "--header", "Authorization: Bearer t")
        strangers = {request.path for request in other.requests}
        assert strangers >= {"/named.xml", "/cdn.xml", "/child.xml", "/back.xml", "/robots.txt"}
        assert not [r for r in other.requests if r.headers.keys() & {"x-pass", "authorization", "referer", "cookie"}]
    assert {r.headers.get("x-pass") for r in origin.requests} == {"sesame"}
    assert {r.headers.get("authorization") for r in origin.requests} == {"Bearer t"}
    assert "/end.xml" in {request.path for request in origin.requests}


def test_proxies_and_passwords_of_the_environment_are_left_alone(
    run: Run, origin: Origin, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / ".netrc").write_text("default login somebody password secret\n", encoding="utf-8")
    (tmp_path / ".netrc").chmod(0o600)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("NETRC", str(tmp_path / ".netrc"))
    origin.put("/sitemap.xml", SITEMAP)
    with Origin() as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy.url)
        assert run(origin.url).exit_code == 0
        assert not proxy.connections
    assert not any("authorization" in request.headers for request in origin.requests)
