/** What a rename changes, and how a new name is written in the place of an old one. */

import type { TextDocumentEdit, WorkspaceEdit } from 'vscode-languageserver-types';
import { Analysis } from '../../analysis/analysis.ts';
import type { FileEdits } from '../../finding.ts';
import { findFunction } from '../../languages/minijinja/builtins.ts';
import { formatScalar, setScalar } from '../../languages/yaml/edit.ts';
import type { YamlTree } from '../../languages/yaml/node.ts';
import { check } from '../../rules/check.ts';
import { findRule } from '../../rules/index.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { applyEdits, contains, type Span, sliceOf, type TextEdit } from '../../text.ts';
import { TEMPLATE_VARIABLES } from '../../vocabulary/known-names.ts';
import type { Locate } from '../locate.ts';
import { type Occurrence, occurrencesOf, targetAt } from '../symbol/occurrences.ts';
import { findScalar, type ScalarPlace, textOf } from '../symbol/schema-place.ts';
import type { Target } from '../symbol/target.ts';

/** A file or a folder that gets another address. */
export interface Move {
  readonly from: string;
  readonly to: string;
}

export interface Plan {
  readonly edits: readonly FileEdits[];
  readonly moves: readonly Move[];
  /** The files in which mappings get or lose a pair, so that the number of names changes. */
  readonly remapped: readonly string[];
}

/** Why a rename is not done, and what to do: a sentence or two for the user. */
export interface RenameRefusal {
  readonly refusal: string;
}

export const refuse = (refusal: string): RenameRefusal => ({ refusal });

export const isRefusal = (answer: object | undefined): answer is RenameRefusal =>
  answer !== undefined && 'refusal' in answer;

/** A file's name in a message. */
export const fileOf = (uri: string): string => {
  const parts = uri.split('/');
  return `\`${parts.at(-1) === 'SKILL.md' ? parts.slice(-2).join('/') : parts.at(-1)}\``;
};

/** The new name in every place; a refusal where one of them is a YAML alias. */
export function planEdits(occurrences: readonly Occurrence[], newName: string): Plan | RenameRefusal {
  const files = new Map<string, TextEdit[]>();
  for (const { file, span } of occurrences) {
    const edits = editsAt(file, span, newName);
    if (isRefusal(edits)) return edits;
    const known = files.get(file.uri);
    if (known) known.push(...edits);
    else files.set(file.uri, [...edits]);
  }
  return { edits: [...files].map(([uri, edits]) => ({ uri, edits })), moves: [], remapped: [] };
}

/** The scalar of the frontmatter, of an artifact's metadata or of an example that holds a place. */
export function scalarAt(file: SkillFile, place: Span): ScalarPlace | undefined {
  const { tree } = file.frontmatter;
  const trees: readonly YamlTree[] =
    place.end <= tree.span.end ? [tree] : [...file.metadata, ...file.examples].map((one) => one.tree);
  const holder = trees.find(({ span }) => contains(span, place));
  const found = holder && findScalar(holder, place.start);
  return found && contains(found.scalar.span, place) ? found : undefined;
}

function editsAt(file: SkillFile, place: Span, newName: string): readonly TextEdit[] | RenameRefusal {
  const { text } = file;
  const found = scalarAt(file, place);
  const plain = { span: place, newText: newName };
  if (!found) return [plain];
  const { scalar, role } = found;
  const written = sliceOf(text, scalar.span);
  if (/^[*&!]/.test(written)) {
    return refuse(
      `In ${fileOf(file.uri)} the name stands behind a YAML alias, anchor or tag. Write it out there first.`,
    );
  }
  if (textOf(scalar) !== sliceOf(text, place)) return [plain];
  // In braces more characters of a key have to be quoted.
  if (role === 'key' && scalar.style === 'plain') return [{ span: scalar.span, newText: formatScalar(newName, true) }];
  return setScalar(text, scalar, newName);
}

/** The offset after edits to its file; one within an edit goes to the edit's start. */
export function movedBy(edits: readonly TextEdit[], offset: number): number {
  let by = 0;
  for (const { span, newText } of edits) {
    if (span.end <= offset) by += newText.length - (span.end - span.start);
    else if (span.start < offset) by += span.start - offset;
  }
  return offset + by;
}

// Refuses a rename after which the workspace would have new findings, or the new name would mean something else.

