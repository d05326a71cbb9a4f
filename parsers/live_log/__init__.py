"""What the commands of the page "Check my SLOG" print about a log device in use."""
