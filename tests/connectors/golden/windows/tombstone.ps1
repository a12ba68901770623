# defenseclaw-managed-hook v0
# DefenseClaw was removed here; running agents may still name this file.
exit 0
