"""The REST API: a resource a file; lists come as plain rows."""
