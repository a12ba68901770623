"""One module per kind of reference page: read the product's own tables, render Markdown."""
