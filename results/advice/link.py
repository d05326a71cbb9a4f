"""Links that carry sync writes, and the throughput needed to keep up with them."""

from dataclasses import dataclass
from decimal import Decimal

from parsers.base.units import MEBIBYTE
from results.advice.log_size import BITS_A_BYTE, GIGA


@dataclass(frozen=True, slots=True)
class Link:
    """A link by its line rate, in Gbit/s (10^9 bits)."""

    gbit_s: Decimal

    @property
    def label(self) -> str:
        return f"{self.gbit_s} Gbit/s"

    @property
    def ethernet(self) -> str:
        """The common name: "10 GbE"."""
        return f"{self.gbit_s} GbE"

    @property
    def mib_s(self) -> float:
        """The line rate as a payload, without overhead."""
        return float(self.gbit_s * GIGA / BITS_A_BYTE / MEBIBYTE)


LINKS = tuple(Link(Decimal(rate)) for rate in ("1", "2.5", "10", "25", "40", "100"))


def fastest_link(throughput_mib_s: float | None) -> Link | None:
    """The fastest link that the device keeps up with; None if it keeps up with none."""
    carried = [link for link in LINKS if throughput_mib_s is not None and throughput_mib_s >= link.mib_s]
    return carried[-1] if carried else None
