"""The fio command that measures what diskinfo -wS does: one flushed write at a time, one job per block size."""

LADDER_BYTES = tuple(512 << step for step in range(15))  # 512 B to 8 MiB, the sizes of diskinfo
SECONDS_A_SIZE = 1


def ladder_command(path: str) -> str:
    """One fio run with a job per block size; the shell skips sizes smaller than a sector of the disk."""
    options = (
        f"--filename={path} --rw=randwrite --norandommap --ioengine=psync --direct=1 --fdatasync=1"
        f" --runtime={SECONDS_A_SIZE} --time_based --stonewall --output-format=json"
    )
    sizes = " ".join(str(size) for size in LADDER_BYTES)
    jobs = f'[ "$bs" -ge "$(blockdev --getss {path})" ] && echo "--name=bs$bs --bs=$bs"'
    return f"fio --name=global {options} $(for bs in {sizes}; do {jobs}; done)"
