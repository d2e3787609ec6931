"""Writes the results of Jinja2 for the templates in `rows.json` into `results.json`, beside this file.

Run it with the newest Jinja2 after a change to the rows: `pip install jinja2==3.1.6`, `python3 results.py`.
Addresses in memory are written as `0x…`.
"""

import json
import platform
import re
from pathlib import Path

import jinja2

folder = Path(__file__).parent
data = json.loads((folder / "rows.json").read_text(encoding="utf-8"))


def result(template):
    values = json.loads(json.dumps(data["values"]))
    try:
        text = jinja2.Environment().from_string(template).render(values)
        return re.sub(r"0x[0-9a-f]{6,}", "0x…", text)
    except Exception as error:
        return f"! {type(error).__name__}: {error}"


rows = [row for group in data["groups"] for row in group["rows"]]
templates = sorted({row.get("jinja", row["template"]) for row in rows})
results = {
    "version": jinja2.__version__,
    "python": platform.python_version(),
    "results": {template: result(template) for template in templates},
}
text = json.dumps(results, indent=2, ensure_ascii=False)
(folder / "results.json").write_text(f"{text}\n", encoding="utf-8")
