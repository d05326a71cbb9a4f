"""Every form that is posted: refused without its token, tells what is wrong with it, and keeps what was typed."""

from copy import deepcopy
from dataclasses import dataclass

import pytest
from django.db import transaction
from django.test import Client
from lxml import html

from tests.addresses import member_addresses, moderator_addresses, public_addresses, store_sample
from tests.factories import make_moderator
from tests.page import Page, text_of, value_of
from tests.sessions import sign_in_with

pytestmark = pytest.mark.django_db
TYPED = "Typed by hand"
TOKEN = "csrfmiddlewaretoken"
_TYPED_IN = {"text", "search", "textarea"}  # where any words can be typed


@dataclass(frozen=True, slots=True)
class Form:
    """A form of a page, filled in as the page has it; `typed` are the names of its fields for any words."""

    address: str
    values: dict[str, str]
    typed: frozenset[str]
    required: frozenset[str]

    @property
    def kind(self) -> tuple[object, ...]:
        """What makes two forms the same one, for different rows."""
        places = tuple("N" if part.isdigit() else part for part in self.address.split("/"))
        return places, frozenset(self.values)


def forms_of(address: str, page: bytes) -> list[Form]:
    document = html.document_fromstring(page.decode())
    document.make_links_absolute(f"http://testserver{address}")
    return [_form(address, form) for form in document.forms if form.method == "POST"]


def _form(address: str, form: html.FormElement) -> Form:
    controls = [control for control in form.inputs if control.name]
    values = {name: value for name, value in form.form_values() if value is not None}
    for control in form.iter("textarea"):
        values[control.name] = value_of(control)
    for button in form.xpath(".//button[@name]")[:1]:
        values[button.get("name")] = button.get("value", "")
    return Form(
        address=(form.action or address).removeprefix("http://testserver"),
        values=values,
        typed=frozenset(control.name for control in controls if _kind(control) in _TYPED_IN),
        required=frozenset(control.name for control in controls if "required" in control.attrib),
    )


def _kind(control: html.HtmlElement) -> str:
    if "readonly" in control.attrib or "pattern" in control.attrib or "hidden" in control.attrib:
        return ""
    return str(control.get("type", "text") if control.tag == "input" else control.tag)


def found_forms(owner):
    """Each form once, with a client who may send it."""
    readers, members, moderators = (Client(enforce_csrf_checks=True) for _ in range(3))
    sign_in_with(members, owner, "code")
    sign_in_with(moderators, make_moderator(), "mfa")
    places = [(readers, address) for address in public_addresses()[200]]
    places += [(members, address) for address in member_addresses()]
    places += [(moderators, address) for address in moderator_addresses(owner)]
    found = {}
    for client, address in places:
        if not address.partition("?")[0].endswith("/"):
            continue  # a file
        response = client.get(address)
        if response.status_code == 200 and response["Content-Type"].startswith("text/html"):
            for form in forms_of(address, response.getvalue()):
                found.setdefault(form.kind, (client, form))
    return list(found.values())


def send(client, form, **changes):
    """The answer to the form; what it changes is undone."""
    cookies = deepcopy(client.cookies)
    with transaction.atomic():
        response = client.post(form.address, {**form.values, **changes}, follow=True)
        transaction.set_rollback(True)
    client.cookies = cookies
    return response


def errors_of(response):
    """What is wrong with a form, and messages about what was refused."""
    page = Page(response, "body")
    refused = page.root.xpath(".//*[contains(@class, 'notice-bad')]")
    return [*page.errors, *map(text_of, refused)]


def test_every_form_needs_its_token_says_what_is_missing_and_keeps_what_was_typed(subtests):
    forms = found_forms(store_sample())
    assert {"/submit/", "/check/", "/account/keys/", "/moderation/sample/"} <= {
        form.address for _, form in forms
    }
    for client, form in forms:
        with subtests.test(address=form.address, fields=sorted(form.values)):
            assert send(client, form, csrfmiddlewaretoken="x" * 64).status_code == 403
            empty = send(client, form, **dict.fromkeys(form.typed | form.required, ""))
            assert empty.status_code < 500
            if form.required:
                assert errors_of(empty)
            filled = send(client, form, **dict.fromkeys(form.typed, TYPED))
            assert filled.status_code < 500
            if form.required and not filled.redirect_chain and errors_of(filled):
                fields = Page(filled).fields
                kept = {name: fields[name].value for name in form.typed}
                assert kept == dict.fromkeys(form.typed, TYPED)
