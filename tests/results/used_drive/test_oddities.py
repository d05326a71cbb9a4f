from parsers.base.readings import SmartctlReading
from results.advice.link import Bus
from results.models import Caveat
from results.used_drive.oddities import KnownFacts, Tone, find_oddities

TB = 10**12
NOTHING = KnownFacts()


def findings(known=NOTHING, capacity_bytes=None, **values):
    reading = SmartctlReading(first_line=1, last_line=2, **values)
    return [(oddity.tone, oddity.text) for oddity in find_oddities(reading, capacity_bytes, known)]


def bug(summary="Firmware F1 hangs.", fixed="F2"):
    return KnownFacts(caveats=[Caveat(kind="firmware_bug", summary=summary, fixed_in_firmware=fixed)])


def test_normal_drive_has_no_oddities():
    plain = {"health": "PASSED", "logical_block_size": 512, "power_on_hours": 900, "logged_hours": 901}
    assert findings(**plain, wear_percent=3, firmware_version="F1", model_name="SAMPLE SSD") == []


def test_a_log_entry_from_after_now_proves_that_the_hours_were_reset(subtests):
    for hours, logged, is_reset in [(120, 21034, True), (120, 121, False), (120, 90, False)]:
        with subtests.test(hours=hours, logged=logged):
            found = findings(power_on_hours=hours, logged_hours=logged)
            assert [tone for tone, _ in found] == [Tone.BAD] * is_reset
            assert all("counter shows 120 h" in text and "FARM) says 21,034 h" in text for _, text in found)


def test_more_writes_than_the_link_carries_in_the_hours_show_a_reset():
    gen3, sas = Bus("PCIe 3.0 x4", 3756.0), Bus("SAS 12 Gb/s", 1144.4)
    for written, hours, cycles, protocol, link, tones in (
        (100 * TB, 10, 5, "SATA", None, [Tone.BAD]),
        (100 * TB, 10, 5, "NVMe", None, []),  # it can be written that fast
        (100 * TB, 10, 500, "SATA", None, [Tone.WARN]),  # each cycle may have lost an hour
        (100 * TB, 10, None, "SATA", None, [Tone.WARN]),
        (100 * TB, 10, 5, None, None, []),
        (10 * TB, 10, 5, "SATA", None, []),
        (602 * TB, 2, 12, "NVMe", None, [Tone.WARN]),  # PCIe 5.0 could, with an hour lost at each cycle
        (602 * TB, 2, 12, "NVMe", gen3, [Tone.BAD]),  # but the product's own link couldn't
        (602 * TB, 2, None, None, gen3, [Tone.WARN]),
        (40 * TB, 2, 12, "NVMe", gen3, []),
        (20 * TB, 2, 0, "SAS", sas, []),  # it has two ports
        (30 * TB, 2, 0, "SAS", sas, [Tone.BAD]),
    ):
        found = findings(
            KnownFacts(link=link),
            power_on_hours=hours,
            host_bytes_written=written,
            power_cycle_count=cycles,
            protocol=protocol,
        )
        assert [tone for tone, _ in found] == tones, (written, hours, cycles, protocol, link)


def test_a_bad_finding_says_in_one_sentence_what_to_do():
    bad = [
        {"health": "FAILED"},
        {"wear_percent": 104},
        {"wear_percent": 85},
        {"failed_self_test": "Completed: read failure"},
        {"protection_fault": "Power_Loss_Cap_Test 1, threshold 10"},
        {"available_spare": 10, "available_spare_threshold": 10},
        {"power_on_hours": 120, "logged_hours": 21034},
        {"power_on_hours": 1, "host_bytes_written": 100 * TB, "power_cycle_count": 1, "protocol": "SATA"},
        {"logical_block_size": 520},
        {"firmware_version": "F1"},
    ]
    for values in bad:
        (drive,) = find_oddities(SmartctlReading(first_line=1, last_line=2, **values), None, bug())[:1]
        assert (drive.tone, drive.headline.count("."), drive.headline[-1:]) == (Tone.BAD, 1, "."), values


def test_sectors_of_storage_arrays_are_named(subtests):
    for size, count in [(520, 1), (528, 1), (4160, 1), (512, 0), (4096, 0), (None, 0)]:
        with subtests.test(size=size):
            found = findings(logical_block_size=size)
            assert len(found) == count
            assert all(f"Sectors of {size} bytes" in text for _, text in found)


