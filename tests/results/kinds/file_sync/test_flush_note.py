from results.kinds.file_sync.kind import ShownFileSync
from results.kinds.file_sync.read import row


def note(sync_us, plain_us):
    rows = [row("fdatasync", sync_us, section="one_write", block_size=8192)]
    if plain_us is not None:
        rows.append(row("write", plain_us, section="non_synced", block_size=8192))
    return ShownFileSync({"layer": "ext4", "rows": rows, "writers": None}, "SAMPLE").flush_note


def test_cost_of_a_sync_is_stated_if_both_were_measured(subtests):
    for sync_us, plain_us, sentence in [
        (3.0, 2.0, "A sync costs almost nothing here: either the cache is protected or syncs are ignored."),
        (700.0, 2.0, "A write takes 350 times as long with a sync as without."),
        (2600.0, 2.0, "A write takes 1,300 times as long with a sync as without."),
        (700.0, None, ""),
    ]:
        with subtests.test(sync_us=sync_us, plain_us=plain_us):
            assert note(sync_us, plain_us) == sentence
