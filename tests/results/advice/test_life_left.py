import pytest

from results.advice.lifetime import life_left

TB = 10**12


def test_lower_estimate_counts_with_its_basis(subtests):
    for rated, written, wear, left, basis in [
        (1000 * TB, 400 * TB, None, 600 * TB, "minus what was written"),
        (1000 * TB, None, 30, 700 * TB, "the wear that the drive reports"),
        (1000 * TB, 400 * TB, 30, 600 * TB, "minus what was written"),
        (1000 * TB, 100 * TB, 30, 700 * TB, "the wear that the drive reports"),
        (1000 * TB, 1200 * TB, 30, 0, "minus what was written"),
        (1000 * TB, None, 130, 0, "the wear that the drive reports"),
        (None, 100 * TB, 20, 400 * TB, "estimated"),
        (None, 100 * TB, 104, 0, "estimated"),
    ]:
        with subtests.test(rated=rated, written=written, wear=wear, left=left):
            found = life_left(rated, host_bytes_written=written, wear_percent=wear)
            assert (found.bytes_left, basis in found.basis) == (left, True)


@pytest.mark.parametrize(
    ("rated", "written", "wear"),
    [(1000 * TB, None, None), (None, 100 * TB, None), (None, None, 20), (None, 100 * TB, 4), (None, 0, 20)],
)
def test_life_left_is_unknown_without_data(rated, written, wear):
    assert life_left(rated, host_bytes_written=written, wear_percent=wear) is None
