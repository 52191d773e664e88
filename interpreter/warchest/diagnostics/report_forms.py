"""The forms of reports for other programs."""

FORMS = ("github", "junit", "sarif", "gitlab")
"""Annotations of GitHub, JUnit, SARIF, and the reports of GitLab on code quality."""
