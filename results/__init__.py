"""Devices, submissions and results: records, ingest, ranking, pages and API."""
