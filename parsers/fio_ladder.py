"""The fio command that measures what diskinfo -wS does: one write at a time, each with its flush, a job a size."""

LADDER_BYTES = tuple(512 << step for step in range(15))  # 512 B to 8 MiB, the sizes of diskinfo
SECONDS_A_SIZE = 1


def ladder_command(path: str) -> str:
    """One run of fio with a job a block size; sizes below a sector of the disk are left out by the shell."""
    options = (
        f"--filename={path} --rw=randwrite --norandommap --ioengine=psync --direct=1 --fdatasync=1"
        f" --runtime={SECONDS_A_SIZE} --time_based --stonewall --output-format=json"
    )
    sizes = " ".join(str(size) for size in LADDER_BYTES)
    jobs = f'[ "$bs" -ge "$(blockdev --getss {path})" ] && echo "--name=bs$bs --bs=$bs"'
    return f"fio --name=global {options} $(for bs in {sizes}; do {jobs}; done)"
