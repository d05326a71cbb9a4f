"""Read pasted output of benchmarks and of tools that describe disks and pools into typed values.

Pure Python, standard library only: this package is independent of the site.
"""
