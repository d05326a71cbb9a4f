from results.kinds.file_sync.kind import FILE_SYNC
from results.kinds.file_sync.read import row


def metrics(*rows):
    return FILE_SYNC.compute({"rows": rows, "writers": None})


def test_the_metric_is_one_write_with_fdatasync():
    found = metrics(
        row("open_datasync", 30, section="one_write", block_size=8192),
        row("fdatasync", 40, section="one_write", block_size=8192),
        row("fsync", 50, section="one_write", block_size=8192),
        row("fdatasync", 20, section="two_writes", block_size=8192, writes=2),
        row("write", 1, section="non_synced", block_size=8192),
    )
    assert found == {"file_sync_us": 40, "file_syncs_s": 25_000}


def test_other_method_is_used_if_the_system_lacks_fdatasync(subtests):
    for methods, latency_us in [
        ({"open_datasync": 30, "fsync": 50}, 50),
        ({"open_datasync": 30, "open_sync": 60}, 30),
        ({"fdatasync": None, "open_sync": 60}, 60),
        ({"fsync_writethrough": 900, "open_sync": 60}, 900),
    ]:
        with subtests.test(methods=methods):
            rows = [row(name, figure, section="one_write") for name, figure in methods.items()]
            assert metrics(*rows)["file_sync_us"] == latency_us


def test_4_kib_counts_among_several_block_sizes():
    rows = [row("flush", us, block_size=size) for us, size in ((20, 512), (25, 4096), (99, 131072))]
    assert metrics(*rows)["file_sync_us"] == 25


def test_the_slow_sync_is_that_of_the_same_row():
    assert metrics(row("fdatasync", 500, block_size=2300, p99_us=2400))["file_sync_p99_us"] == 2400


def test_a_run_without_a_usable_figure_has_no_metric():
    assert metrics(row("fdatasync", None), row("write", 3, writes=2)) == {}
    assert metrics() == {}
