"""What people ask before they buy or measure: arithmetic and commands, without a table or a request. Pure."""
