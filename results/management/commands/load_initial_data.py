"""`manage.py load_initial_data`: bring catalogue and published results up to date, fill an empty database."""

from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand

from results.models import Submission

DEMO_RESULTS = 5000


class Command(BaseCommand):
    help = (
        "Load the catalogue, and fill an empty database: with the published results, or made-up ones in the demo. "
        "A database with published results is brought up to date with their file."
    )

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002 - Django's signature
        call_command("load_catalogue", stdout=self.stdout)
        if Submission.objects.filter(survey_id__isnull=False).exists():
            call_command("load_survey", stdout=self.stdout)
        elif Submission.objects.exists():
            self.stdout.write("there are data already")
        elif settings.IS_DEMO:
            call_command("make_results", DEMO_RESULTS, stdout=self.stdout)
        else:
            call_command("load_survey", stdout=self.stdout)
