"""Read pasted output of `diskinfo -wS`, `smartctl` and `fio` into typed values.

Pure Python, standard library only: this package knows nothing of the site around it.
"""
