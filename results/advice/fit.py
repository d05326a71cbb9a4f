"""The three answers to whether a product meets a criterion; not knowing is one of them."""

from enum import StrEnum


class Fit(StrEnum):
    """Whether a criterion is met."""

    YES = "yes"
    UNKNOWN = "unknown"
    NO = "no"
