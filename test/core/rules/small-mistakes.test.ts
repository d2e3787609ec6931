/** Small mistakes in public skills: globs, other words for keys, escape sequences in paths, and lengths with their units. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import { applyEdits } from '../../../server/src/text.ts';

const DESCRIPTION = 'description: Moors a boat. Use it when a boat arrives.';
const skill = (...lines: readonly string[]): string => `---\nname: moor\n${lines.join('\n')}\n---\n\nMoor it.\n`;

function findingsIn(text: string, { clients = '', path = '.claude/skills/moor/SKILL.md' } = {}) {
  const workspace = new Workspace();
  if (clients)
    workspace.apply({
      kind: 'text',
      uri: 'file:///w/skills.config.yaml',
      text: `agent_skills: {clients: [${clients}]}\n`,
    });
  const uri = `file:///w/${path}`;
  workspace.apply({ kind: 'text', uri, text });
  const file = workspace.analysis.file(uri);
  return file ? check(file, workspace.analysis) : [];
}
const messagesIn = (...given: Parameters<typeof findingsIn>): readonly string[] =>
  findingsIn(...given).map(({ severity, message }) => `${severity}: ${message}`);

describe('`paths`', () => {
  const of = (value: string) => messagesIn(skill(DESCRIPTION, `paths: ${value}`));

  it('must have globs', () => {
    const message = 'must be a glob for Claude Code and Claude Agent SDK, such as `src/**/*.ts`, but is';
    assert.match(of('7')[0] ?? '', /^warning: `paths` must be a glob for .*, but is a number\.$/, message);
    assert.match(of('[a.ts, 7]')[0] ?? '', /^warning: An item of `paths` must be a glob .* a number\.$/);
    assert.match(of('true')[0] ?? '', /a Boolean\.$/);
    assert.deepEqual(of('""'), ['hint: `paths` is an empty text, which matches no file. Write a glob, or remove it.']);
    assert.equal(of('["*.ts", " "]').length, 1);
    assert.deepEqual(of('[]'), ['hint: `paths` has no glob. Add one, or remove the key.']);
  });

  it('may have texts', () => {
    for (const value of ['"*.ts, src/**"', '["*.ts"]', '\n  - "*.ts"\n  - src/7', '"7"'])
      assert.deepEqual(of(value), [], value);
  });

  it('is meant by other words, where a client reads it', () => {
    for (const key of ['path_patterns', 'pathPatterns', 'file-globs']) {
      const text = skill(DESCRIPTION, `${key}: ["*.py"]`);
      const [found, ...others] = findingsIn(text);
      assert.equal(found?.message, `Unknown key \`${key}\`. Did you mean \`paths\`?`);
      assert.deepEqual(others, []);
      assert.deepEqual(findingsIn(applyEdits(text, found?.fixes[0]?.edits[0]?.edits ?? [])), []);
      assert.match(messagesIn(text, { path: '.gemini/skills/moor/SKILL.md' })[0] ?? '', /clients ignore it/);
    }
    assert.match(messagesIn(skill(DESCRIPTION, 'paths: a', 'path_patterns: b'))[0] ?? '', /clients ignore it/);
  });
});

describe('a path with a drive letter in double quotes', () => {
  const of = (value: string) => messagesIn(skill(`description: ${value}`)).filter((one) => one.includes('YAML'));

  it('must have two backslashes', () => {
    const text = skill('description: "Finds tabs in D:\\temp\\new files. Use it after an import."');
    const [found] = findingsIn(text).filter(({ rule }) => rule === 'invalid-yaml');
    assert.equal(found?.severity, 'warning');
    assert.equal(found?.message, 'YAML reads `\\t` in this path as a tab. Write `\\\\` for a backslash.');
    assert.ok(applyEdits(text, found?.fixes[0]?.edits[0]?.edits ?? []).includes('D:\\\\temp\\\\new files'));
    for (const path of ['C:\\new.txt', 'e:\\bin\\temp', 'C:\\\\Users\\temp', 'C:\\x41', 'C:\\temp'])
      assert.equal(of(`"Reads ${path} first."`).length, 1, path);
  });

  it('is fixed with the invalid sequences of the path', () => {
    const text = skill('description: "Opens C:\\Users\\temp\\new. Use it then."');
    const [found] = findingsIn(text);
    assert.equal(found?.severity, 'error');
    const fixed = applyEdits(text, found?.fixes[0]?.edits[0]?.edits ?? []);
    assert.ok(fixed.includes('"Opens C:\\\\Users\\\\temp\\\\new. Use it then."'), fixed);
  });

  it('is also reported in other values', () => {
    const [found] = findingsIn(skill(DESCRIPTION, 'metadata:', '  folder: "C:\\temp\\x"'));
    assert.equal(found?.rule, 'invalid-yaml');
  });

  it('is not a label, an escaped path, or a value in other quotes', () => {
    for (const value of [
      '"Use it so.\\nQ:\\nWhy?\\nA:\\nSo."',
      '"Reads D:\\\\temp first."',
      "'Reads D:\\temp first.'",
      'Reads D:\\temp first.',
      '"Reads D:/temp.\\nThen it stops."',
      '"A ratio of 3:\\n4."',
      '"Steps:\\n1. Read."',
    ])
      assert.deepEqual(of(value), [], value);
  });
});

describe('a message about a limit', () => {
  const long = (text: string, count: number) => skill(`description: ${text.repeat(count)}`);

  it('has the number and the unit of each client', () => {
    const cjk = long('見積書を比較する。', 45);
    assert.deepEqual(messagesIn(cjk, { clients: 'crush', path: '.agents/skills/moor/SKILL.md' }), [
      'error: Crush does not load this skill. The `description` is too long: 1,215 bytes of 1,024. Shorten it.',
    ]);
    const longer = messagesIn(long('見積書を比較する。', 120), {
      clients: 'crush',
      path: '.agents/skills/moor/SKILL.md',
    });
    assert.match(
      longer[0] ?? '',
      /has 1,080 characters; the limit is 1,024\. .* Crush does not load this skill \(3,240 bytes of 1,024\)\.$/,
    );
  });

  it('has the size of a file', () => {
    const text = `${skill(DESCRIPTION)}${'Moor it.\n'.repeat(12_000)}`;
    const found = messagesIn(text, { clients: 'zed', path: '.agents/skills/moor/SKILL.md' });
    assert.ok(
      found.some((one) => /The file is too large: 108,\d{3} bytes of 102,400/.test(one)),
      found.join('\n'),
    );
  });

  it('has one unit for a body', () => {
    const [found] = messagesIn(skill(DESCRIPTION).replace('Moor it.', 'word '.repeat(7_000)));
    assert.match(
      found ?? '',
      /The body has at least 5,834 tokens \(34,999 characters\); the standard advises fewer than 5,000\./,
    );
  });
});
