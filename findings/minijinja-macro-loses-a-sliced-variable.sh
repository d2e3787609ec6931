#!/usr/bin/env bash
# Finding: in MiniJinja, a macro that only slices a variable of its template does not see it: the slice is empty, without an error. Any
# other use of the variable in the macro makes both work. The same is true for an argument of `{% filter %}` and for included templates.
# Guess before running: a macro sees the variables of its template, however it uses them, as it sees the parameters of the template.
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
const templates = ['{% set t = "abc" %}{% macro m() %}{{ t[1:] }}{% endmacro %}{{ m() }}', '{% set t = "abc" %}{% macro m() %}{{ t[1:] }} {{ t }}{% endmacro %}{{ m() }}', '{% set t = "b" %}{% macro m() %}{% filter replace("a", t) %}a{% endfilter %}{% endmacro %}{{ m() }}', '{% set t = "b" %}{% macro m() %}{{ "a" | replace("a", t) }}{% endmacro %}{{ m() }}'];
for (const template of templates) console.log(`${template} -> ${environment.renderStr(template, {})}`);
JS
node run.mjs | tee seen
diff - seen <<'SEEN' || { echo 'The behaviour has changed.'; exit 1; }
{% set t = "abc" %}{% macro m() %}{{ t[1:] }}{% endmacro %}{{ m() }} -> []
{% set t = "abc" %}{% macro m() %}{{ t[1:] }} {{ t }}{% endmacro %}{{ m() }} -> bc abc
{% set t = "b" %}{% macro m() %}{% filter replace("a", t) %}a{% endfilter %}{% endmacro %}{{ m() }} -> 
{% set t = "b" %}{% macro m() %}{{ "a" | replace("a", t) }}{% endmacro %}{{ m() }} -> b
SEEN
