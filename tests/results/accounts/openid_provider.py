"""A forum that lets its members sign in elsewhere by OpenID Connect, as far as that is asked of it."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
from django.core.cache import cache

from tests.serving import Handler, serving

PROVIDER = {"provider_id": "forum", "name": "The forum", "client_id": "slogdb", "secret": "drawn at random"}


class Forum:
    """What it says of who signs in, and what was asked of it."""

    def __init__(self) -> None:
        self.address = ""
        self.claims: dict[str, object] = {"sub": "77", "email": "ann@example.org", "email_verified": True}
        self.audience = "slogdb"
        self.token_requests: list[dict[str, list[str]]] = []

    def way_back(self, path: str) -> str:
        """Where the browser goes that comes to sign in: it is signed in already, and sent back at once."""
        query = {name: value[0] for name, value in parse_qs(urlsplit(path).query).items()}
        return f"{query['redirect_uri']}?{urlencode({'code': 'once', 'state': query['state']})}"

    def answer(self, path: str, body: str) -> dict[str, object]:
        if path.startswith("/.well-known/"):
            ends = {"authorization": "authorize", "token": "token", "userinfo": "userinfo"}
            found = {f"{name}_endpoint": f"{self.address}/{end}" for name, end in ends.items()}
            return {**found, "issuer": self.address, "jwks_uri": f"{self.address}/keys"}
        if path == "/token":
            self.token_requests.append(parse_qs(body))
            now = int(time.time())
            claims = {"iss": self.address, "aud": self.audience, "iat": now, "exp": now + 60, **self.claims}
            signed = jwt.encode(claims, "x" * 32, algorithm="HS256")
            return {"access_token": "opens", "token_type": "Bearer", "id_token": signed}
        return self.claims


def configure(settings: Any, address: str) -> None:
    """Make it the site's forum."""
    app = {**PROVIDER, "settings": {"server_url": address}}
    held = settings.SOCIALACCOUNT_PROVIDERS["openid_connect"]
    settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": {**held, "APPS": [app]}}


@contextmanager
def running_forum(settings: Any) -> Iterator[Forum]:
    """A forum that the site is configured for, which nobody has tried to sign in with."""
    cache.clear()
    forum = Forum()

    class Answers(Handler):
        def respond(self, sent: bytes) -> None:
            if self.path.startswith("/authorize"):
                self.answer(status=302, Location=forum.way_back(self.path))
            else:
                said = json.dumps(forum.answer(self.path, sent.decode())).encode()
                self.answer(said, Content_Type="application/json")

    with serving(Answers) as port:
        forum.address = f"http://127.0.0.1:{port}"
        configure(settings, forum.address)
        yield forum