def test_a_failing_or_worn_drive_is_named():
    assert [tone for tone, _ in findings(health="FAILED", wear_percent=104)] == [Tone.BAD, Tone.BAD]
    assert [tone for tone, _ in findings(wear_percent=80)] == [Tone.BAD]
    assert findings(wear_percent=79) == []


def test_a_drive_that_reports_a_failure_is_named():
    for values, words in (
        (
            {"failed_self_test": "Completed: read failure"},
            "Its last self-test failed: Completed: read failure.",
        ),
        ({"protection_fault": "Critical Warning 0x10"}, "Its protection against power loss has failed"),
        (
            {"available_spare": 10, "available_spare_threshold": 10},
            "Its spare blocks are nearly used up: 10 %",
        ),
        ({"available_spare": 3, "available_spare_threshold": 10}, "Its spare blocks are nearly used up: 3 %"),
    ):
        ((tone, text),) = findings(**values)
        assert (tone, text.startswith(words)) == (Tone.BAD, True), values
    assert findings(available_spare=11, available_spare_threshold=10) == []
    assert findings(available_spare=0) == []  # without the limit, nobody knows what it means


def test_unknown_capacity_is_odd():
    known = KnownFacts(capacities=[200 * 10**9, 400 * 10**9])
    ((tone, text),) = findings(known, 300 * 10**9)
    assert (tone, "200 GB, 400 GB" in text) == (Tone.WARN, True)
    assert findings(known, 200_049_647_616) == []
    assert findings(known, None) == []
    assert findings(KnownFacts(), 300 * 10**9) == []
    for name, capacity, is_odd in (
        ("SSDPEL1D300GA", 300 * 10**9, False),  # its part number says so
        ("MEMPEK1J016GAD", 14_403_239_936, False),
        ("MZ7LM1T9HMJP", 1_920_383_410_176, False),
        ("SSDPEL1D200GA", 300 * 10**9, True),
        ("SSDPEL1D300GA", 2 * 10**12, True),
    ):
        assert bool(findings(known, capacity, model_name=name)) is is_odd, name


def test_overprovisioned_drive_is_reported():
    ((tone, text),) = findings(user_capacity=100 * 10**9, native_capacity=200 * 10**9)
    assert (tone, "100 GB of its 200 GB" in text) == (Tone.INFO, True)


def test_oem_firmware_is_reported(subtests):
    for names, maker in [
        ({"vendor": "NETAPP", "model_name": "X440"}, "NetApp"),
        ({"vendor": "IBM-ESXS", "model_name": "HUSMM"}, "IBM"),
        ({"model_family": "Dell Certified Intel S4x00/D3-S4x10 Series SSDs"}, "Dell"),
        ({"model_name": "HUSMM114_CLAR400"}, "EMC"),
        ({"model_name": "HPX1", "vendor": "SUNRISE"}, None),
    ]:
        with subtests.test(names=names):
            found = findings(**names)
            assert len(found) == (maker is not None)
            assert all(text.startswith(f"OEM firmware from {maker}:") for _, text in found)


def test_firmware_with_a_known_fix_is_compared(subtests):
    for version, tone, words in [
        ("F1", Tone.BAD, "Update the firmware to F2 at once"),
        ("f2", Tone.INFO, "has the fix"),
        ("F0", Tone.WARN, "fixed in: F2; this drive has F0"),
        (None, Tone.WARN, "doesn’t say which"),
    ]:
        with subtests.test(version=version):
            ((found, text),) = findings(bug(), firmware_version=version)
            assert (found, words in text) == (tone, True)


def test_firmware_without_results_is_only_mentioned():
    known = KnownFacts(firmware_versions={"F1"}, result_count=2)
    ((tone, text),) = findings(known, firmware_version="F9")
    assert (tone, "we have 2 results" in text) == (Tone.INFO, True)
    assert findings(known, firmware_version="F1") == []
    assert findings(KnownFacts(), firmware_version="F9") == []


def test_most_severe_finding_comes_first():
    known = KnownFacts(firmware_versions={"F1"}, result_count=2)
    found = findings(known, firmware_version="F9", vendor="HP", health="FAILED")
    assert [tone for tone, _ in found] == [Tone.BAD, Tone.WARN, Tone.INFO]
