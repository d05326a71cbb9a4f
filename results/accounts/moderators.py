"""The moderator role: a group with only the permissions it needs. Staff are moderators and administrators."""

from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import Q, QuerySet

from results.core.security.audit import OPERATOR, log_action
from results.models import Member, Submission
from results.models.choices import Action

GROUP = "Moderators"
PERMISSIONS = ("change_submission",)  # results.core.security.members.MODERATES


class NotAModeratorError(Exception):
    """The member isn't a moderator, or is an administrator; the message says which."""


def moderators() -> QuerySet[Member]:
    """All who may moderate, administrators included."""
    found = Member.objects.filter(Q(is_superuser=True) | Q(groups__name=GROUP), is_active=True)
    return found.distinct().order_by("email")


@transaction.atomic
def add_moderator(member: Member, *, reason: str) -> None:
    """Give a member the role. Idempotent. Moderators' pages also require a second factor."""
    member.groups.add(_group())
    member.is_staff = True
    member.save(update_fields=["is_staff"])
    log_action(OPERATOR, Action.MODERATOR_ADDED, member=member, reason=reason)


@transaction.atomic
def remove_moderator(member: Member, *, reason: str) -> None:
    """Take the role and all other permissions from a moderator. Raises NotAModeratorError."""
    if member.is_superuser:
        raise NotAModeratorError("This is an administrator, who has all permissions.")
    if not member.is_staff:
        raise NotAModeratorError("This member isn't a moderator.")
    member.groups.clear()
    member.user_permissions.clear()
    member.is_staff = False
    member.save(update_fields=["is_staff"])
    log_action(OPERATOR, Action.MODERATOR_REMOVED, member=member, reason=reason)


def _group() -> Group:
    """The group, reset to exactly these permissions."""
    group, _ = Group.objects.get_or_create(name=GROUP)
    model = ContentType.objects.get_for_model(Submission)
    group.permissions.set(Permission.objects.filter(content_type=model, codename__in=PERMISSIONS))
    return group
