"""Each check: what raises it, what just doesn't, and its message."""

from parsers.base.device_class import DeviceClass
from parsers.base.readings import Notice
from parsers.base.target import Target
from results.kinds.flags import Effect
from results.kinds.interconnects import link_named
from results.kinds.latency_curve.checks import check_curve
from results.kinds.latency_curve.read import CurveRun
from results.kinds.limits import Evidence, KnownProduct, OtherUnits
from results.models.choices import Method
from results.models.conditions import FLUSH_OFF
from results.models.fields import BLOCK_SIZES
from tests import pastes

SLOW_ENOUGH = tuple(100 + block_size / 400 for block_size in BLOCK_SIZES)  # 382 MiB/s at the most


NOTHING_ELSE = {"notices": (), "others": None}
OF_RUN = (
    "capacity_bytes", "stated_capacity_bytes", "measured_capacity_bytes", "native_capacity_bytes", "target", "path",
    "negotiated_link", "is_usb", "write_cache_enabled", "unit", "doubt", "is_published", "method", "platform",
    "sync_method",
)  # fmt: skip
OF_PRODUCT = tuple(KnownProduct.__dataclass_fields__)


def evidence(
    device_class: DeviceClass = DeviceClass.SATA_SSD, curve: tuple[float, ...] = SLOW_ENOUGH, **values
) -> Evidence:
    run_values = {"unit": "a unit", "method": Method.DISKINFO} | {
        name: values.pop(name) for name in OF_RUN if name in values
    }
    product = KnownProduct(**{name: values.pop(name) for name in OF_PRODUCT if name in values})
    run = CurveRun(
        model_name="Sample",
        device_class=device_class,
        curve=(),
        is_complete=True,
        **run_values,
    )
    return Evidence(run=run, curve=curve, product=product, **{**NOTHING_ELSE, **values})


def codes(of: Evidence) -> list[str]:
    return [flag.code for flag in check_curve(of)]


def flat(latency_us: float) -> tuple[float, ...]:
    """A curve with that latency at small sizes, slow enough for any link at large ones."""
    return tuple(max(latency_us, block_size / 300) for block_size in BLOCK_SIZES)


def test_normal_run_has_no_flag(subtests):
    for device_class in list(DeviceClass):
        with subtests.test(device_class=device_class):
            curve = tuple(12_000 + block_size / 150 for block_size in BLOCK_SIZES)
            assert codes(evidence(device_class, curve)) == []


def test_more_than_the_link_carries_is_held():
    rate_mib_s = 600  # SATA ends at 572 MiB/s
    curve = tuple(100 + block_size / (1 << 20) / rate_mib_s * 1e6 * 0.97 for block_size in BLOCK_SIZES)
    (flag,) = check_curve(evidence(curve=curve))
    assert (flag.code, flag.effect) == ("exceeds_link", Effect.WAITS)
    assert "more than SATA 6 Gb/s can carry (572 MiB/s)" in flag.message
    assert codes(evidence(DeviceClass.NVME, curve)) == []
    assert codes(evidence(DeviceClass.UNKNOWN, curve)) == []


def test_disk_faster_than_its_rotation_is_held(subtests):
    for latency_us, expected in [(30, ["cached_disk"]), (999, ["cached_disk"]), (1000, [])]:
        with subtests.test(latency_us=latency_us):
            assert codes(evidence(DeviceClass.HDD, flat(latency_us))) == expected
            assert codes(evidence(DeviceClass.SSHD, flat(latency_us))) == expected


def test_flag_of_a_disk_explains_the_problem():
    (flag,) = check_curve(evidence(DeviceClass.HDD, flat(30)))
    assert flag.message.startswith("This hard disk acknowledges 4 KiB in 30 µs")


def test_flash_without_known_protection_cannot_be_faster_than_flash(subtests):
    for device_class, latency_us, is_protected, expected in [
        (DeviceClass.NVME, 59, False, ["cached_flash"]),
        (DeviceClass.NVME, 60, False, []),
        (DeviceClass.SATA_SSD, 99, False, ["cached_flash"]),
        (DeviceClass.SATA_SSD, 100, False, []),
        (DeviceClass.NVME, 15, True, []),
        (DeviceClass.OPTANE, 15, False, []),
        (DeviceClass.NVDIMM, 3, False, []),
    ]:
        with subtests.test(device_class=device_class, latency_us=latency_us):
            assert codes(evidence(device_class, flat(latency_us), is_protected=is_protected)) == expected


