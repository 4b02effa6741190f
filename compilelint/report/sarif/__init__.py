"""SARIF 2.1.0, within the limits of GitHub's code scanning."""
