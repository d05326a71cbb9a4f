"""The check of a used drive from a seller's smartctl output."""
