"""From a text to stored, judged results."""
