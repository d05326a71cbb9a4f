"""What the settings make of the environment, read in a process of its own as a server does."""

import json
import os
import subprocess
import sys
from pathlib import Path

from django.conf import settings

from results.core.message_cookies import MessageCookies

ROOT = Path(__file__).resolve().parents[2]
HTTPS = {"SLOGDB_SITE_URL": "https://slogdb.example", "SLOGDB_ALLOWED_HOSTS": "slogdb.example"}


def read(*names: str, **environment: str) -> list[object]:
    """The values of the settings called so."""
    code = f"import json; from slogdb import settings; print(json.dumps([getattr(settings, n) for n in {names}]))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, **environment},
        check=True,
        capture_output=True,
    )
    return json.loads(done.stdout)


def test_hsts_is_set_and_preloading_is_opt_in():
    names = ("SECURE_HSTS_SECONDS", "SECURE_HSTS_PRELOAD", "SESSION_COOKIE_SECURE")
    assert read(*names, **HTTPS) == [31_536_000, False, True]
    assert read(*names, **HTTPS, SLOGDB_HSTS_PRELOAD="1") == [31_536_000, True, True]
    assert read(*names, SLOGDB_HSTS_PRELOAD="1") == [0, False, False]


def test_cookies_are_for_this_host_and_https_alone():
    names = ("SESSION_COOKIE_NAME", "CSRF_COOKIE_NAME", "KNOWN_BROWSER_COOKIE_NAME")
    scope = ("SESSION_COOKIE_DOMAIN", "CSRF_COOKIE_DOMAIN")  # __Host- allows none, and only the path /
    assert read(*names, **HTTPS) == ["__Host-sessionid", "__Host-csrftoken", "__Host-known"]
    assert read(*names) == ["sessionid", "csrftoken", "known"]
    assert MessageCookies.cookie_name == f"{settings.COOKIE_PREFIX}messages"
    assert [getattr(settings, name) for name in scope] == [None, None]
    assert (settings.SESSION_COOKIE_PATH, settings.CSRF_COOKIE_PATH) == ("/", "/")
