"""Up to six products side by side, by what matters of a log device besides its speed."""
