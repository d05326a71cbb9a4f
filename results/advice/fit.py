"""Whether a product meets a criterion: yes, no, or unknown."""

from enum import StrEnum


class Fit(StrEnum):
    """Whether a criterion is met."""

    YES = "yes"
    UNKNOWN = "unknown"
    NO = "no"
