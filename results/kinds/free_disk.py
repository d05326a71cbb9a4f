"""The check in front of every command that overwrites a disk: the command only runs if the disk is unused.

slogdb-submit defines it, a line of sh for each system, and runs it before it writes itself.
"""

import re
from enum import StrEnum
from functools import cache
from pathlib import Path

SUBMITTER = Path(__file__).resolve().parents[1] / "submissions" / "slogdb-submit"
_DEFINITION = re.compile(r"^(?P<system>LINUX|FREEBSD)_IS_FREE='(?P<check>[^']+)'$", re.MULTILINE)


class System(StrEnum):
    """The two families of operating systems that the commands are for."""

    FREEBSD = "freebsd"
    LINUX = "linux"


def check_of(system: System, disk: str) -> str:
    """The check for a disk name that `whole_disk` has returned: it says why and fails if the disk is in use.

    sh runs it, so the same line works in every shell, including csh.
    """
    return f"sh -c '{_checks()[system]}' sh /dev/{disk}"


def if_free(system: System, disk: str, command: str) -> str:
    """The command behind its check, in one line."""
    return f"{check_of(system, disk)} && {command}"


@cache
def _checks() -> dict[System, str]:
    found = _DEFINITION.finditer(SUBMITTER.read_text(encoding="utf-8"))
    return {System(match["system"].lower()): match["check"] for match in found}
