"""Help me choose: a shortlist of products that says why."""
