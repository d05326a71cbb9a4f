"""Workloads on a pool: dd, fio on a file or zvol, timings taken by hand."""