/** At most this many files are checked for new findings. */
const MAX_CHECKED = 60;

export function verifyPlan(
  analysis: Analysis,
  plan: Plan,
  target: Target,
  occurrences: readonly Occurrence[],
  newName: string,
): RenameRefusal | undefined {
  const after = analysisAfter(analysis, plan);
  return refuseJoined(after, plan, occurrences, newName) ?? refuseNewFindings(analysis, after, plan, target);
}

/** The analysis as it would be after the plan. */
function analysisAfter(analysis: Analysis, { edits, moves }: Plan): Analysis {
  const edited = analysis.edited(
    edits.flatMap(({ uri, edits: own }) => {
      const before = analysis.file(uri);
      return before ? [{ uri, text: applyEdits(before.text, own) }] : [];
    }),
  );
  if (moves.length === 0) return edited;
  const { files, facts, snapshots } = edited.index;
  const moved = [...files.values()].filter(({ uri }) => movedUri(uri, moves) !== uri);
  // Facts and snapshots move with the folders, before the catalogs in them are read.
  const exists = facts.exists.merge(facts.exists.mapKeys((uri) => movedUri(uri, moves)));
  const index = {
    ...edited.index,
    facts: { ...facts, exists },
    snapshots: snapshots.mapKeys((folder) => movedUri(folder, moves)),
  };
  return new Analysis(index).edited([
    ...moved.map(({ uri }) => ({ uri, text: undefined })),
    ...moved.map(({ uri, text }) => ({ uri: movedUri(uri, moves), text })),
  ]);
}

export const movedUri = (uri: string, moves: readonly Move[]): string => {
  const move = moves.find(({ from }) => uri === from || uri.startsWith(`${from}/`));
  return move ? move.to + uri.slice(move.from.length) : uri;
};

/** Refuses a plan after which the places of the new name are not exactly those of the old one. */
function refuseJoined(
  after: Analysis,
  plan: Plan,
  occurrences: readonly Occurrence[],
  newName: string,
): RenameRefusal | undefined {
  const target = newTarget(after, plan, occurrences, newName);
  if (!target) return refuse(`\`${newName}\` would not be read as a name there. Choose another one.`);
  const expected = countEach(occurrences.map(({ file }) => movedUri(file.uri, plan.moves)));
  const found = countEach(occurrencesOf(after, target).map(({ file }) => file.uri));
  for (const uri of new Set([...expected.keys(), ...found.keys()])) {
    if (plan.remapped.includes(uri) || expected.get(uri) === found.get(uri)) continue;
    return (found.get(uri) ?? 0) > (expected.get(uri) ?? 0)
      ? refuse(
          `${fileOf(uri)} names \`${newName}\` already, which would then be taken for this one. Choose another name.`,
        )
      : refuse(`In ${fileOf(uri)} \`${newName}\` would not be read as this name everywhere. Choose another one.`);
  }
  return undefined;
}

/** What the first place that still exists means afterwards. */
function newTarget(
  after: Analysis,
  { edits, moves }: Plan,
  occurrences: readonly Occurrence[],
  newName: string,
): Target | undefined {
  for (const { file, span } of occurrences) {
    const renamed = after.file(movedUri(file.uri, moves));
    const own = edits.find(({ uri }) => uri === file.uri)?.edits ?? [];
    if (!renamed) continue;
    const from = movedBy(own, span.start);
    const start = renamed.text.indexOf(newName, from);
    // The new name may be quoted.
    if (start < 0 || start > from + 1) continue;
    const here = targetAt(after, renamed, start + Math.min(1, newName.length - 1));
    if (here?.target.name === newName) return here.target;
  }
  return undefined;
}

