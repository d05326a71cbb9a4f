"""`manage.py load_catalogue`: bring the products up to the catalogue that the project ships."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from results.catalogue.load import load_catalogue
from results.catalogue.read import CATALOGUE_FILE, CatalogueError, read_catalogue
from results.tasks import hurry_ranking, judge_devices


class Command(BaseCommand):
    help = "Load the catalogue of products and match the devices again. A second time changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--file", type=Path, default=CATALOGUE_FILE, help="another catalogue than the project's"
        )

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002 - Django's signature
        try:
            lines = read_catalogue(options["file"])
        except (CatalogueError, OSError) as error:
            raise CommandError(str(error)) from error
        loaded = load_catalogue(lines)
        hurry_ranking(loaded.rematched.boards)
        texts = judge_devices(loaded.rematched.to_judge)
        for word, slugs in (("changed", loaded.changed), ("no longer in the file", loaded.gone)):
            for slug in slugs:
                self.stdout.write(f"{word}: {slug}")
        self.stdout.write(
            f"products added: {len(loaded.added)}, changed: {len(loaded.changed)}, "
            f"unchanged: {len(loaded.unchanged)}; devices matched anew: {len(loaded.rematched.device_ids)}, "
            f"texts judged again: {texts}"
        )
