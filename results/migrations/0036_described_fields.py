from django.db import migrations, models


class Migration(migrations.Migration):
    """Labels, meanings and choices of conditions and payloads; nothing changes in the database."""

    dependencies = [
        ("results", "0035_device_page"),
    ]

    operations = [
        migrations.AlterField(
            model_name="accesspattern",
            name="file_systems",
            field=models.PositiveIntegerField(
                help_text="How many file systems were written to at the same time.", null=True
            ),
        ),
        migrations.AlterField(
            model_name="accesspattern",
            name="is_since_boot",
            field=models.BooleanField(
                help_text="Whether a histogram is the total since boot, not an observation.", null=True
            ),
        ),
        migrations.AlterField(
            model_name="accesspattern",
            name="latencies",
            field=models.JSONField(default=list, help_text="Histograms of biolatency or zpool iostat -w."),
        ),
        migrations.AlterField(
            model_name="accesspattern",
            name="log_device",
            field=models.CharField(
                blank=True, help_text="Slug of the log device that the sender names.", max_length=140
            ),
        ),
        migrations.AlterField(
            model_name="accesspattern",
            name="log_name",
            field=models.CharField(blank=True, help_text="Models of the log devices.", max_length=200),
        ),
        migrations.AlterField(
            model_name="accesspattern",
            name="observed",
            field=models.CharField(
                blank=True,
                choices=[
                    ("log", "the log device"),
                    ("pool", "all disks of the pool"),
                    ("disk", "one disk of the pool"),
                ],
                help_text="What was written to.",
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="accesspattern",
            name="row_group",
            field=models.PositiveIntegerField(
                help_text="How many rows of the text each of `rows` combines, if more than one.", null=True
            ),
        ),
        migrations.AlterField(
            model_name="accesspattern",
            name="rows",
            field=models.JSONField(
                default=list,
                help_text="Rows of iopattern or zilstat, by the names of their columns: `percent_random`, `count`, `min_bytes`, `max_bytes`, `mean_bytes`, `read_kb`, `write_kb`; `bytes`, `buffer_bytes`, `ops` …",
            ),
        ),
        migrations.AlterField(
            model_name="accesspattern",
            name="seconds_a_row",
            field=models.FloatField(help_text="Time that each of `rows` covers, in s.", null=True),
        ),
        migrations.AlterField(
            model_name="accesspattern",
            name="seeks",
            field=models.JSONField(default=list, help_text="Histogram of seeksize."),
        ),
        migrations.AlterField(
            model_name="accesspattern",
            name="sizes",
            field=models.JSONField(
                default=list, help_text="Histogram of bitesize or zpool iostat -r (sync writes)."
            ),
        ),
        migrations.AlterField(
            model_name="accesspattern",
            name="sync_percent",
            field=models.FloatField(
                help_text="Share of sync writes among all writes, in %, by zpool iostat -r.", null=True
            ),
        ),
        migrations.AlterField(
            model_name="filegrid",
            name="access",
            field=models.CharField(
                blank=True,
                choices=[("local", "local"), ("nfs", "NFS"), ("smb", "SMB"), ("iscsi", "iSCSI")],
                help_text="How the pool was accessed.",
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="filegrid",
            name="arc_bytes",
            field=models.PositiveBigIntegerField(
                help_text="Limit of the ARC in bytes, if it has one.", null=True
            ),
        ),
        migrations.AlterField(
            model_name="filegrid",
            name="compression",
            field=models.CharField(
                blank=True, help_text="The dataset’s compression property.", max_length=20
            ),
        ),
        migrations.AlterField(
            model_name="filegrid",
            name="doubted",
            field=models.JSONField(default=list, help_text="What the sender says needs a retest."),
        ),
        migrations.AlterField(
            model_name="filegrid",
            name="drives",
            field=models.CharField(blank=True, help_text="Models of the data drives.", max_length=200),
        ),
        migrations.AlterField(
            model_name="filegrid",
            name="each_synced",
            field=models.BooleanField(help_text="iozone -o: each write is synchronous.", null=True),
        ),
        migrations.AlterField(
            model_name="filegrid",
            name="flush_timed",
            field=models.BooleanField(
                help_text="iozone -e: the time includes the flush at the end.", null=True
            ),
        ),
        migrations.AlterField(
            model_name="filegrid",
            name="log",
            field=models.CharField(
                blank=True,
                choices=[("none", "none"), ("device", "a log device")],
                help_text="Whether the pool had a log device.",
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="filegrid",
            name="log_device",
            field=models.CharField(
                blank=True, help_text="Slug of the log device that the sender names.", max_length=140
            ),
        ),
        migrations.AlterField(
            model_name="filegrid",
            name="log_name",
            field=models.CharField(blank=True, help_text="Models of the log devices.", max_length=200),
        ),
        migrations.AlterField(
            model_name="filegrid",
            name="memory_bytes",
            field=models.PositiveBigIntegerField(help_text="Memory of the machine, in bytes.", null=True),
        ),
        migrations.AlterField(
            model_name="filegrid",
            name="record_size",
            field=models.PositiveIntegerField(
                help_text="recordsize of the dataset, or volblocksize of a zvol, in bytes.", null=True
            ),
        ),
        migrations.AlterField(
            model_name="filegrid",
            name="rows",
            field=models.JSONField(
                default=list, help_text="Rates by file size and record size, in the order of the text."
            ),
        ),
        migrations.AlterField(
            model_name="filegrid",
            name="runs",
            field=models.PositiveSmallIntegerField(
                default=1, help_text="How many runs the rates are the median of."
            ),
        ),
        migrations.AlterField(
            model_name="filegrid",
            name="sync_mode",
            field=models.CharField(
                blank=True,
                choices=[("standard", "standard"), ("always", "always"), ("disabled", "disabled")],
                help_text="The dataset’s sync property.",
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="filegrid",
            name="unit",
            field=models.CharField(
                blank=True,
                choices=[("kB/s", "KiB per second"), ("ops/s", "records per second")],
                help_text="What iozone printed.",
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="filesync",
            name="layer",
            field=models.CharField(
                blank=True,
                help_text="What was written through: ext4, xfs, btrfs, ufs, zfs, zvol, lvm, md, apfs, ntfs, guest, device, or another.",
                max_length=20,
            ),
        ),
        migrations.AlterField(
            model_name="filesync",
            name="rows",
            field=models.JSONField(help_text="The figures of each way of syncing, in the order of the text."),
        ),
        migrations.AlterField(
            model_name="poolio",
            name="access",
            field=models.CharField(
                blank=True,
                choices=[("local", "local"), ("nfs", "NFS"), ("smb", "SMB"), ("iscsi", "iSCSI")],
                help_text="How the pool was accessed.",
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="poolio",
            name="arc_bytes",
            field=models.PositiveBigIntegerField(
                help_text="Memory that can hold the data, in bytes.", null=True
            ),
        ),
        migrations.AlterField(
            model_name="poolio",
            name="block_size",
            field=models.PositiveIntegerField(help_text="Bytes of one operation.", null=True),
        ),
        migrations.AlterField(
            model_name="poolio",
            name="compression",
            field=models.CharField(
                blank=True, help_text="The dataset’s compression property.", max_length=20
            ),
        ),
        migrations.AlterField(
            model_name="poolio",
            name="data_bytes",
            field=models.PositiveBigIntegerField(help_text="Bytes that were written or read.", null=True),
        ),
        migrations.AlterField(
            model_name="poolio",
            name="direction",
            field=models.CharField(
                blank=True,
                choices=[("write", "write"), ("read", "read")],
                help_text="Write or read; timings have none.",
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="poolio",
            name="each_synced",
            field=models.BooleanField(help_text="Whether each write was synced.", null=True),
        ),
        migrations.AlterField(
            model_name="poolio",
            name="iops",
            field=models.FloatField(help_text="Operations per second, of all writers together.", null=True),
        ),
        migrations.AlterField(
            model_name="poolio",
            name="is_synced",
            field=models.BooleanField(
                help_text="Whether the writes were synced at least once, at the end.", null=True
            ),
        ),
        migrations.AlterField(
            model_name="poolio",
            name="log",
            field=models.CharField(
                blank=True,
                choices=[("none", "none"), ("device", "a log device")],
                help_text="Whether the pool had a log device.",
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="poolio",
            name="log_activity",
            field=models.JSONField(
                help_text="What zpool iostat showed for the log devices during the run.", null=True
            ),
        ),
        migrations.AlterField(
            model_name="poolio",
            name="log_device",
            field=models.CharField(
                blank=True, help_text="Slug of the log device that the sender names.", max_length=140
            ),
        ),
        migrations.AlterField(
            model_name="poolio",
            name="log_name",
            field=models.CharField(blank=True, help_text="Models of the log devices.", max_length=200),
        ),
        migrations.AlterField(
            model_name="poolio",
            name="p99_us",
            field=models.FloatField(help_text="99 of 100 writes take no longer, in µs, by fio.", null=True),
        ),
        migrations.AlterField(
            model_name="poolio",
            name="record_size",
            field=models.PositiveIntegerField(
                help_text="recordsize of the dataset, or volblocksize of a zvol, in bytes.", null=True
            ),
        ),
        migrations.AlterField(
            model_name="poolio",
            name="seconds",
            field=models.FloatField(help_text="How long it took, in s.", null=True),
        ),
        migrations.AlterField(
            model_name="poolio",
            name="sync_mode",
            field=models.CharField(
                blank=True,
                choices=[("standard", "standard"), ("always", "always"), ("disabled", "disabled")],
                help_text="The dataset’s sync property.",
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="poolio",
            name="throughput_bytes_s",
            field=models.FloatField(help_text="Bytes per second, of all writers together.", null=True),
        ),
        migrations.AlterField(
            model_name="poolio",
            name="work",
            field=models.CharField(blank=True, help_text="What was timed by hand.", max_length=100),
        ),
        migrations.AlterField(
            model_name="result",
            name="attachment",
            field=models.CharField(
                blank=True, help_text="HBA, driver or interface.", max_length=100, verbose_name="Attached to"
            ),
        ),
        migrations.AlterField(
            model_name="result",
            name="block_align",
            field=models.PositiveIntegerField(
                help_text="Alignment of the offsets of fio’s writes, in bytes.",
                null=True,
                verbose_name="Aligned to",
            ),
        ),
        migrations.AlterField(
            model_name="result",
            name="data_content",
            field=models.CharField(
                choices=[
                    ("random", "random data"),
                    ("refilled", "random data, new for each write"),
                    ("compressible", "compressible data"),
                    ("zeros", "zeros"),
                ],
                help_text="What fio wrote.",
                max_length=20,
                null=True,
                verbose_name="Data written",
            ),
        ),
        migrations.AlterField(
            model_name="result",
            name="has_fua",
            field=models.BooleanField(
                choices=[(True, "used"), (False, "not used")],
                help_text="Whether the kernel uses FUA.",
                null=True,
                verbose_name="FUA",
            ),
        ),
        migrations.AlterField(
            model_name="result",
            name="has_volatile_cache",
            field=models.BooleanField(
                choices=[(True, "yes"), (False, "none")],
                help_text="Whether the device has a volatile write cache (NVMe’s VWC).",
                null=True,
                verbose_name="Volatile cache",
            ),
        ),
        migrations.AlterField(
            model_name="result",
            name="host_bytes_written",
            field=models.DecimalField(
                decimal_places=0,
                help_text="Bytes that hosts wrote over the unit’s lifetime.",
                max_digits=24,
                null=True,
                verbose_name="Written by hosts",
            ),
        ),
        migrations.AlterField(
            model_name="result",
            name="is_direct",
            field=models.BooleanField(
                choices=[(True, "bypassed (direct=1)"), (False, "used (direct=0)")],
                help_text="Whether fio bypassed the page cache.",
                null=True,
                verbose_name="Page cache",
            ),
        ),
        migrations.AlterField(
            model_name="result",
            name="kernel_write_cache",
            field=models.CharField(
                choices=[
                    ("write back", "write back (flushes are sent)"),
                    ("write through", "write through (no flush is sent)"),
                ],
                help_text="What the kernel believes about the cache: it sends no flush to one that writes through.",
                max_length=20,
                null=True,
                verbose_name="Kernel’s view of it",
            ),
        ),
        migrations.AlterField(
            model_name="result",
            name="path",
            field=models.CharField(
                blank=True, help_text="Path of the disk in the system.", max_length=100, verbose_name="Path"
            ),
        ),
        migrations.AlterField(
            model_name="result",
            name="pattern",
            field=models.CharField(
                choices=[("random", "random"), ("sequential", "sequential"), ("mixed", "partly random")],
                help_text="The order of fio’s writes.",
                max_length=20,
                null=True,
                verbose_name="Order of writes",
            ),
        ),
        migrations.AlterField(
            model_name="result",
            name="platform",
            field=models.CharField(
                blank=True,
                help_text="Operating system, if the text states it.",
                max_length=100,
                verbose_name="Platform",
            ),
        ),
        migrations.AlterField(
            model_name="result",
            name="power_on_hours",
            field=models.PositiveIntegerField(
                help_text="Hours that the unit had been powered on.", null=True, verbose_name="Power-on time"
            ),
        ),
        migrations.AlterField(
            model_name="result",
            name="protection_fault",
            field=models.CharField(
                help_text="A power-loss protection fault that the device reports, as printed.",
                max_length=100,
                null=True,
                verbose_name="Protection fault",
            ),
        ),
        migrations.AlterField(
            model_name="result",
            name="raw_wear",
            field=models.CharField(
                help_text="SMART attributes of wear that couldn’t be interpreted, as printed.",
                max_length=100,
                null=True,
                verbose_name="Raw SMART values",
            ),
        ),
        migrations.AlterField(
            model_name="result",
            name="sector_size",
            field=models.PositiveIntegerField(
                help_text="Bytes of a sector.", null=True, verbose_name="Sector size"
            ),
        ),
        migrations.AlterField(
            model_name="result",
            name="sync_method",
            field=models.CharField(
                choices=[
                    ("sync", "O_SYNC"),
                    ("dsync", "O_DSYNC"),
                    ("fsync", "fsync"),
                    ("fdatasync", "fdatasync"),
                    ("none", "nothing (flush off)"),
                ],
                help_text="How fio synced each write; “none” if it flushed nothing.",
                max_length=20,
                null=True,
                verbose_name="Synced with",
            ),
        ),
        migrations.AlterField(
            model_name="result",
            name="wear_percent",
            field=models.PositiveSmallIntegerField(
                help_text="Used endurance in %, as a tool states it or from a SMART attribute.",
                null=True,
                verbose_name="Wear",
            ),
        ),
        migrations.AlterField(
            model_name="result",
            name="wear_source",
            field=models.CharField(
                help_text="The SMART attribute that wear_percent is derived from.",
                max_length=100,
                null=True,
                verbose_name="Wear derived from",
            ),
        ),
        migrations.AlterField(
            model_name="result",
            name="write_cache_enabled",
            field=models.BooleanField(
                choices=[(True, "enabled"), (False, "disabled")],
                help_text="Whether the device’s write cache was enabled.",
                null=True,
                verbose_name="Write cache",
            ),
        ),
        migrations.AlterField(
            model_name="sustained",
            name="at_minute",
            field=models.PositiveSmallIntegerField(help_text="Minute of a published figure.", null=True),
        ),
        migrations.AlterField(
            model_name="sustained",
            name="content",
            field=models.CharField(
                blank=True,
                help_text="What was written: random, repeating, zeros, or compressible with its share in %.",
                max_length=20,
            ),
        ),
        migrations.AlterField(
            model_name="sustained",
            name="max_us",
            field=models.FloatField(help_text="The highest latency, in µs.", null=True),
        ),
        migrations.AlterField(
            model_name="sustained",
            name="phases",
            field=models.JSONField(default=list, help_text="Write phases; between them the device was idle."),
        ),
        migrations.AlterField(
            model_name="sustained",
            name="procedure",
            field=models.CharField(
                blank=True, help_text="How a published figure was measured.", max_length=200
            ),
        ),
        migrations.AlterField(
            model_name="sustained",
            name="queue_depth",
            field=models.PositiveSmallIntegerField(help_text="Writes in flight, of each worker.", null=True),
        ),
        migrations.AlterField(
            model_name="sustained",
            name="random_percent",
            field=models.PositiveSmallIntegerField(
                help_text="Share of random writes, in %: 0 is sequential, 100 random.", null=True
            ),
        ),
        migrations.AlterField(
            model_name="sustained",
            name="range_percent",
            field=models.FloatField(
                help_text="Highest minus lowest of the last five minutes, in % of their mean.", null=True
            ),
        ),
        migrations.AlterField(
            model_name="sustained",
            name="rise_percent",
            field=models.FloatField(
                help_text="Rise of a line fitted to the last five minutes, in % of their mean.", null=True
            ),
        ),
        migrations.AlterField(
            model_name="sustained",
            name="state_before",
            field=models.CharField(
                blank=True,
                choices=[
                    ("erased", "secure-erased"),
                    ("preconditioned", "preconditioned"),
                    ("used", "as used"),
                ],
                help_text="State of the device before the test.",
                max_length=20,
            ),
        ),
        migrations.AlterField(
            model_name="sustained",
            name="transfer_size",
            field=models.PositiveIntegerField(help_text="Bytes of one write.", null=True),
        ),
        migrations.AlterField(
            model_name="sustained",
            name="verdict",
            field=models.CharField(
                blank=True,
                choices=[
                    ("steady", "steady state"),
                    ("plateau", "plateau"),
                    ("not_steady", "not steady"),
                    ("short", "too short"),
                ],
                help_text="Verdict on the last five minutes by SNIA’s PTS; only IOPS series have one.",
                max_length=12,
            ),
        ),
        migrations.AlterField(
            model_name="sustained",
            name="window_start_s",
            field=models.FloatField(help_text="Where the last five minutes begin, in s.", null=True),
        ),
        migrations.AlterField(
            model_name="sustained",
            name="workers",
            field=models.PositiveSmallIntegerField(help_text="How many wrote at the same time.", null=True),
        ),
        migrations.AlterField(
            model_name="sustained",
            name="written_before",
            field=models.FloatField(
                help_text="What the series wrote before its last five minutes, in bytes.", null=True
            ),
        ),
    ]
