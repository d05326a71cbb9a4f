"""Check my SLOG: a live log, judged by its counters and by what is known of its drives."""
