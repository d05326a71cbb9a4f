"""What other sites show of this one: images, oEmbed, feeds, sitemap."""
