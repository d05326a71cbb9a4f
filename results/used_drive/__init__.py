"""The check of a used drive: what a seller's smartctl output says about buying it. Nothing is stored."""
