"""What `bin/test --fast` leaves out."""

from tests.plugins.fast import ROOT, SLOW


def test_every_listed_slow_test_exists():
    for name in SLOW:
        path, _, test = name.partition("::")
        assert (ROOT / path).exists(), name
        assert not test or f"def {test}(" in (ROOT / path).read_text(), name
