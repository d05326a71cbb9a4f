"""Texts of an afternoon: one pool without and with a log device, by sync mode and threads."""

from tests.results.kinds.pool_io import texts

FIGURES = {  # IOPS by log device and sync mode, by threads
    ("", "standard"): {1: 9000, 4: 21000, 16: 30000},
    ("", "always"): {1: 100, 4: 300, 16: 1000},
    (texts.LOGS, "always"): {1: 560, 4: 900, 16: 1010},
    (texts.LOGS, "disabled"): {1: 9100, 4: 21500, 16: 30500},
}


def fio(iops, *, writers, options="", block="4k", rw="randwrite"):
    size = int(block[:-1]) * 1024
    rate = f"BW={iops * size / 2**20:.3f}MiB/s ({iops * size / 1e6:.3f}MB/s)"
    text = texts.fio(options=options, writers=writers).replace(
        "IOPS=20.5k, BW=80.1MiB/s (84.0MB/s)", f"IOPS={iops}, {rate}"
    )
    text = text.replace("--bs=4k", f"--bs={block}").replace("4096B", f"{size}B")
    return text.replace("randwrite", rw)


def afternoon(figures=FIGURES, *, repeats=1, log_text=texts.LOG_DEVICE):
    parts = [log_text]
    for (logs, sync), by_threads in figures.items():
        parts += [texts.status(logs=logs), texts.properties(sync=sync, compression="off")]
        parts += [
            fio(iops + 3 * number, writers=threads)
            for threads, iops in by_threads.items()
            for number in range(repeats)
        ]
    return "".join(parts)
