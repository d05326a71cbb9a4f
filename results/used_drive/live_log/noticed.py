"""What a client of the pool notices of its log, on the page and in the API."""

from collections.abc import Sequence
from dataclasses import dataclass

from results.advice.felt import SIZES, Client, Felt, felt_rows
from results.advice.lights import Check

MAX_ROUND_TRIP_US, MAX_WRITERS = 1_000_000, 1000


@dataclass(frozen=True, slots=True)
class Noticed:
    """What a client gets from the log, and a table for the usual ones."""

    client: Client
    wait_us: float | None
    rows: Sequence[Felt]

    @property
    def sizes(self) -> Sequence[int]:
        return SIZES

    @property
    def writes_s(self) -> float | None:
        return 1e6 / self.wait_us if self.wait_us else None

    @property
    def most_s(self) -> float | None:
        """Of all writers together."""
        return self.writes_s * self.client.writers if self.writes_s else None


def notice(found: Check, client: Client) -> Noticed | None:
    """What the client notices; None if nothing is known of the log's times."""
    if found.log_us(SIZES[0]) is None:
        return None
    log_us = found.log_us(client.size)
    rows = felt_rows([found.log_us(size) for size in SIZES])
    return Noticed(client, None if log_us is None else client.wait_us(log_us), rows)
