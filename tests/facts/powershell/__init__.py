"""The PowerShell front end and the tables behind it."""
