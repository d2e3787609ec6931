#!/usr/bin/env bash
# Finding: in MiniJinja, an undefined name is contained in every string: `{{ mode in "xy" }}` is true, without an error, also in strict
# mode, so a condition that should test an optional value holds if the value is missing. In a list or a map, it is false.
# Guess before running: strict mode refuses it, as it refuses `{{ "x" in mode }}`; or the result is false.
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
for (const behavior of ['strict', 'lenient']) {
  const environment = new Environment();
  environment.undefinedBehavior = behavior;
  for (const template of ['{{ mode in "xy" }}', '{{ mode in "" }}', '{{ mode in ["x"] }}', '{{ mode in {"x": 1} }}', '{{ "x" in mode }}']) {
    let shown;
    try {
      shown = environment.renderStr(template, {});
    } catch (error) {
      shown = error.message.split('\n')[0];
    }
    console.log(`${behavior}: ${template} -> ${shown}`);
  }
}
JS
node run.mjs | tee seen
diff - seen <<'SEEN' || { echo 'The behaviour has changed.'; exit 1; }
strict: {{ mode in "xy" }} -> true
strict: {{ mode in "" }} -> true
strict: {{ mode in ["x"] }} -> false
strict: {{ mode in {"x": 1} }} -> false
strict: {{ "x" in mode }} -> undefined value (in <string>:1)
lenient: {{ mode in "xy" }} -> true
lenient: {{ mode in "" }} -> true
lenient: {{ mode in ["x"] }} -> false
lenient: {{ mode in {"x": 1} }} -> false
lenient: {{ "x" in mode }} -> false
SEEN
