"""Reports on results, and the audit log of moderators' actions, which the site can't edit."""

from django.conf import settings
from django.db import models

from results.models import lengths
from results.models.choices import Action, ReportReason
from results.models.result import Result


class Report(models.Model):
    """A request that a moderator look at a result."""

    result = models.ForeignKey(Result, on_delete=models.CASCADE, related_name="reports")
    reason = models.CharField(max_length=10, choices=ReportReason)
    text = models.CharField(max_length=lengths.REPORT, blank=True)
    reporter = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="reports"
    )
    network = models.CharField(max_length=32, blank=True)  # keyed digest of the reporter's network
    created_at = models.DateTimeField(auto_now_add=True)
    closed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(reason__in=ReportReason.values), name="report_reason_is_known"
            ),
        ]
        indexes = [
            models.Index(fields=["id"], condition=models.Q(closed_at__isnull=True), name="report_open"),
        ]

    def __str__(self) -> str:
        return f"{self.get_reason_display()}: {self.result_id}"


class NetworkBan(models.Model):
    """A network from which nobody without an account may send anything, until it ends."""

    network = models.CharField(
        max_length=12, unique=True
    )  # digits of its digest (results.core.security.bans)
    until = models.DateTimeField()
    reason = models.CharField(max_length=lengths.REASON)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~models.Q(reason=""), name="network_ban_has_a_reason")
        ]

    def __str__(self) -> str:
        return f"{self.network} until {self.until:%Y-%m-%d %H:%M} UTC: {self.reason}"


class AuditEntry(models.Model):
    """Who did what, when and why. A database trigger rejects changes and deletions.

    It refers to objects by names that outlive them, so it has no foreign keys.
    """

    at = models.DateTimeField(auto_now_add=True)
    actor_id = models.BigIntegerField(null=True)  # a member's id; none for the holder of a claim token
    actor_name = models.CharField(max_length=lengths.ACTOR)
    action = models.CharField(max_length=20, choices=Action)
    submission = models.CharField(max_length=10, blank=True, db_index=True)  # its public id
    device = models.CharField(max_length=140, blank=True)  # its slug
    member_id = models.BigIntegerField(null=True)  # the affected member
    reason = models.CharField(max_length=lengths.REASON)

    class Meta:
        verbose_name_plural = "audit log"
        constraints = [
            models.CheckConstraint(
                condition=models.Q(action__in=Action.values), name="audit_action_is_known"
            ),
            models.CheckConstraint(condition=~models.Q(reason=""), name="audit_has_a_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.get_action_display()}: {self.submission or self.device or self.member_id}"
