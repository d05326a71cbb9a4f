"""Import of a forum thread's results: examined first, then stored with their authors' names and links."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.db import transaction

from results.core.audit import log_action
from results.core.digests import digest_author, digest_text
from results.core.reader import ReadingError
from results.imports.thread_html import Post, ThreadError
from results.kinds.registry import method_label
from results.models import ImportBatch, Member, Submission
from results.models.choices import Action
from results.submissions.receive import (
    PasteTooLongError,
    Sender,
    SubmissionRefusedError,
    preview_text,
    receive_submission,
)


@dataclass(frozen=True, slots=True)
class Examined:
    """A post, what was found in it, and whether the same text is already known."""

    post: Post
    runs: tuple[str, ...]
    reasons: tuple[str, ...]
    is_known: bool


@dataclass(frozen=True, slots=True)
class Imported:
    """The progress of an import; for show_progress."""

    text: str
    done: int
    total: int
    is_new: bool


def examine(posts: Iterable[Post]) -> Iterator[Examined]:
    """What each post would yield, without storing anything. One query per post with a run.

    Raises ThreadError if a post can't be read in time.
    """
    for post in posts:
        try:
            preview = preview_text(post.text)
        except PasteTooLongError:
            yield Examined(post, (), ("It is longer than the limit for submissions.",), is_known=False)
            continue
        except ReadingError as error:  # only once: a page full of such posts would hold the process, too
            where = f"The post by {post.author or 'an unknown author'} {post.address}".rstrip()
            raise ThreadError(f"{where} can’t be imported. {error}") from error
        runs = tuple(f"{run.model_name} by {method_label(run.method)}" for run in preview.found.runs)
        notices = (*preview.paste.warnings, *preview.found.notices)
        is_known = bool(runs) and Submission.objects.filter(text_digest=digest_text(post.text)).exists()
        yield Examined(post, runs, tuple(notice.message for notice in notices), is_known)


@transaction.atomic
def begin_import(title: str, address: str, moderator: Member | None) -> ImportBatch:
    """The batch that the imported submissions belong to."""
    batch = ImportBatch.objects.create(title=title, source_url=address, created_by=moderator)
    log_action(moderator, Action.IMPORTED, reason=f"{title} {address}".strip())
    return batch


def import_posts(posts: Sequence[Post], batch: ImportBatch) -> Iterator[Imported]:
    """Store each of these posts. Idempotent: an interrupted import is simply repeated."""
    for number, post in enumerate(posts, start=1):
        is_new = False
        with suppress(
            SubmissionRefusedError, PasteTooLongError
        ):  # it was examined, and there is nothing to store
            is_new = receive_submission(post.text, _sender(post, batch)).is_new
        yield Imported("Posts", number, len(posts), is_new)


def _sender(post: Post, batch: ImportBatch) -> Sender:
    """The author in that forum as sender: their results without a serial number count as one unit."""
    host = urlsplit(post.address or batch.source_url).hostname or ""
    return Sender(
        sender_digest=digest_author(host, post.author) if post.author else "",
        forum_handle=post.author,
        source_url=post.address or batch.source_url,
        posted_on=post.posted_on,
        batch=batch,
    )
