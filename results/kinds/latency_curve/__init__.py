"""diskinfo -wS, slogprobe and the fio ladder: latency of sync writes over block size."""
