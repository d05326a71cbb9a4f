"""The check of linear growth, on work of known growth."""

import re

import pytest

from tests.growth import is_linear

SMALL = 2 * 1024  # characters


def make_calls(count):
    for _ in range(count):
        len("")


def is_found_linear(work):
    return is_linear(work, "x" * SMALL, "x" * 4 * SMALL)


@pytest.mark.parametrize("work", [lambda text: make_calls(len(text)), re.compile("xy").search])
def test_linear_work_is_linear(work):
    assert is_found_linear(work)


@pytest.mark.parametrize(
    "work",
    [lambda text: make_calls(len(text) ** 2 // SMALL), re.compile("x*y").search],
    ids=["calls", "C code"],
)
def test_quadratic_work_is_not(work):
    assert not is_found_linear(work)
