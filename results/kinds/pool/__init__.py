"""What kinds of results about pools share: how a text describes a pool, and what its sender is asked."""
