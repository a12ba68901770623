"""How options are spelled: one reader per style that is not the usual one."""
