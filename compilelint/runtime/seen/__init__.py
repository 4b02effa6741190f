"""From sessions to what happened: one observation per cause, what a run was, what it cost."""
