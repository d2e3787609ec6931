/** Fixes that drop a sentence from a description that is too long. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { codeActions } from '../../../server/src/features/actions/code-actions.ts';
import { sentencesOf, shorteningFixes } from '../../../server/src/features/actions/shorten-description.ts';
import { utf16 } from '../../../server/src/features/locate.ts';
import type { Fix } from '../../../server/src/finding.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import { SkillFolder } from '../../../server/src/skill-folder/skill-folder.ts';
import { applyEdits } from '../../../server/src/text.ts';
import { withoutHang } from '../../hang.ts';

const URI = 'file:///w/.claude/skills/tidy-notes/SKILL.md';

/** A sentence of 100 characters that begins with these words. */
const filler = (words: string): string => `${words}${' lamps and places'.repeat(7)}`.slice(0, 99).concat('.');

const FILLERS = Array.from({ length: 10 }, (_, at) => filler(`Covers part ${at} with`));

const skill = (description: string, ...lines: readonly string[]): string =>
  ['---', 'name: tidy-notes', description, ...lines, '---', '', 'Merge notes.', ''].join('\n');

function open(text: string, others: Readonly<Record<string, string>> = {}, evals?: string): Workspace {
  const workspace = new Workspace();
  for (const [path, other] of Object.entries(others)) {
    workspace.apply({ kind: 'text', uri: `file:///w/${path}`, text: other });
  }
  workspace.apply({ kind: 'text', uri: URI, text });
  if (evals !== undefined) {
    const folder = new SkillFolder('file:///w/.claude/skills/tidy-notes', [{ path: 'evals/a.json', text: evals }]);
    workspace.apply({ kind: 'folder', uri: URI, folder });
  }
  return workspace;
}

function fixesIn({ analysis }: Workspace, rule: string, uri = URI): readonly Fix[] {
  const file = analysis.file(uri);
  assert.ok(file);
  return check(file, analysis).flatMap((one) => (one.rule === rule ? shorteningFixes(analysis, file, one) : []));
}

const fixesOf = (...[text, others, evals]: Parameters<typeof open>): readonly Fix[] =>
  fixesIn(open(text, others, evals), 'agent-skill-description');

const titles = (fixes: readonly Fix[]): readonly string[] => fixes.map(({ title }) => title);

const fixed = (text: string, fix: Fix | undefined): string =>
  applyEdits(
    text,
    (fix?.edits ?? []).flatMap(({ edits }) => edits),
  );

describe('the sentences of a description', () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['Tidies notes, e.g. PDF files. Works. ', ['Tidies notes, e.g. PDF files. ', 'Works. ']],
    [
      'Says "Go. Now." Then it (see b. Also c) ends. Yes!',
      ['Says "Go. Now." ', 'Then it (see b. Also c) ends. ', 'Yes!'],
    ],
    ['Reads v1.2.3 of Node.js. it goes on. 1. One.', ['Reads v1.2.3 of Node.js. it goes on. ', '1. One.']],
    ['これはペンです。使ってください。', ['これはペンです。', '使ってください。']],
    [
      'Ordnet z. B. PDF. Bei „Es regnet. Ja“ nicht. Ende.',
      ['Ordnet z. B. PDF. ', 'Bei „Es regnet. Ja“ nicht. ', 'Ende.'],
    ],
    ['Notes:\n- One (a\n- Two\n', ['Notes:\n', '- One (a\n', '- Two\n']],
    ['', []],
  ];
  for (const [text, expected] of cases)
    it(`are found in ${JSON.stringify(text)}`, () => assert.deepEqual(sentencesOf(text), expected));
});

