"""Dynamo as the judge of rule pages: what it does with each example, and where the marks are wrong.

This is the only room that imports torch, and it runs in a process of its own (`python -m compilelint.judging`).
"""
