"""The range of each figure that a parser returns: what is possible for a device, and what fits the site's columns."""

from dataclasses import dataclass

LONGEST_NUMBER = 24  # digits; these tools print no longer ones


@dataclass(frozen=True, slots=True)
class Limits:
    """The smallest and the largest value of a figure, in its unit."""

    smallest: int
    largest: int
    unit: str = ""

    def __contains__(self, value: object) -> bool:
        return isinstance(value, int) and self.smallest <= value <= self.largest

    def __str__(self) -> str:
        return f"{self.smallest:,} to {self.largest:,} {self.unit}".rstrip()


BLOCK_SIZE = Limits(128, 2**20, "bytes")  # of a device, logical or physical
# more than the largest storage arrays; drives without a medium and confused bridges print garbage above it
CAPACITY = Limits(0, 10**16, "bytes")
ROTATION_RATE = Limits(0, 2**16 - 1, "rpm")  # 16 bits in the standards
TEMPERATURE = Limits(-60, 120, "degrees Celsius")
HOURS = Limits(0, 10**7)  # a thousand years; packed raw values of attribute 9 are above it
COUNT = Limits(0, 2**31 - 1)  # of power cycles
PERCENTAGE = Limits(0, 255, "%")  # one byte in the standards: wear may pass 100
BYTES_WRITTEN = Limits(0, 2**63 - 1, "bytes")
