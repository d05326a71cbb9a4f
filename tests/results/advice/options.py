"""Purchase options for tests."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from results.advice.criteria import Option


@dataclass(frozen=True)
class Seen:
    """A price, by default new and seen last month."""

    amount: Decimal
    offer: str = "new"
    stated_condition: str = "new"
    age: str = "1 month ago"
    is_fresh: bool = True
    is_recent: bool = True
    currency: str = "USD"
    seen_on: str = "2024-05"
    source_url: str = "https://prices.example/"

    @property
    def seen(self) -> str:
        return f"{'seen' if self.is_fresh else 'last seen'} {self.age}"


def make_option(price: float | None = 100, **values: Any) -> Option:
    """A protected option of 100 GB, rated for 1 PB, with a price but no known speed."""
    seen = None if price is None else Seen(Decimal(price))
    return Option(
        **{"plp": "yes", "capacity_bytes": 10**11, "written_bytes": 10**15, "price": seen, **values}
    )
