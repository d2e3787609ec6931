/** The review of a registry: the findings about each skill. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { audit, syntheticInput } from '../../../server/src/audit/audit.ts';
import { type Measurement, measuredSkills } from '../../../server/src/audit/calls.ts';
import { overlaps } from '../../../server/src/audit/overlap.ts';

const NOTHING = { pairs: [], isCut: false };

function reviewOf(files: Readonly<Record<string, string>>, lines?: readonly Measurement[]) {
  const workspace = new Workspace();
  workspace.apply({ kind: 'today', date: '2031-06-30' });
  const uris = Object.keys(files).map((path) => `file:///w/${path}`);
  for (const [path, text] of Object.entries(files)) workspace.apply({ kind: 'text', uri: `file:///w/${path}`, text });
  const { analysis } = workspace;
  const calls = lines && measuredSkills(analysis, lines);
  const review = audit(analysis, uris, { calls, compare: () => NOTHING });
  return { analysis, upkeep: review.upkeep.map(({ name, why }) => `${name} ${why}`), contracts: review.contracts };
}

const skill = (name: string, ...keys: readonly string[]): string =>
  [
    '---',
    `name: ${name}`,
    `description: Does ${name}.`,
    'version: 1.0.0',
    'owner: us',
    ...keys,
    '---',
    '',
    'Do it.',
    '',
  ].join('\n');

test('counts a use by the `id` of a skill', () => {
  const { upkeep } = reviewOf({
    'alone.skill.md': skill('alone', 'id: by-id'),
    'user.skill.md': skill('user', 'level: 2', 'output_schema: {}', 'composes: [by-id]', 'trigger_phrases: [use it]'),
  });
  assert.deepEqual(upkeep, []);
});

test('reports a skill without an owner and an unused skill separately', () => {
  const { upkeep } = reviewOf({ 'alone.skill.md': skill('alone').replace('owner: us\n', '') });
  assert.deepEqual(upkeep, [
    'alone has no owner',
    'alone is not used by other skills, and has no triggers, routing cases or samples',
  ]);
});

for (const [how, keys] of [
  ['samples', 'samples: {one: {parameters: {}}}'],
  ['trigger phrases', 'trigger_phrases: [do it]'],
] as const) {
  test(`counts a skill with ${how} as used`, () => {
    assert.deepEqual(reviewOf({ 'used.skill.md': skill('used', keys) }).upkeep, []);
  });
}

test('reports a deprecated skill that is still used, and a sunset date in the past', () => {
  const { upkeep } = reviewOf({
    'old.skill.md': skill('old', 'deprecated: {sunset: 2031-01-01}'),
    'user.skill.md': skill('user', 'level: 2', 'composes: [old]', 'trigger_phrases: [use it]'),
  });
  assert.deepEqual(upkeep, ['old is deprecated and still used by `user`', 'old had to be removed by 2031-01-01']);
});

test('reports fewer than 100 calls a day, and a measured latency above the declared p95', () => {
  const unknown = { version: undefined, surface: undefined };
  const calls = [
    { skill: 'slow', ...unknown, callsPerDay: 5000, p95Ms: 900 },
    { skill: 'rare', ...unknown, callsPerDay: 12, p95Ms: undefined },
  ];
  const { upkeep } = reviewOf(
    {
      'slow.skill.md': skill('slow', 'policy: {budget: {p95_ms: 300}}'),
      'rare.skill.md': skill('rare'),
      'unheard.skill.md': skill('unheard'),
    },
    calls,
  );
  assert.deepEqual(upkeep, [
    'slow takes 900 ms (p95), but declares 300 ms',
    'rare is called 12 times a day, fewer than 100',
    'unheard was not called',
  ]);
});

const service = (name: string, input: string): string =>
  skill(
    name,
    `input_schema: {${input}}`,
    'errors: [{code: GONE}]',
    'backing_service: {endpoint: "https://example.org"}',
    'trigger_phrases: [find]',
    'policy: {idempotent: true, timeout_ms: 900, budget: {p95_ms: 1, p99_ms: 2, cost_usd: 0.1}}',
  )
    .replace(/^---\n/, '')
    .replace(/\n---[\s\S]*$/, '\n');

test('reports missing keys of a service', () => {
  const text = service('find-title', 'title: string').replace(', cost_usd: 0.1', '').replace('owner: us\n', '');
  const { contracts } = reviewOf({ 'find-title.skill.yaml': text });
  assert.deepEqual(
    contracts.map(({ missing }) => missing),
    [['owner', 'policy.budget.cost_usd']],
  );
});

test('reports why the input of a service does not match the tool', () => {
  const snapshot = JSON.stringify({
    tools: [
      {
        name: 'find-title',
        inputSchema: { type: 'object', properties: { title: { type: 'integer' } }, required: ['title'] },
      },
    ],
  });
  const { contracts } = reviewOf({
    'skills.config.yaml': 'tools: [{from: servers.json}]\n',
    'skills.tools.json': snapshot,
    'find-title.skill.yaml': service('find-title', 'title: string'),
  });
  assert.match(contracts[0]?.missing.join() ?? '', /an input that the tool `find-title` accepts: .*a whole number/);
});

test('generates an input that matches the schema of the skill', () => {
  const { analysis } = reviewOf({ 'find-title.skill.yaml': service('find-title', 'title: string, limit: integer') });
  const file = analysis.file('file:///w/find-title.skill.yaml');
  assert.deepEqual(file && syntheticInput(file), { title: '«title»', limit: 1 });
});

test('makes no claim about a tool if the generated input matches, or if no input can be generated', () => {
  const contractsOf = (field: object, shorthand: string) =>
    reviewOf({
      'skills.config.yaml': 'tools: [{from: servers.json}]\n',
      'skills.tools.json': JSON.stringify({
        servers: [{ name: 'titles', version: '1' }],
        tools: [{ server: 'titles', name: 'find-title', inputSchema: { type: 'object', properties: { id: field } } }],
      }),
      'find-title.skill.yaml': service('find-title', `id: ${shorthand}`),
    }).contracts;
  const pattern = '^[A-Z]{4}_[0-9]{3,6}$';
  assert.deepEqual(contractsOf({ type: 'string', pattern }, `{type: string, regex: "${pattern}"}`), []);
  assert.deepEqual(contractsOf({ type: 'integer' }, '{type: string, regex: "^(?=x)"}'), []);
  assert.equal(contractsOf({ type: 'integer' }, 'string').length, 1);
});

test('does not pair skills that a newer version or a successor replaces', () => {
  const workspace = new Workspace();
  const write = (path: string, text: string) => workspace.apply({ kind: 'text', uri: `file:///w/${path}`, text });
  const described = (name: string, ...keys: readonly string[]) =>
    skill(name, ...keys).replace(/description: .*/, 'description: Finds a title in the shop.');
  write('a.skill.md', described('find'));
  write('b.skill.md', described('find').replace('version: 1.0.0', 'version: 2.0.0'));
  write('c.skill.md', described('look', 'deprecated: {since: 2031-01-01, use: find}'));
  write('d.skill.md', described('search'));
  const { analysis, index } = workspace;
  const { compared, overlaps: found } = audit(analysis, [...index.files.keys()].sort(), {
    calls: undefined,
    compare: (_, texts) => overlaps(texts, 0.5),
  });
  assert.deepEqual(
    found.pairs.map(({ a, b }) => [a, b].map((at) => compared[at]?.uri.slice('file:///w/'.length))),
    [['b.skill.md', 'd.skill.md']],
  );
});
