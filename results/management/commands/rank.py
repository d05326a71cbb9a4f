"""`manage.py rank`: recompute the entire ranking."""

from typing import Any

from django.core.management.base import BaseCommand

from results.management.console import show_progress
from results.ranking.medians import rank_everything


class Command(BaseCommand):
    help = "Recompute the medians, intervals and places of all devices."

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002 - Django's signature
        for _ in show_progress(rank_everything(), self.stdout):
            pass
