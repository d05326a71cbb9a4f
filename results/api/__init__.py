"""The API's conventions, built once."""