describe('a description that is too long', () => {
  it('loses the sentence with the most common words, with the best one first', () => {
    const others = { '.claude/skills/other/SKILL.md': skill(`description: ${filler('Covers part 3 with')}`) };
    const text = skill(`description: Tidies a novelist's notes. ${FILLERS.join(' ')}`);
    const found = fixesOf(text, others);
    assert.equal(found.length, 3);
    assert.match(found[0]?.title ?? '', /^Drop the sentence “Covers part 3 with lamps[^”]*…”$/);
    assert.equal(fixed(text, found[0]), text.replace(` ${FILLERS[3]}`, ''));
  });

  it('keeps quoted words, trigger phrases and the words of requests in `evals/`', () => {
    const written = (last: string, ...lines: readonly string[]) =>
      skill(`description: '${FILLERS.slice(0, 9).join(' ')} ${filler(last)}'`, ...lines);
    const drops = (found: readonly Fix[]) => found.map(({ title }) => /“(\w+ \w+ ?\w*)/.exec(title)?.[1]);
    assert.equal(fixesOf(written('Sorts sheets')).length, 0, 'it has exactly 1,009 characters');
    const long = (last: string) => written(`${last}`).replace("description: '", `description: '${filler('Tidies')} `);
    assert.ok(drops(fixesOf(long('Sorts sheets'))).length > 0);
    const evals = JSON.stringify([{ query: 'sort my sheets', should_trigger: true }]);
    for (const title of titles(fixesOf(long('Sorts sheets'), {}, evals))) {
      assert.doesNotMatch(title, /Sorts/);
      assert.match(title, / \(keeps all trigger words\)$/);
    }
    for (const title of titles(fixesOf(long('Asks “sort sheets”')))) assert.doesNotMatch(title, /Asks/);
  });

  it('keeps the style of the scalar and its lines', () => {
    const lines = (indent: string) => FILLERS.map((one) => `${indent}${one}`);
    for (const head of ['description: >-', 'description: |', 'description: |-']) {
      const text = skill([head, "  Tidies a novelist's notes.", ...lines('  ')].join('\n'));
      const [fix] = fixesOf(text);
      assert.equal(fixed(text, fix), text.replace(`\n  ${FILLERS[9]}`, ''), head);
    }
    const quoted = skill(`description: "Tidies all of a novelist's \\"notes\\". ${FILLERS.join(' ')}"`);
    assert.equal(fixed(quoted, fixesOf(quoted)[0]), quoted.replace(` ${FILLERS[9]}`, ''));
    const crlf = skill(['description: >-', ...lines('  '), '  Ends here in the old library.'].join('\n')).replaceAll(
      '\n',
      '\r\n',
    );
    assert.equal(fixed(crlf, fixesOf(crlf)[0]), crlf.replace(`\r\n  ${FILLERS[9]}`, ''));
  });

  it('drops several sentences only if one is not enough', () => {
    const text = skill(`description: ${FILLERS.join(' ')} ${FILLERS.slice(0, 2).join(' ')}`);
    assert.match(fixesOf(text)[0]?.title ?? '', /^Drop the sentences “[^”]+”, “[^”]+”$/);
  });

  it('has no fix if it is one sentence, or if the frontmatter does not parse', () => {
    assert.deepEqual(fixesOf(skill(`description: ${'lamps, '.repeat(200)}`)), []);
    assert.deepEqual(fixesOf(skill(`description: ${FILLERS.join(' ')} Ends.`, 'a: [b')), []);
  });

  it('takes little time for a hostile text', () => {
    for (const part of ['(a. ', '\\n', ' ', '“', '"A. ', 'e.g. ', '- A.\\n', 'A. ']) {
      const text = skill(`description: "Tidies notes. ${part.repeat(2_000)} End. A"`);
      withoutHang(() => void fixesOf(text), `many ${JSON.stringify(part)}`);
    }
  });

  it('has no fix that changes a routing case of this skill or another skill', () => {
    const rival = skill('description: Covers part 9 of sheets.').replace('tidy-notes', 'rival');
    const text = skill(`description: Tidies a novelist's notes. ${FILLERS.join(' ')}`);
    const evals = JSON.stringify([{ query: 'covers part 9 of sheets', should_trigger: false }]);
    const others = { '.claude/skills/rival/SKILL.md': rival };
    assert.ok(fixesOf(text, others, evals).length > 0);
    const requests = ["tidy the novelist's notes", ...FILLERS.map((_, at) => `part ${at} lamps`)];
    const own = requests.map((query) => ({ query, should_trigger: true }));
    // Each sentence has a word of a request that is in no other sentence.
    assert.deepEqual(fixesOf(text, others, JSON.stringify(own)), []);
  });

  it('counts `when_to_use` if the client lists it, and drops its sentences, too', () => {
    const text = skill(
      `description: Tidies a novelist's notes. ${FILLERS.slice(0, 9).join(' ')}`,
      `when_to_use: ${FILLERS.slice(3, 9).join(' ')}`,
    );
    const found = fixesIn(open(text), 'agent-skill-cut');
    assert.ok(found.length > 0);
    for (const fix of found) {
      const now = open(fixed(text, fix)).analysis;
      const file = now.file(URI);
      assert.ok(file && check(file, now).every(({ rule }) => rule !== 'agent-skill-cut'));
    }
  });

  it('offers up to three actions, and prefers none of several', () => {
    const text = skill(`description: Tidies a novelist's notes. ${FILLERS.join(' ')}`);
    const { analysis } = open(text);
    const file = analysis.file(URI);
    assert.ok(file);
    const range = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } };
    const actions = codeActions(analysis, file, range, undefined, utf16);
    const drops = actions.filter(({ title }) => title.startsWith('Drop'));
    assert.deepEqual(
      drops.map(({ isPreferred }) => isPreferred),
      [undefined, undefined, undefined],
    );
  });
});

describe('a list of skills that is too long', () => {
  it('shortens the longest description, also from the catalog', () => {
    const catalog = 'agent_skills: {clients: [claude-code], context_tokens: 164000}\n';
    const text = skill(`description: Tidies a novelist's notes. ${FILLERS.slice(0, 5).join(' ')}`);
    const workspace = open(text, { 'skills.config.yaml': catalog });
    const found = fixesIn(workspace, 'listing-over-budget', 'file:///w/skills.config.yaml');
    assert.deepEqual(
      found.map(({ edits }) => edits.map(({ uri }) => uri)),
      found.map(() => [URI]),
    );
    assert.ok(found.length > 0);
    for (const fix of found) {
      const { analysis } = open(fixed(text, fix), { 'skills.config.yaml': catalog });
      const file = analysis.file('file:///w/skills.config.yaml');
      assert.ok(file && check(file, analysis).length === 0);
    }
  });
});
