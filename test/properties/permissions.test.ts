/** Laws of turning skills on and off, for any catalog. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { isDisabled, permissionOf, readPermissions } from '../../server/src/permissions/may-use.ts';
import { setEnabled } from '../../server/src/permissions/toggle.ts';
import { SkillFile } from '../../server/src/skill/skill-file.ts';
import { applyEdits } from '../../server/src/text.ts';
import { cases } from '../random.ts';

const fileOf = (text: string): SkillFile => new SkillFile('file:///w/skills.config.yaml', text);

const isEnabled = (text: string, skill: string): boolean => {
  const permission = permissionOf(readPermissions(fileOf(text)), skill);
  return !permission || !isDisabled(permission);
};

/** The text after the skill is turned on or off. */
const turned = (text: string, skill: string): string =>
  applyEdits(text, setEnabled(fileOf(text), skill, !isEnabled(text, skill)));

const skill = fc.constantFrom('find-title', 'a', 'null', '12', 'true');

/** The value of an entry, on one line or below its key. */
const entry = fc.constantFrom(
  ' {enabled: false}',
  ' { enabled: true } # why',
  ' {channels: [one]}',
  ' {enabled: true, channels: [one]}',
  ' {channels: [one], enabled: false}',
  '\n    enabled: false # for now\n    contexts: [channel]',
  '\n    # none yet\n    channels: []',
);
const entries = fc.uniqueArray(fc.tuple(skill, entry), { selector: ([name]) => name, maxLength: 4 });
const permissions = fc.oneof(
  fc.constantFrom('', 'permissions: {}\n', 'permissions: {"a": {enabled: false}, b: {channels: [one]}}\n'),
  entries.map((all) =>
    all.length === 0 ? '' : `permissions: # of us\n${all.map(([name, value]) => `  "${name}":${value}\n`).join('')}`,
  ),
);
const catalog = fc
  .tuple(
    fc.constantFrom('', '# Ours.\n', 'scopes: [a:b]\n', '\uFEFFtools: []\n', 'tools:\n  - {name: x}\n\n'),
    permissions,
    fc.constantFrom('', 'permissions_default: {enabled: false}\n', 'permissions_default: {channels: [one]}\n'),
    fc.constantFrom('', '# The end.\n', 'channels: [one]', 'rules: {unused-tool: off}\n\n'),
    fc.constantFrom('\n', '\r\n'),
  )
  .map(([before, between, fallback, behind, lineBreak]) =>
    [before, between, fallback, behind].join('').replaceAll('\n', lineBreak),
  );

/** Returns whether the entry only repeats the default, like an entry that an earlier action wrote. */
const saysNothing = (text: string, name: string): boolean => {
  const { permissions: all, permissionsDefault } = readPermissions(fileOf(text));
  const own = all.get(name);
  if (!own || own.channels || own.contexts) return false;
  return !isDisabled(own) === (!permissionsDefault || !isDisabled(permissionsDefault));
};

describe('turning a skill on or off', () => {
  test('changes the skill, and keeps a valid catalog with all other entries', () => {
    fc.assert(
      fc.property(catalog, skill, (text, name) => {
        const after = turned(text, name);
        assert.notEqual(after, text);
        assert.ok(!fileOf(after).frontmatter.tree.broken, after);
        assert.equal(isEnabled(after, name), !isEnabled(text, name));
        for (const other of ['find-title', 'a', 'b', 'null', '12', 'true', 'else']) {
          if (other !== name) assert.equal(isEnabled(after, other), isEnabled(text, other), other);
        }
      }),
      cases(500),
    );
  });

  test('and back restores the same bytes', () => {
    fc.assert(
      fc.property(catalog, skill, (text, name) => {
        // The action removes an entry that it cannot distinguish from its own entries.
        fc.pre(!saysNothing(text, name));
        assert.equal(turned(turned(text, name), name), text);
      }),
      cases(500),
    );
  });

  test('keeps every comment', () => {
    fc.assert(
      fc.property(catalog, skill, (text, name) => {
        const comments = (one: string) => one.match(/#[^\r\n]*/g) ?? [];
        const once = turned(text, name);
        const own = text.includes(`"${name}": { enabled: true } # why`);
        fc.pre(!own);
        assert.deepEqual(comments(once), comments(text));
      }),
      cases(300),
    );
  });
});
