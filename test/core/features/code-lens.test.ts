/** The code lenses of a skill, and the arguments of their commands. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { CODE_LENSES, codeLenses, type LensCommands, resolveCodeLens } from '../../../server/src/features/code-lens.ts';
import { utf16 } from '../../../server/src/features/locate.ts';
import type { CodeLensKind } from '../../../server/src/protocol.ts';
import { at } from './cursor.ts';

const COMMANDS: LensCommands = { preview: 'open', showReferences: 'show', enable: 'enable' };

const without = (...kinds: readonly CodeLensKind[]): readonly CodeLensKind[] =>
  CODE_LENSES.filter((kind) => !kinds.includes(kind));

/** Returns the line, title and command arguments of each lens in the first file that contains `$0`. */
function lensesOf(
  files: Readonly<Record<string, string>> | string,
  kinds: readonly CodeLensKind[] = CODE_LENSES,
  commands = COMMANDS,
) {
  const { analysis, file } = at(files);
  return codeLenses(analysis, file, commands, new Set(kinds), utf16)
    .map((lens) => resolveCodeLens(analysis, lens, commands, utf16))
    .map(({ range, command }) => [range.start.line, command?.title, command?.arguments]);
}

const URI = 'file:///skills-here/skills/test.skill.md';
const SAMPLES = '---\nname: test\ndescription: It tests.\nsamples:\n  at dusk:\n    request: Go.\n  late: {}\n---\n$0';

test('shows a lens above the name and above each sample', () => {
  assert.deepEqual(lensesOf(SAMPLES), [
    [1, 'Preview', [{ uri: URI }]],
    [4, 'Preview this sample', [{ uri: URI, sample: 'at dusk' }]],
    [6, 'Preview this sample', [{ uri: URI, sample: 'late' }]],
  ]);
});

test('shows no lens for a skill without a name', () => {
  assert.deepEqual(lensesOf('---\ndescription: It tests.\n---\n$0'), []);
});

const part = (name: string, budget: string) => `---\nname: ${name}\nversion: 1.0.0\nlevel: 1\n${budget}---\n`;
const whole = (rest: string) => `---\nname: whole\nversion: 1.0.0\nlevel: 2\ncomposes: [first, second]\n${rest}---\n`;

const FILES = {
  'first.skill.md': part('first', 'policy: {budget: {p95_ms: 300, cost_usd: 0.01}}\n'),
  'second.skill.md': part('second', 'policy: {budget: {p95_ms: 200}}\n'),
  'whole.skill.md': whole(''),
  'other.skill.md': '---\nname: other\nlevel: 2\ncomposes:\n  - skill: first\n---\n\nSee #skill:second.\n',
};

test('lists the entries of skills that compose a skill, but not of skills that only mention the skill', () => {
  const path = 'first.skill.md';
  const uri = `file:///skills-here/${path}`;
  assert.deepEqual(lensesOf({ ...FILES, [path]: `${FILES[path]}$0` }, without('preview')), [
    [
      1,
      'Composed by 2 skills',
      [
        {
          uri,
          position: { line: 1, character: 6 },
          locations: [
            {
              uri: 'file:///skills-here/other.skill.md',
              range: { start: { line: 4, character: 11 }, end: { line: 4, character: 16 } },
            },
            {
              uri: 'file:///skills-here/whole.skill.md',
              range: { start: { line: 4, character: 11 }, end: { line: 4, character: 16 } },
            },
          ],
        },
      ],
    ],
  ]);
  const second = { ...FILES, 'second.skill.md': `${FILES['second.skill.md']}$0` };
  assert.deepEqual(
    lensesOf(second, without('preview')).map(([, title]) => title),
    ['Composed by 1 skill'],
  );
});

test('shows the total budget of the composed skills and the declared budget', () => {
  const lens = (rest: string) => lensesOf({ ...FILES, 'whole.skill.md': `${whole(rest)}$0` }, without('preview'));
  assert.deepEqual(lens(''), [[1, 'Composed skills: p95 300 ms · cost $0.01', undefined]]);
  assert.deepEqual(lens('policy: {budget: {p95_ms: 400}}\n'), [
    [5, 'Composed skills: p95 300 ms of 400 ms · cost $0.01', undefined],
  ]);
});

test('shows no budget lens for a skill in a cycle or without a declared budget', () => {
  const bare = { 'first.skill.md': part('first', ''), 'second.skill.md': part('second', '') };
  assert.deepEqual(lensesOf({ ...bare, 'whole.skill.md': `${whole('')}$0` }, without('preview')), []);
  const round = '---\nname: first\nlevel: 2\npolicy: {timeout_ms: 1}\ncomposes: [whole]\n---\n';
  const files = { ...FILES, 'first.skill.md': round, 'whole.skill.md': `${whole('')}$0` };
  assert.deepEqual(
    lensesOf(files, without('preview')).map(([, title]) => title),
    ['Composed by 1 skill'],
  );
});

test('shows only lenses that the settings enable and the client supports', () => {
  const path = 'first.skill.md';
  const files = { ...FILES, [path]: `${FILES[path]}$0` };
  const titles = (kinds: readonly CodeLensKind[], commands = COMMANDS) =>
    lensesOf(files, kinds, commands).map(([, title]) => title);
  assert.deepEqual(titles(CODE_LENSES), ['Preview', 'Composed by 2 skills']);
  assert.deepEqual(titles(without('composedBy')), ['Preview']);
  assert.deepEqual(titles(CODE_LENSES, { preview: undefined, showReferences: 'show', enable: undefined }), [
    'Composed by 2 skills',
  ]);
  assert.deepEqual(
    lensesOf({ ...FILES, 'whole.skill.md': `${FILES['whole.skill.md']}$0` }, without('preview', 'budget')),
    [],
  );
  assert.deepEqual(
    lensesOf(SAMPLES, without('samples')).map(([, title]) => title),
    ['Preview'],
  );
});

test('shows a disabled skill with a command to enable it', () => {
  const files = {
    'skills/test.skill.md': `${SAMPLES}`,
    'skills.config.yaml': 'permissions: {test: {enabled: false}}\n',
  };
  const kinds = without('preview', 'samples');
  assert.deepEqual(lensesOf(files, kinds), [[1, 'Disabled in this workspace · Enable', [{ uri: URI }]]]);
  assert.deepEqual(lensesOf(files, kinds, { ...COMMANDS, enable: undefined }), [
    [1, 'Disabled in this workspace', undefined],
  ]);
  assert.deepEqual(lensesOf(files, without('preview', 'samples', 'permission')), []);
  assert.deepEqual(lensesOf({ ...files, 'skills.config.yaml': 'permissions: {test: {}}\n' }, kinds), []);
});
