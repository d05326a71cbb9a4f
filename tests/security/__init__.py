"""What an attacker tries: every address, every form, every sink."""
