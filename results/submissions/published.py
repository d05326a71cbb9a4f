"""The page after publishing: what the result shows, what it would take to rank higher, and how to share it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, NamedTuple

from django.db.models import QuerySet
from django.utils.safestring import mark_safe

from results.advice.link import LINKS, Throughput, fastest_links
from results.catalogue.statements import stated_facts
from results.catalogue.throughput import device_throughput
from results.charts.description import Series
from results.charts.strip import strip_chart
from results.core.addresses import address, class_url
from results.core.formats import format_count, format_number, format_range
from results.core.head import Shared
from results.core.subject import subject_of
from results.kinds.flags import EFFECT_LABELS, Effect, is_waiting
from results.kinds.latency_curve.charts import chart_context, curve_points
from results.kinds.pool_io.found_sets import submissions_with_sets
from results.kinds.pool_io.kind import POOL_IO
from results.kinds.pool_io.sets import summary_of
from results.kinds.pool_io.stored_sets import find_set, run_name
from results.kinds.registry import kind_of
from results.models import Device, DeviceRanking, Result, Submission
from results.models.choices import DEVICE_CLASSES, PROTECTED, Board, State
from results.models.fields import SLOT_4K
from results.models.submission import split_notices
from results.ranking.boards import ALL_CLASSES, ClassBoard
from results.ranking.outlook import Outlook, curves_of_class, find_outlook, find_outlook_of_run
from results.ranking.recommend import is_recommended, is_too_slow
from results.ranking.standing import Figures, main_rows
from results.ranking.strips import find_strips
from results.ranking.tiers import tier_text
from results.ranking.ties import Place, format_places, sureness
from results.submissions.intake.other_results import UNKNOWN_MODEL
from results.submissions.intake.receive import Received
from results.submissions.line_numbers import sent_left_out
from results.submissions.note import note_beside
from results.submissions.presentation import shared_result
from results.submissions.preview import READ, WERE, runs_summary
from results.submissions.same_pool import offer_same_pool

MIN_OF_CLASS = 3  # other drives, before a class is drawn alone
WAITING_LABEL = EFFECT_LABELS[Effect.WAITS]["label"]


def published_context(received: Received, *, note: str, sent: QuerySet[Submission]) -> dict[str, Any]:
    """The context of templates/results/submissions/published.html; the token is only in this response.

    `note` is the one just sent: a known submission keeps its first one. `sent` are other submissions of the sender.
    """
    submission = received.submission
    is_public = submission.state == State.PUBLISHED
    runs = list(
        submission.results.select_related(
            "device__product__vendor", "pool", "firmware", "submission", POOL_IO.key
        ).order_by("position")
    )
    _notices, left_out = split_notices(submission.notices)
    if received.is_new:
        left_out = [asdict(one) for one in sent_left_out(received.paste, received.found.left_out)]
    run = _lead_of(runs) if is_public else None
    lead = _lead(run, run.device) if run and run.device else None
    side_by_side = _set_of(submission) if is_public and not lead else None
    return {
        "is_new": received.is_new,
        "is_note_ignored": not received.is_new
        and note_beside(received.paste, note) not in {"", submission.note},
        "title": _title(submission, runs) if received.is_new else "Already submitted",
        "is_public": is_public,
        "summary": runs_summary(len(runs), left_out, WERE if is_public else READ)
        if left_out or len(runs) > 1 or not lead
        else None,
        "is_ranked": any(run.is_ranked for run in runs),
        "result_url": submission.get_absolute_url(),
        "lead": lead,
        "set": side_by_side,
        "same_pool": offer_same_pool(submission, sent) if is_public and received.is_new else None,
        "runs": [_row(one, is_public=is_public) for one in runs if one != run],
        "share": _share(lead or side_by_side, runs) if is_public else "",
        "claim_token": received.claim_token,
        "claim_next": address("account-results"),
    }


def _title(submission: Submission, runs: Sequence[Result]) -> str:
    """The state; of published runs also that none of them has a place, unless their kind is never ranked."""
    state = State(submission.state).label
    of_devices = [run for run in runs if run.device_id and kind_of(run.method).ranked_by]
    if submission.state != State.PUBLISHED or not of_devices or any(run.is_ranked for run in of_devices):
        return state
    is_pending = any(
        is_waiting(run.not_ranked_reason, run.flags) or run.not_ranked_reason == UNKNOWN_MODEL.message
        for run in of_devices
    )
    return f"{state}, not ranked{' yet' if is_pending else ''}"


def _lead_of(runs: Sequence[Result]) -> Result | None:
    """The run that the page is about: the first that is ranked, else the first with a 4 KiB latency."""
    measured = [run for run in runs if run.device_id and _latency_4k(run) is not None]
    return next((run for run in measured if run.is_ranked), next(iter(measured), None))


def _set_of(submission: Submission) -> dict[str, str] | None:
    """The set of the submission's workloads on pools, and its line for a forum; None without one."""
    if not submissions_with_sets(result__submission=submission.pk).exists():
        return None
    found = find_set(submission.public_id)
    path, summary = address("compare-set", found.key), summary_of(found.runs)
    picture = address("compare-set-picture", found.key)
    return {
        "title": found.title,
        "url": path,
        "summary": summary,
        "share": Shared(found.title, summary, path, picture).bbcode,
    }


