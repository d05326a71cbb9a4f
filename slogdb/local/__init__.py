"""How bin/serve runs the site: the programs, their supervisor, and the folders that they keep things in."""
