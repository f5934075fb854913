"""What the values of a sitemap mean: URLs, dates, codes, hosts."""
