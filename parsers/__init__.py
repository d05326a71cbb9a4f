"""Read pasted output of `diskinfo -wS`, `smartctl` and `fio` into typed values.

Pure Python, standard library only: this package is independent of the site.
"""
