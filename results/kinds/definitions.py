"""Code shared by all kinds of results: metrics, flags, and refused runs."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import reduce
from operator import attrgetter, or_
from typing import Any, NamedTuple

from django.db.models import F, Func, JSONField, Q, Value
from django.db.models.functions import JSONObject

from parsers.base.readings import DiskinfoReading, FileSyncReading, FioReading, LeftOut, Notice
from parsers.fio.slog import Refusal, rungs_of
from results.core.formats import ELSEWHERE, format_date, format_number

PER_SECOND = "1/s"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Metric:
    """A figure of a result that can be sorted, charted, compared and exported.

    `compute` takes the result's payload and returns the value in `unit`, or None where the payload lacks what it
    needs. The value is stored with the result when its text is read; `manage.py reread` fills existing results.
    """

    key: str  # with its unit; its name in storage, in the API and in exports
    label: str
    short_label: str  # for column heads
    unit: str
    is_lower_better: bool = False
    is_judged: bool = True  # False for what describes a workload, where neither end is better
    meaning: str  # one sentence: the method page, the API's schema and the exports' list of columns show it
    compute: Callable[[Any], float | None]
    format: Callable[[float | None], str] = format_number
    is_of_all_sizes: bool = False  # depends on which block sizes were measured
    is_minor: bool = False  # omitted if there is little room

    @property
    def sort_key(self) -> str:
        """The key without its unit, as in a leaderboard's `sort=`."""
        return self.key.removesuffix("_us").removesuffix("_mib_s")

    @property
    def unit_beside_label(self) -> str:
        """The unit beside the label; "" where the label says it: "Operations per second", "Sustained IOPS"."""
        return "" if self.unit == PER_SECOND else self.unit

    def with_unit(self, value: float | None) -> str:
        """The value with its unit, as in "13,570/s" and "118 µs"."""
        shown = self.format(value)
        return f"{shown}/s" if self.unit == PER_SECOND else f"{shown} {self.unit}"

    @property
    def anchor(self) -> str:
        """The id of its entry on the method page."""
        return f"metric-{self.key.replace('_', '-')}"


def by_key(*metrics: Metric) -> dict[str, Metric]:
    return {metric.key: metric for metric in metrics}


def compute_metrics(metrics: Mapping[str, Metric], payload: Mapping[str, Any]) -> dict[str, float]:
    """Metrics of a payload as stored: seven digits, as in `real` columns, without None."""
    values = {key: metric.compute(payload) for key, metric in metrics.items()}
    return {key: float(f"{value:.7g}") for key, value in values.items() if value is not None}


class Effect(StrEnum):
    """What a flag does to a result."""

    NOTED = "noted"  # shown beside the figure
    NOT_RANKED = "not_ranked"  # shown, charted and compared; no rank, no recommendation
    WAITS = "waits"  # not ranked until a moderator approves it


PROTECTION_FAILED = "protection_failed"
# By effect, the stable code of each flag and when it is raised
FLAGS: dict[Effect, dict[str, str]] = {
    Effect.WAITS: {
        "exceeds_link": "Faster than the link between host and device.",
        "cached_disk": "A hard disk that acknowledges writes before its platter can have turned.",
        "cached_flash": "Flash without known power-loss protection that acknowledges writes faster than "
        "flash can be programmed.",
        "far_beyond_others": "At least 10 times faster or slower than the median of three or more other "
        "units.",
        "capacity_contradicts": "diskinfo and smartctl report capacities that differ by more than 1 %, with "
        "no explanation.",
        "points_disagree": "The printed throughput isn't block size divided by latency.",
        "copy_other_serial": "The same figures as an earlier result with another serial number.",
    },
    Effect.NOT_RANKED: {
        "timer_tick": "The latencies are multiples of a timer tick.",
        "not_whole_device": "A partition, slice, md device, logical volume, zvol or file was measured "
        "instead of a whole device.",
        "several_writers": "Several writers at the same time (fio's numjobs or iodepth above 1). They share "
        "the device, so this isn't how long a single write takes.",
        "flush_off": "fio flushed nothing. Such a run only shows what a flush costs, next to a run with "
        "flushes.",
        "compressed_data": "Zeros or compressible data on a device whose speed depends on compression.",
        "page_cache": "fio wrote through the machine's page cache (direct=0).",
        "odd_capacity": "A capacity under 100 MB.",
        "faster_than_rated": "4 KiB writes take less than half the typical random write latency the product "
        "is rated for.",
        "far_from_product": "At least 10 times faster or slower than what others measured for the same "
        "product.",
        "unknown_model": "A model we don't know, from a sender we don't know yet. It is ranked once a "
        "second sender has measured it, the model is in the catalogue, or a moderator has approved it.",
        "doubted_source": "A published figure whose source itself gives reason to doubt it.",
        "half_of_pair": "The other half of a published pair: its source measured one drive under two "
        "conditions. Only one counts.",
        "zeros_compressed": "Zeros, written to a pool that compresses: next to nothing reached its drives.",
        "data_in_memory": "A workload on a pool that the machine’s memory held, so the figure isn’t that of "
        "the drives.",
        "copy": "The same run as an earlier result. Only the earlier one counts.",
    },
    Effect.NOTED: {
        "far_from_others": "At least 3 times faster or slower than the median of three or more other units.",
        "near_copy": "Within 0.5 % of an earlier result at eight or more block sizes.",
        "capacity_does_not_fit": "Larger than any capacity we know of for this product.",
        "overprovisioned": "Part of the device was hidden from the host.",
        "write_cache": "The drive's write cache was off.",
        PROTECTION_FAILED: "The device reports that its power-loss protection has failed.",
        "easy_data": "fio wrote zeros or compressible data, which a device with compression stores faster.",
        "attachment": "Measured over USB, or over a slower link than the product supports.",
        "no_serial": "No serial number, so other results of the same unit can't be recognized.",
        "zeros_of_unknown_effect": "Zeros, written to a pool of which nobody states whether it compresses.",
        "not_synced": "A workload on a pool that ended before its data was on the drives.",
        "interrupted": "A workload on a pool that was interrupted or failed.",
        "different_devices": "diskinfo and smartctl in one paste are about different devices.",
    },
}
EFFECTS = {code: effect for effect, meanings in FLAGS.items() for code in meanings}


