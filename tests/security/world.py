"""A site with one of everything, and somebody of each kind who asks for it."""

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from allauth.mfa.models import Authenticator
from django.contrib.auth.models import Permission
from django.test import Client
from django.utils import timezone

from results.api.keys import make_key, revoke_key
from results.guide.page import PAGES
from results.models import ApiKey, Device, ImportBatch, Member, PriceReport, Submission
from results.submissions.intake.receive import Sender, receive_submission
from tests import pastes
from tests.addresses import Route
from tests.factories import (
    make_device,
    make_price_report,
    make_product,
    make_result,
    make_set,
    make_verified_member,
    rank_everything,
)
from tests.sessions import sign_in_with

ACTORS = ("anonymous", "owner", "other", "moderator", "admin")


@dataclass
class World:
    """What there is. `clients` by actor have just proved who they are; `keys` are headers by what they may."""

    owner: Member
    submission: Submission
    device: Device
    members: dict[str, Member]
    clients: dict[str, Client] = field(default_factory=dict)
    keys: dict[str, dict[str, str]] = field(default_factory=dict)

    def values(self, route: Route) -> dict[str, Any]:
        """What to put into the places of an address, so that it names something of the owner's."""
        if "<" not in route.pattern:
            return {}
        slugs = {"devices": self.device.slug, "products": "aldera-one", "guide": PAGES[0].slug}
        first = route.pattern.removeprefix("api/v1/").removeprefix("moderation/").partition("/")[0]
        authenticator = Authenticator.objects.filter(user=self.members["admin"]).values_list("pk", flat=True)
        return {
            "slug": slugs.get(first, ""),
            "public_id": self.submission.public_id,
            "member_id": self.owner.pk,
            "price_id": PriceReport.objects.filter(reporter=self.owner).values_list("pk", flat=True)[0],
            "batch_id": ImportBatch.objects.get_or_create(title="An old thread")[0].pk,
            "key_id": ApiKey.objects.filter(owner=self.owner).values_list("pk", flat=True)[0],
            "kind": "csv",
            "name": "manifest.json",
            "capacity": "480-gb",
            "part": "aldera-one-twin",
            "provider_id": "nobody",
            "uidb36": "1",
            "key": "set-password",
            "pk": authenticator[0],
            "content_type_id": 1,
            "object_id": 1,
            "app_label": "results",
            "url": "nothing/",
        }


def make_world() -> World:
    """A published result of a member with a key, ranked, and the other people."""
    members = _members()
    submission = receive_submission(
        pastes.FIRST_PASTE + pastes.smartctl(), Sender(owner=members["owner"])
    ).submission
    product = make_product(slug="aldera-one")
    make_price_report(product, members["owner"])
    for slug in ("aldera-one", "aldera-one-twin"):
        make_result(90, device=make_device(slug=slug, product=product), not_ranked_reason="Too fast.")
    rank_everything()
    make_set(submission)
    device = Device.objects.get(results__submission=submission)
    world = World(members["owner"], submission, device, members)
    world.clients = {name: _client(members.get(name)) for name in ACTORS}
    world.keys = _keys(members)
    return world


def _members() -> dict[str, Member]:
    kinds: dict[str, dict[str, bool]] = {
        "owner": {},
        "other": {},
        "moderator": {"is_staff": True},
        "admin": {"is_staff": True, "is_superuser": True},
    }
    members = {name: make_verified_member(**rights) for name, rights in kinds.items()}
    members["moderator"].user_permissions.add(Permission.objects.get(codename="change_submission"))
    for name in ("moderator", "admin"):
        Authenticator.objects.create(
            user=members[name], type=Authenticator.Type.TOTP, data={"secret": "JBSWY3DPEHPK3PXP"}
        )
    return members


def _client(member: Member | None) -> Client:
    """Signed in a moment ago, as the session remembers it."""
    client = Client()
    if member is not None:
        has_factor = Authenticator.objects.filter(user=member).exists()
        sign_in_with(client, member, "mfa" if has_factor else "password")
    return client


def _keys(members: dict[str, Member]) -> dict[str, dict[str, str]]:
    revoked = make_key(members["owner"], name="old", scopes=["read", "submit"])
    revoke_key(members["owner"], revoked.stored.pk)
    expired = make_key(members["owner"], name="over", scopes=["read", "submit"])
    ApiKey.objects.filter(pk=expired.stored.pk).update(expires_at=timezone.now() - timedelta(days=1))
    banned = make_verified_member()
    of_banned = make_key(banned, name="banned", scopes=["read", "submit"])
    Member.objects.filter(pk=banned.pk).update(banned_at=timezone.now(), ban_reason="made-up figures")
    texts = {
        "reads": make_key(members["owner"], name="reads", scopes=["read"]).text,
        "submits": make_key(members["owner"], name="submits", scopes=["submit"]).text,
        "other": make_key(members["other"], name="other", scopes=["read", "submit"]).text,
        "revoked": revoked.text,
        "expired": expired.text,
        "banned": of_banned.text,
        "guessed": "slogdb_" + "0" * 40,
    }
    headers = {name: {"HTTP_AUTHORIZATION": f"Bearer {text}"} for name, text in texts.items()}
    return {"none": {}, **headers}