def _share(shown: Mapping[str, Any] | None, runs: Sequence[Result]) -> str:
    """The line for a forum of what the page is about, else of the first run."""
    if shown:
        return str(shown["share"])
    return shared_result(runs[0]).bbcode if runs else ""


def _latency_4k(run: Result) -> float | None:
    return run.latency_us[SLOT_4K] if run.latency_us else None


def _row(run: Result, *, is_public: bool) -> dict[str, str]:
    subject = subject_of(run)
    return {
        "subject": subject.name,
        "what": run_name(run) if run.method in POOL_IO.methods else "",
        "subject_url": subject.url if is_public else "",
        "all_results": f"all results of the {subject.kind.value}",
        "url": run.get_absolute_url(),
        "class_label": subject.class_label,
        "label": _label(run),
        "why_not": run.not_ranked_reason,
    }


def _label(run: Result) -> str:
    """The tag of a run without a place; "" for a ranked one, and for one of a kind that has no ranking."""
    if is_waiting(run.not_ranked_reason, run.flags):
        return WAITING_LABEL
    return "Not ranked" if run.device_id and not run.is_ranked else ""


def _lead(run: Result, device: Device) -> dict[str, Any]:
    """The context of submissions/published_lead.html."""
    ranking = main_rows().filter(device=device).first() if run.is_ranked else None
    outlook = _outlook(run, device, ranking)
    by_method = DeviceRanking.objects.filter(board=Board.SYNC_WRITE, device=device, method=run.method)
    own = by_method.first() if ranking and ranking.method != run.method else ranking
    reached = _reached(device)
    headline = _headline(device, outlook, is_ranked=ranking is not None)
    return {
        **_row(run, is_public=True),
        "name": Figures(device).name,
        "model_name": device.model_name if device.product else "",
        "class_url": class_url(device.device_class),
        "plp": device.plp_badge,
        "headline": headline,
        "latency": format_number(_latency_4k(run)),
        "tier": tier_text(own.low, own.high).capitalize() if own else "",
        "interval": f"{format_range(own.low, own.high, own.digits)} µs" if own else "",
        "place": _place(outlook.place, outlook.class_count) if ranking and outlook else "",
        "link": reached or (f"Not known to keep up with {LINKS[0].ethernet}" if ranking else ""),
        "next": _next(device, ranking, outlook),
        **_chart(run, device),
        "share": _bbcode(
            run, device, [headline if ranking and outlook and outlook.behind_count else "", reached]
        ),
    }


def _outlook(run: Result, device: Device, ranking: DeviceRanking | None) -> Outlook | None:
    """Where it ranks, or would if its model were known; None for a run that doesn't count for another reason."""
    if ranking is not None:
        return find_outlook(ranking)
    score = _latency_4k(run)
    if run.not_ranked_reason != UNKNOWN_MODEL.message or score is None:
        return None
    board = ClassBoard(Board.SYNC_WRITE, device.device_class)
    return find_outlook_of_run(board, method=run.method, score=score)


def _headline(device: Device, outlook: Outlook | None, *, is_ranked: bool) -> str:
    """How it compares; "" if nothing can be said."""
    if outlook is None:
        return ""
    if not is_ranked:
        return f"Not ranked yet. Once it is: {outlook.faster}" if outlook.behind_count else ""
    return outlook.headline(device.device_class)


