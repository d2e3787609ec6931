/** Descriptions with nearly the same text, reported while they are edited (docs/rules/overlapping-skills.md). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import type { Finding } from '../../../server/src/finding.ts';
import { OVERLAP_THRESHOLD, OverlapIndex } from '../../../server/src/matching/overlap-index.ts';
import { termsOf } from '../../../server/src/matching/words.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import { applyEdits } from '../../../server/src/text.ts';
import { cases } from '../../random.ts';

const uriOf = (name: string): string => `file:///skills/${name}.skill.yaml`;

const write = (workspace: Workspace, name: string, description: string) =>
  workspace.apply({ kind: 'text', uri: uriOf(name), text: `name: ${name}\ndescription: ${description}\n` });

/** Returns a workspace with these descriptions, in which the rule is turned on. */
function workspaceWith(descriptions: Readonly<Record<string, string>>): Workspace {
  const workspace = new Workspace();
  workspace.apply({ kind: 'severities', severities: { 'overlapping-skills': 'info' } });
  for (const [name, description] of Object.entries(descriptions)) write(workspace, name, description);
  return workspace;
}

function findingsIn({ analysis }: Workspace, name: string): readonly Finding[] {
  const file = analysis.file(uriOf(name));
  return file ? check(file, analysis).filter(({ rule }) => rule === 'overlapping-skills') : [];
}

const SHOP = {
  title: 'Finds a title in the shop by its name.',
  author: 'Finds a title in the shop by its author.',
  notes: 'Merges meeting notes into one list of decisions.',
  tone: 'Checks that the tone of a chapter fits the book.',
};

/** Returns this many descriptions, of which no two are alike. */
const others = (count: number): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`s-${at}`, `Weighs a${at}a and b${at}b, then keeps c${at}c.`]),
  );

test('reports both of two similar descriptions, each with the location of the other', () => {
  const workspace = workspaceWith(SHOP);
  const [finding] = findingsIn(workspace, 'title');
  assert.deepEqual(
    finding?.related.map(({ uri, message }) => [uri, message]),
    [[uriOf('author'), `\`author\` has a similar description (${/\((\S+) of 1;/.exec(finding?.message ?? '')?.[1]})`]],
  );
  assert.equal(findingsIn(workspace, 'author').length, 1);
  assert.equal(findingsIn(workspace, 'notes').length, 0);
});

test('one fix names all similar skills, and removes the finding', () => {
  const workspace = workspaceWith({
    'find-title': 'Finds a title in the shop.',
    'find-author': 'Finds a title in the shop by its author.',
    'find-year': 'Finds a title in the shop by its year.',
  });
  const [finding] = findingsIn(workspace, 'find-title');
  const [fix, ...more] = finding?.fixes ?? [];
  assert.deepEqual([fix?.title, more], ['Say when to use `find-author` or `find-year` instead', []]);
  const edits = fix?.edits.flatMap((one) => one.edits) ?? [];
  const text = applyEdits(workspace.analysis.file(uriOf('find-title'))?.text ?? '', edits);
  workspace.apply({ kind: 'text', uri: uriOf('find-title'), text });
  assert.deepEqual(findingsIn(workspace, 'find-title'), [], text);
});

test('an edit affects skills that overlapped before and skills that overlap now', () => {
  const workspace = workspaceWith({ ...SHOP, ...others(400) });
  findingsIn(workspace, 'title');
  const affected = write(workspace, 'author', SHOP.notes);
  assert.deepEqual([...affected].sort(), ['author', 'notes', 'title'].map(uriOf));
  assert.equal(findingsIn(workspace, 'title').length, 0);
  assert.equal(findingsIn(workspace, 'notes').length, 1);
});

test('deprecating a skill affects the skills that overlapped with it', () => {
  const workspace = workspaceWith({ ...SHOP, ...others(400) });
  findingsIn(workspace, 'title');
  const text = `name: author\ndescription: ${SHOP.author}\ndeprecated: {since: "2031-01-31", use: tone}\n`;
  const affected = workspace.apply({ kind: 'text', uri: uriOf('author'), text });
  assert.ok(affected !== 'all' && affected.has(uriOf('title')));
  assert.equal(findingsIn(workspace, 'title').length, 0);
});

