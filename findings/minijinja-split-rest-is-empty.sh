#!/usr/bin/env bash
# Finding: in MiniJinja, `(text | split("-"))[1:]` is an empty list, without an error, also in strict mode, although `[0]` is the
# first part. `[-1]` is undefined. With `| list` before the index, both work.
# Guess before running: the result is a list, so `[-1]` is the last part and `[1:]` the parts after the first.
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
environment.undefinedBehavior = 'strict';
for (const index of ['[0]', '[-1]', '[1:]']) {
  for (const value of ['text | split("-")', 'text | split("-") | list']) {
    const template = `{{ (${value})${index} }}`;
    let shown;
    try {
      shown = environment.renderStr(template, { text: 'one-two-three' });
    } catch (error) {
      shown = error.message.split('\n')[0];
    }
    console.log(`${template} -> ${shown}`);
  }
}
JS
node run.mjs | tee seen
diff - seen <<'SEEN' || { echo 'The behaviour has changed.'; exit 1; }
{{ (text | split("-"))[0] }} -> one
{{ (text | split("-") | list)[0] }} -> one
{{ (text | split("-"))[-1] }} -> undefined value (in <string>:1)
{{ (text | split("-") | list)[-1] }} -> three
{{ (text | split("-"))[1:] }} -> []
{{ (text | split("-") | list)[1:] }} -> ["two", "three"]
SEEN
