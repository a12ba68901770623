"""Developer tools that are no part of the product."""
