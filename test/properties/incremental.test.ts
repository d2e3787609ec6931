/** A workspace after edits equals a new workspace with the same files, and reports the files that an edit affects. */
import { test } from 'node:test';
import fc from 'fast-check';
import type { Change } from '../../server/src/analysis/workspace.ts';
import { cases } from '../random.ts';
import { assertSameAsNew } from './after-edits.ts';
import { samples } from './corpus.ts';
import { damagedSample } from './mutate.ts';
import { ROOT } from './opened.ts';

const FEW = [
  'skills.config.yaml',
  ...[...samples.keys()].filter((path) => /^(mistakes\/|skills\/(timeline|canon|pages)|contracts)/.test(path)),
];

const small = [
  [
    'one.skill.md',
    '---\nname: one\ndescription: d\nversion: 1.0.0\ninput_schema: {a: string}\ncomposes: [two]\nlevel: 2\n---\n#skill:three #tool:four\n',
  ],
  ['two.skill.md', '---\nname: two\ndescription: d\nversion: 1.0.0\ninput_schema: {}\n---\nBody.\n'],
  ['three.skill.md', '---\nname: two\ndescription: d\nversion: 1.0.0\ninput_schema: {}\n---\n[link](two.skill.md)\n'],
  [
    'four.skill.yaml',
    'name: four\ndescription: d\nversion: 1.0.0\ninput_schema: {}\nbacking_service: {endpoint: https://example.org}\n',
  ],
  [
    'four.skill.yaml',
    'name: five\ndescription: d\nversion: 1.0.0\ninput_schema: {}\nbacking_service: {endpoint: https://example.org}\n',
  ],
  ['skills.config.yaml', 'tools: [{name: four}]\ninterrupts: [x]\n'],
  ['skills.config.yaml', 'tools: [{name: three}, {from: mcp.json}]\nrules: {skill-not-found: off}\n'],
  ['deep/skills.config.yaml', 'tools: [{name: other}]\n'],
  [
    'deep/six.skill.md',
    '---\nname: six\ndescription: d\nversion: 1.0.0\ninput_schema: {}\ntools: [other, four]\n---\nBody.\n',
  ],
  ['skills.tools.json', '{"tools": [{"name": "four"}]}'],
  ['skills.tools.json', '{"tools": [{"name": "nine"}]}'],
  ['skills.tools.json', '{'],
  ['find-page/SKILL.md', '---\nname: find-page\ndescription: d\n---\nUse /tell-all, or the `tell-lal` skill.\n'],
  ['find-page/SKILL.md', '---\nname: find-pages\ndescription: d\n---\nUse the `tell-all` skill.\n'],
  ['tell-all/SKILL.md', '---\nname: tell-all\ndescription: d\n---\nUse the `find-pgae` skill, `$one` and /two.\n'],
  ['tell-all/SKILL.md', '---\nname: tell-it\ndescription: d\n---\nSee [it](../find-page/SKILL.md).\n'],
  ['__proto__.skill.md', '---\nname: constructor\n---\n#skill:__proto__\n'],
] as const;

const text = (path: string, content: string): Change => ({ kind: 'text', uri: `${ROOT}/${path}`, text: content });

const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...small).map(([path, content]) => text(path, content)) },
  damagedSample.filter(({ path }) => FEW.includes(path)).map((damaged) => text(damaged.path, damaged.text)),
  fc.constantFrom(...FEW).map((path) => text(path, samples.get(path) ?? '')),
  fc
    .constantFrom(...FEW, ...small.map(([path]) => path))
    .map((path): Change => ({ kind: 'delete', uri: `${ROOT}/${path}` })),
  fc
    .constantFrom({}, { 'unknown-tool': 'off' }, { E004: 'hint' })
    .map((severities): Change => ({ kind: 'severities', severities })),
  fc.constantFrom({}, { 'unknown-key': 'error' }).map((severities): Change => ({ kind: 'overrides', severities })),
);

test('a changed workspace has the same findings as a new one, and `apply` returns all affected files', () => {
  fc.assert(fc.property(fc.array(change, { minLength: 1, maxLength: 12 }), assertSameAsNew), cases(15));
});
