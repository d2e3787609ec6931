import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import manifest from '../../../package.json' with { type: 'json' };
import { SettingsReader } from '../../../server/src/frontends/lsp/handlers/read-settings.ts';
import { DEFAULT_FILES } from '../../../server/src/protocol.ts';

const reader = new SettingsReader(true);
const { properties } = manifest.contributes.configuration;

/** `{a: {b: value}}` for `a.b`, as editors send it. */
const nested = (name: string, value: unknown): Record<string, unknown> =>
  name.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as Record<string, unknown>;

const WRONG: readonly unknown[] = [5, -1.5, 'x', '', true, false, [], [5], [''], {}, { a: 5 }, { a: 'loud' }];

/** Returns whether a value in `WRONG` is valid for a type. */
const isRight = (type: string, value: unknown): boolean =>
  type === 'array'
    ? Array.isArray(value) && value.length === 0
    : type === 'object'
      ? typeof value === 'object' && !Array.isArray(value) && Object.keys(value as object).length === 0
      : type === 'integer'
        ? Number.isInteger(value) && Number(value) >= 0
        : typeof value === type;

describe('the settings from a client', () => {
  for (const [full, schema] of Object.entries(properties)) {
    const name = full.replace('skillComposer.', '');
    const words: readonly unknown[] | undefined =
      'enum' in schema ? schema.enum : 'anyOf' in schema ? schema.anyOf[0]?.enum : undefined;
    it(`use the default for an invalid \`${full}\`, with one message`, () => {
      for (const value of WRONG) {
        const { problems } = reader.read({ ...nested(name, value), other: undefined });
        const fits =
          [schema.type].flat().some((type) => isRight(type, value)) &&
          (typeof value !== 'string' || (words?.includes(value) ?? true));
        assert.equal(problems.length, fits ? 0 : 1, `${JSON.stringify(value)}: ${problems.join(' ')}`);
        for (const problem of problems) assert.match(problem, new RegExp(`^\`${full.replaceAll('.', '\\.')}`));
      }
      assert.deepEqual(reader.read(nested(name, schema.default)).problems, []);
      assert.deepEqual(reader.read({ [name]: schema.default }), reader.read(nested(name, schema.default)));
      assert.deepEqual(reader.read(nested(name, null)), { settings: {}, problems: [] });
    });
  }

  const cases: readonly (readonly [string, unknown, unknown])[] = [
    ['keep the valid globs', { files: ['', 'a/*.md', 5] }, { files: ['a/*.md'] }],
    ['use the default files if no glob is valid', { files: [''] }, { files: DEFAULT_FILES }],
    ['use the default files if `files` is not a list', { files: '**' }, { files: DEFAULT_FILES }],
    ['keep an empty list of files', { files: [] }, { files: [] }],
    [
      'keep the valid severities',
      { rules: { 'missing-key': 'off', 'unknown-key': 'loud', cycle: 5 } },
      { rules: { 'missing-key': 'off' } },
    ],
    ['keep the settings beside a wrong value', { rules: 'x', accountSkills: '~/s' }, { accountSkills: '~/s' }],
    ['ignore wrong values in a group', { format: { enable: 'no', fast: 5 } }, {}],
    ['keep the valid kinds in a list', { codeLens: ['budget', 'loud'] }, { codeLens: ['budget'] }],
    ['ignore a group that is not an object', { format: 5 }, {}],
    ['are empty if they are not an object', 'x', {}],
  ];
  for (const [name, given, expected] of cases) {
    it(name, () => assert.deepEqual(reader.read(given).settings, expected));
  }

  it('produce messages with the fault and the nearest value', () => {
    const given = {
      accountSkils: '',
      rules: { 'unknown-tol': 'off' },
      files: ['{a,b}'.repeat(7), 'a'],
      breakingChanges: { against: 'tail' },
    };
    assert.deepEqual(reader.read(given).problems, [
      '`skillComposer.accountSkils`: Unknown field `accountSkils`. Did you mean `accountSkills`?',
      '`skillComposer.rules["unknown-tol"]`: Unknown field `unknown-tol`. Did you mean `unknown-tool`?',
      '`skillComposer.breakingChanges.against`: Expected `head` or `off`, found the string `tail`.',
      '`skillComposer.files[0]`: invalid glob, because its braces expand to more than 64 globs.',
    ]);
  });

  it('are ignored if they are nested too deeply to be validated', () => {
    const deep: unknown = JSON.parse(`${'['.repeat(300)}${']'.repeat(300)}`);
    assert.deepEqual(reader.read({ files: deep }), {
      settings: {},
      problems: ['The settings are too long or nested too deeply.'],
    });
  });

  it('keep the valid severities among thousands of unknown rules', () => {
    const unknown = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`r${at}`, 'off']));
    const { settings, problems } = reader.read({ rules: { ...unknown, 'missing-key': 'off' } });
    assert.deepEqual([settings, problems.length], [{ rules: { 'missing-key': 'off' } }, 5000]);
  });

  it('produce a message if the host supports no account skills', () => {
    const { settings, problems } = new SettingsReader(false).read({ accountSkills: '~/.skills' });
    assert.equal(settings.accountSkills, undefined);
    assert.deepEqual(problems, [
      '`skillComposer.accountSkills` is not supported in a browser, which cannot read folders outside the workspace. Move the skills into the workspace.',
    ]);
    assert.deepEqual(new SettingsReader(false).read({ accountSkills: '' }).problems, []);
  });
});
