"""What the hook client needs to know of each event. Generated from `connectors`."""
# ruff: noqa: E501
# fmt: off

# event: (seconds for everything, may block, exit of a closed answer, standard output before and
# after the reason, standard output that lets the event go). The empty name is an event that no
# table has: it could be a gate.
ANSWERS = {
    'codex': {
        '': (9.0, True, 2, '', '', ''),
        'SessionStart': (10.0, False, 0, '', '', ''),
        'UserPromptSubmit': (10.0, True, 2, '', '', ''),
        'PreToolUse': (10.0, True, 2, '', '', ''),
        'PermissionRequest': (10.0, True, 2, '', '', ''),
        'PostToolUse': (10.0, True, 2, '', '', ''),
        'SubagentStart': (10.0, False, 0, '', '', ''),
        'SubagentStop': (10.0, False, 0, '', '', ''),
        'PreCompact': (10.0, False, 0, '', '', ''),
        'PostCompact': (10.0, False, 0, '', '', ''),
        'Stop': (10.0, True, 2, '', '', ''),
        'SessionEnd': (2.0, False, 0, '', '', ''),
    },
    'claudecode': {
        '': (9.0, True, 2, '', '', ''),
        'SessionStart': (29.0, False, 0, '', '', ''),
        'SessionEnd': (59.0, False, 0, '', '', ''),
        'InstructionsLoaded': (29.0, False, 0, '', '', ''),
        'UserPromptSubmit': (29.0, True, 2, '', '', ''),
        'UserPromptExpansion': (29.0, True, 2, '', '', ''),
        'MessageDisplay': (9.0, False, 0, '', '', ''),
        'PreToolUse': (29.0, True, 2, '', '', ''),
        'PermissionRequest': (29.0, True, 0, '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":', '}}}\n', ''),
        'PermissionDenied': (29.0, False, 0, '', '', ''),
        'PostToolUse': (29.0, False, 0, '', '', ''),
        'PostToolUseFailure': (29.0, False, 0, '', '', ''),
        'PostToolBatch': (89.0, True, 2, '', '', ''),
        'SubagentStart': (29.0, False, 0, '', '', ''),
        'SubagentStop': (89.0, True, 2, '', '', ''),
        'TaskCreated': (29.0, True, 2, '', '', ''),
        'TaskCompleted': (29.0, True, 2, '', '', ''),
        'TeammateIdle': (29.0, True, 2, '', '', ''),
        'Stop': (89.0, True, 2, '', '', ''),
        'StopFailure': (29.0, False, 0, '', '', ''),
        'ConfigChange': (29.0, True, 2, '', '', ''),
        'CwdChanged': (29.0, False, 0, '', '', ''),
        'FileChanged': (29.0, False, 0, '', '', ''),
        'WorktreeRemove': (29.0, False, 0, '', '', ''),
        'PreCompact': (29.0, True, 2, '', '', ''),
        'PostCompact': (29.0, False, 0, '', '', ''),
        'Notification': (29.0, False, 0, '', '', ''),
        'Elicitation': (29.0, True, 2, '', '', ''),
        'ElicitationResult': (29.0, True, 2, '', '', ''),
    },
}

# Events that an agent repeats for as long as they are blocked.
STOPS = {
    'codex': ('Stop',),
    'claudecode': ('SubagentStop', 'Stop'),
}

# Where a payload may name its event.
FIELDS = {
    'codex': ('hook_event_name',),
    'claudecode': ('hook_event_name',),
}

# Names that people use for a connector, without case, hyphens, underscores and blanks.
NAMES = {
    'codex': 'codex',
    'codexcli': 'codex',
    'openaicodex': 'codex',
    'claudecode': 'claudecode',
    'claude': 'claudecode',
}
