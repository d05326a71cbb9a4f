"""Published results of pools that the project ships."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Self

from parsers.base.device_class import DeviceClass
from results.core.described import checks_of
from results.core.lines import DATA, Stated, matching, one_of, words
from results.kinds.envelope import DescribedPool, Run
from results.kinds.flags import Flag
from results.kinds.pool.models import METHODS, PoolIO
from results.kinds.pool_io.read import PoolRun, checked_run
from results.kinds.shipped import POOL_IDS, Published, PublishedLine
from results.models import lengths

POOL_FILE = DATA / "pool_results.csv"
_DOUBTED = "doubted_source"


def _layout(cell: str) -> list[dict[str, Any]]:
    """The groups of a pool: "data mirror 2, log disk 1" has a role, type and members of each."""
    groups = [part.split() for part in cell.split(", ") if part]
    return [
        {"role": role, "type": kind, "members": int(members) if members != "?" else None}
        for role, kind, members in groups
    ]


def _log_models(cell: str) -> list[list[str]]:
    return [model.split("|") for model in cell.split("; ") if model]


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolLine(PublishedLine):
    """A run on a pool."""

    survey_id: Annotated[str, matching(f"{POOL_IDS}.+", f"an id that begins with {POOL_IDS}")]
    position: Annotated[int | None, "pool"]
    layout: Annotated[list[dict[str, Any]], _layout]
    log_models: Annotated[list[tuple[str, str, DeviceClass]], _log_models]
    platform: str
    zfs_version: str
    method: Annotated[str, one_of(METHODS)]
    doubt: str
    figure: Annotated[str, words(lengths.NOTE)]
    figures: Annotated[Stated, checks_of(PoolIO)]

    @classmethod
    def publish(cls, lines: Sequence[Self]) -> Published:
        """The runs of one source, one on each line."""
        first = lines[0]
        if any(line.submission_columns != first.submission_columns for line in lines):
            raise ValueError("its lines differ in what is said of the source")
        return Published(first.survey_id, first.submission_columns, tuple(line.run for line in lines))

    @property
    def run(self) -> PoolRun:
        """The run that the line describes."""
        return checked_run(
            self.described_pool,
            self.figures,
            tool=METHODS[self.method],
            day=self.published_on,
            doubts=[Flag(_DOUBTED, self.doubt)] if self.doubt else [],
            method=self.method,
            is_complete=True,
            is_published=True,
            **self.run_columns,
        )

    @property
    def described_pool(self) -> DescribedPool:
        """The pool of the run, with its log devices."""
        logs = [
            Run(
                model_name=name,
                capacity_bytes=int(capacity) if capacity else None,
                device_class=device_class,
                is_published=True,
                method="",
                is_complete=True,
            )
            for name, capacity, device_class in self.log_models
        ]
        return DescribedPool(
            position=self.position or 1,
            layout=tuple(self.layout),
            is_told=bool(self.layout),
            platform=self.platform,
            zfs_version=self.zfs_version,
            logs=tuple(logs),
        )
