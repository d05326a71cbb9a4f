"""How bin/serve runs the site: the programs, their supervisor, and their folders."""
