"""Import of a forum thread's results: examined first, then imported with their authors' names and links."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.db import transaction

from parsers.base.readings import ParsedPaste
from results.core.reader import ReadingError
from results.core.security.audit import log_action
from results.core.security.digests import digest_author, digest_text
from results.imports.bulk import Text
from results.imports.thread_html import Post, ThreadError
from results.kinds.registry import method_label
from results.models import ImportBatch, Member, Submission
from results.models.choices import Action
from results.submissions.intake.receive import PasteTooLongError, preview_text


@dataclass(frozen=True, slots=True)
class Examined:
    """A post, what was found in it, and whether the same text is already known; `kept` is None without a run."""

    post: Post
    runs: tuple[str, ...]
    reasons: tuple[str, ...]
    is_known: bool
    kept: Text | None


def examine(posts: Iterable[Post], address: str) -> Iterator[Examined]:
    """What each post of the thread at `address` would yield, without storing anything. One query per post with a run.

    Raises ThreadError if a post can't be read in time.
    """
    for post in posts:
        try:
            preview = preview_text(post.text)
        except PasteTooLongError:
            yield Examined(post, (), ("It is longer than the limit for submissions.",), False, None)
            continue
        except ReadingError as error:  # only once: a page full of such posts would hold the process, too
            where = f"The post by {post.author or 'an unknown author'} {post.address}".rstrip()
            raise ThreadError(f"{where} can’t be imported. {error}") from error
        runs = tuple(f"{run.model_name} by {method_label(run.method)}" for run in preview.found.runs)
        notices = (*preview.paste.warnings, *preview.found.notices)
        text = _kept(post, preview.paste, address) if runs else None
        is_known = text is not None and Submission.objects.filter(text_digest=text.text_digest).exists()
        yield Examined(post, runs, tuple(notice.message for notice in notices), is_known, text)


def _kept(post: Post, paste: ParsedPaste, address: str) -> Text:
    """What is kept of the post, to be imported.

    The sender is the author in that forum: their results without a serial number count as one unit.
    """
    source_url = post.address or address
    host = urlsplit(source_url).hostname or ""
    return Text(
        text=paste.text,
        text_digest=digest_text(post.text),
        unit_digests=paste.unit_digests,
        place=source_url,
        forum_handle=post.author,
        source_url=source_url,
        sender_digest=digest_author(host, post.author) if post.author else "",
        posted_on=post.posted_on,
    )


@transaction.atomic
def begin_import(title: str, address: str, moderator: Member | None) -> ImportBatch:
    """The batch that the imported submissions belong to."""
    batch = ImportBatch.objects.create(title=title, source_url=address, created_by=moderator)
    log_action(moderator, Action.IMPORTED, reason=f"{title} {address}".strip())
    return batch
