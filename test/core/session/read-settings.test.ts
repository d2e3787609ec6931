import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import manifest from '../../../package.json' with { type: 'json' };
import { SettingsReader } from '../../../server/src/hosts/lsp/handlers/read-settings.ts';
import { DEFAULT_FILES } from '../../../server/src/protocol.ts';

const reader = new SettingsReader(true);
const { properties } = manifest.contributes.configuration;

/** `{a: {b: value}}` for `a.b`, as editors send it. */
const nested = (name: string, value: unknown): Record<string, unknown> =>
  name.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as Record<string, unknown>;

const WRONG: readonly unknown[] = [5, -1.5, 'x', '', true, false, [], [5], [''], {}, { a: 5 }, { a: 'loud' }];

/** The values of `wrong` that are valid for a type. */
const isRight = (type: string, value: unknown): boolean =>
  type === 'array'
    ? Array.isArray(value) && value.length === 0
    : type === 'object'
      ? typeof value === 'object' && !Array.isArray(value) && Object.keys(value as object).length === 0
      : type === 'integer'
        ? Number.isInteger(value) && Number(value) >= 0
        : typeof value === type;

describe('the settings of a client', () => {
  for (const [full, schema] of Object.entries(properties)) {
    const name = full.replace('skillComposer.', '');
    const words: readonly unknown[] | undefined = 'enum' in schema ? schema.enum : undefined;
    it(`use the default of an invalid \`${full}\`, with one message`, () => {
      for (const value of WRONG) {
        const { problems } = reader.read({ ...nested(name, value), other: undefined });
        const fits = isRight(schema.type, value) && (words?.includes(value) ?? true);
        assert.equal(problems.length, fits ? 0 : 1, `${JSON.stringify(value)}: ${problems.join(' ')}`);
        for (const problem of problems) assert.match(problem, new RegExp(`^\`${full.replaceAll('.', '\\.')}`));
      }
      assert.deepEqual(reader.read(nested(name, schema.default)).problems, []);
      assert.deepEqual(reader.read({ [name]: schema.default }), reader.read(nested(name, schema.default)));
      assert.deepEqual(reader.read(nested(name, null)), { settings: {}, problems: [] });
    });
  }

  const cases: readonly (readonly [string, unknown, unknown])[] = [
    ['keeps the globs that can be used', { files: ['', 'a/*.md', 5] }, { files: ['a/*.md'] }],
    ['has the default files where no glob can be used', { files: [''] }, { files: DEFAULT_FILES }],
    ['has the default files where they are no list', { files: '**' }, { files: DEFAULT_FILES }],
    ['takes it that no files are wanted', { files: [] }, { files: [] }],
    [
      'keeps the severities that there are',
      { rules: { 'missing-key': 'off', 'unknown-key': 'loud', cycle: 5 } },
      { rules: { 'missing-key': 'off' } },
    ],
    ['keeps what stands beside a wrong value', { rules: 'x', accountSkills: '~/s' }, { accountSkills: '~/s' }],
    ['keeps the other settings of a group', { format: { enable: 'no', fast: 5 } }, {}],
    ['keeps the kinds of a list that there are', { codeLens: ['budget', 'loud'] }, { codeLens: ['budget'] }],
    ['has no group that is no object', { format: 5 }, {}],
    ['has none where they are no object', 'x', {}],
  ];
  for (const [name, given, expected] of cases) {
    it(name, () => assert.deepEqual(reader.read(given).settings, expected));
  }

  it('have a message with the fault and the likely value', () => {
    const given = {
      accountSkils: '',
      rules: { 'unknown-tol': 'off' },
      files: ['{a,b}'.repeat(7), 'a'],
      breakingChanges: { against: 'tail' },
    };
    assert.deepEqual(reader.read(given).problems, [
      '`skillComposer.accountSkils`: Unknown field `accountSkils`. Did you mean `accountSkills`?',
      '`skillComposer.rules["unknown-tol"]`: Unknown field `unknown-tol`. Did you mean `unknown-tool`?',
      '`skillComposer.breakingChanges.against`: Expected `head` or `off`, found the text `tail`.',
      '`skillComposer.files[0]`: invalid glob, because its braces expand to more than 64 globs.',
    ]);
  });

  it('report account skills on a host without a home folder', () => {
    const { settings, problems } = new SettingsReader(false).read({ accountSkills: '~/.skills' });
    assert.equal(settings.accountSkills, undefined);
    assert.deepEqual(problems, [
      '`skillComposer.accountSkills` is not supported in a browser, which cannot read folders outside the workspace. Move the skills into the workspace.',
    ]);
    assert.deepEqual(new SettingsReader(false).read({ accountSkills: '' }).problems, []);
  });
});
