"""The text of a submission: its lines as numbered blocks, the lines of what was sent, and what was left out."""
