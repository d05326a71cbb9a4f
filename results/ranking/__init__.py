"""Results become places, whatever the kind."""
