"""What waits for moderators, and the audit log of their actions, which the site can't edit."""

from decimal import Decimal
from urllib.parse import urlsplit

from django.conf import settings
from django.db import models

from results.models import lengths
from results.models.choices import Action, PriceCondition, PriceReportState, ReportReason, SellerKind
from results.models.fact import CURRENCY, HIGHEST_PRICE
from results.models.product import Product
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
            )
        ]
        indexes = [
            models.Index(fields=["id"], condition=models.Q(closed_at__isnull=True), name="report_open")
        ]

    def __str__(self) -> str:
        return f"{self.get_reason_display()}: {self.result_id}"


class PriceReport(models.Model):
    """A price that a member saw; a PriceSighting once a moderator has accepted it.

    It belongs to its member and is deleted with the account. The sighting doesn't name the member, and stays.
    """

    product = models.ForeignKey(Product, on_delete=models.CASCADE, related_name="price_reports")
    reporter = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="price_reports"
    )
    capacity_bytes = models.PositiveBigIntegerField(null=True)  # null: the line's only one
    price = models.DecimalField(max_digits=9, decimal_places=2)
    currency = models.CharField(max_length=3)  # ISO 4217
    condition = models.CharField(max_length=20, choices=PriceCondition)
    seller_kind = models.CharField(max_length=20, choices=SellerKind)
    seen_on = models.DateField()
    source_url = models.URLField(max_length=lengths.ADDRESS)
    state = models.CharField(max_length=10, choices=PriceReportState, default=PriceReportState.WAITING)
    reason = models.CharField(max_length=lengths.REASON, blank=True)  # of the decision
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=[
                    "reporter",
                    "product",
                    "capacity_bytes",
                    "price",
                    "currency",
                    "condition",
                    "seen_on",
                    "source_url",
                ],
                nulls_distinct=False,
                name="price_report_once_a_member",
            ),
            models.CheckConstraint(
                condition=models.Q(price__gt=0, price__lte=HIGHEST_PRICE), name="price_report_is_positive"
            ),
            models.CheckConstraint(
                condition=models.Q(currency__regex=CURRENCY), name="price_report_has_a_currency"
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=PriceReportState.values), name="price_report_state_is_known"
            ),
        ]
        indexes = [
            models.Index(fields=["id"], condition=models.Q(state="waiting"), name="price_report_waiting")
        ]

    def __str__(self) -> str:
        return f"{self.product}: {self.price} {self.currency}, {self.get_state_display()}"

    @property
    def amount(self) -> Decimal:
        return self.price

    @property
    def site(self) -> str:
        return urlsplit(self.source_url).hostname or ""


class NetworkBan(models.Model):
    """A network from which nobody without an account may send anything, until it ends."""

    # Digits of its digest (results.core.security.bans)
    network = models.CharField(max_length=12, unique=True)
    until = models.DateTimeField()
    reason = models.CharField(max_length=lengths.REASON)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~models.Q(reason=""), name="network_ban_has_a_reason")
        ]

    def __str__(self) -> str:
        return f"{self.network} until {self.until:%Y-%m-%d %H:%M} UTC: {self.reason}"


NO_REASON = "No reason given."  # of an approval


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

    @property
    def given_reason(self) -> str:
        """The moderator's reason; "" without one."""
        return "" if self.reason == NO_REASON else self.reason
