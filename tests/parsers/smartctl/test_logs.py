"""The most power-on hours that the self-test and error logs state."""

import json

from tests.parsers.samples import only

ATA_SELF_TESTS = """
SMART Self-test log structure revision number 1
Num  Test_Description    Status                  Remaining  LifeTime(hours)  LBA_of_first_error
# 1  Short offline       Completed without error       00%     21034         -
# 2  Extended offline    Interrupted (host reset)      90%     19800         -
#10  Short offline       Completed: read failure       10%     12         3907029167
"""
ATA_ERRORS = """
SMART Extended Comprehensive Error Log Version: 1 (1 sectors)
Error 982 [213] occurred at disk power-on lifetime: 12975 hours (540 days + 15 hours)
Error 981 [212] occurred at disk power-on lifetime: 12960 hours (540 days + 0 hours)
"""
SCSI_SELF_TESTS = """
SMART Self-test log
Num  Test              Status                 segment  LifeTime  LBA_first_err [SK ASC ASQ]
     Description                              number   (hours)
# 1  Background short  Completed                  48     349                 - [-   -    -]
# 2  Background long   Completed                   -      11                 - [-   -    -]
"""
NVME_SELF_TESTS = """
Self-test Log (NVMe Log 0x06, NSID 0xffffffff)
Self-test status: No self-test in progress
Num  Test_Description  Status                       Power_on_Hours  Failing_LBA  NSID Seg SCT Code
 0   Short             Completed without error                1234            -     -   -   -    -
 1   Extended          Aborted: Controller Reset              1200            -     -   -   -    -
"""
FARM = """
Seagate Field Accessible Reliability Metrics log (FARM) (GP Log 0xa6)
FARM Log Page 1: Drive Information
	Power on Hours: 31034
	Spindle Power on Hours: 30777
"""
ATA_TOP = "Device Model:     SAMPLE SSD\nFirmware Version: F1\nSATA Version is:  SATA 3.2\n"
SCSI_TOP = "Vendor:               SAMPLE\nProduct:              SSD\nRevision:             F1\n"
NVME_TOP = "Model Number:                       SAMPLE NVME\nFirmware Version:    F1\nPower On Hours: 7\n"


def read_hours(text):
    reading = only(text)
    return reading.logged_hours


def test_the_highest_entry_of_the_logs_counts(subtests):
    for text, hours in [
        (ATA_TOP + ATA_SELF_TESTS, 21034),
        (ATA_TOP + ATA_ERRORS, 12975),
        (ATA_TOP + ATA_ERRORS + ATA_SELF_TESTS, 21034),
        (SCSI_TOP + SCSI_SELF_TESTS, 349),
        (NVME_TOP + NVME_SELF_TESTS, 1234),
        (ATA_TOP, None),
        (ATA_TOP + ATA_SELF_TESTS + FARM, 31034),
        (ATA_TOP + "Power on Hours: 31034\n", None),  # of which log?
        (
            ATA_TOP + "# 1  Short offline       Completed without error       00%     99999999         -\n",
            None,
        ),
        (NVME_TOP + " 0   Short   Completed without error   1234   -   -\n", None),  # no such log
    ]:
        with subtests.test(text=text):
            assert read_hours(text) == hours


def test_json_states_the_same():
    document = {
        "smartctl": {"version": [7, 4]},
        "device": {"type": "sat", "protocol": "ATA"},
        "model_name": "SAMPLE SSD",
        "ata_smart_self_test_log": {"extended": {"table": [{"lifetime_hours": 900}, {"lifetime_hours": 20}]}},
        "ata_smart_error_log": {"summary": {"table": [{"lifetime_hours": 901}]}},
    }
    assert read_hours(json.dumps(document, indent=2)) == 901
    document["ata_smart_error_log"] = {"summary": {"table": [{"lifetime_hours": 10**30}, {}, 5]}}
    assert read_hours(json.dumps(document, indent=2)) == 900
    for page in ("page_1_drive_information", "drive_information"):
        farm = {"seagate_farm_log": {page: {"poh": 31034}}}
        assert read_hours(json.dumps({**document, **farm}, indent=2)) == 31034


