// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the variable of a client has braces.
/** Completion of paths to files beside a skill. `DISK` lists the contents of each folder. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { findPath, pathCompletion } from '../../../../server/src/features/completion/paths.ts';
import { utf16 } from '../../../../server/src/features/locate.ts';
import { applyEdits } from '../../../../server/src/text.ts';
import { at } from '../cursor.ts';

const DISK: Readonly<Record<string, readonly string[]>> = {
  'file:///skills-here/tidy': ['zeta/', 'references/', 'SKILL.md', 'LICENSE.txt', '.hidden', 'node_modules/'],
  'file:///skills-here/tidy/references': ['a guide (old).md', 'merging.md', 'deep/'],
  'file:///skills-here/tidy/references/deep': ['x.md'],
  'file:///skills-here/tidy/scripts': ['run.py'],
  'file:///skills-here/plug': ['extra/', 'hooks/', 'skills/', 'x.md'],
  'file:///skills-here': ['.vscode/', 'tidy/', 'skills.config.yaml'],
  'file:///skills-here/.vscode': ['mcp.json'],
};

/** The labels, and the cursor's line after the first item is accepted; undefined if the cursor is not in a path. */
function offered(marked: string, path = 'tidy/SKILL.md') {
  const { analysis, file, offset } = at({ [path]: marked });
  const place = findPath(file, offset);
  if (!place) return undefined;
  const entries = (DISK[place.folder] ?? []).map((name) => ({
    name: name.replace('/', ''),
    isFolder: name.endsWith('/'),
  }));
  const answer = pathCompletion(analysis, file, offset, place, entries, utf16);
  const items = Array.isArray(answer) ? answer : answer.items;
  const accepted = items.map(({ textEdit }) => {
    assert.ok(textEdit && 'range' in textEdit);
    const start = utf16.offset(file, textEdit.range.start);
    const end = utf16.offset(file, textEdit.range.end);
    const text = applyEdits(file.text, [{ span: { start, end }, newText: textEdit.newText }]);
    return text.split('\n').at(-2);
  });
  const labels = [...items]
    .sort((a, b) => ((a.sortText ?? '') < (b.sortText ?? '') ? -1 : 1))
    .map(({ label }) => label);
  return { labels, accepted };
}

const inBody = (line: string) => offered(`---\nname: tidy\n---\n\n${line}\n`);

test('offers the other files in the same folder after `](`, folders first', () => {
  assert.deepEqual(inBody('See [it]($0)')?.labels, ['references/', 'zeta/', 'LICENSE.txt']);
  assert.deepEqual(inBody('See [it](.$0)')?.labels, ['references/', 'zeta/', '.hidden', 'LICENSE.txt']);
});

test('offers the files in a folder after a slash, and replaces the whole name', () => {
  assert.deepEqual(inBody('See [it](references/$0)')?.labels, ['deep/', 'a guide (old).md', 'merging.md']);
  assert.deepEqual(inBody('[it](references/deep/y$0.md) and on')?.accepted, ['[it](references/deep/x.md) and on']);
  assert.deepEqual(inBody('[it](../tidy/scripts/$0')?.accepted, ['[it](../tidy/scripts/run.py']);
});

test('offers the files beside a SKILL.md after `@` and the variable of its folder', () => {
  assert.deepEqual(inBody('Read @$0')?.labels, ['references/', 'zeta/', 'LICENSE.txt']);
  assert.deepEqual(inBody('Read @references/m$0')?.accepted.at(-1), 'Read @references/merging.md');
  assert.deepEqual(inBody('Run `${CLAUDE_SKILL_DIR}/scripts/$0`')?.accepted, [
    'Run `${CLAUDE_SKILL_DIR}/scripts/run.py`',
  ]);
  for (const none of ['ann@ref$0', '`@ref$0', '@@ref$0', 'Read @ref $0']) assert.equal(inBody(none), undefined, none);
  assert.equal(offered('---\nname: tidy\n---\n\nRead @$0\n', 'tidy.skill.md'), undefined);
});

test('offers paths in the manifest of a plugin, relative to the folder of the plugin', () => {
  const inManifest = (value: string, path = 'tidy/.claude-plugin/plugin.json') =>
    offered(`{"name": "p",\n"skills": [${value}]\n}\n`, path);
  assert.deepEqual(inManifest('"./$0"')?.labels, ['references/', 'zeta/']);
  assert.deepEqual(inManifest('"$0"', 'plug/.claude-plugin/plugin.json')?.labels, ['skills/', 'extra/']);
  assert.deepEqual(offered('{"hooks": "./$0"}\n', 'plug/.claude-plugin/plugin.json')?.labels, [
    'extra/',
    'hooks/',
    'skills/',
    'x.md',
  ]);
  assert.ok(
    offered('{"skills": "$0"}\n', 'tidy/.claude-plugin/plugin.json')?.accepted.includes('{"skills": "./zeta/"}'),
  );
  assert.ok(
    offered('{"hooks": "ze$0ta"}\n', 'tidy/.codex-plugin/plugin.json')?.accepted.includes('{"hooks": "./zeta/"}'),
  );
  assert.deepEqual(inManifest('"./a", "./references/$0deep"')?.labels, ['deep/']);
  const entry = (source: string) => `{"plugins": [{"source": ${source}, "skills": "./references/$0"}]}\n`;
  assert.deepEqual(offered(entry('"./tidy"'), '.claude-plugin/marketplace.json')?.labels, ['deep/']);
  for (const other of ['{"name": "./$0"}', '{"plugins": [{"source": {"source": "url", "url": "./$0"}}]}']) {
    assert.equal(offered(other, '.claude-plugin/marketplace.json'), undefined, other);
  }
});

test('escapes spaces and brackets in a link, but not between angle brackets', () => {
  assert.ok(inBody('[it](references/$0)')?.accepted.includes('[it](references/a%20guide%20%28old%29.md)'));
  assert.ok(inBody('[it](<references/$0>)')?.accepted.includes('[it](<references/a guide (old).md>)'));
  assert.ok(inBody('[it]: references/$0')?.accepted.includes('[it]: references/merging.md'));
});

test('offers paths in prose and code after the name of a standard folder', () => {
  assert.deepEqual(inBody('Run `scripts/$0` first.')?.accepted, ['Run `scripts/run.py` first.']);
  assert.deepEqual(inBody('    python scripts/$0')?.accepted, ['    python scripts/run.py']);
  assert.equal(inBody('Either/$0'), undefined);
});

test('offers paths for `from` in a catalog', () => {
  const from = (line: string) => offered(`tools:\n${line}\n`, 'skills.config.yaml');
  assert.deepEqual(from('  - from: $0')?.labels, ['.vscode/', 'tidy/']);
  assert.deepEqual(from('  - from: .vscode/$0')?.accepted, ['  - from: .vscode/mcp.json']);
  assert.deepEqual(from('  - {from: ".vscode/m$0"}')?.accepted, ['  - {from: ".vscode/mcp.json"}']);
  assert.equal(from('  - name: $0'), undefined);
});

test('offers nothing for addresses, anchors or absolute paths', () => {
  for (const line of ['[it](https://$0)', '[it](#$0)', '[it](/$0)', 'It is ($0)'])
    assert.equal(inBody(line), undefined, line);
  assert.equal(offered('---\ndescription: "[it]($0"\n---\n'), undefined);
});
