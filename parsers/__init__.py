"""Read what people paste: `diskinfo -wS`, `smartctl` and `fio` output as text, masked and typed.

Pure Python, standard library only: this package knows nothing of the site around it.
"""