def test_parser_notices_become_flags(subtests):
    for code, effect in [
        ("points_disagree", Effect.WAITS),
        ("timer_tick", Effect.NOT_RANKED),
        ("different_devices", Effect.NOTED),
    ]:
        with subtests.test(code=code):
            (flag,) = check_curve(
                evidence(notices=(Notice("other", "something", 2), Notice(code, "what they saw", 3)))
            )
            assert (flag.code, flag.effect, flag.message) == (code, effect, "What they saw.")


def test_each_kind_of_notice_becomes_one_flag():
    noticed = ["timer_tick", "points_disagree", "points_disagree"]
    flags = check_curve(evidence(notices=tuple(Notice(code, "what they saw", 3) for code in noticed)))
    assert [(flag.code, flag.effect) for flag in flags] == [
        ("timer_tick", Effect.NOT_RANKED),
        ("points_disagree", Effect.WAITS),
    ]


def test_capacity_too_small_for_a_device_is_not_ranked(subtests):
    for capacity, expected in [(None, []), (10**8 - 1, ["odd_capacity"]), (10**8, [])]:
        with subtests.test(capacity=capacity):
            assert codes(evidence(capacity_bytes=capacity)) == expected


def test_capacity_larger_than_the_models_is_noted(subtests):
    for largest, expected in [(None, []), (400, []), (370, []), (360, ["capacity_does_not_fit"])]:
        with subtests.test(largest=largest):
            known = None if largest is None else largest * 10**9
            flags = check_curve(evidence(capacity_bytes=400 * 10**9, largest_capacity_bytes=known))
            assert [flag.code for flag in flags] == expected
            assert all(flag.effect is Effect.NOTED for flag in flags)


def test_run_far_from_the_devices_other_units_is_flagged(subtests):
    for factor, units, expected in [
        (2.9, 5, []),
        (3.1, 5, [("far_from_others", Effect.NOTED)]),
        (1 / 3.1, 5, [("far_from_others", Effect.NOTED)]),
        (10.1, 5, [("far_beyond_others", Effect.WAITS)]),
        (10.1, 2, []),
    ]:
        with subtests.test(factor=factor, units=units):
            curve = tuple(1000.0 + block_size / 300 for block_size in BLOCK_SIZES)
            assert check_curve(
                evidence(curve=curve, others=OtherUnits(5, 1.0))
            )  # a thousand times the others
            from_curve = 1000 + 4096 / 300  # at 4 KiB
            flags = check_curve(evidence(curve=curve, others=OtherUnits(units, from_curve / factor)))
            assert [(flag.code, flag.effect) for flag in flags] == expected


def rate(mib_s: float) -> tuple[float, ...]:
    """A curve that ends at that throughput."""
    return tuple(100 + block_size / (1 << 20) / mib_s * 1e6 * 0.97 for block_size in BLOCK_SIZES)


def test_a_drive_is_no_faster_than_its_own_link_or_the_negotiated_one(subtests):
    """7,800 MiB/s: twice what PCIe 3.0 x4 carries, and less than PCIe 5.0 x4, the fastest of the class."""
    for known, expected in [
        ({}, []),
        ({"link": link_named("PCIe 3.0 x4")}, ["exceeds_link"]),
        ({"link": link_named("PCIe 4.0 x4")}, []),
        (
            {"link": link_named("PCIe 4.0 x4"), "negotiated_link": "PCIe 3.0 x4"},
            ["exceeds_link", "attachment"],
        ),
        ({"negotiated_link": "PCIe 5.0 x4", "link": link_named("PCIe 3.0 x4")}, ["exceeds_link"]),
        ({"negotiated_link": "PCIe 4.0 x4"}, []),
    ]:
        with subtests.test(known=known):
            assert codes(evidence(DeviceClass.NVME, rate(7000), **known)) == expected


def test_part_of_a_device_is_not_ranked_and_needs_no_moderator(subtests):
    for target, words in [
        (Target.PARTITION, "A partition (/dev/x)"),
        (Target.SLICE, "A slice or partition (/dev/x)"),
        (Target.MD, "An md device (/dev/x)"),
        (Target.LVM, "A logical volume (/dev/x)"),
        (Target.ZVOL, "A zvol (/dev/x)"),
        (Target.FILE, "A file (/dev/x)"),
    ]:
        with subtests.test(target=target):
            (flag,) = check_curve(evidence(target=target, path="/dev/x"))
            assert (flag.code, flag.effect) == ("not_whole_device", Effect.NOT_RANKED)
            assert flag.message.startswith(f"{words} was measured, not a whole device.")


def test_half_the_rated_latency_is_not_ranked(subtests):
    for latency_us, expected in [(24.9, ["faster_than_rated"]), (25.1, [])]:
        with subtests.test(latency_us=latency_us):
            curve = tuple(max(latency_us, block_size / 2000) for block_size in BLOCK_SIZES)
            known = {"rated_latency_us": 50.0, "is_protected": True}
            assert codes(evidence(DeviceClass.NVME, curve, **known)) == expected


