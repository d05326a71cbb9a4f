"""What a client feels."""

import pytest

from results.advice.felt import client_iops, wait_us


@pytest.mark.parametrize(("log_us", "iops"), [(12, 4608), (30, 4255), (116, 3115), (1000, 830), (10_000, 98)])
def test_one_client_waits_for_the_network_zfs_and_the_log(log_us, iops):
    assert client_iops(log_us) == pytest.approx(iops, rel=0.005)
    assert wait_us(log_us, network_us=0, pool_us=5) == log_us + 60
