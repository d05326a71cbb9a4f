"""The rows of moderators' tables of submissions."""

from collections.abc import Iterable
from typing import Any

from results.core.formats import format_date
from results.models import Submission
from results.models.choices import State


def submission_rows(submissions: Iterable[Submission]) -> list[dict[str, Any]]:
    return [
        {
            "public_id": one.public_id,
            "sent": format_date(one.created_at.date()),
            "state": State(one.state).label,
            "reason": one.state_reason,
        }
        for one in submissions
    ]