def _place(place: Place, class_count: int) -> str:
    return f"{format_places(place)} of {max(class_count, place.last_possible)}"


def _reached(device: Device) -> str:
    """The fastest link it keeps up with, in a sentence without its period; "" if none is known."""
    facts = stated_facts(device.product_id).about(device.capacity_bytes) if device.product_id else None
    known: Throughput = device_throughput(device, facts.claims if facts else ())
    carried = fastest_links(known)
    if carried.measured:
        paper = f", {carried.on_paper.ethernet} on paper" if carried.on_paper else ""
        return f"Keeps up with {carried.measured.ethernet}{paper}"
    if carried.on_paper:
        return f"Keeps up with {carried.on_paper.ethernet} on paper"
    return ""


def _next(device: Device, ranking: DeviceRanking | None, outlook: Outlook | None) -> list[str]:
    """What one more owner's result would change."""
    if ranking is None:
        return ["One more owner who measures this model, and it gets a place."] if outlook else []
    return [*_for_recommendation(device, ranking), *_for_rank(outlook)]


def _for_recommendation(device: Device, ranking: DeviceRanking) -> list[str]:
    plp = device.product.plp if device.product else None
    if is_recommended(ranking.recommended_high, device.product):
        return ["It has enough results for a recommendation."]
    if plp not in PROTECTED or is_too_slow(ranking.device_class, ranking.metrics.get("latency_4k_us")):
        return []
    return ["Once a moderator has checked one of its results, we can recommend it."]


def _for_rank(outlook: Outlook | None) -> list[str]:
    if outlook is None:
        return []
    if outlook.behind_with_another > outlook.behind_count:
        surely = sureness(is_assumed=outlook.is_assumed)
        faster = f"{outlook.behind_with_another:,} of the {outlook.other_count:,} other drives"
        return [f"If one more measures about the same, it’s {surely} faster than {faster}."]
    now, then = outlook.place, outlook.place_with_another
    if _width(then) < _width(now):
        place = _place(then, outlook.class_count)
        return [f"If one more measures about the same, its rank narrows to {place}."]
    return []


def _width(place: Place) -> int:
    return place.last_possible - place.first_possible


def _chart(run: Result, device: Device) -> dict[str, Any]:
    """The run's curve over those of its class; for a run of one block size its dot among those of all drives.

    The curve comes without the data for a script, which would draw it alone.
    """
    name, points = Figures(device).name, curve_points(run.latency_us or ())
    behind = find_background(device)
    series = Series(name, points, writers=run.writers or 1)
    drawn = chart_context([series], f"{name} and others", others=behind.series)
    if drawn:
        return drawn | {"chart_band": behind.text and f"{behind.text}.", "chart_data": None}
    if not run.is_ranked:
        return {}
    slug = device.slug
    strips = find_strips([slug])
    svg = strip_chart(strips.drawn, title=strips.headline, ringed={slug: ""})
    return {"strips_svg": mark_safe(svg)}  # noqa: S308 - results.charts escapes every text that it writes


class Background(NamedTuple):
    """The curves of other drives behind a run's own, and what they are, without a period; "" if there are none."""

    series: Sequence[Series]
    text: str


def find_background(device: Device) -> Background:
    """The other drives of a device's class, or of all if these are too few; a selection if they are many."""
    own = ClassBoard(Board.SYNC_WRITE, device.device_class)
    curves, among = (
        curves_of_class(own, but=device.pk),
        f"of its class ({DEVICE_CLASSES[device.device_class]})",
    )
    if len(curves) < MIN_OF_CLASS:
        curves, among = (
            curves_of_class(own._replace(device_class=ALL_CLASSES), but=device.pk),
            "of all classes",
        )
    text = f"Gray: {format_count(len(curves), 'other drive')} {among}" if curves else ""
    return Background([Series("", curve_points(curve)) for curve in curves], text)


def _bbcode(run: Result, device: Device, says: Sequence[str]) -> str:
    """A picture and a line for a forum, each linked to the result."""
    latency = f"{format_number(_latency_4k(run))} µs for a durable 4 KiB write"
    line = ". ".join(filter(None, [latency, *says]))
    return replace(shared_result(run), name=Figures(device).name, summary=f"{line}.").bbcode
