"""Published sustained figures that the project ships: a reading or a mean, without the series it is from."""

from typing import Any

from parsers.base.device_class import DeviceClass
from results.kinds.sustained.models import FIGURE, STATES
from results.kinds.sustained.questions import CONTENTS, STORED_CONTENT
from results.kinds.sustained.read import MOST_IN_FLIGHT, SustainedRun
from results.models.choices import Pattern
from results.models.result import SYNC_METHODS
from results.submissions.intake.shipped_rows import DATA, Row, number_in

SUSTAINED_FILE = DATA / "sustained.csv"
_NUMBERS = {
    "first_minute_iops": float,
    "sustained_iops": float,
    "mean_us": float,
    "p99_us": float,
    "max_us": float,
    "transfer_size": int,
    "random_percent": int,
    "queue_depth": int,
    "workers": int,
    "at_minute": int,
}
_TEXTS = ("content", "state_before", "procedure")
COLUMNS = (
    "survey_id",
    "model_name",
    "vendor",
    "capacity_bytes",
    "firmware",
    "device_class",
    "platform",
    "source_url",
    "published_on",
    "quality",
    "note",
    "precision_percent",
    "figure",  # as the source states it
    "first_minute_iops",
    "sustained_iops",
    "mean_us",
    "p99_us",
    "max_us",
    "transfer_size",
    "random_percent",
    "block_align",
    "queue_depth",
    "workers",
    "sync_method",
    "content",
    "state_before",
    "at_minute",  # of the test
    "procedure",
)
NOT_RANKED = "Only this figure was published, not its series, so nobody can check it."
_PATTERNS = {0: Pattern.SEQUENTIAL.value, 100: Pattern.RANDOM.value}


def run_of(row: Row) -> SustainedRun:
    """The run that a line describes; raises ValueError."""
    _refuse_unknown(row)
    figures: dict[str, Any] = {name: as_type(row[name]) for name, as_type in _NUMBERS.items() if row[name]}
    figures |= {name: row[name] for name in _TEXTS}
    if not figures.get("sustained_iops"):
        raise ValueError("sustained_iops: there is no figure")
    in_flight = figures.get("queue_depth", 1) * figures.get("workers", 1)
    share = figures.get("random_percent")
    return SustainedRun(
        model_name=row["model_name"],
        vendor=row["vendor"],
        capacity_bytes=number_in(row["capacity_bytes"]),
        device_class=DeviceClass(row["device_class"]),
        firmware_version=row["firmware"],
        platform=row["platform"],
        method=FIGURE,
        is_complete=True,
        is_published=True,
        not_ranked_reason=NOT_RANKED,
        sync_method=row["sync_method"] or None,
        data_content=STORED_CONTENT.get(row["content"]),
        pattern=None if share is None else _PATTERNS.get(share, Pattern.MIXED.value),
        block_align=number_in(row["block_align"]),
        writers=min(in_flight, MOST_IN_FLIGHT) if in_flight > 1 else None,
        figures=figures,
    )


def _refuse_unknown(row: Row) -> None:
    for name, known in (
        ("sync_method", SYNC_METHODS),
        ("content", CONTENTS),
        ("state_before", STATES),
    ):
        if row[name] and row[name] not in known:
            raise ValueError(f"{name}: {row[name]!r} is not one of {', '.join(known)}, or empty")
