"""An analysis of many files: what is known from an earlier run is taken from there, the rest is walked in processes."""
