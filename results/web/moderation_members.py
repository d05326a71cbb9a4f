"""Moderation of members: what one has sent, and a ban with its reason."""

from django import forms
from django.contrib import messages
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from results.ingest.moderation import DecisionError, ban, lift_ban
from results.ingest.trust import is_trusted
from results.models import Member, lengths
from results.models.choices import State
from results.presentation import format_date
from results.web.member import member_of, moderators_only

SHOWN = 100


class BanForm(forms.Form):
    reason = forms.CharField(label="Reason, for the member to read", max_length=lengths.REASON)
    rejects_results = forms.BooleanField(label="Reject everything that they sent", required=False)


@never_cache
@moderators_only
@require_http_methods(["GET", "HEAD", "POST"])
def moderation_member(request: HttpRequest, member_id: int) -> HttpResponse:
    member = get_object_or_404(Member, pk=member_id)
    form = BanForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            _act(request, member, form)
        except DecisionError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, "Done.")
            return redirect("moderation-member", member_id)
    counts = dict(member.submissions.values_list("state").annotate(Count("pk")).order_by())
    newest = member.submissions.defer("text").order_by("-pk")[:SHOWN]
    context = {
        "member": {
            "name": str(member),
            "joined": format_date(member.date_joined.date()),
            "forum_handle": member.forum_handle,
            "is_trusted": is_trusted(member),
            "ban_reason": member.ban_reason,
            "is_banned": member.banned_at is not None,
        },
        "counts": [{"state": State(state).label, "count": count} for state, count in counts.items()],
        "rows": [
            {
                "public_id": one.public_id,
                "sent": format_date(one.created_at.date()),
                "state": State(one.state).label,
                "reason": one.state_reason,
            }
            for one in newest
        ],
        "form": form,
        "section": "queue",
    }
    return render(request, "results/moderation/member.html", context, status=422 if form.errors else 200)


def _act(request: HttpRequest, member: Member, form: BanForm) -> None:
    reason = form.cleaned_data["reason"]
    if member.banned_at is not None:
        lift_ban(member, moderator=member_of(request), reason=reason)
        return
    ban(
        member,
        moderator=member_of(request),
        reason=reason,
        rejects_results=form.cleaned_data["rejects_results"],
    )
