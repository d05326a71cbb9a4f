"""An administrator as the site wants one: with a second factor."""

import pytest
from allauth.mfa.models import Authenticator

from results.models import Member


@pytest.fixture
def admin_user(admin_user: Member) -> Member:
    Authenticator.objects.create(user=admin_user, type=Authenticator.Type.TOTP, data={})
    return admin_user
