/** `check --changed` never hides a finding that a change has caused, over random changes of a repository. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import fc from 'fast-check';
import { cases } from '../random.ts';
import { CATALOG, folderWith, type Json, misspelt, run, skill } from './cli.ts';

const START = {
  'skills.config.yaml': CATALOG,
  'skills.tools.json': '{"tools": [{"name": "list_pages"}]}',
  'part.skill.md': skill('part', 'output_schema: {page: string}', 'samples: [{name: one}]'),
  'whole.skill.md': skill('whole', 'level: 2', 'output_schema: {}', 'composes: [part]', 'samples: [{name: one}]'),
  'top.skill.md': skill('top', 'level: 3', 'output_schema: {}', 'composes: [whole]'),
  'old.skill.md': misspelt('old'),
  '.agents/skills/plain/SKILL.md':
    '---\nname: plain\ndescription: Reads pages.\n---\n\nSee [it](references/it.md), or the `other` skill.\n',
  '.agents/skills/plain/references/it.md': 'See [more](more.md).\n',
  '.agents/skills/plain/references/more.md': 'More.\n',
  '.agents/skills/other/SKILL.md': '---\nname: other\ndescription: Reads other pages.\n---\n\nRead it.\n',
};

const TEXTS: Readonly<Record<string, readonly string[]>> = {
  'skills.config.yaml': ['tools: []\n', `${CATALOG}rules: {unused-tool: error}\n`],
  'skills.tools.json': ['{"tools": []}'],
  'skills.baseline.json': ['{"version": 1, "findings": []}'],
  'part.skill.md': [
    skill('part', 'output_schema: {page: number}'),
    skill('parts'),
    skill('part', 'deprecated: true'),
    `${skill('part', 'output_schema: {page: string}', 'samples: [{name: one}]')}{{ gone }}\n\n#artifact:main\n`,
  ],
  'whole.skill.md': [skill('whole', 'level: 1', 'composes: [part]'), misspelt('whole'), '---\nname: [\n---\n'],
  'old.skill.md': [skill('old'), misspelt('part')],
  'new.skill.md': [misspelt('new'), skill('part')],
  '.agents/skills/plain/SKILL.md': ['---\nname: plain\n---\n'],
  '.agents/skills/plain/references/it.md': ['See [more](gone.md).\n'],
  '.agents/skills/other/SKILL.md': ['---\nname: otter\ndescription: Reads.\n---\n\nRead it.\n'],
};

const PATHS = [...new Set([...Object.keys(START), ...Object.keys(TEXTS)])];

const change = fc.oneof(
  fc.record({ path: fc.constantFrom(...PATHS), text: fc.constant(undefined) }),
  fc
    .constantFrom(...Object.keys(TEXTS))
    .chain((path) => fc.record({ path: fc.constant(path), text: fc.constantFrom(...(TEXTS[path] ?? [])) })),
);

const keysOf = ({ findings }: Json): ReadonlySet<string> =>
  new Set(findings.map(({ file, rule, message }) => `${file} ${rule} ${message}`));

it('check --changed never hides a new finding', async () => {
  const git = (folder: string, ...words: readonly string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words]);
  const checked = async (folder: string, ...words: string[]) =>
    keysOf(JSON.parse((await run(folder, ['check', '--format', 'json', ...words])).stdout));
  const start = folderWith(START);
  const before = await checked(start);
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
      const folder = folderWith(START);
      git(folder, 'init', '--quiet');
      git(folder, 'add', '.');
      git(folder, 'commit', '--quiet', '--message', 'one');
      for (const { path, text } of changes) {
        mkdirSync(join(folder, path, '..'), { recursive: true });
        if (text === undefined) rmSync(join(folder, path), { force: true });
        else writeFileSync(join(folder, path), text);
      }
      const [all, shown] = await Promise.all([checked(folder), checked(folder, '--changed')]);
      for (const key of all) if (!before.has(key)) assert.ok(shown.has(key), `${key} is hidden`);
      for (const key of shown) assert.ok(all.has(key), `${key} is made up`);
    }),
    { ...cases(8), interruptAfterTimeLimit: 60_000, markInterruptAsFailure: false },
  );
});
