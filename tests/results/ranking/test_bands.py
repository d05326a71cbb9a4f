from results.models.choices import DEVICE_CLASSES, Segment
from results.ranking.bands import read_bands


def test_every_band_has_a_known_class_and_ascending_ends():
    for band in read_bands():
        assert band.device_class in DEVICE_CLASSES
        assert band.segment in {"", *Segment.values}
        assert band.label
        assert (band.low_us is None) == (band.high_us is None)
        assert band.low_us is None or 0 < band.low_us <= band.high_us


def test_a_band_without_a_figure_has_a_note():
    assert [band.label for band in read_bands() if band.low_us is None] == ["Newer Optane"]
