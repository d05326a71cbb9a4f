"""Members, of whom public pages show only the display name, and their API keys."""

from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.models import AbstractUser, BaseUserManager
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone

from results.models import lengths
from results.models.choices import Scope


class MemberManager(BaseUserManager["Member"]):
    """Creates members, who are identified by their e-mail address."""

    def create_user(self, email: str, password: str | None = None, **values: Any) -> "Member":
        """A member; raises ValueError without an address."""
        if not email:
            raise ValueError("a member needs an e-mail address")
        member = self.model(email=email.strip().lower(), **values)
        member.set_password(password)
        member.save(using=self._db)
        return member

    def create_superuser(self, email: str, password: str | None = None, **values: Any) -> "Member":
        """A member with all permissions."""
        return self.create_user(email, password, **{**values, "is_staff": True, "is_superuser": True})

    def get_by_natural_key(self, username: str | None) -> "Member":
        return self.get(email__iexact=username)


class Member(AbstractUser):
    """A person with an account, identified to the site by e-mail address and to others by display name."""

    username = None  # type: ignore[assignment] # the e-mail address replaces it
    first_name = None  # type: ignore[assignment] # not collected
    last_name = None  # type: ignore[assignment] # the same
    email = models.EmailField("e-mail address", max_length=254, unique=True)
    display_name = models.CharField(max_length=40, blank=True)
    forum_handle = models.CharField(max_length=lengths.HANDLE, blank=True)
    forum_url = models.URLField(max_length=lengths.ADDRESS, blank=True)
    wants_decision_mail = models.BooleanField("mail me when a moderator decides", default=True)
    wants_report_mail = models.BooleanField("mail me when my result is reported", default=True)
    banned_at = models.DateTimeField(null=True, blank=True)
    banned_until = models.DateTimeField(null=True, blank=True)  # none: until a moderator lifts the ban
    ban_reason = models.CharField(max_length=lengths.REASON, blank=True)

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    objects: ClassVar[MemberManager] = MemberManager()  # type: ignore[assignment] # there is no username

    class Meta:
        constraints = [
            models.UniqueConstraint(Lower("email"), name="member_email_once_in_any_case"),
            models.CheckConstraint(
                condition=models.Q(banned_at__isnull=True, ban_reason="")
                | (models.Q(banned_at__isnull=False) & ~models.Q(ban_reason="")),
                name="member_is_banned_for_a_reason",
            ),
            models.CheckConstraint(
                condition=models.Q(banned_until__isnull=True)
                | models.Q(banned_until__gt=models.F("banned_at")),
                name="member_ban_ends_after_it_began",
            ),
        ]

    def __str__(self) -> str:
        return self.display_name or f"member {self.pk}"

    @property
    def is_banned(self) -> bool:
        """Whether the member is banned now: a ban may expire."""
        if self.banned_at is None:
            return False
        return self.banned_until is None or timezone.now() < self.banned_until

    def why_not(self, action: str) -> str:
        """What we tell a banned member, such as "You can no longer submit results: made-up figures"."""
        if self.banned_until is None:
            return f"You can no longer {action}: {self.ban_reason}"
        return f"You can't {action} until {self.banned_until:%Y-%m-%d %H:%M} UTC: {self.ban_reason}"

    def save(self, *args: Any, **options: Any) -> None:
        """Raises DatabaseError for an account that was closed in the meantime, which Django would recreate."""
        if not (self._state.adding or options.get("force_insert")):
            options["force_update"] = True
        super().save(*args, **options)


def has_left(user: object) -> bool:
    """Whether it is a member whose account was closed after it was loaded."""
    return isinstance(user, Member) and not Member.objects.filter(pk=user.pk).exists()


class ClosedAccount(models.Model):
    """A closed account, recognizable after an old backup is restored, without any personal data."""

    digest = models.CharField(max_length=64, primary_key=True)  # results.core.security.digests.digest_account
    closed_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"closed {self.closed_at:%Y-%m-%d}"


class ApiKey(models.Model):
    """An API key: shown once, stored as a digest."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_keys")
    name = models.CharField(max_length=lengths.KEY_NAME)
    prefix = models.CharField(max_length=12)  # the beginning of the key, which its owner recognizes
    digest = models.CharField(max_length=64, unique=True)
    scopes = ArrayField(models.CharField(max_length=10, choices=Scope))
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True)
    last_used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~models.Q(name=""), name="key_has_a_name"),
            models.CheckConstraint(
                condition=models.Q(scopes__len__gte=1) & models.Q(scopes__contained_by=Scope.values),
                name="key_scopes_are_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.prefix}… ({self.name})"

    @property
    def state(self) -> str:
        """What ended it: "revoked" or "expired"; "" while it can be used."""
        is_expired = self.expires_at is not None and self.expires_at <= timezone.now()
        return "revoked" if self.revoked_at else "expired" if is_expired else ""
