"""The ledger and the scripts that calls run, beside the verdict of the rules."""
