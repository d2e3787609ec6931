/** The kind of each contract change, and the version that it requires. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compareContracts } from '../../../server/src/authoring/compare-contracts.ts';
import {
  type Bump,
  changesBetween,
  isAtLeastVersion,
  versionAfter,
} from '../../../server/src/skill/breaking-changes.ts';
import { SkillFile } from '../../../server/src/skill/skill-file.ts';

const contractOf = (lines: string) =>
  new SkillFile('file:///a.skill.yaml', `name: a\ndescription: What it is for.\nversion: 1.0.0\n${lines}\n`).contract;

const changes = (old: string, now: string): readonly string[] =>
  changesBetween(contractOf(old), contractOf(now)).map(({ bump, path }) => `${bump} ${path}`);

const ROWS: readonly (readonly [title: string, old: string, now: string, changes: readonly string[]])[] = [
  [
    'an output was removed',
    'output_schema: {a: string, b: string}',
    'output_schema: {a: string}',
    ['major output_schema.b'],
  ],
  ['all outputs were removed', 'output_schema: {a: string}', '', ['major output_schema.a']],
  [
    'an output is new',
    'output_schema: {a: string}',
    'output_schema: {a: string, b: string?}',
    ['minor output_schema.b'],
  ],
  ['an output was narrowed', 'output_schema: {a: string}', 'output_schema: {a: [x, y]}', ['major output_schema.a']],
  ['an output was widened', 'output_schema: {a: integer}', 'output_schema: {a: number}', ['major output_schema.a']],
  ['an output may be missing', 'output_schema: {a: string}', 'output_schema: {a: string?}', ['major output_schema.a']],
  [
    'a field within an output was removed',
    'output_schema: {a: {b: string}}',
    'output_schema: {a: {}}',
    ['major output_schema.a'],
  ],
  ['a required input is new', 'input_schema: {}', 'input_schema: {a: string}', ['major input_schema.a']],
  ['an optional input is new', 'input_schema: {}', 'input_schema: {a: string?}', ['minor input_schema.a']],
  [
    'an input with a default is new',
    'input_schema: {}',
    'input_schema: {a: {type: string, default: x}}',
    ['minor input_schema.a'],
  ],
  [
    'an optional input became required',
    'input_schema: {a: string?}',
    'input_schema: {a: string}',
    ['major input_schema.a'],
  ],
  [
    'a required input became optional',
    'input_schema: {a: string}',
    'input_schema: {a: string?}',
    ['minor input_schema.a'],
  ],
  ['an input was removed', 'input_schema: {a: string?}', 'input_schema: {}', ['major input_schema.a']],
  ['an input takes less', 'input_schema: {a: number}', 'input_schema: {a: integer}', ['major input_schema.a']],
  ['an input takes more', 'input_schema: {a: integer}', 'input_schema: {a: number}', ['minor input_schema.a']],
  ['a required scope is new', '', 'required_scopes: ["read:a"]', ['major required_scopes']],
  ['a required scope was removed', 'required_scopes: ["read:a"]', '', ['minor required_scopes']],
  ['a required tool is new', 'tools: [a]', 'tools: [a, b]', ['major tools']],
  ['an optional tool is new', 'tools: [a]', 'tools: [a, {name: b, optional: true}]', ['minor tools']],
  ['a tool became required', 'tools: [{name: a, optional: true}]', 'tools: [a]', ['major tools']],
  ['a tool became optional', 'tools: [a]', 'tools: [{name: a, optional: true}]', ['minor tools']],
  ['a tool was removed', 'tools: [a]', 'tools: []', ['minor tools']],
  ['an interrupt is new', '', 'interrupts: [before_exit]', ['major interrupts']],
  ['an interrupt was removed', 'interrupts: [before_exit]', '', ['minor interrupts']],
  ['an error is new', 'errors: [{code: A}]', 'errors: [{code: A}, {code: B}]', ['minor errors']],
  ['an error was removed', 'errors: [{code: A}, {code: B}]', 'errors: [{code: B}]', ['minor errors']],
  ['an effect is new', 'effects: [Query]', 'effects: [Query, Mutate]', ['major effects']],
  ['an effect is gone', 'effects: [Query, Mutate]', 'effects: [Query]', ['patch effects']],
  ['the operation is graver', 'operation: READ', 'operation: WRITE', ['major operation']],
  ['the operation is lighter', 'operation: WRITE', 'operation: READ', ['patch operation']],
  [
    'a default changed',
    'input_schema: {a: {type: integer, default: 5}}',
    'input_schema: {a: {type: integer, default: 6}}',
    ['minor input_schema.a'],
  ],
  [
    'a default was added to an optional input',
    'input_schema: {a: integer?}',
    'input_schema: {a: {type: integer, default: 6}}',
    ['minor input_schema.a'],
  ],
  [
    'a default was removed from an optional input',
    'input_schema: {a: {type: integer, default: 6}}',
    'input_schema: {a: integer?}',
    ['minor input_schema.a'],
  ],
  [
    'a default was removed, so the input is required',
    'input_schema: {a: {type: integer, default: 6}}',
    'input_schema: {a: integer}',
    ['major input_schema.a'],
  ],
  [
    'a default of a nested field changed',
    'input_schema: {a: {type: object, properties: {b: {type: string, default: x}}}}',
    'input_schema: {a: {type: object, properties: {b: {type: string, default: y}}}}',
    ['minor input_schema.a.b'],
  ],
  [
    'the keys of a default are in another order',
    'input_schema: {a: {type: object, default: {b: 1, c: 2}}}',
    'input_schema: {a: {type: object, default: {c: 2, b: 1}}}',
    [],
  ],
  [
    'a default of an output changed',
    'output_schema: {a: {type: integer, default: 5}}',
    'output_schema: {a: {type: integer, default: 6}}',
    ['minor output_schema.a'],
  ],
  [
    'an inner field of an input now has a default',
    'input_schema: {a: {b: string}}',
    'input_schema: {a: {b: {type: string, default: x}}}',
    ['minor input_schema.a'],
  ],
  [
    'an inner field of an input no longer has a default',
    'input_schema: {a: {b: {type: string, default: x}}}',
    'input_schema: {a: {b: string}}',
    ['major input_schema.a'],
  ],
  [
    'an inner field in a list no longer has a default',
    'input_schema: {a: {type: array, items: {type: object, properties: {b: {type: string, default: x}}}}}',
    'input_schema: {a: {type: array, items: {type: object, properties: {b: {type: string}}, required: [b]}}}',
    ['major input_schema.a'],
  ],
  ['an older version is served', '', 'adapts: {from: "0.9", with: b}', ['minor adapts']],
  ['an older version is not served', 'adapts: [{from: "0.9", with: b}]', '', ['major adapts']],
  [
    'an older version has another adapter',
    'adapts: [{from: "0.9", with: b}, {from: "0.8", with: b}]',
    'adapts: [{from: "0.8", with: b}, {from: "0.9", with: c}]',
    ['patch adapts'],
  ],
  ['the skill is deprecated', '', 'deprecated: true', ['minor deprecated']],
  ['the skill is deprecated, with details', '', 'deprecated: {use: b}', ['minor deprecated']],
  ['the skill is no longer deprecated', 'deprecated: true', 'deprecated: false', ['patch deprecated']],
  [
    'the successor changed',
    'deprecated: {use: b, sunset: 2031-06-30}',
    'deprecated: {use: c, sunset: 2031-06-30}',
    ['patch deprecated.use'],
  ],
  ['a sunset is new', 'deprecated: true', 'deprecated: {sunset: 2031-06-30}', ['patch deprecated.sunset']],
  [
    'the other form of the same',
    'input_schema: {a: string}',
    'input: {type: object, properties: {a: {type: string}}, required: [a]}',
    [],
  ],
  ['words changed', 'input_schema: {a: string}', 'input_schema: {a: "string, what it is"}', []],
  ['a schema is wrong', 'input_schema: {a: string}', 'input_schema: {a: strng}', []],
];

describe('the changes to a contract', () => {
  for (const [title, old, now, expected] of ROWS) it(title, () => assert.deepEqual(changes(old, now), expected));
});

it('computes the version that a change requires', () => {
  const rows: readonly (readonly [string, Bump, string | undefined])[] = [
    ['1.2.3', 'major', '2.0.0'],
    ['1.2.3', 'minor', '1.3.0'],
    ['1.2.3', 'patch', '1.2.4'],
    ['0.2.3', 'major', '0.3.0'],
    ['0.2.3', 'minor', '0.2.4'],
    ['one', 'major', undefined],
    ['2.0.0-rc.1', 'major', undefined],
  ];
  for (const [old, bump, expected] of rows) assert.equal(versionAfter(old, bump), expected, `${old} ${bump}`);
  assert.equal(isAtLeastVersion('2.0.0-beta.1', '2.0.0'), true);
  assert.equal(isAtLeastVersion('1.9.9', '2.0.0'), false);
  assert.equal(isAtLeastVersion('two', '2.0.0'), undefined);
});

describe('changes since a pre-release', () => {
  const skill = (version: string, output: string) =>
    new SkillFile('file:///a.skill.yaml', `name: a\ndescription: What it is for.\nversion: ${version}\n${output}\n`);
  const compared = (old: string, now: string) => {
    const { demanded, isMet, notes, bump } = compareContracts(
      skill(old, 'output_schema: {a: string, b: string}'),
      skill(now, 'output_schema: {a: string}'),
    );
    return { bump, demanded, isMet, notes: notes.map(({ message }) => message) };
  };

  it('are listed and require no new version', () => {
    for (const now of ['2.0.0-rc.2', '2.0.0', '2.1.0-alpha', '3.0.0']) {
      assert.deepEqual(
        compared('2.0.0-rc.1', now),
        { bump: 'major', demanded: undefined, isMet: true, notes: [] },
        now,
      );
    }
  });

  it('cause a hint if the version is the same', () => {
    const { isMet, notes } = compared('2.0.0-rc.1', '2.0.0-rc.1');
    assert.equal(isMet, true);
    assert.deepEqual(notes, [
      'The contract changed, but the version is still `2.0.0-rc.1`. Increase it, for example to `2.0.0-rc.2`.',
    ]);
  });

  it('require a version that is not lower', () => {
    assert.equal(compared('2.0.0-rc.2', '2.0.0-rc.1').isMet, false);
  });

  it('are not the changes since a release', () => {
    assert.equal(compared('1.0.0', '1.1.0-rc.1').demanded, '2.0.0');
    assert.equal(compared('1.0.0', '2.0.0-rc.1').isMet, true);
  });
});
