"""The page after publishing: what the result shows, what it would take to rank higher, and how to share it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from django.db.models import QuerySet
from django.utils.safestring import SafeString
from django.utils.text import capfirst

from results.advice.link import LINKS, Throughput, fastest_links
from results.catalogue.statements import stated_facts
from results.catalogue.throughput import device_throughput
from results.charts.description import Series
from results.charts.strip import strip_chart
from results.core.addresses import address, class_url
from results.core.formats import format_count, format_number
from results.core.head import Shared
from results.core.subject import drive_name
from results.kinds.curve.charts import Chart, curve_points, draw_chart
from results.kinds.flags import EFFECT_LABELS, Effect, is_waiting
from results.kinds.pool.found_sets import submissions_with_sets
from results.kinds.pool.sets import summary_of
from results.kinds.pool_sets import find_set
from results.kinds.registry import NAMED_PAYLOADS, kind_of
from results.models import Device, DeviceRanking, Result, Submission
from results.models.choices import DEVICE_CLASSES, PROTECTED, Board, State
from results.models.fields import SLOT_4K
from results.ranking.boards import ALL_CLASSES, ClassBoard
from results.ranking.outlook import Outlook, curves_of_class, find_outlook, find_outlook_of_run
from results.ranking.recommend import is_recommended, is_too_slow
from results.ranking.standing import main_rows
from results.ranking.strips import find_strips
from results.ranking.tiers import tier_text
from results.ranking.ties import Place, format_places, sureness
from results.submissions.form.same_pool import SamePool, offer_same_pool
from results.submissions.intake.other_results import UNKNOWN_MODEL
from results.submissions.intake.receive import Received
from results.submissions.note import note_beside
from results.submissions.result_summary import ListedRun, shared_result
from results.submissions.text.left_out import READ, WERE, RunsSummary, stored_notices
from results.submissions.text.sent_lines import sent_left_out

MIN_OF_CLASS = 3  # other drives, before a class is drawn alone
WAITING_LABEL = EFFECT_LABELS[Effect.WAITS].label


@dataclass(frozen=True, slots=True)
class RunRow(ListedRun):
    """A run; its label says why it has no place, "" if it is ranked or its kind has no ranking."""

    @property
    def label(self) -> str:
        if is_waiting(self.run.not_ranked_reason, self.run.flags):
            return WAITING_LABEL
        return "Not ranked" if self.run.device_id and not self.run.is_ranked else ""


@dataclass(frozen=True, slots=True)
class PublishedSet:
    """The set of a submission's workloads on pools, and its line for a forum."""

    title: str
    url: str
    summary: str
    share: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Lead(RunRow):
    """The run that the page is about, for submissions/published_lead.html; texts are "" where nothing is known."""

    device: Device
    headline: str
    own: DeviceRanking | None  # of its method
    place: str
    link: str
    next: Sequence[str]  # what one more owner's result would change
    chart: Chart | None
    strips_svg: SafeString | str
    share: str

    @property
    def name(self) -> str:
        return drive_name(self.device).full

    @property
    def latency_us(self) -> float | None:
        return _latency_4k(self.run)

    @property
    def class_url(self) -> str:
        return class_url(self.device.device_class)

    @property
    def tier(self) -> str:
        return capfirst(tier_text(self.own.low, self.own.high)) if self.own else ""


@dataclass(frozen=True, slots=True)
class PublishedPage:
    """What templates/results/submissions/published.html shows; the token is only in this response."""

    submission: Submission
    title: str
    is_new: bool
    is_note_ignored: bool
    is_ranked: bool
    summary: RunsSummary | None
    lead: Lead | None
    set: PublishedSet | None
    same_pool: SamePool | None
    runs: Sequence[RunRow]  # without the lead
    share: str  # BBCode, or ""
    claim_token: str

    @property
    def is_public(self) -> bool:
        return self.submission.state == State.PUBLISHED


