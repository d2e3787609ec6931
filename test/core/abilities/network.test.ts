/** Skills that declare that they need no network, and the network calls of their scripts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deniedNetwork, mayCall, networkCalls } from '../../../server/src/abilities/network.ts';
import { SkillFile } from '../../../server/src/skill/skill-file.ts';

function denied(compatibility: string): string | undefined {
  const text = `---\nname: a\ndescription: b\ncompatibility: ${compatibility}\n---\n`;
  const found = deniedNetwork(new SkillFile('file:///a/SKILL.md', text));
  return found && text.slice(found.span.start, found.span.end);
}

test('finds the text that denies all network access', () => {
  for (const [compatibility, words] of [
    ['No network access.', 'No network access'],
    ['Python 3.11, stdlib only; no internet connection required', 'no internet connection required'],
    ['"Bash; does not need network access"', 'does not need network access'],
    ['Works offline', 'Works offline'],
    ['Runs without any external network calls, in any client', 'without any external network calls'],
    ['Network access is not required', 'Network access is not required'],
  ] as const) {
    assert.equal(denied(compatibility), words);
  }
});

test('uses the whole value as the location of a denial that spans two lines', () => {
  assert.equal(denied('>-\n  No\n  network access.'), '>-\n  No\n  network access.');
});

test('ignores text that denies network access only partly or conditionally', () => {
  for (const compatibility of [
    'No network access at run time',
    'No network access except for the first run',
    'Works offline once the model is downloaded',
    'Works offline. Internet access is needed for updates.',
    'Optional web search; no network access',
    'No network drives',
    'No external tools, network calls',
    'Needs network access',
    'Offline maps',
    '[no network access]',
  ]) {
    assert.equal(denied(compatibility), undefined, compatibility);
  }
});

const calls = (path: string, text: string): readonly string[] =>
  networkCalls([{ path, text }]).map(({ by, line }) => `${by} in ${line + 1}`);

test('reports the name and the line of a network call', () => {
  for (const [path, text, told] of [
    ['send.sh', 'set -e\ncurl -d @a https://tidy.dev\n', 'curl in 2'],
    ['send.sh', 'if ! git clone "$URL" notes; then exit 1; fi\n', 'git clone in 1'],
    ['send.sh', 'answer=$(curl -s "$URL")\n', 'curl in 1'],
    ['send', '#!/usr/bin/env bash\nnpm install\n', 'npm install in 2'],
    ['read.py', 'import requests\n\nr = requests.get(url)\n', 'requests.get in 3'],
    ['read.py', 'subprocess.run(["curl", "-s", url])\n', 'curl in 1'],
    ['read.mjs', "const r = await fetch('https://tidy.dev/notes');\n", 'fetch in 1'],
    ['read.ts', "const BASE = 'https://tidy.dev';\nawait fetch(BASE + '/notes');\n", 'fetch in 2'],
  ] as const) {
    assert.deepEqual(calls(path, text), [told], text);
  }
});

test('reports only the first network call of a script, and ignores local calls and calls that never run', () => {
  assert.deepEqual(calls('a.sh', 'curl x.dev\ncurl y.dev\n'), ['curl in 1']);
  for (const [path, text] of [
    ['a.sh', 'echo "curl https://tidy.dev"\n# curl https://tidy.dev\n'],
    ['a.sh', 'cat <<"EOF"\ncurl https://tidy.dev\nEOF\n'],
    ['a.sh', 'curl http://127.0.0.1:8080\n'],
    ['a.sh', 'URL=http://localhost:80\ncurl "$URL"\n'],
    ['a.py', 'import requests\n'],
    ['a.py', '"""\nrequests.get("https://tidy.dev")\n"""\n'],
    ['a.js', 'class A {\n  async fetch(url) {\n  }\n}\n// https://tidy.dev\n'],
    ['a.js', "fetch('./data.json'); fetch(blobUrl);\n"],
    ['tests/a.py', 'requests.get("https://tidy.dev")\n'],
    ['scripts/test_a.py', 'requests.get("https://tidy.dev")\n'],
    ['a.rb', 'curl https://tidy.dev\n'],
    ['notes.md', 'curl https://tidy.dev\n'],
  ] as const) {
    assert.deepEqual(calls(path, text), [], text);
  }
});

test('ignores the scripts of a nested skill', () => {
  const call = 'curl https://tidy.dev\n';
  const files = [
    { path: 'a.sh', text: call },
    { path: 'inner/SKILL.md', text: undefined },
    { path: 'inner/scripts/b.sh', text: call },
    { path: 'unread.sh', text: undefined },
  ];
  assert.deepEqual(
    networkCalls(files).map(({ path }) => path),
    ['a.sh'],
  );
});

test('reads only files that may be scripts', () => {
  assert.deepEqual(['a.sh', 'bin/send', 'a.py', 'a.tsx', 'a.md', 'a.json', 'tests/a.py', 'a.rb'].filter(mayCall), [
    'a.sh',
    'bin/send',
    'a.py',
    'a.tsx',
  ]);
});

test('scans a script with many unclosed here-documents in linear time', () => {
  const text = '<<X curl\n'.repeat(100_000);
  assert.deepEqual(calls('a.sh', text), []);
});
