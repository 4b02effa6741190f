"""One check, from what the user asked for to the report."""

from compilelint.check.asked import CheckError, CheckOptions
from compilelint.check.baseline import update
from compilelint.check.result import CheckResult
from compilelint.check.run import run_check

__all__ = ["CheckError", "CheckOptions", "CheckResult", "run_check", "update"]
