"""Who may change other people's data proves who they are by two things."""

from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings

from results.models import Member


def lacks_second_factor(member: Member) -> bool:
    """Whether this member must set one up before moderating; who has one is asked for it at signing in."""
    return settings.MODERATORS_NEED_SECOND_FACTOR and not is_mfa_enabled(member)
