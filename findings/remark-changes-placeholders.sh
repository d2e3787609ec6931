#!/usr/bin/env bash
# Finding: a SKILL.md that remark reads and writes without any change calls for other arguments. The backslash of `\$1`, which keeps
# clients from replacing it, is gone, `$ARGUMENTS[0]` gets a backslash, and a template's `{% endfor %}` after a list becomes a part of its
# last item.
# Guess before running: text without Markdown marks is written as it was, as remark keeps the meaning of a document.
# Exits 0 if the behaviour is as described, 1 if it has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true, "type": "module"}' > package.json
npm install --silent --no-audit --no-fund remark@15.0.1 remark-frontmatter@5.0.0 remark-stringify@11.0.0
for name in remark remark-frontmatter remark-stringify; do
  echo "$name $(node -p "JSON.parse(fs.readFileSync('node_modules/$name/package.json')).version")"
done
cat > SKILL.md <<'SKILL'
---
name: sorter
description: Sorts stamps.
---

Sort $ARGUMENTS[0]. A stamp costs \$1.

{% for stamp in stamps %}
- {{ stamp.name }}
{% endfor %}
SKILL
cat > run.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { remark } from 'remark';
import remarkFrontmatter from 'remark-frontmatter';
console.log(String(await remark().use(remarkFrontmatter).process(readFileSync('SKILL.md', 'utf8'))).trim());
JS
node run.mjs | tee seen
diff - seen <<'SEEN' || { echo 'The behaviour has changed.'; exit 1; }
---
name: sorter
description: Sorts stamps.
---

Sort $ARGUMENTS\[0]. A stamp costs $1.

{% for stamp in stamps %}

* {{ stamp.name }}
  {% endfor %}
SEEN
