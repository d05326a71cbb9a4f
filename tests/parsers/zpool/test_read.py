"""Tables of zpool and zfs: layouts in every shape, forms of iostat, properties, and what can't be read."""

import re
from decimal import Decimal
from pathlib import Path

import pytest

from parsers.base.target import model_of
from tests import pastes
from tests.parsers.samples import codes, places, read, text_of

HEAD = "\tNAME        STATE     READ WRITE CKSUM\n"
SPECIAL = text_of("zpool_status")
SECRETS = re.compile("marmot|quist|EXS000|0025385b|5000C500|a0369f|1234567890|L2")
IOSTAT = text_of("zpool_iostat")


def layout(reading):
    return [(vdev.role, vdev.type, vdev.members) for vdev in reading.vdevs]


def test_a_layout_has_the_top_level_vdevs_with_their_devices():
    paste = read(SPECIAL)
    (status,) = paste.readings
    assert layout(status) == [
        ("data", "draid2", 3), ("data", "mirror", 2), ("special", "disk", 1), ("dedup", "disk", 1),
        ("log", "mirror", 2), ("log", "disk", 1), ("cache", "disk", 1), ("spare", "disk", 1), ("spare", "disk", 1),
    ]  # fmt: skip
    assert (status.state, status.scan, status.complete) == ("DEGRADED", "resilver", True)
    assert status.vdevs[0].devices == ("sda", "sdb", "[wwn-1]", "sdc")
    assert status.vdevs[4].devices == (
        "nvme-INTEL_SSDPED1D280GA_[serial-1]-part1",
        "diskid/DISK-[serial-2]p2",
    )
    assert SECRETS.findall(paste.text + str(paste.readings)) == []


def test_a_log_device_has_the_serial_number_s_mask_of_its_description():
    paste = read(SPECIAL + pastes.smartctl(model="INTEL SSDPED1D280GA", serial="EXS0000001AB"))
    status, smartctl = paste.readings
    assert smartctl.serial in status.vdevs[4].devices[0]
    assert smartctl.serial in paste.unit_digests


@pytest.mark.parametrize(
    "damage",
    [
        lambda line: line.expandtabs(),
        str.strip,
        lambda line: " ".join(line.split()),
        lambda line: f"        {line.expandtabs()}",
        lambda line: f"> {line}",
        lambda line: line + "\n",
        lambda line: line.replace("marmot  ", "marmot", 1).strip() if "\tmarmot" in line else line,
        lambda line: line.replace("logs\t", "logs          ONLINE       0     0     0"),
    ],
    ids=["blanks", "stripped", "collapsed", "indented", "quoted", "doubled", "first row stripped", "Solaris"],
)
def test_a_layout_survives_what_forums_do(damage):
    damaged = "\n".join(map(damage, SPECIAL.splitlines()))
    (status,) = read(damaged).readings
    if damage(" a ") == "a":  # without blanks a device behind a mirror may be one of its members
        assert layout(status)[:2] == [("data", "draid2", 3), ("data", "mirror", 2)]
        assert {vdev.role for vdev in status.vdevs} == {"data", "special", "dedup", "log", "cache", "spare"}
    else:
        assert layout(status) == layout(read(SPECIAL).readings[0])


def test_more_columns_and_fewer_rows_are_read():
    slow = HEAD.replace("CKSUM", "CKSUM  SLOW") + "\ttank        ONLINE       0     0     0     -\n"
    slow += "\t  raidz1    ONLINE       0     0     0     -\n\t    c0t0d0  ONLINE       0     0     0     7\n"
    (status,) = read(slow).readings
    assert (layout(status), status.state) == ([("data", "raidz1", 1)], "ONLINE")


def test_two_pools_are_two_readings_and_a_name_has_one_mask_in_paths_too():
    text = (
        SPECIAL
        + SPECIAL.replace("marmot", "quistpool")
        + (
            "$ dd if=/dev/zero of=/marmot/x bs=1M count=1\n1+0 records in\n1+0 records out\n"
            "1048576 bytes (1.0 MB, 1.0 MiB) copied, 0.01 s, 105 MB/s\n"
        )
    )
    first, second, dd = read(text).readings
    assert (first.pool, second.pool, dd.output) == ("[pool-1]", second.pool, "/[pool-1]/x")
    assert first.pool != second.pool


