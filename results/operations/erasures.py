"""The list of erasures and closed accounts, stored next to the backups so that a restore brings none of them back.

Each line is a public id, or the digest of an account; the file is append-only. The backups themselves contain erased
data until rotation deletes them.
"""

import os
import re
from collections.abc import Iterable
from itertools import chain
from pathlib import Path

from results.accounts.data import close_account
from results.core.digests import digest_account
from results.models import ClosedAccount, Member, Submission
from results.models.choices import State
from results.submissions.edit import erase_submission

FILE = "erasures.txt"
_LINE = re.compile(r"[2-9a-z]{10}|[0-9a-f]{64}")
REASON = "Erased again after a backup brought it back."


def note_erasures(folder: Path) -> int:
    """Add erasures and closed accounts that are not listed yet; return the number of lines added."""
    listed = set(listed_erasures(folder))
    erased = Submission.objects.filter(state=State.ERASED).order_by("pk").values_list("public_id", flat=True)
    closed = ClosedAccount.objects.order_by("closed_at").values_list("digest", flat=True)
    new = [line for line in chain(erased, closed) if line not in listed]
    if new:
        cut_off = _written(folder).rpartition("\n")[2]
        with (folder / FILE).open("a", encoding="ascii") as file:
            file.write("\n" if cut_off else "")
            file.writelines(f"{line}\n" for line in new)
            file.flush()
            os.fsync(file.fileno())
    return len(new)


def listed_erasures(folder: Path) -> list[str]:
    """The lines listed so far, without one truncated by a crash."""
    return [line for line in _written(folder).splitlines() if _LINE.fullmatch(line)]


def _written(folder: Path) -> str:
    try:
        return (folder / FILE).read_text(encoding="ascii")
    except FileNotFoundError:
        return ""


def erase_again(lines: Iterable[str]) -> None:
    """Erase the listed submissions again, and close the listed accounts.

    An account's results remain, without their owner: those erased with it have separate lines. Each line is processed
    in a separate transaction, so that the site can already be in use. Idempotent.
    """
    listed = set(lines)
    for submission in Submission.objects.filter(public_id__in=listed).exclude(state=State.ERASED):
        erase_submission(submission, reason=REASON)
    for member in Member.objects.iterator():
        if digest_account(member.pk, member.date_joined) in listed:
            close_account(member, keeps_results=True)
