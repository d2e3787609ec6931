#!/usr/bin/env bash
# Finding: in MiniJinja, a slice such as `[-5:]` of a list with fewer than 5 items is empty, without an error, and `[:-5]` is the whole list. In
# Python and Jinja2, it is the other way round, so the usual "last messages" of a prompt are lost as long as there are few.
# Guess before running: as in Python, `[-5:]` of a short list is the whole list.
# Exits 0 if the behaviour is as described, 1 if it has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true, "type": "module"}' > package.json
npm install --silent --no-audit --no-fund minijinja-js@2.11.0
echo "node $(node --version), minijinja-js $(node -p "JSON.parse(fs.readFileSync('node_modules/minijinja-js/package.json')).version")"
cat > run.mjs <<'JS'
import { Environment } from 'minijinja-js/dist/node/minijinja_js.js';
const environment = new Environment();
const templates = ['{{ [1, 2, 3][-2:] }}', '{{ [1, 2, 3][-5:] }}', '{{ [1, 2, 3][:-5] }}', '{{ "abc"[-5:] }}', '{{ [1, 2, 3][-1:-5] }}'];
for (const template of templates) console.log(`${template} -> ${environment.renderStr(template, {})}`);
JS
node run.mjs | tee seen
diff - seen <<'SEEN' || { echo 'The behaviour has changed.'; exit 1; }
{{ [1, 2, 3][-2:] }} -> [2, 3]
{{ [1, 2, 3][-5:] }} -> []
{{ [1, 2, 3][:-5] }} -> [1, 2, 3]
{{ "abc"[-5:] }} -> 
{{ [1, 2, 3][-1:-5] }} -> [3]
SEEN
