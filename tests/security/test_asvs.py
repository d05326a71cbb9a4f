"""ASVS 5.0: each requirement of levels 1 and 2 has its place in docs/security.md; and what no other test shows."""

import re
from pathlib import Path

import pytest
from allauth.socialaccount.models import SocialToken
from django.contrib.sessions.models import Session
from django.test import Client

from results.models import Member
from tests.page import Page
from tests.results.accounts.openid_provider import running_forum
from tests.results.accounts.test_openid import begin, come_back, confirm_address
from tests.sessions import sign_in_by_form

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = (ROOT / "docs" / "security.md").read_text(encoding="utf-8").partition("## OWASP ASVS")[2]
SCRIPTS = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "static" / "js").rglob("*.js")}

# By section: the last number of levels 1 and 2. In none of them a requirement of level 3 comes before one of these.
SECTIONS = {
    "1.1": 2, "1.2": 9, "1.3": 11, "1.4": 3, "1.5": 2, "2.1": 3, "2.2": 3, "2.3": 4, "2.4": 1, "3.2": 2, "3.3": 4,
    "3.4": 6, "3.5": 5, "3.7": 2, "4.1": 3, "4.2": 1, "4.3": 2, "4.4": 4, "5.1": 1, "5.2": 3, "5.3": 2, "5.4": 3,
    "6.1": 3, "6.2": 12, "6.3": 4, "6.4": 4, "6.5": 5, "6.6": 3, "6.8": 4, "7.1": 3, "7.2": 4, "7.3": 2, "7.4": 5,
    "7.5": 2, "7.6": 2, "8.1": 2, "8.2": 3, "8.3": 1, "8.4": 1, "9.1": 3, "9.2": 4, "10.1": 2, "10.2": 2, "10.3": 4,
    "10.4": 11, "10.5": 5, "10.6": 2, "10.7": 3, "11.1": 2, "11.2": 3, "11.3": 3, "11.4": 4, "11.5": 1, "11.6": 1,
    "12.1": 3, "12.2": 2, "12.3": 4, "13.1": 1, "13.2": 5, "13.3": 2, "13.4": 5, "14.1": 2, "14.2": 4, "14.3": 3,
    "15.1": 3, "15.2": 3, "15.3": 7, "16.1": 1, "16.2": 5, "16.3": 4, "16.4": 3, "16.5": 3, "17.1": 1, "17.2": 4,
    "17.3": 2,
}  # fmt: skip
REQUIREMENTS = {f"{section}.{number}" for section, last in SECTIONS.items() for number in range(1, last + 1)}


def named(heads):
    """The requirements that the heads of rows and items name: one by one, as "1.2.6 to 1.2.8", or by section."""
    found = set()
    for head in heads:
        for first, last in re.findall(r"([\d.]*\d)(?: to ([\d.]*\d))?", head):
            section, _, number = first.rpartition(".")
            if first in SECTIONS:
                found |= {requirement for requirement in REQUIREMENTS if requirement.startswith(f"{first}.")}
            elif last:
                numbers = range(int(number), int(last.rpartition(".")[2]) + 1)
                found |= {f"{section}.{other}" for other in numbers}
            else:
                found.add(first)
    return found


def test_every_requirement_of_levels_1_and_2_is_answered():
    assert len(REQUIREMENTS) == 253
    answered = named(re.findall(r"^\| (\d[^|]*) \|", DOCUMENT, re.MULTILINE))
    answered |= named(re.findall(r"^- (\d[^:]*):", DOCUMENT, re.MULTILINE))
    assert sorted(REQUIREMENTS - answered) == []
    assert answered - REQUIREMENTS <= {"1.2.10", "6.3.7", "6.3.8", "14.2.7", "15.2.5"}  # of level 3


def test_scripts_write_no_markup():
    writes = re.compile(
        r"\b(?:innerHTML|outerHTML|insertAdjacentHTML|document\.write|setHTMLUnsafe|srcdoc)\b"
    )
    assert {name: writes.findall(text) for name, text in SCRIPTS.items() if writes.search(text)} == {}


def test_scripts_store_only_the_theme_and_the_devices_to_compare():
    stores = re.compile(r"\b(?:localStorage|sessionStorage|indexedDB|document\.cookie)\b|\bcaches\.")
    assert {name for name, text in SCRIPTS.items() if stores.search(text)} == {
        "theme.js",
        "theme-switch.js",
        "compare-tray.js",
    }


def test_the_image_has_only_what_runs():
    last_stage = (ROOT / "Dockerfile").read_text(encoding="utf-8").rpartition("\nFROM ")[2]
    copied = {
        name for line in re.findall(r"^COPY (.+) \S+$", last_stage, re.MULTILINE) for name in line.split()
    }
    assert copied == {
        *("manage.py", "LICENSE", "parsers", "results", "slogdb", "static", "templates"),
        *("--from=packages", "/opt/venv", "--from=static", "/srv/static"),
    }
    assert (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()[1] == "*"


@pytest.fixture
def member(client):
    return sign_in_by_form(client)


@pytest.mark.django_db
def test_a_new_site_has_no_accounts():
    assert not Member.objects.exists()


@pytest.mark.django_db
def test_signing_out_ends_the_session_on_the_server(client, member):
    stolen = client.cookies["sessionid"].value
    other = Client()
    other.cookies["sessionid"] = stolen
    assert other.get("/account/").status_code == 200
    client.post("/account/logout/")
    assert other.get("/account/").status_code == 302
    assert not Session.objects.filter(session_key=stolen).exists()


@pytest.mark.django_db
def test_password_fields_hide_their_text_and_are_open_to_password_managers(client, member):
    pages = [Client().get(f"/account/{path}/") for path in ("login", "signup")]
    pages += [client.get(f"/account/{path}/") for path in ("password/change", "reauthenticate")]
    fields = [
        field for page in pages for field in Page(page).root.xpath(".//input[contains(@name, 'password')]")
    ]
    assert len(fields) == 6
    for field in fields:
        assert field.get("type") == "password"
        assert field.get("autocomplete") in {"current-password", "new-password"}


@pytest.mark.django_db
def test_tokens_of_a_forum_are_not_stored(client, settings):
    with running_forum(settings):
        come_back(client, begin(client)["state"])
    confirm_address(client)
    assert Member.objects.get().socialaccount_set.exists()
    assert not SocialToken.objects.exists()
    assert "token" not in str(dict(client.session)).replace("csrf", "")
