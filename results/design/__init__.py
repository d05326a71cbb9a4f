"""The site's components on one page, for whoever changes them."""
