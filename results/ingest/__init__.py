"""From a paste to stored results: receive, read, match, judge."""
