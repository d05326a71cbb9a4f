"""Whether PostgreSQL plans a statement once a connection."""

from collections.abc import Callable

import pytest
from django.db import connection

_PLANS = "SELECT custom_plans FROM pg_prepared_statements WHERE statement LIKE %s"
_TRIED = (
    10  # PostgreSQL looks at five plans before it decides, and psycopg prepares a statement after as many
)


@pytest.fixture
def is_planned_anew() -> Callable[[Callable[[], object], str], bool]:
    """Tell of something that asks the statement with that text in it whether it is planned with every call."""

    def plans(part: str) -> int:
        with connection.cursor() as cursor:
            cursor.execute(_PLANS, [f"%{part}%"])
            ((count,),) = cursor.fetchall()
            return count

    def tell(ask: Callable[[], object], part: str) -> bool:
        for _ in range(_TRIED):
            ask()
        before = plans(part)
        ask()
        return plans(part) > before

    return tell