def test_a_pool_with_a_usual_name_is_masked_in_paths_as_well():
    text = (
        SPECIAL.replace("marmot", "storage") + "$ dd if=/dev/zero of=/mnt/storage/x bs=1M\n1+0 records in\n"
    )
    assert "storage" not in read(text).text


def test_a_pool_that_is_not_imported_is_no_layout():
    text = "   pool: quistpool\n     id: 1234567890123\n  state: ONLINE\n config:\n\n"
    text += "\tquistpool   ONLINE\n\t  mirror-0  ONLINE\n\t    da0     ONLINE\n"
    paste = read(text)
    assert (paste.readings, codes(paste)) == ((), ["not_imported"])
    assert not re.search("quist|123456", paste.text)


def test_the_rows_of_iostat_have_roles_and_depths():
    paste = read(IOSTAT)
    (iostat,) = paste.readings
    assert [(row.role, row.depth) for row in iostat.rows] == [
        ("pool", 0), ("data", 1), ("data", 2), ("data", 2), ("log", 1), ("pool", 0), ("data", 1),
    ]  # fmt: skip
    assert (iostat.form, iostat.complete) == ("verbose", True)
    log = iostat.rows[4].figures
    assert (log["write_ops_s"], log["write_bytes_s"]) == (Decimal("1239.04"), 155 << 20)
    assert iostat.rows[2].figures["alloc_bytes"] is None
    assert not re.search("marmot|quist", paste.text)


def test_without_blanks_only_pools_and_what_is_behind_a_caption_have_a_role():
    collapsed = "\n".join(" ".join(line.split()) for line in IOSTAT.splitlines())
    (iostat,) = read(collapsed).readings
    assert [(row.role, row.depth) for row in iostat.rows] == [
        ("pool", None), (None, None), (None, None), (None, None), ("log", None), ("pool", None), (None, None),
    ]  # fmt: skip


def test_each_header_is_a_reading_and_several_pools_are_plain():
    plain = "\n".join(
        line for line in IOSTAT.splitlines() if not line.startswith((" ", "logs")) or "cap" in line
    )
    first, second = read(f"# zpool iostat -y 5 2\n{plain}\n{plain}\n").readings
    assert (first.form, [row.role for row in first.rows]) == ("plain", ["pool", "pool"])
    assert first.command == second.command == "zpool iostat -y 5 2"


@pytest.mark.parametrize(
    ("command", "kept"),
    [
        ("zpool get all marmot", "zpool get all [pool-1]"),
        ("zpool get -p ashift,size marmot", "zpool get -p ashift,size [pool-1]"),
        ("zpool get ashift,quist marmot", "zpool get [pool-1]"),
    ],
)
def test_a_command_is_kept_with_its_properties_and_without_names(command, kept):
    paste = read(f"# {command}\nNAME    PROPERTY  VALUE  SOURCE\nmarmot  ashift    12     local\n")
    assert paste.text.splitlines()[0] == f"$ {kept}"


def test_columns_that_are_cut_off_make_it_incomplete():
    cut = "\n".join(line[:44] for line in IOSTAT.splitlines()[:4])
    (iostat,) = read(cut.replace("bandw", "bandwidth")).readings
    assert (iostat.complete, iostat.rows[0].figures["write_ops_s"]) == (False, 501)


