"""Help me choose: a shortlist of products with reasons."""
