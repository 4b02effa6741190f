"""The report as one page for a browser: what it shows is worked out here, and laid out by the templates beside it."""
