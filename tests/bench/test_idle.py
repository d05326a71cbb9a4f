"""What the memory of a site at rest is made of."""

import pytest

from bench import idle
from bench.bars import BenchmarkError

ALL = {"web": 200.0, "worker and scheduler": 150.0, "PostgreSQL": 100.0, "Valkey": 10.0, "bin/serve": 30.0}


def test_memory_is_summed_over_all_roles():
    *parts, total = idle.rows(ALL)
    assert [row.measured for row in parts] == list(ALL.values())
    assert (total.measured, total.limit, total.passes) == (490.0, 500.0, True)


@pytest.mark.parametrize("role", ["web", "worker and scheduler", "PostgreSQL", "Valkey"])
def test_a_role_without_a_process_is_an_error(role):
    with pytest.raises(BenchmarkError, match=role):
        idle.rows({**ALL, role: 0.0})