def published_page(received: Received, *, note: str, sent: QuerySet[Submission]) -> PublishedPage:
    """`note` is the one just sent: a known submission keeps its first. `sent` are others of the sender."""
    submission = received.submission
    is_public = submission.state == State.PUBLISHED
    runs = list(
        submission.results.select_related(
            "device__product__vendor", "pool", "firmware", "submission", *NAMED_PAYLOADS
        ).order_by("position")
    )
    _notices, left_out = stored_notices(submission)
    if received.is_new:
        left_out = sent_left_out(received.paste, received.found.left_out)
    run = _lead_of(runs) if is_public else None
    lead = find_lead(run, run.device) if run and run.device else None
    side_by_side = _set_of(submission) if is_public and not lead else None
    shown = lead or side_by_side
    share = shown.share if shown else shared_result(runs[0]).bbcode if runs else ""
    return PublishedPage(
        submission,
        _title(submission, runs) if received.is_new else "Already submitted",
        received.is_new,
        not received.is_new and note_beside(received.paste, note) not in {"", submission.note},
        any(run.is_ranked for run in runs),
        RunsSummary(len(runs), left_out, WERE if is_public else READ)
        if left_out or len(runs) > 1 or not lead
        else None,
        lead,
        side_by_side,
        offer_same_pool(submission, sent) if is_public and received.is_new else None,
        [RunRow(other) for other in runs if other != run],
        share if is_public else "",
        received.claim_token,
    )


def _title(submission: Submission, runs: Sequence[Result]) -> str:
    """The state; of published runs also that none of them has a place, unless their kind is never ranked."""
    state = State(submission.state).label
    for_devices = [run for run in runs if run.device_id and kind_of(run.method).ranked_by]
    if submission.state != State.PUBLISHED or not for_devices or any(run.is_ranked for run in for_devices):
        return state
    is_pending = any(
        is_waiting(run.not_ranked_reason, run.flags) or run.not_ranked_reason == UNKNOWN_MODEL.message
        for run in for_devices
    )
    return f"{state}, not ranked{' yet' if is_pending else ''}"


def _lead_of(runs: Sequence[Result]) -> Result | None:
    """The run that the page is about: the first that is ranked, else the first with a 4 KiB latency."""
    measured = [run for run in runs if run.device_id and _latency_4k(run) is not None]
    return next((run for run in measured if run.is_ranked), next(iter(measured), None))


def _set_of(submission: Submission) -> PublishedSet | None:
    if not submissions_with_sets(result__submission=submission.pk).exists():
        return None
    found = find_set(submission.public_id)
    path, summary = address("compare-set", found.key), summary_of(found.runs)
    share = Shared(found.title, summary, path, address("compare-set-picture", found.key)).bbcode
    return PublishedSet(found.title, path, summary, share)


def _latency_4k(run: Result) -> float | None:
    return run.latency_us[SLOT_4K] if run.latency_us else None


def find_lead(run: Result, device: Device) -> Lead:
    ranking = main_rows().filter(device=device).first() if run.is_ranked else None
    outlook = _outlook(run, device, ranking)
    by_method = DeviceRanking.objects.filter(board=Board.SYNC_WRITE, device=device, method=run.method)
    reached = _reached(device)
    headline = _headline(device, outlook, is_ranked=ranking is not None)
    is_ahead = ranking and outlook and outlook.behind_count
    chart = _chart(run, device)
    return Lead(
        run,
        device=device,
        headline=headline,
        own=by_method.first() if ranking and ranking.method != run.method else ranking,
        place=_place(outlook.place, outlook.class_count) if ranking and outlook else "",
        link=reached or (f"Not known to keep up with {LINKS[0].ethernet}" if ranking else ""),
        next=_next(device, ranking, outlook),
        chart=chart,
        strips_svg="" if chart or not run.is_ranked else _strips(device),
        share=_bbcode(run, device, [headline if is_ahead else "", reached]),
    )


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


def _chart(run: Result, device: Device) -> Chart | None:
    """The run's curve over those of its class, without the data for a script, which would draw it alone."""
    name, points = drive_name(device).full, curve_points(run.latency_us or ())
    behind = find_background(device)
    series = Series(name, points, writers=run.writers or 1)
    drawn = draw_chart([series], f"{name} and others", others=behind.series)
    return drawn and replace(drawn, band=behind.text and f"{behind.text}.", data=None)


def _strips(device: Device) -> SafeString:
    """The dot of a run of one block size among those of all drives."""
    strips = find_strips([device.slug])
    return strip_chart(strips.drawn, title=strips.headline, ringed={device.slug: ""})


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
    return replace(shared_result(run), name=drive_name(device).full, summary=f"{line}.").bbcode
