from results.models.choices import DEVICE_CLASSES, Segment
from results.ranking.bands import read_bands


def test_every_band_is_of_a_known_class_and_runs_upwards():
    for band in read_bands():
        assert band.device_class in DEVICE_CLASSES
        assert band.segment in {"", *Segment.values}
        assert band.label
        assert (band.low_us is None) == (band.high_us is None)
        assert band.low_us is None or 0 < band.low_us <= band.high_us


def test_a_kind_without_a_figure_says_so():
    assert [band.label for band in read_bands() if band.low_us is None] == ["Newer Optane"]
