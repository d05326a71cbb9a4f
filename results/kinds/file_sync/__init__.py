"""Sync writes through a file system, or to a volume built on devices: pg_test_fsync, pveperf, fio and diskinfo."""
