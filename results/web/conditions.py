"""How a run was measured, as the result's page and its preview say it."""

from decimal import Decimal
from typing import Protocol

from results.presentation import format_hours
from results.ranking.conditions import split_platform

_TERABYTE = 10**12


class Measured(Protocol):
    """A run that is stored or will be: the fields of results.models.result.CONDITION_FIELDS."""

    @property
    def path(self) -> str: ...
    @property
    def platform(self) -> str: ...
    @property
    def attachment(self) -> str: ...
    @property
    def sector_size(self) -> int | None: ...
    @property
    def write_cache_enabled(self) -> bool | None: ...
    @property
    def power_on_hours(self) -> int | None: ...
    @property
    def percentage_used(self) -> int | None: ...
    @property
    def host_bytes_written(self) -> int | Decimal | None: ...


def condition_rows(run: Measured) -> list[dict[str, str]]:
    """What is known of how it was measured; what the text does not state is left out."""
    written = run.host_bytes_written
    platform, tool = split_platform(run.platform)
    stated = {
        "Path": run.path,
        "Platform": platform,
        "Measured with": tool,
        "Attached to": run.attachment,
        "Sector size": f"{run.sector_size} B" if run.sector_size else "",
        "Write cache": {True: "enabled", False: "disabled", None: ""}[run.write_cache_enabled],
        "Power-on time": "" if run.power_on_hours is None else format_hours(run.power_on_hours),
        "Endurance used": "" if run.percentage_used is None else f"{run.percentage_used} %",
        "Written by hosts": "" if written is None else f"{float(written) / _TERABYTE:,.2f} TB",
    }
    return [{"label": label, "value": value} for label, value in stated.items() if value]
