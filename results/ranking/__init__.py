"""The ranking: results of any kind become places."""
