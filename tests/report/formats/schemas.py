"""The schemas of the formats' owners, which are stored in tests/data."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import xmlschema

_DATA = Path(__file__).parents[2] / "data"

GITLAB: dict[str, Any] = json.loads((_DATA / "gitlab-codeclimate.json").read_text(encoding="utf-8"))


@cache
def junit_schema() -> xmlschema.XMLSchema:
    return xmlschema.XMLSchema(_DATA / "junit-10.xsd")


@cache
def sarif_schema() -> jsonschema.Draft202012Validator:
    schema = json.loads((_DATA / "sarif-schema-2.1.0.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema, format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER)
