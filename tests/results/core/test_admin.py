import pytest
from allauth.mfa.models import Authenticator

from tests.factories import make_member
from tests.sessions import sign_in_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff(client):
    member = make_member(is_staff=True, is_superuser=True)
    client.force_login(member)
    return member


def test_the_admin_redirects_staff_to_set_up_a_second_factor(client, staff):
    assert client.get("/admin/", follow=True).redirect_chain[-1][0] == "/account/2fa/"
    assert client.get("/admin/results/submission/").status_code == 302
    Authenticator.objects.create(user=staff, type=Authenticator.Type.TOTP, data={})
    sign_in_with(client, staff, "mfa")
    assert client.get("/admin/").status_code == 200


def test_the_second_factor_requirement_can_be_turned_off(client, staff, settings):
    settings.MODERATORS_NEED_SECOND_FACTOR = False
    assert client.get("/admin/").status_code == 200


def test_the_admin_is_for_staff(client):
    client.force_login(make_member())
    assert client.get("/admin/", follow=True).status_code == 403


def test_the_admins_password_change_redirects_to_the_account(admin_client, settings):
    settings.MODERATORS_NEED_SECOND_FACTOR = False
    assert admin_client.post("/admin/password_change/").url == "/account/password/change/"
