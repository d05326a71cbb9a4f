"""What a log device is asked to do: sizes, order and rate of writes, and how long they take."""
