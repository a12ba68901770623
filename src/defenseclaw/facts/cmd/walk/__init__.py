"""Walking the tree of a cmd text: values, control flow, and the commands that run."""
