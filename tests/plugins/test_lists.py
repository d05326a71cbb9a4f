"""Every test that is called slow or long is there."""

import pytest

from tests.plugins import fast, order
from tests.plugins.fast import ROOT


@pytest.mark.parametrize("named", [fast.SLOW, order.LONGEST], ids=["slow", "longest"])
def test_every_listed_test_exists(named):
    for name in named:
        path, _, test = name.partition("::")
        assert (ROOT / path).exists(), name
        assert not test or f"def {test}(" in (ROOT / path).read_text(), name
