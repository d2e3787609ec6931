#!/usr/bin/env bash
# Finding: remark and micromark read an HTML tag with a slash in an unquoted attribute value as text, so the tag is escaped.
# CommonMark 0.31.2 allows the slash there, and its reference implementation reads the tag as inline HTML.
# Guess before running: both read inline HTML, as micromark passes the tests of the specification.
# Exits 0 if the behaviour is as described, 1 if it has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true, "type": "module"}' > package.json
npm install --silent --no-audit --no-fund micromark@4.0.3 micromark-core-commonmark@2.0.4 commonmark@0.31.2
for name in micromark micromark-core-commonmark commonmark; do
  echo "$name $(node -p "JSON.parse(fs.readFileSync('node_modules/$name/package.json')).version")"
done
cat > run.mjs <<'JS'
import { HtmlRenderer, Parser } from 'commonmark';
import { micromark } from 'micromark';
for (const text of ['See <a href=guide>it</a>.', 'See <a href=docs/guide>it</a>.']) {
  console.log('micromark: ', micromark(text, { allowDangerousHtml: true }));
  console.log('commonmark:', new HtmlRenderer().render(new Parser().parse(text)).trim());
}
JS
node run.mjs | tee seen
diff - seen <<'SEEN' || { echo 'The behaviour has changed.'; exit 1; }
micromark:  <p>See <a href=guide>it</a>.</p>
commonmark: <p>See <a href=guide>it</a>.</p>
micromark:  <p>See &lt;a href=docs/guide&gt;it</a>.</p>
commonmark: <p>See <a href=docs/guide>it</a>.</p>
SEEN