test('an edit affects only its own file if the rule is off', () => {
  const workspace = workspaceWith(SHOP);
  workspace.apply({ kind: 'severities', severities: {} });
  findingsIn(workspace, 'title');
  assert.deepEqual([...write(workspace, 'author', SHOP.notes)], [uriOf('author')]);
});

test('compares an edited description only with descriptions that contain its rare words', () => {
  const workspace = workspaceWith({ ...SHOP, ...others(1_000) });
  findingsIn(workspace, 'title');
  const { overlap } = workspace.analysis;
  const before = overlap.compared;
  write(workspace, 'author', 'Finds a title in the shop by its year.');
  findingsIn(workspace, 'author');
  assert.equal(workspace.analysis.overlap, overlap);
  assert.ok(overlap.compared - before < 20, `${overlap.compared - before} comparisons`);
});

test('reports each of many equal descriptions once, with the locations of a few others', () => {
  const names = Array.from({ length: 500 }, (_, at) => `s-${at}`);
  const workspace = workspaceWith(Object.fromEntries(names.map((name) => [name, SHOP.title])));
  const [finding, ...more] = findingsIn(workspace, 's-7');
  assert.equal(more.length, 0);
  assert.equal(finding?.related.length, 5);
  assert.match(finding?.message ?? '', /that of `s-0` and 498 more/);
});

test('reports nothing while files are being read', () => {
  const workspace = workspaceWith(SHOP);
  workspace.apply({ kind: 'partial', partial: true });
  assert.equal(findingsIn(workspace, 'title').length, 0);
});

const DESCRIPTION = fc
  .array(fc.constantFrom('merge', 'notes', 'title', 'shop', 'tone', 'finds', 'book'), { maxLength: 5 })
  .map((words) => words.join(' '));

test('the findings after edits equal the findings after reading all files again', () => {
  const NAMES = ['a', 'b', 'c', 'd', 'e'];
  const edit = fc.tuple(fc.constantFrom(...NAMES), fc.option(DESCRIPTION, { nil: undefined }));
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 8 }), (edits) => {
      const workspace = workspaceWith({ a: 'finds title', b: 'finds title shop', c: '', d: 'tone', e: 'book tone' });
      const known = new Map(NAMES.map((name) => [uriOf(name), findingsIn(workspace, name)]));
      const now = new Map([...workspace.index.files].map(([uri, { text }]) => [uri, text]));
      for (const [name, description] of edits) {
        const affected =
          description === undefined
            ? workspace.apply({ kind: 'delete', uri: uriOf(name) })
            : write(workspace, name, description);
        const entry = workspace.index.files.get(uriOf(name));
        if (entry) now.set(uriOf(name), entry.text);
        else now.delete(uriOf(name));
        for (const one of NAMES) {
          if (affected === 'all' || affected.has(uriOf(one))) known.set(uriOf(one), findingsIn(workspace, one));
        }
      }
      const fresh = workspaceWith({});
      for (const [uri, text] of now) fresh.apply({ kind: 'text', uri, text });
      for (const name of NAMES) assert.deepEqual(known.get(uriOf(name)), findingsIn(fresh, name), name);
    }),
    cases(40),
  );
});

test('an edited index returns the same results as a new index', () => {
  const step = fc.tuple(fc.integer({ min: 0, max: 6 }), fc.option(DESCRIPTION, { nil: undefined }));
  const answers = (index: OverlapIndex<number>, ids: readonly number[]) =>
    ids.map((id) =>
      index
        .similarTo(id, OVERLAP_THRESHOLD)
        .map((one) => [[...one.ids].sort(), one.similarity])
        .sort(),
    );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      const edited = new OverlapIndex<number>();
      const texts = new Map<number, string>();
      for (const [id, text] of steps) {
        edited.set(id, text === undefined ? undefined : termsOf(text));
        if (text === undefined) texts.delete(id);
        else texts.set(id, text);
      }
      const fresh = new OverlapIndex<number>();
      for (const [id, text] of texts) fresh.set(id, termsOf(text));
      assert.deepEqual(answers(edited, [...texts.keys()]), answers(fresh, [...texts.keys()]));
    }),
  );
});
