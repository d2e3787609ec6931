/** Laws of the fixes of frontmatter: in any text, each fix removes its finding and breaks nothing. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import type { Finding, Fix } from '../../../server/src/finding.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import { applyEdits } from '../../../server/src/text.ts';
import { cases } from '../../random.ts';

function findingsOf(path: string, text: string): readonly Finding[] {
  const workspace = new Workspace();
  const uri = `file:///w/${path}`;
  workspace.apply({ kind: 'text', uri, text });
  const file = workspace.analysis.file(uri);
  return file ? check(file, workspace.analysis) : [];
}

const after = (text: string, { edits }: Fix): string =>
  applyEdits(
    text,
    edits.flatMap((file) => file.edits),
  );

const skill = (lines: readonly string[], isCrlf: boolean): string => {
  const text = ['---', ...lines, '---', '', '# Tidy notes', ''].join('\n');
  return isCrlf ? text.replaceAll('\n', '\r\n') : text;
};

const mixesBreaks = (text: string, isCrlf: boolean): boolean => isCrlf && /[^\r]\n/.test(text);

const count = (findings: readonly Finding[], rule: string): number =>
  findings.filter((finding) => finding.rule === rule).length;

const SKILL_LINES = [
  'name: b_C',
  'name: "a"',
  'description: Says: it',
  'description:',
  'version: 1',
  'version: "1.0.0"',
  'level: "2"',
  'level: 1',
  'composes: [b]',
  'composes:\n  - b\n  - skill: c',
  'composes: []',
  'tags: x',
  'tags:\n- x',
  'tagz: [x]',
  'input: {q: strng}',
  'input_schema:\n  q: string',
  'policy: {retry: {attempts: 2}, budget: {p95_ms: 3, p99_ms: 2}}',
  'policy:\n  idempotency_key: "{p}"\n  timeout_ms: 2s\n  retry:\n    max_attempts: 3',
  '# a comment',
  'tools: [{optional: yes}]',
  '\ttabs: 1',
  'x: [1',
];

const AGENT_SKILL_LINES = [
  'name: Tidy_Notes',
  "name: 'tidy-notes'",
  'name:',
  'name: 12',
  'nmae: tidy',
  'description: x',
  'descripton: >-\n  x\n  y',
  'description: ""',
  'metadata: {a: 1.0}',
  'metadata:\n  a: 1.0\n  b: [x]',
  'metadata:\n# c\n  author: x # d',
  'metadata: {}',
  'allowed-tools: a, b',
  'allowed-tools: "a, b"',
  'allowed-tools:\n- a\n- b',
  'allowed-tools: [a, "b"]',
  'version: 1.0',
  'tags: [a, b]',
  'tags:\n  - a\n  - b',
  "author: 'x' # e",
  'requires: {x: y}',
  'argument-hint: [a] ',
  'user-invocable: "yes"',
  'user-invokable: true',
  'effort: LOW',
  'compatability: x',
  'compatibility: [x]',
  '"quoted key": 1',
];

describe('a fix in any frontmatter', () => {
  it('of a skill removes its finding, and breaks nothing', () => {
    const lines = fc.array(fc.constantFrom(...SKILL_LINES), { maxLength: 7 });
    fc.assert(
      fc.property(lines, fc.boolean(), (picked, isCrlf) => {
        const text = skill(picked, isCrlf);
        const before = findingsOf('a.skill.md', text);
        const isBroken = count(before, 'invalid-yaml') > 0;
        // Fixing a broken or duplicate key may reveal findings that the key has hidden.
        const hides = isBroken || count(before, 'duplicate-key') > 0;
        for (const { rule, fixes } of before) {
          // A fix that creates a file changes nothing here.
          for (const fix of fixes.filter(({ edits }) => edits.length > 0)) {
            const fixed = after(text, fix);
            const still = findingsOf('a.skill.md', fixed);
            const what = `"${fix.title}" of ${rule}`;
            assert.ok(isBroken || count(still, 'invalid-yaml') === 0, `${what} breaks\n${text}\nto\n${fixed}`);
            // A placeholder is reported by the same rule, until the author replaces it.
            const least = fix.placeholder === undefined ? 1 : 0;
            const isBetter = hides || count(still, rule) <= count(before, rule) - least;
            assert.ok(isBetter, `${what} does not fix\n${text}\nbut gives\n${fixed}`);
            assert.ok(!mixesBreaks(fixed, isCrlf), `${what} mixes line breaks`);
          }
        }
      }),
      cases(25),
    );
  });

  it('of a SKILL.md removes its finding, and breaks nothing', () => {
    const lines = fc.uniqueArray(fc.constantFrom(...AGENT_SKILL_LINES), {
      maxLength: 8,
      selector: (line) => /^[\w-]*/.exec(line)?.[0],
    });
    fc.assert(
      fc.property(lines, fc.boolean(), (picked, isCrlf) => {
        const text = skill(picked, isCrlf);
        for (const { rule, fixes, message } of findingsOf('tidy-notes/SKILL.md', text)) {
          for (const fix of fixes) {
            const fixed = after(text, fix);
            const still = findingsOf('tidy-notes/SKILL.md', fixed);
            const what = `"${fix.title}" of ${rule}`;
            assert.equal(count(still, 'invalid-yaml'), 0, `${what} breaks\n${text}\nto\n${fixed}`);
            assert.ok(!still.some((one) => one.message === message), `${what} does not fix\n${text}`);
            assert.ok(!mixesBreaks(fixed, isCrlf), `${what} mixes line breaks`);
          }
        }
      }),
      cases(40),
    );
  });
});
