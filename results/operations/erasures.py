"""The list of erasures and closed accounts: a restore uses it to erase again what its backup brings back.

The list is the table `Erasure`. A copy is stored next to the backups, for when the database is lost: one file per
site. Its last line says until when it is complete, so that a file that was cut off can't pass for a list. The
backups themselves contain erased data until rotation deletes them.
"""

import os
import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

from celery import shared_task
from django.conf import settings

from results.models import Erasure, Installation

FORMER_FILE = "erasures.txt"  # of previous releases, which didn't say how complete it was
ANY_FILE = "erasures-*.txt"
_COMPLETE = "# complete until "
_LINE = re.compile(r"[2-9a-z]{10}|[0-9a-f]{64}")
NO_LIST = "{name} isn't a list of erasures, or is damaged. Copy it again, or move it elsewhere."
DAMAGED = (
    "{name}, line {number}: {line!r} isn't a line of a list of erasures, so the file is damaged. Copy it again. Only "
    "if there is no better copy anywhere, delete that line: what it named won't be erased again."
)
CUT_OFF = (
    "{name} was cut off: it doesn't say until when it is complete. Copy it again. Only if there is no better copy "
    f"anywhere, rename it to {FORMER_FILE}: what it lists is erased again, but later erasures aren't known."
)


class ErasureListError(Exception):
    """A copy of the list can't be read; the message says which one, and what to do."""


@dataclass(frozen=True, slots=True)
class ErasureList:
    """Public ids and digests of accounts. The list has all erasures until that time, if it is known.

    `name` is that of the file; "" for the list in the database.
    """

    lines: frozenset[str]
    complete_until: datetime | None
    name: str = ""


def lineage() -> UUID:
    """The id that all of this site's databases share, including restored ones."""
    return Installation.objects.get_or_create(id=1)[0].lineage


def list_file(folder: Path, of: UUID) -> Path:
    return folder / f"erasures-{of.hex[:12]}.txt"


def stored_list() -> ErasureList:
    """The list in the database, complete until now."""
    now = datetime.now(UTC)  # before the query: a later erasure may be missing
    return ErasureList(frozenset(Erasure.objects.values_list("line", flat=True)), now)


def copied_lists(folder: Path, of: UUID | None) -> list[ErasureList]:
    """The copies in `folder`: that of the site, or those of all sites if it isn't known, and of previous releases.

    Raises ErasureListError.
    """
    paths = [list_file(folder, of)] if of else sorted(folder.glob(ANY_FILE))
    return [_read(path) for path in [folder / FORMER_FILE, *paths] if path.is_file()]


def all_lines(lists: Iterable[ErasureList]) -> frozenset[str]:
    return frozenset().union(*(erasure_list.lines for erasure_list in lists))


def _read(path: Path) -> ErasureList:
    """Raises ErasureListError for a line that no release writes, and for a list that was cut off."""
    listed, complete = [], []
    try:
        for number, line in enumerate(path.read_text(encoding="ascii").splitlines(), start=1):
            if line.startswith(_COMPLETE):
                complete.append(datetime.fromisoformat(line.removeprefix(_COMPLETE)).astimezone(UTC))
            elif _LINE.fullmatch(line):
                listed.append(line)
            else:
                raise ErasureListError(DAMAGED.format(name=path.name, number=number, line=line))
    except ValueError as error:
        raise ErasureListError(NO_LIST.format(name=path.name)) from error
    if not complete and path.name != FORMER_FILE:
        raise ErasureListError(CUT_OFF.format(name=path.name))
    return ErasureList(frozenset(listed), max(complete, default=None), path.name)


def copy_list(folder: Path) -> int:
    """Bring the copy in `folder` up to date; return the number of lines added. Lines are never removed.

    Raises ErasureListError.
    """
    of, stored = lineage(), stored_list()
    copied = all_lines(copied_lists(folder, of))
    path = list_file(folder, of)
    unfinished = path.with_name(f".{path.name}.{secrets.token_hex(6)}")  # two processes may copy it at once
    with unfinished.open("w", encoding="ascii") as file:
        file.writelines(f"{line}\n" for line in sorted(stored.lines | copied))
        file.write(f"{_COMPLETE}{stored.complete_until}\n")
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)
    return len(stored.lines - copied)


@shared_task
def copy_erasures() -> None:
    """Bring the copy up to date where workers can access the backups, as with bin/serve, once there are any."""
    folder = Path(settings.BACKUP_FOLDER)
    if folder.is_dir():
        copy_list(folder)
