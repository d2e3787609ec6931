/** Laws of renaming, over the samples: it breaks nothing, it can be taken back, and every occurrence tells of the same ones. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Occurrence, occurrencesOf, targetAt } from '../../server/src/features/occurrences.ts';
import { movedBy, type Plan } from '../../server/src/features/rename/plan.ts';
import { movedUri } from '../../server/src/features/rename/trial.ts';
import { isRefusal, planRename } from '../../server/src/features/rename.ts';
import type { Target } from '../../server/src/features/target.ts';
import { check } from '../../server/src/rules/check.ts';
import { applyEdits } from '../../server/src/text.ts';
import { Workspace } from '../../server/src/workspace/workspace.ts';
import type { WorkspaceIndex } from '../../server/src/workspace/workspace-index.ts';
import { RUNS, soundSamples } from './corpus.ts';

type Texts = ReadonlyMap<string, string>;

const ROOT = 'file:///samples';

const before: Texts = new Map([...soundSamples].map(([path, text]) => [`${ROOT}/${path}`, text]));
const index = indexOf(before);

/** Everything in the samples that has a name, each thing once, by an occurrence of it. */
const things = allThings();

test('the samples name things of every kind', () => {
  const kinds = new Set(things.map(({ target }) => (target.kind === 'catalog' ? target.domain : target.kind)));
  for (const kind of ['skill', 'field', 'local', 'artifact', 'step', 'tool', 'scope', 'role', 'profile', 'interrupt']) {
    assert.ok(kinds.has(kind as never), kind);
  }
});

test('a rename breaks nothing, and renaming back restores every byte', () => {
  let done = 0;
  const tried = { tried: 0 };
  fc.assert(
    fc.property(fc.constantFrom(...things), fc.nat(), ({ target, occurrences }, which) => {
      tried.tried++;
      if (checkRename(target, occurrences, which)) done++;
    }),
    { numRuns: 30 * RUNS },
  );
  // What the format itself defines keeps its name, and so does what no mapping could keep together.
  assert.ok(done > tried.tried / 2, `only ${done} of ${tried.tried} renames were done`);
});

/** False where the rename is refused. */
function checkRename(target: Target, occurrences: readonly Occurrence[], which: number): boolean {
  const { document, span } = occurrences[which % occurrences.length] as Occurrence;
  const newName = freshName(target);
  const plan = planRename(index, document, span.start, newName, true);
  if (isRefusal(plan)) return false;
  const texts = carriedOut(before, plan);
  const after = indexOf(texts);
  assert.deepEqual(
    findingsOf(after, newName, target.name),
    findingsOf(index, target.name, newName, (uri) => movedUri(uri, plan.moves)),
    `${target.kind} ${target.name}`,
  );
  const uri = movedUri(document.uri, plan.moves);
  const start = movedBy(plan.edits.find((file) => file.uri === document.uri)?.edits ?? [], span.start);
  const renamed = after.documents.get(uri);
  assert.ok(renamed);
  const there = targetAt(after, renamed, start);
  if (there?.target.name !== newName) return true;
  const back = planRename(after, renamed, start, target.name, true);
  assert.ok(!isRefusal(back), `${target.kind} ${target.name}: ${isRefusal(back) ? back.refusal : ''}`);
  const restored = carriedOut(texts, back);
  assert.deepEqual([...restored].sort(), [...before].sort(), `${target.kind} ${target.name}`);
  return true;
}

test('from every occurrence the same ones are found', () => {
  fc.assert(
    fc.property(fc.constantFrom(...things), ({ target, occurrences }) => {
      const all = occurrences.map(({ document, span }) => `${document.uri} ${span.start}`);
      for (const { document, span } of occurrences.slice(0, 12)) {
        const here = targetAt(index, document, span.start);
        const found = here ? occurrencesOf(index, document, here.target) : [];
        assert.deepEqual(
          found.map((one) => `${one.document.uri} ${one.span.start}`),
          all,
          `${target.kind} ${target.name}`,
        );
      }
    }),
    { numRuns: 40 * RUNS },
  );
});

function allThings(): { readonly target: Target; readonly occurrences: readonly Occurrence[] }[] {
  const seen = new Set<string>();
  const found: { target: Target; occurrences: readonly Occurrence[] }[] = [];
  for (const document of index.documents.values()) {
    for (const { index: offset } of document.text.matchAll(/[A-Za-z_][\w-]*/g)) {
      const here = targetAt(index, document, offset);
      if (!here || seen.has(`${document.uri} ${here.span.start}`)) continue;
      const occurrences = occurrencesOf(index, document, here.target);
      for (const one of occurrences) seen.add(`${one.document.uri} ${one.span.start}`);
      if (occurrences.length > 0) found.push({ target: here.target, occurrences });
    }
  }
  return found;
}

/** A name that is valid for what it is given to, and that the samples do not have. */
function freshName(target: Target): string {
  if (target.kind === 'skill') return 'quite-another';
  if (target.kind === 'catalog') return target.domain === 'scope' ? 'read:another' : 'quite_another';
  return target.kind === 'artifact' ? 'Quite another' : 'quite_another';
}

function indexOf(texts: Texts): WorkspaceIndex {
  const workspace = new Workspace();
  for (const [uri, text] of texts) workspace.apply({ kind: 'text', uri, text });
  return workspace.index();
}

function carriedOut(texts: Texts, { edits, moves }: Plan): Texts {
  const changed = new Map(texts);
  for (const { uri, edits: all } of edits) changed.set(uri, applyEdits(texts.get(uri) ?? '', all));
  return new Map([...changed].map(([uri, text]) => [movedUri(uri, moves), text]));
}

/** Rule and message of every finding, with neither of the two names in it. */
function findingsOf(all: WorkspaceIndex, name: string, other: string, moved = (uri: string) => uri): readonly string[] {
  const plain = (message: string) => message.replaceAll(name, '…').replaceAll(other, '…');
  return [...all.documents.values()]
    .flatMap((document) =>
      check(all, document).map(({ rule, message }) => `${moved(document.uri)} ${rule} ${plain(message)}`),
    )
    .sort();
}