def test_run_ten_times_off_the_product_is_not_ranked(subtests):
    for measured_us, expected in [(None, []), (20.0, []), (10.0, ["far_from_product"])]:
        with subtests.test(measured_us=measured_us):
            assert codes(evidence(measured_us=measured_us)) == expected  # 186 us from 4 to 128 KiB


def test_different_capacities_wait_unless_smartctl_explains_them(subtests):
    for capacities, expected in [
        ((400, 400, None), []),
        ((400, 396.1, None), []),
        ((400, 395, None), ["capacity_contradicts"]),
        ((400, 300, 400), ["overprovisioned"]),
        ((300, None, 400), ["overprovisioned"]),
        ((400, None, 400), []),
    ]:
        with subtests.test(capacities=capacities):
            names = ("stated_capacity_bytes", "measured_capacity_bytes", "native_capacity_bytes")
            values = (None if capacity is None else int(capacity * 1e9) for capacity in capacities)
            assert codes(evidence(**dict(zip(names, values, strict=True)))) == expected


def test_a_drive_far_smaller_than_its_models_is_overprovisioned():
    for stated, measured, target, expected in (
        (17, 17, Target.DEVICE, ["overprovisioned"]),
        (17, None, Target.DEVICE, ["overprovisioned"]),
        (200, 200, Target.DEVICE, []),
        (100, 100, Target.DEVICE, []),  # perhaps a version that we don't know
        (17, 200, Target.DEVICE, ["capacity_contradicts"]),
        (200, 17, Target.PARTITION, ["not_whole_device"]),
    ):
        sizes = {"stated_capacity_bytes": stated, "measured_capacity_bytes": measured}
        values = {name: gigabytes and gigabytes * 10**9 for name, gigabytes in sizes.items()}
        found = codes(evidence(target=target, smallest_capacity_bytes=200 * 10**9, **values))
        assert found == expected, (stated, measured, target)


def test_measurement_conditions_are_noted(subtests):
    for values, expected in [
        ({"write_cache_enabled": False}, ["write_cache"]),
        ({"write_cache_enabled": True}, []),
        ({"is_usb": True}, ["attachment"]),
        ({"negotiated_link": "SATA 3 Gb/s", "link": link_named("SATA 6 Gb/s")}, ["attachment"]),
        ({"unit": ""}, ["no_serial"]),
        ({"unit": "", "is_published": True}, []),
    ]:
        with subtests.test(values=values):
            curve = rate(200)
            flags = check_curve(evidence(curve=curve, **values))
            assert [flag.code for flag in flags] == expected
            assert all(flag.effect is Effect.NOTED for flag in flags)


def test_published_figures_are_checked_for_doubts_and_timer_ticks():
    flags = check_curve(evidence(curve=pastes.TICK_CURVE, is_published=True, doubt="It ran in a guest."))
    assert [(flag.code, flag.effect) for flag in flags] == [
        ("timer_tick", Effect.NOT_RANKED),
        ("doubted_source", Effect.NOT_RANKED),
    ]


def test_fio_on_a_raw_disk_of_freebsd_flushes_nothing(subtests):
    freebsd = "FreeBSD 14.1-RELEASE amd64"
    for for_run, is_flagged in [
        ({"path": "/dev/nda0"}, True),
        ({"path": "/dev/da9p1", "target": Target.PARTITION}, True),
        ({"path": "/dev/pmem0", "platform": freebsd}, True),
        ({"path": "/dev/pmem0", "platform": "Linux 6.12"}, False),
        ({"path": "/dev/pmem0p1", "target": Target.PARTITION, "platform": freebsd}, True),
        ({"path": "/dev/pmem0p1", "target": Target.PARTITION}, False),
        ({"path": "/dev/disk/by-id/ata-x", "platform": freebsd}, True),
        ({"path": "/dev/nvme0n1"}, False),
        ({"path": "/dev/nvme0n1", "platform": freebsd}, False),  # smartctl ran elsewhere
        ({"path": "/dev/sda1", "target": Target.PARTITION, "platform": freebsd}, False),
        ({"path": "/mnt/x", "target": Target.FILE, "platform": freebsd}, False),
        ({"path": "/dev/nda0", "sync_method": FLUSH_OFF}, False),
        ({"path": "/dev/nda0", "method": Method.DISKINFO}, False),
    ]:
        with subtests.test(for_run=for_run):
            flags = check_curve(evidence(**{"method": Method.FIO, **for_run}))
            assert [flag.effect for flag in flags if flag.code == "flush_not_sent"] == [
                Effect.NOT_RANKED
            ] * is_flagged
