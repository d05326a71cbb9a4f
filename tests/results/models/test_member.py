import pytest
from django.contrib.auth import authenticate
from django.db import IntegrityError

from results.models import Member
from tests.factories import make_member

pytestmark = pytest.mark.django_db


def test_a_member_is_known_by_the_address_in_any_case():
    member = make_member(email="Ann@Example.org", password="a long enough one")
    assert authenticate(email="ann@example.ORG", password="a long enough one") == member


def test_an_address_has_one_account():
    make_member(email="ann@example.org")
    with pytest.raises(IntegrityError):
        make_member(email="ANN@example.org")


def test_a_member_needs_an_address():
    with pytest.raises(ValueError, match="address"):
        Member.objects.create_user("")


def test_others_see_the_chosen_name_and_never_the_address():
    assert str(make_member(display_name="Ann")) == "Ann"
    assert "@" not in str(make_member(display_name=""))


def test_a_superuser_has_all_permissions():
    assert Member.objects.create_superuser("root@example.org", "a long enough one").has_perm("results.x")
