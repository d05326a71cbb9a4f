import re

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from results.models import Member
from tests.factories import PASSWORD, make_member
from tests.sessions import mailed_code

pytestmark = pytest.mark.django_db


def sign_up(client, email="ann@example.org"):
    return client.post("/account/signup/", {"email": email, "password1": PASSWORD}, follow=True)


def without_tokens(response):
    return re.sub(r'(csrfmiddlewaretoken" value=)"\w+"', r"\1", response.text)


def test_signing_up_requires_a_mailed_code_and_signs_in(client):
    assert "ann@example.org" in sign_up(client).text
    response = client.post("/account/confirm-email/", {"code": mailed_code()}, follow=True)
    assert response.redirect_chain[-1][0] == "/account/"
    assert Member.objects.get().password.startswith("argon2")


def test_signing_up_does_not_reveal_accounts(client):
    make_member(email="ann@example.org")
    known = without_tokens(sign_up(client))
    unknown = without_tokens(sign_up(Client(), "bob@example.org"))
    assert known.replace("ann@", "bob@") == unknown
    assert "already" in mail.outbox[0].body


def test_a_password_is_refused_for_one_reason_at_a_time(client):
    page = client.post("/account/signup/", {"email": "ann@example.org", "password1": "benchmark"}).text
    assert page.count("password is too short") == 1
    assert not any(word in page for word in ("too common", "consists mainly"))


def test_a_banned_member_sees_the_reason(client):
    member = make_member()
    client.force_login(member)
    assert "You can no longer submit results" not in client.get("/account/").text
    member.banned_at, member.ban_reason = timezone.now(), "Made-up <b> figures."
    member.save()
    for path in ("/account/", "/account/results/", "/account/sessions/"):
        page = client.get(path).text
        assert page.count("You can no longer submit results: Made-up &lt;b&gt; figures.") == 1


def test_the_admin_uses_the_sites_sign_in(client):
    assert client.get("/admin/", follow=True).redirect_chain[-1][0].startswith("/account/login/")
