"""What zpool, zfs and the shell say instead of a table, and advice on it."""

from parsers.text.messages import read_messages

MESSAGES = read_messages(__file__, "zpool")
