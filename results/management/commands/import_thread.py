"""manage.py import_thread FILE…: import the results of a forum thread that was saved as HTML."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from results.imports.bulk import Text
from results.imports.thread import begin_import, examine
from results.imports.thread_html import Post, ThreadError, read_thread
from results.management.console import find_moderator, import_and_report


class Command(BaseCommand):
    help = "Show the results in saved pages of a thread; with --publish, store them with authors and links."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("pages", nargs="+", type=Path, metavar="FILE")
        parser.add_argument(
            "--publish", action="store_true", help="store the results (otherwise nothing is stored)"
        )
        parser.add_argument(
            "--moderator", metavar="ADDRESS", help="e-mail address of the responsible moderator"
        )

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002 - Django's signature
        threads = []
        for page in options["pages"]:
            try:
                threads.append(read_thread(page.read_bytes()))
            except (OSError, ThreadError) as error:
                raise CommandError(f"{page}: {error}") from error
        posts = [post for thread in threads for post in thread.posts]
        with_run = self._show(posts, threads[0].address)
        if not options["publish"]:
            self.stdout.write("Nothing was stored. Use --publish to store the results.")
            return
        moderator = find_moderator(options["moderator"])
        batch = begin_import(threads[0].title, threads[0].address, moderator)
        new, failed = import_and_report(with_run, batch, self.stdout)
        self.stdout.write(f"{new} submissions stored, {len(with_run) - new - failed} already known.")

    def _show(self, posts: list[Post], address: str) -> list[Text]:
        """Print what each post contains, and return what is kept of the posts with a run."""
        with_run = []
        for examined in examine(posts, address):
            post = examined.post
            if examined.kept is not None:
                with_run.append(examined.kept)
                known = " (known already)" if examined.is_known else ""
                runs = ", ".join(examined.runs)
                self.stdout.write(f"{post.posted_on or 'undated'} {post.author}: {runs}{known}")
        self.stdout.write(f"{len(with_run)} of {len(posts)} posts contain a run.")
        return with_run
