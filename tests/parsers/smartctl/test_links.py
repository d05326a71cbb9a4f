"""The negotiated link of a device, and whether it is set to show less than it holds."""

import json

from parsers.smartctl.link_speeds import (
    SAS_GIGABITS,
    SATA_GIGABITS,
    sas_name,
    sata_name,
)
from results.kinds.interconnects import INTERCONNECTS
from tests.parsers.samples import SMARTCTL_ATA, SMARTCTL_JSON, SMARTCTL_NVME, SMARTCTL_SCSI, identified, only

ATA, NVME, SCSI = (identified(text) for text in (SMARTCTL_ATA, SMARTCTL_NVME, SMARTCTL_SCSI))
SMALL_NAMESPACE = NVME.replace(
    "1 Size/Capacity:          400,088,457,216 [400 GB]", "1 Size/Capacity: 200,049,647,616 [200 GB]"
)
SATA = "SATA Version is:  SATA 2.6, 6.0 Gb/s (current: 6.0 Gb/s)"
PHY = "    phy identifier = {}\n    negotiated logical link rate: {}\n"


def test_sata_states_its_link_as_current():
    for version, link in (
        ("SATA 3.2, 6.0 Gb/s (current: 3.0 Gb/s)", "SATA 3 Gb/s"),
        ("SATA 3.0, 6.0 Gb/s (current: 1.5 Gb/s)", "SATA 1.5 Gb/s"),
        ("SATA 3.3, 6.0 Gb/s (current: 6.0 Gb/s)", "SATA 6 Gb/s"),
        ("SATA 2.6, 3.0 Gb/s", None),  # what it can do, not what was negotiated
        ("SATA 3.2, 6.0 Gb/s (current: 9.9 Gb/s)", None),
    ):
        assert only(ATA.replace(SATA, f"SATA Version is:  {version}")).negotiated_link == link, version


def test_sas_states_it_for_each_phy():
    for rates, link in (
        (["phy enabled; 12 Gbps", "phy enabled; unknown"], "SAS 12 Gb/s"),
        (["phy enabled; 6 Gbps", "phy enabled; 12 Gbps"], "SAS 12 Gb/s"),
        (["phy enabled; 22.5 Gbps"], "SAS 22.5 Gb/s"),
        (["phy enabled; unknown"], None),
        ([], None),
    ):
        ports = "".join(PHY.format(at, rate) for at, rate in enumerate(rates))
        assert only(SCSI + ports).negotiated_link == link, rates
        document = {
            "json_format_version": [1, 0],
            "device": {"protocol": "SCSI"},
            "scsi_product": "SAS4KN",
        } | {
            f"scsi_sas_port_{at}": {
                "relative_target_port_id": at,
                "phy_0": {"negotiated_logical_link_rate": rate},
            }
            for at, rate in enumerate(rates)
        }
        assert only(json.dumps(document, indent=1)).negotiated_link == link, rates


def test_json_has_the_current_speed_apart():
    for speed, link in (
        ("3.0 Gb/s", "SATA 3 Gb/s"),
        ("6.0 Gb/s", "SATA 6 Gb/s"),
        ("fast", None),
        (None, None),
    ):
        document = json.loads(identified(SMARTCTL_JSON))
        document["interface_speed"] = {"max": {"string": "6.0 Gb/s"}, "current": {"string": speed}}
        assert only(json.dumps(document, indent=1)).negotiated_link == link, speed


def test_the_site_knows_every_name_that_the_parsers_give():
    known = {interconnect.name for interconnect in INTERCONNECTS}
    assert known >= {sata_name(rate) for rate in SATA_GIGABITS} | {sas_name(rate) for rate in SAS_GIGABITS}


def test_a_device_that_shows_less_than_it_holds_is_overprovisioned():
    for text, native in (
        (SMALL_NAMESPACE, 400_088_457_216),
        (ATA + " max sectors   = 390721968/586072368, HPA is enabled\n", 586_072_368 * 512),
        (ATA + " max sectors   = 390721968/586072368, ACCESSIBLE MAX ADDRESS enabled\n", 586_072_368 * 512),
        (ATA + "Host Protected Area (HPA)      yes      no      390721968/586072368\n", 586_072_368 * 512),
        (ATA + "Accessible Max Address Config  yes      no      390721968/586072368\n", 586_072_368 * 512),
    ):  # fmt: skip
        reading = only(text)
        assert (reading.is_overprovisioned, reading.native_capacity) == (True, native), text
        assert reading.user_capacity in {200_049_647_616}, text


def test_a_device_that_shows_its_full_capacity_is_not_overprovisioned():
    for text in (
        NVME,
        ATA,
        ATA + " max sectors   = 390721968/390721968, HPA is disabled\n",
        NVME.replace(
            "Total NVM Capacity:                 400,088,457,216", "Total NVM Capacity: 400,088,457,316"
        ),
    ):
        assert not only(text).is_overprovisioned, text


def test_json_has_the_total_of_nvme():
    document = {
        "json_format_version": [1, 0],
        "device": {"protocol": "NVMe"},
        "model_name": "EXAMPLE NV400",
        "nvme_total_capacity": 400_088_457_216,
        "nvme_namespaces": [{"id": 1, "size": {"blocks": 1, "bytes": 200_049_647_616}}],
    }
    assert only(json.dumps(document, indent=1)).is_overprovisioned
