"""Wiring: settings, URLs, the web server's and the queue's entry points. No rule of the field lives here."""
