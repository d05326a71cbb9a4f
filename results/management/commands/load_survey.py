"""`manage.py load_survey`: update the published results from the files that the project ships."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from results.submissions.intake.survey_data import SurveyError, load_survey, read_shipped


class Command(BaseCommand):
    help = (
        "Store the published results that the project ships, and remove those no longer in them. Idempotent."
    )

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002 - Django's signature
        try:
            published = read_shipped()
        except SurveyError as error:
            raise CommandError(str(error)) from error
        loaded = load_survey(published)
        self.stdout.write(
            f"{loaded.added} results loaded, {loaded.unchanged} already loaded, {loaded.removed} removed"
        )
