"""The pages: a page family a file, each a form and a view and nothing else."""
