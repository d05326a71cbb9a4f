"""Records of the API: what they are made from, and how they describe themselves."""

from dataclasses import dataclass

from results.core.record import Record, field
from results.models.choices import Plp


@dataclass
class Maker:
    name: str


@dataclass
class Drive:
    name: str
    maker: Maker
    sizes: list[Maker]
    latency_us: float
    spare: Maker | None = None


class MakerRecord(Record):
    label: str = field("its name", "name")


class NamedRecord(Record):
    name: str = field("its name")


class KnownDriveRecord(NamedRecord):
    first = ("latency_us",)

    maker_name: str = field("of its maker", "maker.name")
    sizes: list[MakerRecord] = field("its sizes")
    spare: MakerRecord | None = field("null without one")
    latency_us: int = field("rounded", to=round)
    plp: Plp = field("protection", lambda drive: Plp.YES if drive.sizes else Plp.NO)


def test_records_are_made_of_objects_with_what_answers_begin_with_first() -> None:
    drive = Drive("S1", Maker("Aldera"), [Maker("small"), Maker("large")], 20.4)
    assert list(KnownDriveRecord.of(drive).items()) == [
        ("latency_us", 20),
        ("name", "S1"),
        ("maker_name", "Aldera"),
        ("sizes", [{"label": "small"}, {"label": "large"}]),
        ("spare", None),
        ("plp", Plp.YES),
    ]


def test_records_are_made_of_rows_by_column() -> None:
    assert MakerRecord.all_of([{"name": "Aldera"}, {"name": "Boreal"}]) == [
        {"label": "Aldera"},
        {"label": "Boreal"},
    ]


def test_values_that_are_given_need_no_source() -> None:
    drive = Drive("S1", Maker("Aldera"), [], 20.4)
    assert KnownDriveRecord.of(drive, spare={"label": "given"}, plp="")["spare"] == {"label": "given"}
    assert KnownDriveRecord.of(drive, plp="")["plp"] == ""


def test_records_describe_their_fields_to_the_schema() -> None:
    fields = KnownDriveRecord().fields
    assert list(fields) == ["name", "maker_name", "sizes", "spare", "latency_us", "plp"]
    assert fields["maker_name"].help_text == "of its maker"
    assert fields["spare"].allow_null
    assert not fields["latency_us"].allow_null
    assert list(fields["plp"].choices) == Plp.values