def test_histograms_have_a_bucket_a_row():
    for text, form, bucket in (
        (
            "marmot        total_wait     disk_wait    syncq_wait    asyncq_wait\n"
            "latency      read  write   read  write   read  write   read  write  scrub   trim\n"
            "----------  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----\n"
            "65us            0   1,2K      0      7      0      0      0      0      0      9\n",
            "latency_histogram",
            {"high_ns": 65000, "total_wait_write": Decimal("1228.8"), "disk_wait_write": 7, "trim": 9},
        ),
        (
            "marmot      sync_read    sync_write    async_read    async_write      scrub\n"
            "req_size      ind    agg    ind    agg    ind    agg    ind    agg    ind    agg\n"
            "512             0      0      5      0      0      0      0      0      0      0\n"
            "128K            0      0   2.5M     46      0      0      0      0      0      3\n",
            "size_histogram",
            {"low_bytes": 131072, "sync_write_ind": Decimal("2621440"), "sync_write_agg": 46, "scrub_agg": 3},
        ),
    ):
        (iostat,) = read(text).readings
        assert (iostat.form, iostat.name) == (form, "[pool-1]"), text
        assert bucket.items() <= iostat.buckets[-1].items(), text


def test_properties_are_kept_by_name_and_shape():
    text = (
        "NAME          PROPERTY              VALUE                  SOURCE\n"
        "marmot/db     sync                  always                 local\n"
        "marmot/db     mountpoint            /quist/db              default\n"
        "marmot/db     compressratio         1.21x                  -\n"
        "marmot/db     org.quist:owner       Zoe Quist              inherited from marmot\n"
        "marmot/db     guid                  3495570787300485094    -\n"
        "marmot/db     creation              Tue Nov  2 14:04 2021  -\n"
        "marmot/db     sharenfs              off                    default\n"
        "marmot/db     sharesmb              name=quist             local\n"
        "marmot/db     recordsize            16K                    inherited from marmot\n"
        "marmot        sync                  standard               default\n"
    )
    zvol, pool = read(text).readings
    assert zvol.properties == {"sync": "always", "compressratio": "1.21x", "creation": "Tue Nov  2 14:04 2021",
        "sharenfs": "off", "recordsize": "16K",
    }  # fmt: skip
    assert (zvol.name, pool.name, pool.properties) == ("[pool-1]/[pool-2]", "[pool-1]", {"sync": "standard"})
    assert not re.search("marmot|[Qq]uist|34955", read(text).text)


def test_what_is_no_table_has_a_reason_with_its_line():
    for text, code, line in (
        ("# zpool status tank\ncannot open 'tank': no such pool\n", "tool_error", 2),
        (
            "The ZFS modules are not loaded.\nTry running '/sbin/modprobe zfs' as root to load them.\n",
            "tool_error",
            1,
        ),
        ("no pools available\n", "tool_error", 1),
        ("-bash: zpool: command not found\n", "tool_error", 1),
        (HEAD, "no_result", 1),
    ):
        paste = read(text)
        assert (paste.readings, places(paste)) == (
            (),
            [(code, line)],
        ), text


def test_the_words_of_properties_are_no_identifiers():
    listed = (Path(__file__).parents[3] / "parsers/zpool/properties.txt").read_text()
    assert not re.search(r"\b(?:guid|mountpoint|comment|altroot|origin|sharenfs|keylocation)\b", listed)


@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("nvme-INTEL_SSDPEL1K100GA_[serial-5]", ("nvme", "INTEL SSDPEL1K100GA")),
        ("nvme-INTEL_SSDPED1D280GA_[serial-1]-part1", ("nvme", "INTEL SSDPED1D280GA")),
        ("/dev/disk/by-id/ata-Samsung_SSD_860_PRO_256GB_[serial-2]", ("ata", "Samsung SSD 860 PRO 256GB")),
        ("scsi-SHGST_HUSMH8010BSS204_[serial-1]", ("scsi", "HGST HUSMH8010BSS204")),
        ("scsi-1ATA_INTEL_SSDSC2BA100G3_____[serial-1]-part2", ("ata", "INTEL SSDSC2BA100G3")),
        ("scsi-SATA_ECE-200_[serial-1]", ("ata", "ECE-200")),
        ("scsi-SATA_INTEL_SSDSC2BA10_[serial-1]", None),  # cut
        ("scsi-[wwn-1]", None),
        ("nvme-[wwn-1]-part3", None),
        ("wwn-[wwn-1]", None),
        ("diskid/DISK-[serial-2]p2", None),
        ("nvme0n1", None),
        ("[pool-3]", None),
    ],
)
def test_a_name_by_id_has_the_model(name, model):
    assert model_of(name) == model
