"""diskinfo -wS and the fio ladder: latency of sync writes over block size."""
