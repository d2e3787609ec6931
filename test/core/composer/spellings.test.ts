/** One table of spellings: `check` accepts exactly the spellings of a key that the composer reads. */
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import { checkedPackageOf } from '../../../server/src/rules/engine/checked-package.ts';
import { alternatives, type KeyTable, shapeAt } from '../../../server/src/vocabulary/shape.ts';
import { skillKeys } from '../../../server/src/vocabulary/skill-keys.ts';

const contract = (name: string, input: string, output: string, more = ''): string =>
  `name: ${name}\ndescription: Does ${name}.\nversion: 1.0.0\ninput_schema: ${input}\noutput_schema: ${output}\n${more}`;

const OTHERS = {
  p: contract('p', '{a: string}', '{b: string}', 'errors: [{code: BUSY, description: Busy., retry: backoff}]\n'),
  q: contract('q', '{}', '{flag: boolean}'),
};

const URI = 'file:///w/w.skill.yaml';

function open(rest: string) {
  const workspace = new Workspace();
  const whole = contract('w', '{a: string, z: string}', '{c: string?}', `level: 2\n${rest}\n`);
  for (const [name, text] of Object.entries({ ...OTHERS, w: whole })) {
    workspace.apply({ kind: 'text', uri: `file:///w/${name}.skill.yaml`, text });
  }
  const file = workspace.analysis.file(URI);
  assert.ok(file);
  return { findings: check(file, workspace.analysis), meaning: meaningOf(workspace) };
}

/** The package of the skill without locations and texts. */
const meaningOf = ({ analysis }: Workspace): string =>
  JSON.stringify(checkedPackageOf(analysis, URI), (key, value: unknown) =>
    /span$|^(?:digest|faults|inputSchema|outputSchema|package)$/i.test(key) ? undefined : value,
  );

/** A map of the format: the path of its shape, the text around it, and its optional keys with a value that has an effect. */
const MAPS: readonly {
  readonly about: string;
  readonly path: readonly (string | number)[];
  readonly around: (key: string) => string;
  readonly values: Readonly<Record<string, string>>;
}[] = [
  {
    about: 'an entry of `composes`',
    path: ['composes', 0],
    around: (key) => `composes: [q, {skill: p${key}}]`,
    values: { as: 'x', input_mapping: '{z: a}', output_mapping: '{b: c}' },
  },
  {
    about: 'a step',
    path: ['execution', 0],
    around: (key) => `composes: [q, p]\nexecution: [{step: q}, {step: p${key}}]`,
    values: { inputs: '{a: x}', condition: 'a == "x"', retry: '{max_attempts: 2}' },
  },
  {
    about: 'a speculated step',
    path: ['execution', 0, 'speculate', 0],
    around: (key) => `composes: [q, p]\nexecution: [{speculate: [{step: p${key}}], until: q}]`,
    values: { inputs: '{a: x}', keep_when: '$q.output.flag', retry: '{max_attempts: 2}' },
  },
  {
    about: 'the step of `until`',
    path: ['execution', 0, 'until'],
    around: (key) => `composes: [q, p]\nexecution: [{speculate: [{step: q}], until: {step: p${key}}}]`,
    values: { inputs: '{a: x}', retry: '{max_attempts: 2}' },
  },
  {
    about: 'a retry',
    path: ['execution', 0, 'retry'],
    around: (key) => `composes: [q, p]\nexecution: [{step: q}, {step: p, retry: {x-own: 1${key}}}]`,
    values: { max_attempts: '2', attempts: '2' },
  },
  {
    about: 'a retry with attempts',
    path: ['execution', 0, 'retry'],
    around: (key) => `composes: [q, p]\nexecution: [{step: q}, {step: p, retry: {max_attempts: 3${key}}}]`,
    values: { backoff: 'fixed', retry_on: '[BUSY]' },
  },
];

function tableAt(path: readonly (string | number)[]): KeyTable {
  const shape = shapeAt(skillKeys, path);
  const map = shape && alternatives(shape).find(({ kind }) => kind === 'map');
  assert.ok(map?.kind === 'map', path.join('.'));
  return map.keys;
}

/** The keys of all kinds of steps. A key of another kind of step is an error of its own. */
const STEP_KEYS = tableAt(['execution', 0]).map(({ name }) => name);

const camelCase = (name: string): string => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

for (const { about, path, around, values } of MAPS) {
  describe(`the keys of ${about}`, () => {
    const table = tableAt(path);
    const base = open(around(''));
    for (const [name, value] of Object.entries(values)) {
      const spec = table.find((one) => one.name === name);
      assert.ok(spec, name);
      for (const spelling of [name, ...(spec.aliases ?? [])]) {
        it(`\`${spelling}\` is accepted and read`, () => {
          const { findings, meaning } = open(around(`, ${spelling}: ${value}`));
          assert.deepEqual(
            findings.filter(({ rule }) => rule === 'unknown-key' || rule === 'invalid-execution'),
            [],
          );
          assert.notEqual(meaning, base.meaning);
        });
      }
      const others = [...(spec.elsewhere ?? []), camelCase(name), name.replaceAll('_', '-')];
      for (const spelling of new Set(
        others.filter(
          (other) => other !== name && !table.some((one) => one.name === other) && !STEP_KEYS.includes(other),
        ),
      )) {
        it(`\`${spelling}\` is not read, and has a fix`, () => {
          const { findings, meaning } = open(around(`, ${spelling}: ${value}`));
          const titles = findings.flatMap(({ fixes }) => fixes.map(({ title }) => title));
          assert.ok(titles.includes(`Rename to \`${name}\``), titles.join());
          assert.equal(meaning, base.meaning);
        });
      }
    }
  });
}
