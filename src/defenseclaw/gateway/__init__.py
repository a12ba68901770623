"""The gateway: one process for one user, listening on loopback only."""
