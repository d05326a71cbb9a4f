"""What a client feels."""

import pytest

from results.advice.felt import client_iops, felt_iops, felt_table, log_block, wait_us


@pytest.mark.parametrize(("log_us", "iops"), [(12, 4608), (30, 4255), (116, 3115), (1000, 830), (10_000, 98)])
def test_one_client_waits_for_the_network_zfs_and_the_log(log_us, iops):
    assert client_iops(log_us) == pytest.approx(iops, rel=0.005)
    assert wait_us(log_us, network_us=0, pool_us=5) == log_us + 60


def test_a_write_takes_a_larger_block_of_the_log_by_its_size_and_round_trip():
    """With two headers, rounded up: 8, 20 and 68 KiB; between measured sizes on a log scale."""
    assert [log_block(size * 1024) // 1024 for size in (4, 8, 16, 64)] == [8, 12, 20, 68]
    curve = {8192: 20.0, 16384: 30.0, 32768: 50.0, 65536: 90.0}
    near, *_, far = felt_table(curve)
    assert near.waits_us[0] == 50 + 50 + 55 + 20
    assert 30 < near.waits_us[1] - 155 < 50
    assert near.waits_us[2] is None  # 68 KiB wasn't measured
    assert near.cells[0] == (pytest.approx(1e6 / 175), 175)
    assert far.waits_us[0] - near.waits_us[0] == 950
    assert felt_table({})[0].waits_us == [None] * 3


def test_a_log_is_felt_by_its_8_kib_figure_if_there_is_one():
    assert felt_iops({"latency_8k_us": 30, "latency_4k_us": 12}) == client_iops(30)
    assert felt_iops({"latency_4k_us": 12}) == client_iops(12)
    assert felt_iops({}) is None
