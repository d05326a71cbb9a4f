"""Texts in the tools' layouts, with identifiers put in; figures are made up."""

from dataclasses import replace
from string import Template

from parsers.paste import parse_paste

DISKINFO = Template(
    """/dev/da4
\t512         \t# sectorsize
\t200049647616\t# mediasize in bytes (186G)
\t390721968   \t# mediasize in sectors
\t4096        \t# stripesize
\t0           \t# stripeoffset
\tATA EXAMPLE SATA 200\t# Disk descr.
\t$serial\t# Disk ident.
\tid1,enc@n$enclosure/type@0/slot@3/elmdesc@Slot02\t# Physical path
\tYes         \t# TRIM/UNMAP support
\t0           \t# Rotation rate in RPM
\tNot_Zoned   \t# Zone Mode

Synchronous random writes:
\t 0.5 kbytes:    118.4 usec/IO =      4.1 Mbytes/s
\t   1 kbytes:    120.9 usec/IO =      8.1 Mbytes/s
\t   2 kbytes:    124.5 usec/IO =     15.7 Mbytes/s
\t   4 kbytes:    129.3 usec/IO =     30.2 Mbytes/s
\t   8 kbytes:    141.8 usec/IO =     55.1 Mbytes/s
\t  16 kbytes:    167.2 usec/IO =     93.5 Mbytes/s
\t  32 kbytes:    221.0 usec/IO =    141.4 Mbytes/s
\t  64 kbytes:    329.7 usec/IO =    189.6 Mbytes/s
\t 128 kbytes:    541.1 usec/IO =    231.0 Mbytes/s
\t 256 kbytes:    979.3 usec/IO =    255.3 Mbytes/s
\t 512 kbytes:   1860.6 usec/IO =    268.7 Mbytes/s
\t1024 kbytes:   3610.2 usec/IO =    277.0 Mbytes/s
\t2048 kbytes:   7104.9 usec/IO =    281.5 Mbytes/s
\t4096 kbytes:  14100.3 usec/IO =    283.7 Mbytes/s
\t8192 kbytes:  28080.7 usec/IO =    284.9 Mbytes/s
"""
)
SMARTCTL_ATA = Template(
    """smartctl 7.3 2022-02-28 r5338 [FreeBSD 13.1-RELEASE amd64] (local build)
Copyright (C) 2002-22, Bruce Allen, Christian Franke, www.smartmontools.org

=== START OF INFORMATION SECTION ===
Device Model:     EXAMPLE SATA 200
Serial Number:    $serial
LU WWN Device Id: $naa
Firmware Version: EX01
User Capacity:    200,049,647,616 bytes [200 GB]
Sector Sizes:     512 bytes logical, 4096 bytes physical
Rotation Rate:    Solid State Device
Form Factor:      2.5 inches
ATA Version is:   ATA8-ACS T13/1699-D revision 4
SATA Version is:  SATA 2.6, 6.0 Gb/s (current: 6.0 Gb/s)
SMART support is: Available - device has SMART capability.
SMART support is: Enabled

=== START OF READ SMART DATA SECTION ===
SMART overall-health self-assessment test result: PASSED

ID# ATTRIBUTE_NAME          FLAG     VALUE WORST THRESH TYPE      UPDATED  WHEN_FAILED RAW_VALUE
  5 Reallocated_Sector_Ct   0x0032   100   100   000    Old_age   Always       -       0
  9 Power_On_Hours          0x0032   100   100   000    Old_age   Always       -       20123
 12 Power_Cycle_Count       0x0032   100   100   000    Old_age   Always       -       57
194 Temperature_Celsius     0x0022   100   100   000    Old_age   Always       -       29
"""
)
SMARTCTL_NVME = Template(
    """smartctl 7.3 2022-02-28 r5338 [x86_64-linux-6.1.0] (local build)
Copyright (C) 2002-22, Bruce Allen, Christian Franke, www.smartmontools.org

=== START OF INFORMATION SECTION ===
Model Number:                       EXAMPLE NV400
Serial Number:                      $serial
Firmware Version:                   NX400001
PCI Vendor/Subsystem ID:            0x1234
IEEE OUI Identifier:                0x123456
Total NVM Capacity:                 400,088,457,216 [400 GB]
Namespace 1 Size/Capacity:          400,088,457,216 [400 GB]
Namespace 1 Formatted LBA Size:     512
Namespace 1 IEEE EUI-64:            $eui

=== START OF SMART DATA SECTION ===
SMART overall-health self-assessment test result: PASSED

SMART/Health Information (NVMe Log 0x02)
Critical Warning:                   0x00
Temperature:                        34 Celsius
Available Spare:                    100%
Percentage Used:                    1%
Data Units Written:                 1,234,567 [632 GB]
Power Cycles:                       40
Power On Hours:                     8,000
"""
)
SMARTCTL_SCSI = Template(
    """smartctl 6.6 2017-11-05 r4594 [x86_64-linux-4.15.0] (local build)
Copyright (C) 2002-17, Bruce Allen, Christian Franke, www.smartmontools.org

=== START OF INFORMATION SECTION ===
Vendor:               EXAMPLE
Product:              SAS4KN
Revision:             0001
User Capacity:        4,000,787,030,016 bytes [4.00 TB]
Logical block size:   4096 bytes
Rotation Rate:        7202 rpm
Logical Unit id:      0x$enclosure
Serial number:        $serial
Device type:          disk
Transport protocol:   SAS (SPL-3)
SMART Health Status: OK
Current Drive Temperature:     31 C
Protocol Specific port log page for SAS SSP
    SAS address = 0x$enclosure
    attached SAS address = 0x$enclosure
"""
)
SMARTCTL_JSON = Template(
    """{
  "json_format_version": [1, 0],
  "smartctl": {"version": [7, 3], "platform_info": "FreeBSD 13.1-RELEASE amd64", "exit_status": 0},
  "device": {"name": "/dev/ada3", "type": "sat", "protocol": "ATA"},
  "model_name": "EXAMPLE SATA 200",
  "serial_number": "$serial",
  "wwn": {"naa": 5, "oui": $oui, "id": $number},
  "firmware_version": "EX01",
  "user_capacity": {"blocks": 390721968, "bytes": 200049647616},
  "logical_block_size": 512,
  "rotation_rate": 0,
  "smart_status": {"passed": true},
  "power_on_time": {"hours": 20123}
}
"""
)
FIO_TEXT = Template(
    """$user@$host:~# fio --name=sync4k --filename=/dev/disk/by-id/ata-EXAMPLE_SATA_200_$serial --sync=1 --bs=4k
sync4k: (g=0): rw=write, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, ioengine=psync, iodepth=1
fio-3.33
Starting 1 process

sync4k: (groupid=0, jobs=1): err= 0: pid=4239: Sat Jan  7 12:00:00 2023
  write: IOPS=7716, BW=30.1MiB/s (31.6MB/s)(1808MiB/60001msec); 0 zone resets
    clat (usec): min=98, max=1520, avg=128.30, stdev=12.20
     lat (usec): min=98, max=1520, avg=128.60, stdev=12.21
"""
)
ALL = {
    "diskinfo": DISKINFO,
    "ata": SMARTCTL_ATA,
    "nvme": SMARTCTL_NVME,
    "scsi": SMARTCTL_SCSI,
    "json": SMARTCTL_JSON,
    "fio": FIO_TEXT,
}


def identified(template, serial="EXS2006600AB77", wwn="5001438aabbccdd0", **names):
    """The text with these identifiers; `wwn` is 16 hexadecimal digits."""
    return template.substitute(
        {
            "serial": serial,
            "enclosure": wwn,
            "naa": f"{wwn[0]} {wwn[1:7]} {wwn[7:]}",
            "eui": f"{wwn[:6]} {wwn[6:]}",
            "oui": int(wwn[1:7], 16),
            "number": int(wwn[7:], 16),
            "user": "root",
            "host": "filer",
            **names,
        }
    )


def stored(paste):
    """The paste without what relates it to the text that was sent: the same for a stored text that is read again."""
    return replace(paste, source_lines=(), left_out_lines=())


def read(text):
    """The paste of a text, whose stored text states the same when it is read again."""
    paste = parse_paste(text, unit_key=b"key")
    again = parse_paste(paste.text, unit_key=b"another", unit_digests=paste.unit_digests)
    assert not paste.text or stored(again) == stored(paste), text
    return paste