@dataclass(frozen=True, slots=True)
class Flag:
    """A reason to doubt a run: a code from FLAGS and a sentence for people."""

    code: str
    message: str

    @property
    def effect(self) -> Effect:
        return EFFECTS[self.code]

    @property
    def stored(self) -> dict[str, str]:
        """The shape stored in Result.flags."""
        return {"code": self.code, "effect": self.effect.value, "message": self.message}


def stored_flags(flags: Iterable[Mapping[str, str]]) -> tuple[Flag, ...]:
    """The flags in Result.flags, except for codes of earlier versions."""
    return tuple(Flag(one["code"], one["message"]) for one in flags if one["code"] in EFFECTS)


def why_not_ranked(flags: Iterable[Flag], *, is_approved: bool) -> str:
    """The message of the first flag that keeps a result out of the ranking, or "".

    A moderator's approval overrides only the flags that wait for one.
    """
    excluding = {Effect.NOT_RANKED} if is_approved else {Effect.NOT_RANKED, Effect.WAITS}
    return next((flag.message for flag in flags if flag.effect in excluding), "")


EFFECT_LABELS = {
    Effect.WAITS: {
        "label": "Waiting for a moderator",
        "tag": "warn",
        "meaning": "Shown, but not ranked until a moderator approves it.",
    },
    Effect.NOT_RANKED: {
        "label": "Not ranked",
        "tag": "warn",
        "meaning": "Shown, charted and compared, but never ranked or recommended.",
    },
    Effect.NOTED: {
        "label": "Noted",
        "tag": "",
        "meaning": "Shown beside the figures, with no other effect.",
    },
}


def flag_rows(flags: Iterable[Mapping[str, str]]) -> list[dict[str, Any]]:
    """Result.flags with the label and the effect of each."""
    return [{"message": flag["message"], **EFFECT_LABELS[Effect(flag["effect"])]} for flag in flags]


def is_waiting(not_ranked_reason: str, flags: Iterable[Mapping[str, str]]) -> bool:
    """Whether only a moderator's decision is missing for a result to be ranked."""
    return any(flag["effect"] == Effect.WAITS and flag["message"] == not_ranked_reason for flag in flags)


RANKED, UNRANKED, WAITING = "ranked", "unranked", "waiting"
# What `include` of a list names, in the words of `ranking_state`
INCLUDED = {RANKED: "ranked", UNRANKED: "not ranked", WAITING: "waiting"}
_WAITS = Func(
    JSONObject(effect=Value(Effect.WAITS.value), message=F("not_ranked_reason")),
    function="jsonb_build_array",
    output_field=JSONField(),
)


def without_rank(include: Collection[str]) -> Q:
    """Of the results without a rank, those that are included: by `is_waiting`, waiting or simply unranked."""
    waits = Q(flags__contains=_WAITS)
    chosen = {UNRANKED: ~waits, WAITING: waits}
    return reduce(or_, (condition for key, condition in chosen.items() if key in include), Q(pk=None))


def ranking_state(not_ranked_reason: str, flags: Iterable[Mapping[str, str]]) -> str:
    """The state of a published result in a word or two."""
    if not not_ranked_reason:
        return "ranked"
    return "waiting" if is_waiting(not_ranked_reason, flags) else "not ranked"