def test_json_states_those_of_scsi_and_nvme():
    top = {"smartctl": {"version": [7, 4]}, "model_name": "SAMPLE SSD"}
    scsi = {
        "scsi_self_test_0": {"power_on_time": {"hours": 48}},
        "scsi_self_test_1": {"power_on_time": {"hours": 3}},
    }
    nvme = {"nvme_self_test_log": {"table": [{"power_on_hours": 77}]}}
    assert read_hours(json.dumps({**top, **scsi}, indent=2)) == 48
    assert read_hours(json.dumps({**top, **nvme}, indent=2)) == 77


def read_failure(text):
    reading = only(text)
    return reading.failed_self_test


def failing(log, status):
    return log.replace("Completed without error      ", f"{status:29}").replace(
        "Completed                ", status
    )


def test_a_self_test_failed_if_the_newest_that_was_completed_did():
    ata, nvme = ATA_TOP + ATA_SELF_TESTS, NVME_TOP + NVME_SELF_TESTS
    for text, status in (
        (ata, None),  # a later test passed
        (failing(ata, "Completed: read failure"), "Completed: read failure"),
        (failing(ata, "Completed: servo/seek failure"), "Completed: servo/seek failure"),
        (failing(ata, "Fatal or unknown error"), "Fatal or unknown error"),
        (failing(ata, "Aborted by host"), "Completed: read failure"),  # the one before it
        (SCSI_TOP + SCSI_SELF_TESTS, None),
        (failing(SCSI_TOP + SCSI_SELF_TESTS, "Failed in segment -->    "), "Failed in segment"),
        (nvme, None),
        (failing(nvme, "Completed: failed segments"), "Completed: failed segments"),
        (failing(nvme, "Aborted: Self-test command"), None),
        (ATA_TOP, None),
    ):
        assert read_failure(text) == status, text


def test_json_states_a_failed_self_test():
    top = {"smartctl": {"version": [7, 4]}, "model_name": "SAMPLE SSD"}
    passed, failed = {"string": "Completed without error"}, {"string": "Completed: read failure"}
    for log, status in (
        (
            {"ata_smart_self_test_log": {"standard": {"table": [{"status": failed}, {"status": passed}]}}},
            failed,
        ),
        (
            {"ata_smart_self_test_log": {"extended": {"table": [{"status": passed}, {"status": failed}]}}},
            None,
        ),
        ({"nvme_self_test_log": {"table": [{"self_test_result": {"string": "Aborted"}}]}}, None),
        ({"nvme_self_test_log": {"table": [{"self_test_result": failed}]}}, failed),
        (
            {"scsi_self_test_0": {"result": {"string": "Failed in segment --> 3"}}},
            {"string": "Failed in segment"},
        ),
        ({"nvme_self_test_log": {"table": [{"self_test_result": 7}, 5]}}, None),
    ):
        assert read_failure(json.dumps({**top, **log}, indent=2)) == (status and status["string"]), log


def test_the_threshold_of_spare_blocks_is_read():
    text = only(f"{NVME_TOP}Available Spare: 12%\nAvailable Spare Threshold: 10%\n")
    assert (text.available_spare, text.available_spare_threshold) == (12, 10)
    top = {"smartctl": {"version": [7, 4]}, "model_name": "SAMPLE SSD"}
    for values in (
        {"nvme_smart_health_information_log": {"available_spare": 12, "available_spare_threshold": 10}},
        {"spare_available": {"current_percent": 12, "threshold_percent": 10}},
    ):
        reading = only(json.dumps({**top, **values}, indent=2))
        assert (reading.available_spare, reading.available_spare_threshold) == (12, 10)
