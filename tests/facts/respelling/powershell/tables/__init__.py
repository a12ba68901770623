"""What the vendor's pages say about cmdlets."""
