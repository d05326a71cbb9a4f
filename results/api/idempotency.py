"""`Idempotency-Key`: a repeated request gets the stored answer and runs once.

Answers are stored for a day, and deleted along with what they are about.
"""

import hashlib
from collections.abc import Callable
from datetime import timedelta

import orjson
from celery import shared_task
from django.db import connection, transaction
from django.db.models.fields.json import KT
from django.utils import timezone
from rest_framework.exceptions import APIException, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from results.api.authentication import member_of
from results.api.renderers import to_json
from results.core.digests import delete_old_keys, digest_network
from results.core.limits import sender_address
from results.models import RememberedAnswer

HEADER = "Idempotency-Key"
LONGEST_KEY = 255
_REMEMBERED_HEADERS = ("Location",)
_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))"  # serializes concurrent requests

REMEMBERED_FOR = timedelta(days=1)


class KeyReusedProblem(APIException):
    """The Idempotency-Key was already used for a different request."""

    status_code = 422
    default_detail = "This Idempotency-Key was used for a different request: generate a new one for each."
    default_code = "idempotency_key_reused"


def seed_of(request: Request) -> str:
    """A digest of sender, method, path and key; empty without a key.

    Raises ValidationError.
    """
    key = request.headers.get(HEADER)
    if key is None:
        return ""
    if not 0 < len(key) <= LONGEST_KEY or not key.isascii() or not key.isprintable():
        raise ValidationError({HEADER: [f"1 to {LONGEST_KEY} printable ASCII characters."]})
    member = member_of(request)
    sender = f"member {member.pk}" if member else digest_network(sender_address(request))
    return hashlib.sha256("\0".join((sender, str(request.method), request.path, key)).encode()).hexdigest()


def answer_once(
    seed: str, body: bytes, make: Callable[[], Response], *, token_of: Callable[[str], str]
) -> Response:
    """Return the response of `make`, or the stored one for this seed and body.

    Errors are not stored, as they change nothing; nor is a claim token, which `token_of` derives from the seed
    again. Raises KeyReusedProblem.
    """
    return _once(seed, hashlib.sha256(body).hexdigest(), make, token_of) if seed else make()


@transaction.atomic
def _once(seed: str, digest: str, make: Callable[[], Response], token_of: Callable[[str], str]) -> Response:
    with connection.cursor() as cursor:
        cursor.execute(_LOCK, [seed])
    stored = RememberedAnswer.objects.filter(
        digest=seed, created_at__gt=timezone.now() - REMEMBERED_FOR
    ).first()
    if stored is None:
        return _store(make(), seed, digest)
    if stored.request_digest != digest:
        raise KeyReusedProblem
    token = {"claim_token": token_of(seed)} if stored.body.get("claim_token") else {}
    return Response({**stored.body, **token}, status=stored.status, headers=stored.headers)


def _store(response: Response, seed: str, digest: str) -> Response:
    """Store the response without the claim token, which the seed yields again."""
    token = {"claim_token": "drawn"} if response.data.get("claim_token") else {}
    RememberedAnswer.objects.update_or_create(
        digest=seed,
        defaults={
            "request_digest": digest,
            "status": response.status_code,
            "headers": {name: response[name] for name in _REMEMBERED_HEADERS if name in response},
            "body": orjson.loads(to_json({**response.data, **token})),
            "created_at": timezone.now(),
        },
    )
    return response


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
