"""Our expression compiler against an independent one."""
