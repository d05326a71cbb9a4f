"""What stands on the page right after publishing: each run's place, what to share, and the claim token, once."""

from typing import Any

from results.ingest.flags import Effect
from results.ingest.receive import Received
from results.models import DeviceRanking, Result
from results.models.choices import State
from results.models.submission import split_notices
from results.presentation import format_places
from results.ranking.intervals import Interval
from results.ranking.places import Board, ends_of
from results.ranking.ties import find_place, replace_interval
from results.web.figures import device_name
from results.web.flags import EFFECTS, is_waiting
from results.web.leaderboard_links import class_url
from results.web.result import share_of_result
from results.web.runs_summary import READ, WERE, runs_summary

WAITING_LABEL = EFFECTS[Effect.WAITS]["label"]


def published_context(received: Received) -> dict[str, Any]:
    """What templates/results/published.html needs; the token is in the answer to this request and nowhere else.

    What is not published has no share: nobody else sees the result, and perhaps not the device either.
    """
    submission = received.submission
    is_public = submission.state == State.PUBLISHED
    runs = list(submission.results.select_related("device", "firmware", "submission").order_by("position"))
    _notices, left_out = split_notices(submission.notices)
    context = {
        "is_new": received.is_new,
        "title": State(submission.state).label if received.is_new else "This was here already",
        "is_public": is_public,
        "summary": runs_summary(len(runs), left_out, WERE if is_public else READ),
        "is_ranked": any(run.is_ranked for run in runs),
        "result_url": submission.get_absolute_url(),
        "runs": [_row(run, is_public=is_public) for run in runs],
        "claim_token": received.claim_token,
    }
    return context | (share_of_result(runs[0]) if runs and is_public else {})


def _row(run: Result, *, is_public: bool) -> dict[str, str]:
    device = run.device
    return {
        "device": device_name(device),
        "device_url": device.get_absolute_url() if is_public else "",
        "url": run.get_absolute_url(),
        "class_label": str(device.get_device_class_display()),
        "class_url": class_url(device.device_class, run.method),
        "place": _place(run) if run.is_ranked else "",
        "label": WAITING_LABEL if is_waiting(run.not_ranked_reason, run.flags) else "Not ranked",
        "why_not": run.not_ranked_reason,
    }


def _place(run: Result) -> str:
    """Where the device stands: "3–7 of 44". The pass over its class comes seconds later.

    This run is counted, unless the device has many (results.ingest.deferred).
    """
    board = Board(run.device.device_class, run.method)
    own = DeviceRanking.objects.filter(device=run.device, method=run.method).first()
    if own is None:
        return ""
    interval, ends = Interval(own.low_us, own.high_us), ends_of(board)
    if own.result_count == 1:
        ends = replace_interval(ends, None, interval)
    place = find_place(ends, interval)
    return f"{format_places(place)} of {max(len(ends.highs), place.last_possible)}"
