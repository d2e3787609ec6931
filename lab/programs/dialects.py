"""Reads texts with PyYAML. Input and output are those of `dialects.mjs`.

`pyyaml` is `yaml.safe_load`; `libyaml` is the parser in C below it, which serde_yaml and yaml.v3 were translated from,
with every scalar as text.
"""

import datetime
import json
import math
import sys

import yaml


def plain(value):
    if isinstance(value, (datetime.date, datetime.datetime)):
        return {"date": value.isoformat()}
    if isinstance(value, bytes):
        return {"bytes": list(value)}
    if isinstance(value, dict):
        return {"map": [[key_text(key), plain(one)] for key, one in value.items()]}
    if isinstance(value, set):
        return {"map": sorted([key_text(key), None] for key in value)}
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        return {"number": "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"}
    return value


def key_text(key):
    if key is None:
        return "null"
    if isinstance(key, bool):
        return str(key).lower()
    return str(key)


LOADERS = {"pyyaml": yaml.SafeLoader, "libyaml": getattr(yaml, "CBaseLoader", None)}

request = json.load(sys.stdin)
loader = LOADERS[request["library"]]
readings = []
for text in request["texts"]:
    try:
        readings.append({"value": plain(yaml.load(text, Loader=loader))})
    except Exception as error:  # noqa: BLE001
        readings.append({"error": " ".join(str(error).split())[:200]})
json.dump({"version": yaml.__version__, "readings": readings}, sys.stdout)
