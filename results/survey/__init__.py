"""The survey of device classes."""
