"""`Idempotency-Key`: a repeated request gets the stored answer and runs once.

Answers are stored for a day, and deleted along with what they are about. The claim token in one is encrypted with a
key that is derived from the Idempotency-Key, which isn't stored, and the site's secret.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import orjson
from celery import shared_task
from cryptography.fernet import InvalidToken
from django.db import connection, transaction
from django.db.models.fields.json import KT
from django.utils import timezone
from rest_framework.exceptions import APIException, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from results.api.authentication import member_of
from results.api.renderers import to_json
from results.core.security.digests import delete_old_keys, digest_network
from results.core.security.rate_limits import sender_address
from results.core.security.sealing import cipher
from results.models import RememberedAnswer

HEADER = "Idempotency-Key"
REPLAYED = "Idempotent-Replayed"  # of a stored answer, as other APIs have it
LONGEST_KEY = 255
_REMEMBERED_HEADERS = ("Location",)
_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))"  # serializes concurrent requests

REMEMBERED_FOR = timedelta(days=1)
PURPOSE = "slogdb claim tokens in stored answers"


class KeyReusedProblem(APIException):
    """The Idempotency-Key was already used for a different request."""

    status_code = 422
    default_detail = "This Idempotency-Key was used for a different request: generate a new one for each."
    default_code = "idempotency_key_reused"


@dataclass(frozen=True, slots=True)
class IdempotencyKey:
    """The key as sent, which is not stored, and the digest of sender, method, path and key, which is."""

    text: str
    digest: str


def idempotency_key(request: Request) -> IdempotencyKey | None:
    """The request's key; None without one. Raises ValidationError."""
    key = request.headers.get(HEADER)
    if key is None:
        return None
    if not 0 < len(key) <= LONGEST_KEY or not key.isascii() or not key.isprintable():
        raise ValidationError({HEADER: [f"1 to {LONGEST_KEY} printable ASCII characters."]})
    member = member_of(request)
    sender = f"member {member.pk}" if member else digest_network(sender_address(request))
    named = "\0".join((sender, str(request.method), request.path, key))
    return IdempotencyKey(key, hashlib.sha256(named.encode()).hexdigest())


def answer_once(key: IdempotencyKey | None, body: bytes, make: Callable[[], Response]) -> Response:
    """Return the response of `make`, or the stored one for this key and body.

    Errors are not stored, as they change nothing. Raises KeyReusedProblem.
    """
    return _once(key, hashlib.sha256(body).hexdigest(), make) if key else make()


@transaction.atomic
def _once(key: IdempotencyKey, digest: str, make: Callable[[], Response]) -> Response:
    with connection.cursor() as cursor:
        cursor.execute(_LOCK, [key.digest])
    stored = RememberedAnswer.objects.filter(
        digest=key.digest, created_at__gt=timezone.now() - REMEMBERED_FOR
    ).first()
    if stored is None:
        return _store(make(), key, digest)
    if stored.request_digest != digest:
        raise KeyReusedProblem
    headers = {**stored.headers, REPLAYED: "true"}
    return Response(_unsealed(stored.body, key), status=stored.status, headers=headers)


def _store(response: Response, key: IdempotencyKey, digest: str) -> Response:
    RememberedAnswer.objects.update_or_create(
        digest=key.digest,
        defaults={
            "request_digest": digest,
            "status": response.status_code,
            "headers": {name: response[name] for name in _REMEMBERED_HEADERS if name in response},
            "body": orjson.loads(to_json(_sealed(response.data, key))),
            "created_at": timezone.now(),
        },
    )
    return response


def _sealed(body: dict[str, Any], key: IdempotencyKey) -> dict[str, Any]:
    """The body with its claim token encrypted."""
    if not body.get("claim_token"):
        return body
    token = cipher(PURPOSE, known_to_holder=key.text).encrypt(body["claim_token"].encode())
    return {**body, "claim_token": token.decode()}


def _unsealed(body: dict[str, Any], key: IdempotencyKey) -> dict[str, Any]:
    """The body with its claim token, or without one if the site's secret was replaced meanwhile."""
    if not body.get("claim_token"):
        return body
    try:
        token = cipher(PURPOSE, known_to_holder=key.text).decrypt(body["claim_token"]).decode()
    except InvalidToken:
        token = ""
    return {**body, "claim_token": token}


def forget_old_answers() -> int:
    """Delete expired answers; return their number."""
    old = RememberedAnswer.objects.filter(created_at__lte=timezone.now() - REMEMBERED_FOR)
    return old.delete()[0]


@shared_task
def forget_answers() -> None:
    """Delete expired answers and the digest keys of past days."""
    forget_old_answers()
    delete_old_keys()


def forget_answers_about(public_id: str) -> None:
    """Delete the answers that show a submission."""
    about = RememberedAnswer.objects.alias(about=KT("body__id"))  # the expression of the index
    about.filter(about=public_id).delete()
