#!/usr/bin/env bash
# Finding: if the description of a SKILL.md has an unquoted colon, Strands repairs it by putting quotes around every value with a colon,
# also in other keys: a list of tools becomes one text, a map a text, a comment a part of its value, and a line of a block value gets
# quotes.
# Guess before running: the repair changes only the value that is not valid YAML, and all other keys are read as without the colon.
# Exits 0 if the behaviour is as described, 1 if it has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true, "type": "module"}' > package.json
npm install --silent --no-audit --no-fund @strands-agents/sdk@1.19.0
echo "node $(node --version), @strands-agents/sdk $(node -p "JSON.parse(fs.readFileSync('node_modules/@strands-agents/sdk/package.json')).version")"
cat > run.mjs <<'JS'
import { Skill } from '@strands-agents/sdk/vended-plugins/skills';
const text = (description) => `---
name: sorter
description: ${description}
license: MIT # see: LICENSE
compatibility: |
  Needs: a lamp: bright
allowed-tools: [Bash(git:*), Read]
metadata:
  hours: { open: early }
---

Sort.
`;
for (const description of ['Sorts stamps by size.', 'Sorts stamps: by size.']) {
  const skill = Skill.fromContent(text(description));
  for (const key of ['description', 'license', 'compatibility', 'allowedTools', 'metadata']) console.log(`${key}: ${JSON.stringify(skill[key])}`);
}
JS
node run.mjs 2>/dev/null | tee seen
diff - seen <<'SEEN' || { echo 'The behaviour has changed.'; exit 1; }
description: "Sorts stamps by size."
license: "MIT"
compatibility: "Needs: a lamp: bright\n"
allowedTools: ["Bash(git:*)","Read"]
metadata: {"hours":{"open":"early"}}
description: "Sorts stamps: by size."
license: "MIT # see: LICENSE"
compatibility: "Needs: \"a lamp: bright\"\n"
allowedTools: ["[Bash(git:*),","Read]"]
metadata: {"hours":"{ open: early }"}
SEEN
