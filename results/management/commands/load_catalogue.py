"""`manage.py load_catalogue`: update products, aliases and facts from the files that the project ships."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from results.catalogue.files.aliases_csv import ALIAS_FILE_NAME, read_aliases
from results.catalogue.files.load import Loaded, load_catalogue
from results.catalogue.files.products_csv import CATALOGUE_FILE, read_catalogue
from results.catalogue.files.statements_csv import FACT_KINDS, read_facts
from results.core.lines import CatalogueError
from results.submissions.intake.rejudge import judge_devices

_COMPANIONS = (ALIAS_FILE_NAME, *(kind.file_name for kind in FACT_KINDS))


class Command(BaseCommand):
    help = "Load the catalogue of products and match the devices again. Idempotent."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--file",
            type=Path,
            default=CATALOGUE_FILE,
            help=f"a catalogue instead of the project's; {', '.join(_COMPANIONS)} are read from the same folder",
        )

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002 - Django's signature
        try:
            loaded = _load(options["file"])
        except (CatalogueError, OSError) as error:
            raise CommandError(str(error)) from error
        texts = judge_devices(loaded.rematched.to_judge)
        for word, slugs in (("changed", loaded.changed), ("no longer in the file", loaded.removed)):
            for slug in slugs:
                self.stdout.write(f"{word}: {slug}")
        self.stdout.write(
            f"products added: {len(loaded.added)}, changed: {len(loaded.changed)}, "
            f"unchanged: {len(loaded.unchanged)}; changed names: {len(loaded.renamed)}, "
            + ", ".join(f"changed {plural}: {len(slugs)}" for plural, slugs in loaded.facts.items())
            + f"; devices matched again: {len(loaded.rematched.device_ids)}, texts judged again: {texts}"
        )


def _load(path: Path) -> Loaded:
    lines = read_catalogue(path)
    slugs = {line.slug for line in lines}
    aliases = path.with_name(ALIAS_FILE_NAME)
    files = {kind: path.with_name(kind.file_name) for kind in FACT_KINDS}
    return load_catalogue(
        lines,
        aliases=read_aliases(aliases, slugs) if aliases.exists() else (),
        facts={kind.plural: read_facts(kind, file, slugs) for kind, file in files.items() if file.exists()},
    )