def reasons_shown(not_ranked_reason: str, flags: Iterable[Mapping[str, str]]) -> list[str]:
    """Why a result is not ranked, then what is noted, without repetition."""
    reasons = [not_ranked_reason, *(flag["message"] for flag in flags)]
    return [reason for reason in dict.fromkeys(reasons) if reason]


# By the code of the flag that keeps a result out of the ranking: what a device needs to be ranked
_NEEDS = {
    "unknown_model": "a second result from somebody else, or a moderator’s check",
    "not_whole_device": "a run on the whole drive, without a file system",
    "several_writers": "a run with one writer",
    "flush_off": "a run with flushes",
    "page_cache": "a run that bypasses the page cache (direct=1)",
    "compressed_data": "a run with random data",
    "timer_tick": "a run on a machine with a finer clock",
    "odd_capacity": "a run on the whole drive, without a file system",
}
_NEEDS_APPROVAL = "a moderator’s check"
_NEEDS_ANOTHER = "another run, without what kept this one out"


def what_it_needs(not_ranked_reason: str, flags: Iterable[Mapping[str, str]]) -> str:
    """What would make a device with only this result ranked, in a few words."""
    if is_waiting(not_ranked_reason, flags):
        return _NEEDS_APPROVAL
    codes = [flag["code"] for flag in flags if flag["message"] == not_ranked_reason]
    return next((_NEEDS[code] for code in codes if code in _NEEDS), _NEEDS_ANOTHER)


NO_DEVICE = "no_device"


class Refused(NamedTuple):
    """A run that can't be stored: the reason, a notice if needed, and what fio wrote."""

    left_out: LeftOut
    notice: Notice | None = None
    block_sizes: frozenset[int] = frozenset()
    writers: frozenset[int] = frozenset()  # the numbers of concurrent writers


def refused(code: str, message: str, first_line: int, last_line: int) -> Refused:
    """The refusal of a run on these lines, with a notice."""
    return Refused(LeftOut(code, message, first_line, last_line), Notice(code, message, first_line))


def refuse(measured: DiskinfoReading | FioReading | FileSyncReading, why: Notice | Refusal) -> Refused:
    """Record the run as left out; refused fio runs already have a parsers' notice."""
    left_out = LeftOut(why.code, why.message, measured.first_line, measured.last_line)
    rungs = rungs_of(measured) if isinstance(measured, FioReading) else ()
    sizes = frozenset(point.block_size for rung in rungs for point in rung.points())
    writers = frozenset(rung.writers for rung in rungs)
    return Refused(left_out, why if isinstance(why, Notice) else None, sizes, writers)


def join_refused(refused: Iterable[Refused]) -> list[Refused]:
    """Merge runs of a shell loop, one per block size, into a single run."""
    joined: list[Refused] = []
    for one in refused:
        if joined and _continues(joined[-1], one):
            before = joined.pop()
            left_out = replace(before.left_out, last_line=one.left_out.last_line)
            joined.append(
                before._replace(left_out=left_out, block_sizes=before.block_sizes | one.block_sizes)
            )
        else:
            joined.append(one)
    return joined


def _continues(refused: Refused, following: Refused) -> bool:
    is_alike = refused.left_out.code == following.left_out.code == NO_DEVICE
    is_by_fio = bool(refused.block_sizes and following.block_sizes)
    is_same_load = refused.writers == following.writers
    return is_alike and is_by_fio and is_same_load and refused.block_sizes.isdisjoint(following.block_sizes)


DATE_FIELDS = (
    "measured_on",
    "submission__posted_on",
    "submission__survey_id",
    "submission__created_at",
)


def date_of_run(row: Mapping[str, Any]) -> str:
    """The day of a run from DATE_FIELDS: "2026-11-03", or "sent 2026-11-03".

    A page may gain figures for years after its day, so the day is called the page's.
    """
    if row["measured_on"]:
        return format_date(row["measured_on"])
    is_from_page = row["submission__survey_id"] is not None
    if row["submission__posted_on"]:
        day = format_date(row["submission__posted_on"])
        return f"on a page of {day}" if is_from_page else f"posted {day}"
    return "undated" if is_from_page else f"sent {format_date(row['submission__created_at'].date())}"


def date_of_result(result: Any) -> str:
    """The same of a Result."""
    return date_of_run({name: attrgetter(name.replace("__", "."))(result) for name in DATE_FIELDS})


def origin_of_run(row: Mapping[str, Any]) -> str:
    """ELSEWHERE or "", from DATE_FIELDS."""
    return "" if row["submission__survey_id"] is None else ELSEWHERE
