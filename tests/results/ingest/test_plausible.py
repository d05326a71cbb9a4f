"""Each check: what trips it, what just does not, and what the flag says."""

import pytest

from parsers.kinds import DeviceClass, Notice
from results.ingest.plausible import Effect, Evidence, OtherUnits, check_run
from results.ingest.runs import Run
from results.models.fields import BLOCK_SIZES

SLOW_ENOUGH = tuple(100 + block_size / 400 for block_size in BLOCK_SIZES)  # 382 MiB/s at the most


NOTHING_ELSE = {"notices": (), "others": None, "largest_capacity_bytes": None, "is_protected": False}


def evidence(
    device_class: DeviceClass = DeviceClass.SATA_SSD, curve: tuple[float, ...] = SLOW_ENOUGH, **values
) -> Evidence:
    run_values = {name: values.pop(name) for name in ("capacity_bytes",) if name in values}
    run = Run(
        model_name="Sample",
        device_class=device_class,
        method="diskinfo",
        curve=(),
        is_complete=True,
        **run_values,
    )
    return Evidence(run=run, curve=curve, **{**NOTHING_ELSE, **values})


def codes(of: Evidence) -> list[str]:
    return [flag.code for flag in check_run(of)]


def flat(latency_us: float) -> tuple[float, ...]:
    """Of that latency at the small sizes, and slow enough for any link at the large ones."""
    return tuple(max(latency_us, block_size / 300) for block_size in BLOCK_SIZES)


@pytest.mark.parametrize("device_class", list(DeviceClass))
def test_an_ordinary_run_has_no_flag(device_class):
    curve = tuple(12_000 + block_size / 150 for block_size in BLOCK_SIZES)
    assert codes(evidence(device_class, curve)) == []


def test_more_than_the_link_carries_is_held():
    rate_mib_s = 600  # SATA ends at 572 MiB/s
    curve = tuple(100 + block_size / (1 << 20) / rate_mib_s * 1e6 * 0.97 for block_size in BLOCK_SIZES)
    (flag,) = check_run(evidence(curve=curve))
    assert (flag.code, flag.effect) == ("exceeds_link", Effect.HELD)
    assert "more than SATA 6 Gb/s can carry (572 MiB/s)" in flag.message
    assert codes(evidence(DeviceClass.NVME, curve)) == []
    assert codes(evidence(DeviceClass.UNKNOWN, curve)) == []


@pytest.mark.parametrize(
    ("latency_us", "expected"), [(30, ["cached_disk"]), (999, ["cached_disk"]), (1000, [])]
)
def test_a_disk_that_acknowledges_before_its_platter_has_turned_is_held(latency_us, expected):
    assert codes(evidence(DeviceClass.HDD, flat(latency_us))) == expected
    assert codes(evidence(DeviceClass.SSHD, flat(latency_us))) == expected


def test_a_disk_says_what_is_wrong_with_it():
    (flag,) = check_run(evidence(DeviceClass.HDD, flat(30)))
    assert flag.message.startswith("This hard disk acknowledges 4 KiB in 30 µs")


@pytest.mark.parametrize(
    ("device_class", "latency_us", "is_protected", "expected"),
    [
        (DeviceClass.NVME, 29, False, ["cached_flash"]),
        (DeviceClass.NVME, 30, False, []),
        (DeviceClass.NVME, 15, True, []),
        (DeviceClass.OPTANE, 15, False, []),
        (DeviceClass.NVDIMM, 3, False, []),
    ],
)
def test_flash_without_known_protection_cannot_be_faster_than_flash(
    device_class, latency_us, is_protected, expected
):
    curve = tuple(max(latency_us, block_size / 3000) for block_size in BLOCK_SIZES)
    assert codes(evidence(device_class, curve, is_protected=is_protected)) == expected


@pytest.mark.parametrize(
    ("code", "effect"),
    [("points_disagree", Effect.HELD), ("timer_tick", Effect.NOTED), ("different_devices", Effect.NOTED)],
)
def test_what_the_parsers_noticed_becomes_a_flag(code, effect):
    (flag,) = check_run(evidence(notices=(Notice("other", "something", 2), Notice(code, "what they saw", 3))))
    assert (flag.code, flag.effect, flag.message) == (code, effect, "What they saw.")


def test_each_kind_of_what_was_noticed_becomes_a_flag_once():
    noticed = ["timer_tick", "points_disagree", "points_disagree"]
    flags = check_run(evidence(notices=tuple(Notice(code, "what they saw", 3) for code in noticed)))
    assert [(flag.code, flag.effect) for flag in flags] == [
        ("timer_tick", Effect.NOTED),
        ("points_disagree", Effect.HELD),
    ]


@pytest.mark.parametrize(("capacity", "expected"), [(None, []), (10**8 - 1, ["odd_capacity"]), (10**8, [])])
def test_what_is_too_small_for_a_device_is_held(capacity, expected):
    assert codes(evidence(capacity_bytes=capacity)) == expected


@pytest.mark.parametrize(
    ("largest", "expected"), [(None, []), (400, []), (370, []), (360, ["capacity_does_not_fit"])]
)
def test_a_capacity_that_the_model_is_not_made_with_is_noted(largest, expected):
    known = None if largest is None else largest * 10**9
    flags = check_run(evidence(capacity_bytes=400 * 10**9, largest_capacity_bytes=known))
    assert [flag.code for flag in flags] == expected
    assert all(flag.effect is Effect.NOTED for flag in flags)


@pytest.mark.parametrize(
    ("factor", "units", "expected"),
    [
        (2.9, 5, []),
        (3.1, 5, [("far_from_others", Effect.NOTED)]),
        (1 / 3.1, 5, [("far_from_others", Effect.NOTED)]),
        (10.1, 5, [("far_from_others", Effect.HELD)]),
        (10.1, 2, []),
    ],
)
def test_far_from_the_devices_other_units(factor, units, expected):
    curve = tuple(1000.0 + block_size / 300 for block_size in BLOCK_SIZES)
    own = check_run(evidence(curve=curve, others=OtherUnits(5, 1.0)))
    assert own  # a thousand times what the others have
    from_curve = 1134.5  # the geometric mean of 4 to 128 KiB of that curve
    flags = check_run(evidence(curve=curve, others=OtherUnits(units, from_curve / factor)))
    assert [(flag.code, flag.effect) for flag in flags] == expected
