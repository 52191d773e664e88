"""The libraries that estimates and reports need, which not all have installed."""

from __future__ import annotations

from importlib.util import find_spec

LIBRARIES = {
    "altair": "altair",
    "numpy": "numpy",
    "optuna": "optuna",
    "scipy": "scipy",
    "sklearn": "scikit-learn",
    "vl_convert": "vl-convert-python",
}
"""The names of the packages, by those of their modules."""


def missing() -> str:
    """Return a line that names the missing libraries; empty if none is missing."""
    lacking = [package for module, package in LIBRARIES.items() if find_spec(module) is None]
    return f"this needs {', '.join(lacking)}: pip install 'warchest[balance]'" if lacking else ""
