"""Markup through every form and every write of the API, as those send it who may."""

from collections.abc import Iterator, Sequence
from html import escape
from itertools import cycle
from urllib.parse import quote

import orjson
from allauth.mfa.models import Authenticator
from django.apps import apps
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import models
from django.http import HttpResponse
from django.test import Client

from results.core.lines import SEPARATOR
from results.models import Device, Result, Submission
from tests import pastes, threads
from tests.page import Page
from tests.results.catalogue.catalogue_cells import CELLS
from tests.security.payloads import CALL
from tests.security.world import World

JSON = "application/json"


class Senders:
    """Everybody who may send something; each field of each form gets the next of the payloads."""

    def __init__(self, world: World, payloads: Sequence[str]) -> None:
        self.world, self._payloads, self.number = world, cycle(payloads), 0
        self.answers: list[HttpResponse] = []

    @property
    def payload(self) -> str:
        return next(self._payloads)

    def send_all(self) -> list[HttpResponse]:
        """All of it once; the answers, which show some of it at once."""
        self.answers = []
        self._own_account()
        public_id = self._submissions()
        self._for_a_result(public_id)
        self._moderation(public_id)
        self._thread()
        return self.answers

    def _post(self, actor: str, path: str, sent: dict[str, object]) -> HttpResponse:
        agent = {"User-Agent": quote(self.payload, safe="<>()=:/ '\"")[:200]}
        response = self.world.clients[actor].post(path, sent, headers=agent)
        self.answers.append(response)
        return response

    def _call(self, method: str, path: str, sent: object, *, key: str = "submits") -> HttpResponse:
        response = Client().generic(
            method, f"/api/v1/{path}", orjson.dumps(sent), content_type=JSON, **self.world.keys[key]
        )
        self.answers.append(response)
        return response

    def _paste(self) -> str:
        name, self.number = self.payload.replace("\n", " ")[:60], self.number + 1000
        ident = f"ZZ{self.number:08}"
        return f"{self.payload}\n" + pastes.diskinfo(description=f"ATA {name}", ident=ident)

    def _own_account(self) -> None:
        profile = {"display_name": self.payload[:40], "forum_handle": self.payload[:60]}
        for address in (self.payload, f"https://slog.example/{self.payload}", "https://slog.example/"):
            self._post("owner", "/account/", {**profile, "forum_url": address[:500]})
        self._post("owner", "/account/keys/", {"name": self.payload[:60], "scopes": ["read"], "days": "30"})
        self._post("owner", "/account/claim/", {"token": self.payload})
        self._post(
            "owner", "/account/email/", {"action_add": "", "email": f'"{self.payload[:30]}"@example.org'}
        )
        passkey = Authenticator.objects.filter(type="webauthn").first()
        assert passkey is not None
        self._post("admin", f"/account/2fa/webauthn/keys/{passkey.pk}/edit/", {"name": self.payload[:100]})
        sign_up = {"email": f'"{self.payload[:30]}"@example.com', "password1": "seventeen slow disks"}
        self.answers.append(Client().post("/account/signup/", sign_up))

    def _submissions(self) -> str:
        """The public id of one of them."""
        address = f"https://slog.example/{self.payload}"[:500]
        origin = {"handle": self.payload[:60], "source_url": address}
        for action in ("look", "publish"):
            self._post("owner", "/submit/", {"text": self._paste(), "action": action, **origin})
        upload = SimpleUploadedFile(f"{self.payload[:40].replace('/', '')}.txt", self._paste().encode())
        self._post("owner", "/submit/", {"files": upload, "action": "publish", "handle": self.payload[:60]})
        for _ in range(3):  # some have links, which are refused
            self._post(
                "owner", "/submit/", {"text": self._paste(), "note": self.payload, "action": "publish"}
            )
        named = {"forum_handle": self.payload[:60].replace("\x00", "")}
        self._call("POST", "parse/", {"text": self._paste(), "note": self.payload})
        received = [
            self._call("POST", "submissions/", {**named, "text": self._paste(), "source_url": source}).json()
            for source in (self.payload[:500], address, "https://slog.example/", "https://slog.example/2")
        ]
        # One payload may look like an identifier in the next one's text, which is refused then.
        public_id: str = [answer["id"] for answer in received if "id" in answer][-1]
        return public_id

    def _for_a_result(self, public_id: str) -> None:
        conditions = dict.fromkeys(("platform", "attachment", "write_cache", "host"), self.payload[:100])
        self._call("PATCH", f"results/{public_id}/", {"notes": self.payload, "told_conditions": conditions})
        other = self.world.submission.public_id
        run = Result.objects.get(submission__public_id=other, position=1).public_id
        form = {f"{run}-{name}": value for name, value in {**conditions, "write_cache": "on"}.items()}
        sent = {"result": run, f"{run}-notes": self.payload, **form}
        self._post("owner", f"/account/results/{other}/", sent)
        for actor in ("other", "anonymous"):
            self._post(actor, f"/results/{public_id}/report/", {"reason": "other", "text": self.payload})
        self._call(
            "POST", f"results/{other}/reports/", {"reason": "other", "text": self.payload}, key="other"
        )

    def _moderation(self, public_id: str) -> None:
        reason, device = self.payload[:290], Device.objects.exclude(pk=self.world.device.pk).latest("pk")
        for action in ("held", "approved"):
            self._post("moderator", f"/moderation/{public_id}/", {"action": action, "reason": reason})
        for _ in ("banned", "and not"):
            self._post(
                "moderator", f"/moderation/members/{self.world.members['other'].pk}/", {"reason": reason}
            )
        act = {
            "action": "overrule",
            "_selected_action": [device.pk],
            "device_class": "nvme",
            "reason": reason,
        }
        self._post("admin", "/admin/results/device/", act)
        pin = {
            "device_class": self.world.device.device_class,
            "device": self.world.device.pk,
            "reason": reason,
        }
        self._post("admin", "/admin/results/representativepin/add/", pin)
        words = {"vendor": self.payload[:60], "name": self.payload[:80], "media": self.payload[:60]}
        words |= {
            "interface": self.payload[:30],
            "form_factors": self.payload[:30],
            "flags": self.payload[:30],
        }
        for changes in (words, *({name: value} for name, value in words.items())):
            slug, pattern = f"zz-{self.number}", rf"^ZZTOP {self.number}-"
            self.number += 1
            cells = {**CELLS, **changes, "slug": slug, "model_patterns": pattern}
            cells["example_model"] = f"ZZTOP {self.number - 1}-480G"
            plain = {name: cell.replace(SEPARATOR, "\n") for name, cell in cells.items()}
            self._post("admin", "/admin/results/product/add/", plain)
        self._post("admin", "/admin/results/vendor/add/", {"name": self.payload[:60]})

    def _thread(self) -> None:
        post = threads.post(self.payload[:60], threads.code(self._paste()), number=self.number)
        html = threads.page(post, title=escape(self.payload))
        looked = self._post(
            "moderator", "/moderation/import/", {"pages": SimpleUploadedFile("x.html", html.encode())}
        )
        found = Page(looked).fields.get("found")
        if found:  # else nothing new is offered for import
            self._post("moderator", "/moderation/import/", {"found": found.value})


def add_passkey(world: World) -> None:
    """So that there is one to be named."""
    data = {"name": "x", "passwordless": False, "credential": {}}
    Authenticator.objects.create(user=world.members["admin"], type="webauthn", data=data)


def arrived() -> set[str]:
    """The columns, as "table.column", in which anything of it is kept."""
    return {
        f"{model._meta.model_name}.{field.name}"
        for model, field in _columns()
        if any(CALL in str(value) for value in model._default_manager.values_list(field.name, flat=True))
    }


def _columns() -> Iterator[tuple[type[models.Model], models.Field]]:
    for app in ("results", "account", "usersessions", "mfa"):
        for model in apps.get_app_config(app).get_models():
            for field in model._meta.fields:
                if isinstance(field, models.CharField | models.TextField | models.JSONField):
                    yield model, field


def held_count() -> int:
    return Submission.objects.filter(text__contains=CALL).count()
