"""`Idempotency-Key`: a request that is sent again, as its answer got lost, is answered as before and done once."""

import hashlib
from collections.abc import Callable

import orjson
from django.db import connection, transaction
from django.utils import timezone
from rest_framework.exceptions import APIException, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from results.api.authentication import member_of
from results.api.rendering import to_json
from results.ingest.answers import REMEMBERED_FOR
from results.ingest.claims import draw_claim
from results.ingest.digests import digest_network
from results.models import RememberedAnswer
from results.network import sender_address

HEADER = "Idempotency-Key"
LONGEST_KEY = 255
_REMEMBERED_HEADERS = ("Location",)
_QUEUE = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))"  # one of two at once waits for the other


class KeyReusedProblem(APIException):
    """The same Idempotency-Key came with another request."""

    status_code = 422
    default_detail = "This Idempotency-Key came with another request before: draw a new one for each."
    default_code = "idempotency_key_reused"


def seed_of(request: Request) -> str:
    """What tells this sender's use of the key at this address; empty without a key. Raises ValidationError."""
    key = request.headers.get(HEADER)
    if key is None:
        return ""
    if not 0 < len(key) <= LONGEST_KEY or not key.isascii() or not key.isprintable():
        raise ValidationError({HEADER: [f"1 to {LONGEST_KEY} printable characters of ASCII."]})
    member = member_of(request)
    sender = f"member {member.pk}" if member else digest_network(sender_address(request))
    return hashlib.sha256("\0".join((sender, str(request.method), request.path, key)).encode()).hexdigest()


def answer_once(seed: str, sent: bytes, make: Callable[[], Response]) -> Response:
    """What `make` answers, or what it answered to the same `sent` under this seed.

    Its errors are not kept, as they change nothing. Raises KeyReusedProblem.
    """
    return _once(seed, hashlib.sha256(sent).hexdigest(), make) if seed else make()


@transaction.atomic
def _once(seed: str, digest: str, make: Callable[[], Response]) -> Response:
    with connection.cursor() as cursor:
        cursor.execute(_QUEUE, [seed])
    held = RememberedAnswer.objects.filter(
        digest=seed, created_at__gt=timezone.now() - REMEMBERED_FOR
    ).first()
    if held is None:
        return _remembered(make(), seed, digest)
    if held.request_digest != digest:
        raise KeyReusedProblem
    token = {"claim_token": draw_claim(seed).token} if held.body.get("claim_token") else {}
    return Response({**held.body, **token}, status=held.status, headers=held.headers)


def _remembered(response: Response, seed: str, digest: str) -> Response:
    """The answer, kept without the claim token, which the seed gives again."""
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
