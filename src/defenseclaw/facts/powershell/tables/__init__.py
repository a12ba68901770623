"""Names that PowerShell and .NET give."""
