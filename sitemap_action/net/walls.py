"""Is this the site's answer, or a wall in front of it: a login, a rate limit, a challenge for robots?"""

from __future__ import annotations

import re
from collections.abc import Mapping

from sitemap_action.net.answer import status_words

_KEPT_OUT = (401, 403, 429)
_GONE = (404, 410)
# Headers with which a wall says that it is one: name, value (None for any), whose it is.
_HEADERS = (
    ("cf-mitigated", None, "Cloudflare"),
    ("x-vercel-mitigated", None, "Vercel"),
    ("x-amzn-waf-action", None, "AWS WAF"),
    ("sg-captcha", "challenge", "SiteGround"),
)
# Pages that only a browser passes. Each pattern is part of the challenge itself: the same makers put other
# scripts into ordinary pages (`/cdn-cgi/challenge-platform/scripts/jsd/`, `/_Incapsula_Resource?SWJIYLWA`).
_PAGES = (
    (re.compile(rb"_cf_chl_opt|/challenge-platform/h/\w/orchestrate/|cf-browser-verification"), "Cloudflare"),
    (re.compile(rb"<title>\s*(?:Just a moment\.\.\.|Attention Required! \| Cloudflare)", re.IGNORECASE), "Cloudflare"),
    (re.compile(rb"Incapsula incident ID|id=\"main-iframe\" src=\"/_Incapsula_Resource"), "Imperva"),
    (re.compile(rb"captcha-delivery\.com"), "DataDome"),
    (re.compile(rb"px-captcha"), "HUMAN"),
    (re.compile(rb"sucuri_cloudproxy_js"), "Sucuri"),
    (re.compile(rb"/\.well-known/ddos-guard/js-challenge"), "DDoS-Guard"),
    (re.compile(rb"gokuProps"), "AWS WAF"),
    (re.compile(rb"/\.within\.website/x/cmd/anubis|anubis_challenge"), "Anubis"),
    (re.compile(rb"/\.well-known/sgcaptcha/"), "SiteGround"),
    (re.compile(rb"Vercel Security Checkpoint"), "Vercel"),
)
# A challenge is a small page; a site that merely loads such a script on its own pages is larger.
_LARGEST_PAGE = 100_000
_HTML = re.compile(rb"<(?:!doctype\s+html|html|head|body|script)[\s>]", re.IGNORECASE)


def find_wall(status: int, headers: Mapping[str, str], head: bytes, size: int) -> str:
    """In words, to stand behind the URL in a sentence; empty if there is none."""
    for name, wanted, whose in _HEADERS:
        value = headers.get(name, "").lower()
        if value and wanted in (None, value):
            return f"is behind a challenge for robots ({whose}, {status_words(status)})"
    if status not in _GONE and size <= _LARGEST_PAGE and _HTML.search(head[:2000]):
        for pattern, whose in _PAGES:
            if pattern.search(head):
                return f"is behind a challenge for robots ({whose}, {status_words(status)})"
    return f"answered {status_words(status)}" if status in _KEPT_OUT else ""
