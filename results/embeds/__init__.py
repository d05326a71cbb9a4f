"""Content for other sites: images, oEmbed, feeds, sitemap."""
