"""What follows from figures: arithmetic and words, without a query."""
