"""What is left at the address of a result that is not public any more, or not yet: the fact, and why."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from results.models import Submission
from results.models.choices import State
from results.models.result import submission_id_of

_GONE = 410
_WORDS = {
    State.HELD: ("Held", "It waits for someone to look at it, and is not shown until then."),
    State.REJECTED: ("Not accepted", "Somebody has looked at it and decided not to show it."),
    State.WITHDRAWN: ("Withdrawn", "Its owner took this result back."),
    State.ERASED: ("Erased", "Its text and its figures are gone for good."),
}


def tombstone(request: HttpRequest, public_id: str) -> HttpResponse:
    """The page of a result of a submission that is not published; raises Http404 where there never was one.

    Neither figures nor text: whatever kept them from being public keeps them from here. A result after the first
    of a paste has the paste's id and its number.
    """
    left = get_object_or_404(
        Submission.objects.filter(state__in=_WORDS), public_id=submission_id_of(public_id)
    )
    label, meaning = _WORDS[State(left.state)]
    context = {
        "public_id": public_id,
        "label": label,
        "meaning": meaning,
        "reason": left.state_reason,
        "is_erased": left.state == State.ERASED,
    }
    return render(
        request, "results/tombstone.html", context, status=200 if left.state == State.HELD else _GONE
    )
