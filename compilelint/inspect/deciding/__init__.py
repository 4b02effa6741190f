"""Conditions: what decides them, what holds under them, how likely that is."""