function countEach(words: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Refuses a plan after which a file has more findings of a rule than before. */
function refuseNewFindings(
  before: Analysis,
  after: Analysis,
  { edits, moves }: Plan,
  target: Target,
): RenameRefusal | undefined {
  const home = target.kind === 'field' ? before.graph.skills.get(target.uri)?.summary.name : undefined;
  const name = target.kind === 'skill' ? target.name : home;
  const mentioning = name === undefined ? [] : [...(before.graph.mentionedBy.get(name) ?? [])];
  const uris = [...new Set([...edits.map(({ uri }) => uri), ...mentioning.sort()])];
  for (const uri of uris.slice(0, MAX_CHECKED)) {
    const file = before.file(uri);
    const renamed = after.file(movedUri(uri, moves));
    if (!file || !renamed) continue;
    const left = new Map(countEach(check(file, before).map(({ rule }) => rule)));
    for (const { rule, message } of check(renamed, after)) {
      const rest = (left.get(rule) ?? 0) - 1;
      left.set(rule, rest);
      // A client that cannot rename files changes only the names.
      if (rest < 0 && findRule(rule)?.about !== 'file-name') {
        return refuse(`After that, ${fileOf(uri)} would have a new finding: ${message}`);
      }
    }
  }
  return undefined;
}

// A plan as the edit that a client can carry out.

/** What the client can carry out. */
export interface RenameClient {
  readonly documentChanges: boolean;
  readonly renamesFiles: boolean;
  readonly annotations: boolean;
  /** The version of an open file; null for any other. */
  readonly version: (uri: string) => number | null;
}

const ELSEWHERE = 'elsewhere';
const IN_WORDS = 'in-words';

/** Edits of texts come first, under the old URIs; renames of files follow. `here` is the file that the user renames in. */
export function toWorkspaceEdit(
  analysis: Analysis,
  here: string,
  { edits, moves }: Plan,
  newName: string,
  locate: Locate,
  { documentChanges, annotations, version }: RenameClient,
): WorkspaceEdit {
  const changed = edits.flatMap(({ uri, edits: all }) => {
    const file = analysis.file(uri);
    if (!file) return [];
    const inWords = new Set(
      (file.body?.plainReferences ?? []).flatMap(({ form, nameSpan }) => (form === 'link' ? [] : nameSpan.start)),
    );
    const kindOf = ({ start }: Span) => (inWords.has(start) ? IN_WORDS : ELSEWHERE);
    return [
      {
        uri,
        edits: all.map(({ span, newText }) => ({ range: locate.range(file, span), newText })),
        annotations: all.map(({ span }) => kindOf(span)),
      },
    ];
  });
  if (!documentChanges) return { changes: Object.fromEntries(changed.map(({ uri, edits: all }) => [uri, all])) };
  const annotated = annotations && (moves.length > 0 || changed.some(({ uri }) => uri !== here));
  const texts = changed.map(
    ({ uri, edits: all, annotations: ids }): TextDocumentEdit => ({
      textDocument: { uri, version: version(uri) },
      edits: annotated && uri !== here ? all.map((edit, at) => ({ ...edit, annotationId: ids[at] ?? ELSEWHERE })) : all,
    }),
  );
  const files = moves.map(({ from, to }) => ({
    kind: 'rename' as const,
    oldUri: from,
    newUri: to,
    ...(annotated ? { annotationId: ELSEWHERE } : {}),
  }));
  const isInWords = changed.some(({ uri, annotations: ids }) => uri !== here && ids.includes(IN_WORDS));
  const changeAnnotations = {
    [ELSEWHERE]: { label: `Rename to ${newName} in other files`, needsConfirmation: false },
    // A group of its own in the preview. To ask would leave it out by default, and the text would name nothing.
    ...(isInWords && {
      [IN_WORDS]: { label: `Rename to ${newName} in the text of other skills`, needsConfirmation: false },
    }),
  };
  return { documentChanges: [...texts, ...files], ...(annotated ? { changeAnnotations } : {}) };
}

/** Words of the template language, and constants in either case. */
const RESERVED =
  /^(?:and|or|not|in|is|if|else|elif|for|recursive|true|false|none|True|False|None|loop|self|super|caller|with|as|import)$/;

export function refuseIdentifier(newName: string): RenameRefusal | undefined {
  if (!/^[A-Za-z_]\w*$/.test(newName)) {
    return refuse(`\`${newName}\` is no name in a template. Write letters, digits and \`_\`, and begin with no digit.`);
  }
  if (RESERVED.test(newName)) return refuse(`\`${newName}\` is a word of the template language. Choose another name.`);
  if (TEMPLATE_VARIABLES.some(({ name }) => name === newName)) {
    return refuse(
      `The composer gives every template a variable \`${newName}\`, which would be hidden. Choose another name.`,
    );
  }
  return findFunction(newName) && refuse(`\`${newName}\` is a function of the template language. Choose another name.`);
}
