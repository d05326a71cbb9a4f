"""The admin of submissions, with the dead letters: imported texts that failed to be read."""

from typing import cast

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.timesince import timesince

from results.core.admin import ReadOnlyAdmin
from results.imports.batches import enqueue_reading
from results.imports.dead_letters import NoReasonError, dead_letters, read_again
from results.models import Member, Submission
from results.models.choices import State


class ReasonForm(ActionForm):
    """The form of an admin action that requires a reason."""

    reason = forms.CharField(required=False, max_length=250)


class ReadingFilter(admin.SimpleListFilter):
    """Filter for imported texts that have not been read."""

    title = "reading"
    parameter_name = "reading"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin) -> list[tuple[str, str]]:  # noqa: ARG002 - Django's signature
        return [("dead", "Failed: dead letters"), ("waiting", "Waiting to be read")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Submission]) -> QuerySet[Submission]:  # noqa: ARG002 - the same
        if self.value() == "dead":
            return queryset.filter(pk__in=dead_letters().values("pk"))
        return queryset.filter(state=State.WAITING) if self.value() == "waiting" else queryset


@admin.register(Submission)
class SubmissionAdmin(ReadOnlyAdmin):
    list_display = ("public_id", "state", "state_reason", "read_attempts", "age", "forum_handle", "batch")
    list_filter = (ReadingFilter, "state", "parser_version")
    list_select_related = ("batch",)
    search_fields = ("public_id", "forum_handle", "source_url")
    action_form = ReasonForm
    actions = ("read_again",)

    @admin.display(description="age", ordering="-created_at")
    def age(self, submission: Submission) -> str:
        return timesince(submission.created_at, timezone.now(), depth=1)

    def has_page(self, obj: Submission) -> bool:
        return obj.state != State.WAITING

    def has_moderate_permission(self, request: HttpRequest) -> bool:
        member = cast(Member, request.user)
        return member.has_perm("results.change_submission")

    @admin.action(description="Read failed texts again", permissions=["moderate"])
    def read_again(self, request: HttpRequest, queryset: QuerySet[Submission]) -> None:
        ids = list(queryset.values_list("pk", flat=True))
        try:
            count = read_again(
                ids, moderator=cast(Member, request.user), reason=request.POST.get("reason", "")
            )
        except NoReasonError:
            self.message_user(request, "Give a reason; it is recorded in the log.", messages.ERROR)
            return
        transaction.on_commit(lambda: enqueue_reading(1), robust=True)
        left = len(ids) - count
        others = f"; {left} weren't dead letters and are unchanged" if left else ""
        self.message_user(request, f"{count} will be read again{others}.", messages.SUCCESS)
