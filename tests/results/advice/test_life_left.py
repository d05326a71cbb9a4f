import pytest

from results.advice.lifetime import life_left

TB = 10**12


@pytest.mark.parametrize(
    ("rated", "written", "wear", "left", "basis"),
    [
        (1000 * TB, 400 * TB, None, 600 * TB, "less what was written"),
        (1000 * TB, None, 30, 700 * TB, "the wear that the drive reports"),
        (1000 * TB, 400 * TB, 30, 600 * TB, "less what was written"),
        (1000 * TB, 100 * TB, 30, 700 * TB, "the wear that the drive reports"),
        (1000 * TB, 1200 * TB, 30, 0, "less what was written"),
        (1000 * TB, None, 130, 0, "the wear that the drive reports"),
        (None, 100 * TB, 20, 400 * TB, "estimated"),
        (None, 100 * TB, 104, 0, "estimated"),
    ],
)
def test_the_more_careful_figure_counts_and_says_what_it_rests_on(rated, written, wear, left, basis):
    found = life_left(rated, host_bytes_written=written, wear_percent=wear)
    assert (found.bytes_left, basis in found.basis) == (left, True)


@pytest.mark.parametrize(
    ("rated", "written", "wear"),
    [(1000 * TB, None, None), (None, 100 * TB, None), (None, None, 20), (None, 100 * TB, 4), (None, 0, 20)],
)
def test_nothing_is_said_where_nothing_follows(rated, written, wear):
    assert life_left(rated, host_bytes_written=written, wear_percent=wear) is None
