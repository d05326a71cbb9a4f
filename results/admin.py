"""Registers the features' admin pages: Django looks for a module of this name."""

from importlib import import_module

for _feature in ("accounts", "catalogue", "submissions"):
    import_module(f"results.{_feature}.admin")
