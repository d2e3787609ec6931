/** The manual links to every page, and its tables list all commands, settings and rules of the program. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import manifest from '../../package.json' with { type: 'json' };

const read = (path: string): string => readFileSync(path, 'utf8');

test('the index of the manual links to every page', () => {
  const linked = [...read('docs/README.md').matchAll(/\]\(([\w-]+\.md)/g)].map(([, page]) => page);
  const pages = readdirSync('docs').filter((name) => name.endsWith('.md') && name !== 'README.md');
  assert.deepEqual(
    pages.filter((page) => !linked.includes(page)),
    [],
  );
});

test('the command line page lists every command', () => {
  const folder = 'server/src/frontends/cli';
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const declared = files.flatMap((file) =>
    [...read(join(folder, file)).matchAll(/^ {4}\.command\('([\w-]+)/gm)].map(([, name = '']) => name),
  );
  assert.ok(declared.includes('check') && declared.includes('audit'), declared.join(', '));
  const named = [...read('docs/command-line.md').matchAll(/^ {4}skill-composer ([\w-]+(?: pull)?)/gm)].map(
    ([, name = '']) => name.replace(/^.* /, ''),
  );
  assert.deepEqual(
    declared.filter((name) => name !== 'tools' && !named.includes(name)),
    [],
  );
});

test('the settings page lists exactly the existing settings', () => {
  const rows = read('docs/settings.md').match(/^\| `skillComposer\..*$/gm) ?? [];
  const named = rows.flatMap((row) => {
    const [first = '', ...rest] = [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
    return [first, ...rest.map((name) => first.replace(/\.\w+$/, name))];
  });
  assert.deepEqual(named.sort(), Object.keys(manifest.contributes.configuration.properties).sort());
});

test('the README shows the same skill in its text and its picture', () => {
  const [, block] = /^```markdown\n([\s\S]*?)^```$/m.exec(read('README.md')) ?? [];
  assert.equal(block, read('test/e2e/walks/release-notes/release-notes.skill.md'));
});
