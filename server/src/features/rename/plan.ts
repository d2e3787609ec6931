/** The plan of a rename: its edits and file moves, checks of the result, and the conversion to a workspace edit. */

import type { TextDocumentEdit, WorkspaceEdit } from 'vscode-languageserver-types';
import { Analysis } from '../../analysis/analysis.ts';
import { demandOfRelease, requirementsOf, setRange } from '../../analysis/version-ranges.ts';
import type { FileEdits } from '../../finding.ts';
import { findFunction } from '../../languages/minijinja/builtins.ts';
import { formatScalar, setScalar } from '../../languages/yaml/edit.ts';
import type { YamlTree } from '../../languages/yaml/node.ts';
import { check } from '../../rules/engine/check.ts';
import { findRule } from '../../rules/engine/index.ts';
import { findSkillEntry } from '../../skill/contract.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { applyEdits, contains, type Span, sliceOf, type TextEdit } from '../../text.ts';
import { TEMPLATE_VARIABLES } from '../../vocabulary/known-names.ts';
import { filesUsingFields, mentionsOf } from '../../workspace/composition-lookups.ts';
import { allows } from '../../workspace/resolve-skill.ts';
import { isSureMention, skillMentions } from '../../workspace/skill-mentions.ts';
import type { Locate, Located } from '../locate.ts';
import { type Occurrence, occurrencesOf, targetAt } from '../symbol/occurrences.ts';
import { findScalar, type ScalarPlace, textOf } from '../symbol/schema-place.ts';
import type { SymbolTarget } from '../symbol/target.ts';

/** A file or a folder that gets a new URI. */
export interface Move {
  readonly from: string;
  readonly to: string;
}

export interface Plan {
  readonly edits: readonly FileEdits[];
  readonly moves: readonly Move[];
  /** The URIs of the files in which mappings gain or lose a pair, so that the number of occurrences changes. */
  readonly remapped: readonly string[];
}

/** A rename or a move that a client performs. */
export interface Renamed {
  readonly edit: WorkspaceEdit;
  readonly name: string;
  readonly newName: string;
  readonly isOfSkill: boolean;
  /** The files and folders that move, or that the user must rename if the client cannot. */
  readonly moves: readonly Move[];
  /** All occurrences of the name before the rename. */
  readonly occurrences: readonly Occurrence[];
  /** The number of changed files that were not checked for new findings. */
  readonly unchecked: number;
}

/** Returns the number of changed files that are not checked for new findings. */
export const uncheckedIn = ({ edits }: Plan): number => Math.max(0, edits.length - MAX_CHECKED);

/** A refused rename, with the reason and the fix in one or two sentences for the user. */
export interface RenameRefusal {
  readonly refusal: string;
}

export const refuse = (refusal: string): RenameRefusal => ({ refusal });

export const isRefusal = (answer: object | undefined): answer is RenameRefusal =>
  answer !== undefined && 'refusal' in answer;

/** Returns the name of a file in backticks, for a message. */
export const quotedFileName = (uri: string): string => {
  const parts = uri.split('/');
  return `\`${parts.at(-1) === 'SKILL.md' ? parts.slice(-2).join('/') : parts.at(-1)}\``;
};

/**
 * Returns the edits that write the new name at every occurrence, or a refusal if an occurrence is a YAML alias, anchor
 * or tag.
 */
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

/**
 * Returns the scalar that contains a span: in the frontmatter, the metadata of an artifact or the data of an example.
 */
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
      `${quotedFileName(file.uri)} uses a YAML alias, anchor or tag for this name. Replace it with the plain name first.`,
    );
  }
  if (textOf(scalar) !== sliceOf(text, place)) return [plain];
  // Inside braces, more characters in a key require quotes.
  if (role === 'key' && scalar.style === 'plain') return [{ span: scalar.span, newText: formatScalar(newName, true) }];
  return setScalar(text, scalar, newName);
}

/**
 * Returns the position of an offset after the edits to its file; an offset inside an edit moves to the start of that
 * edit.
 */
export function offsetAfterEdits(edits: readonly TextEdit[], offset: number): number {
  let by = 0;
  for (const { span, newText } of edits) {
    if (span.end <= offset) by += newText.length - (span.end - span.start);
    else if (span.start < offset) by += span.start - offset;
  }
  return offset + by;
}

/** The maximum number of files that are checked for new findings, which takes some milliseconds for each. */
const MAX_CHECKED = 500;

/** Refuses a rename that causes new findings, or after which the new name refers to something else. */
export function verifyPlan(
  analysis: Analysis,
  plan: Plan,
  target: SymbolTarget,
  occurrences: readonly Occurrence[],
  newName: string,
): RenameRefusal | undefined {
  const after = analysisAfter(analysis, plan);
  return (
    refuseChangedOccurrences(after, plan, occurrences, newName) ?? refuseNewFindings(analysis, after, plan, target)
  );
}

/** Returns the analysis with the plan applied. */
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
  // Facts and snapshots must move with the folders before the catalogs in these folders are read.
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

/** Refuses a plan if the new name would not occur exactly where the old name did. */
function refuseChangedOccurrences(
  after: Analysis,
  plan: Plan,
  occurrences: readonly Occurrence[],
  newName: string,
): RenameRefusal | undefined {
  const target = newTarget(after, plan, occurrences, newName);
  if (!target) return refuse(`\`${newName}\` is not a valid name here. Choose another name.`);
  const expected = countIn(occurrences, plan.moves);
  const found = countIn(occurrencesOf(after, target), []);
  for (const uri of new Set([...expected.all.keys(), ...found.all.keys()])) {
    if (plan.remapped.includes(uri)) continue;
    // A reference in words may be sure with one name only, for example a name of several words.
    if ((found.sure.get(uri) ?? 0) > (expected.all.get(uri) ?? 0))
      return refuse(
        `${quotedFileName(uri)} already uses the name \`${newName}\` for something else. Choose another name.`,
      );
    if ((found.all.get(uri) ?? 0) < (expected.sure.get(uri) ?? 0))
      return refuse(`\`${newName}\` is not a valid name everywhere in ${quotedFileName(uri)}. Choose another name.`);
  }
  return undefined;
}

/** Counts the occurrences, and those that are sure, in each file after the moves. */
function countIn(occurrences: readonly Occurrence[], moves: readonly Move[]) {
  const count = (some: readonly Occurrence[]) => countEach(some.map(({ file }) => movedUri(file.uri, moves)));
  return { all: count(occurrences), sure: count(occurrences.filter(({ isSure }) => isSure)) };
}

/** Returns the target of the first occurrence that still exists after the rename. */
function newTarget(
  after: Analysis,
  { edits, moves }: Plan,
  occurrences: readonly Occurrence[],
  newName: string,
): SymbolTarget | undefined {
  for (const { file, span } of occurrences) {
    const renamed = after.file(movedUri(file.uri, moves));
    const own = edits.find(({ uri }) => uri === file.uri)?.edits ?? [];
    if (!renamed) continue;
    const from = offsetAfterEdits(own, span.start);
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
  target: SymbolTarget,
): RenameRefusal | undefined {
  const home = target.kind === 'field' ? before.graph.skills.get(target.uri) : undefined;
  const named = target.kind === 'skill' ? (before.graph.mentionedBy.get(target.name) ?? []) : [];
  const mentioning = [...named, ...(home ? filesUsingFields(before.graph, home) : [])];
  const uris = [...new Set([...edits.map(({ uri }) => uri), ...mentioning.sort()])];
  for (const uri of uris.slice(0, MAX_CHECKED)) {
    const file = before.file(uri);
    const renamed = after.file(movedUri(uri, moves));
    if (!file || !renamed) continue;
    const left = new Map(countEach(check(file, before).map(({ rule }) => rule)));
    for (const { rule, message } of check(renamed, after)) {
      const rest = (left.get(rule) ?? 0) - 1;
      left.set(rule, rest);
      // A new version is offered with the rename.
      if (rest < 0 && findRule(rule)?.about !== 'release') {
        return refuse(`${quotedFileName(uri)} would have a new problem: ${message}`);
      }
    }
  }
  return undefined;
}

/** The versions that contracts need after a rename; the user decides whether they are set. */
export interface NewVersions {
  /** The edits to the files before the rename. They do not overlap with the edits of the rename. */
  readonly edits: readonly FileEdits[];
  /** An imperative that describes the edits. */
  readonly label: string;
}

/**
 * Returns the edits that set the version of each contract that a plan changes, and the ranges in `requires` that only
 * the old version satisfies (docs/format.md, section 4, "Breaking changes"). Returns undefined if no contract needs a
 * new version, or if the edits would cause findings.
 */
export function findNewVersions(analysis: Analysis, plan: Plan, target: SymbolTarget): NewVersions | undefined {
  const after = analysisAfter(analysis, plan);
  const changed = plan.edits.flatMap(({ uri }) => {
    const file = analysis.file(uri);
    const renamed = after.file(movedUri(uri, plan.moves));
    const version = renamed && neededVersion(after, renamed);
    return file && version !== undefined && neededVersion(analysis, file) === undefined ? [{ file, version }] : [];
  });
  const [first, second] = changed;
  if (!first) return undefined;
  const edits = mergeByFile(changed.flatMap(({ file, version }) => versionEdits(analysis, file, version)));
  const whole = { ...plan, edits: mergeByFile([...plan.edits, ...edits]) };
  if (refuseNewFindings(analysis, analysisAfter(analysis, whole), whole, target)) return undefined;
  return { edits, label: second ? 'Set the new versions' : `Set the version to ${first.version}` };
}

/** Returns the version that the released text of a file demands, if a finding reports that the version is too low. */
function neededVersion(analysis: Analysis, file: SkillFile): string | undefined {
  const isReported = check(file, analysis).some(({ rule }) => findRule(rule)?.about === 'release');
  return isReported ? demandOfRelease(analysis, file)?.least : undefined;
}

function versionEdits(analysis: Analysis, file: SkillFile, version: string): readonly FileEdits[] {
  const node = findSkillEntry(file.frontmatter.tree.root, 'version')?.value;
  const skill = analysis.graph.skills.get(file.uri);
  if (node?.kind !== 'scalar' || !skill) return [];
  const { name, id, version: old } = skill.summary;
  const ranges = [...mentionsOf(analysis.graph, skill.summary)].sort().flatMap((uri): FileEdits[] => {
    const caller = analysis.file(uri);
    const entries = [name, id].flatMap((one) => (caller && one !== undefined ? requirementsOf(caller, one) : []));
    const edits = entries.flatMap((entry) => {
      const isOutdated = allows(entry.version.name, old) && !allows(entry.version.name, version);
      const isThis = caller && isOutdated && analysis.resolveSkill(caller, entry.name)?.uri === file.uri;
      return isThis ? setRange(caller, entry.version, `^${version}`) : [];
    });
    return edits.length > 0 ? [{ uri, edits }] : [];
  });
  return [{ uri: file.uri, edits: setScalar(file.text, node, version) }, ...ranges];
}

/** Joins the edits to the same file. */
export function mergeByFile(edits: readonly FileEdits[]): readonly FileEdits[] {
  const files = new Map<string, readonly TextEdit[]>();
  for (const { uri, edits: own } of edits) files.set(uri, [...(files.get(uri) ?? []), ...own]);
  return [...files].map(([uri, all]) => ({ uri, edits: all }));
}

/** The capabilities of the client that a rename uses. */
export interface RenameClient {
  /** True if an edit may contain the versions of files. */
  readonly documentChanges: boolean;
  readonly renamesFiles: boolean;
  /** Only with `documentChanges`. */
  readonly annotations: boolean;
  /** Returns the version of an open file; null for any other file. */
  readonly version: (uri: string) => number | null;
}

const fileRename = ({ from, to }: Move) => ({ kind: 'rename' as const, oldUri: from, newUri: to });

const withoutVersion = (uri: string, edits: TextDocumentEdit['edits']): TextDocumentEdit => ({
  textDocument: { uri, version: null },
  edits,
});

const ELSEWHERE = 'elsewhere';
const IN_TEXT = 'in-words';
const UNSURE = 'unsure';
const VERSION = 'version';

/** Returns the group of the edit at a position: text that may mean something else, other text, or another reference. */
function groupAt(file: SkillFile | undefined, { start }: Span): typeof UNSURE | typeof IN_TEXT | typeof ELSEWHERE {
  const mention = file && skillMentions(file).find(({ nameSpan }) => nameSpan.start === start);
  if (!mention) return ELSEWHERE;
  if (!isSureMention(file, mention)) return UNSURE;
  return mention.form === 'words' || mention.form === 'code' || mention.form === 'command' ? IN_TEXT : ELSEWHERE;
}

/**
 * Puts file renames first, then text edits, under the new URIs: an editor then saves a renamed file with the others, and
 * one undo reverts everything. Without `documentChanges`, they are last: Neovim 0.7 fails to rename a folder. `here` is
 * the file of the rename, `action` an imperative. Edits that need confirmation are only for clients with annotations.
 */
export function toWorkspaceEdit(
  analysis: Analysis,
  here: string,
  { edits, moves }: Plan,
  action: string,
  locate: Locate,
  { documentChanges, renamesFiles, annotations, version }: RenameClient,
  findOther: (uri: string) => Located | undefined = () => undefined,
  versions?: NewVersions,
): WorkspaceEdit {
  const changed = edits.flatMap(({ uri, edits: all }) => {
    const skill = analysis.file(uri);
    const file = skill ?? findOther(uri);
    if (!file) return [];
    const grouped = all.map(({ span, newText }) => ({
      group: groupAt(skill, span),
      edit: { range: locate.range(file, span), newText },
    }));
    const kept = annotations ? grouped : grouped.filter(({ group }) => group !== UNSURE);
    return kept.length > 0 ? [{ uri, edits: kept }] : [];
  });
  if (!documentChanges) {
    const simple = changed.map(({ uri, edits: all }) => ({ uri, edits: all.map(({ edit }) => edit) }));
    return moves.length > 0 && renamesFiles
      ? {
          documentChanges: [...simple.map(({ uri, edits: own }) => withoutVersion(uri, own)), ...moves.map(fileRename)],
        }
      : { changes: Object.fromEntries(simple.map(({ uri, edits: own }) => [uri, own])) };
  }
  const performed = renamesFiles ? moves : [];
  const isElsewhere = annotations && (performed.length > 0 || changed.some(({ uri }) => uri !== here));
  const hasGroup = (wanted: string, isOutside: (uri: string) => boolean = () => true): boolean =>
    annotations && changed.some(({ uri, edits: all }) => isOutside(uri) && all.some(({ group }) => group === wanted));
  const documentAt = (uri: string) =>
    movedUri(uri, performed) === uri
      ? { uri, version: version(uri) }
      : { uri: movedUri(uri, performed), version: null };
  const texts = changed.map(
    ({ uri, edits: all }): TextDocumentEdit => ({
      textDocument: documentAt(uri),
      edits: all.map(({ group, edit }) =>
        group === UNSURE || (isElsewhere && uri !== here) ? { ...edit, annotationId: group } : edit,
      ),
    }),
  );
  const ofVersions = annotations ? versions : undefined;
  const newVersions = (ofVersions?.edits ?? []).flatMap(({ uri, edits: all }): readonly TextDocumentEdit[] => {
    const file = analysis.file(uri);
    const annotated = file
      ? all.map(({ span, newText }) => ({ range: locate.range(file, span), newText, annotationId: VERSION }))
      : [];
    const textDocument = documentAt(uri);
    const same = texts.find((one) => one.textDocument.uri === textDocument.uri);
    if (same) same.edits = [...same.edits, ...annotated];
    return same ? [] : [{ textDocument, edits: annotated }];
  });
  const files = performed.map((move) => ({ ...fileRename(move), ...(isElsewhere && { annotationId: ELSEWHERE }) }));
  const changeAnnotations = {
    ...(isElsewhere && { [ELSEWHERE]: { label: `${action} in other files`, needsConfirmation: false } }),
    // Edits in text are a separate group in the preview. If these edits needed confirmation, they would be off by
    // default, and references would be broken.
    ...(isElsewhere &&
      hasGroup(IN_TEXT, (uri) => uri !== here) && {
        [IN_TEXT]: { label: `${action} in the text of other skills`, needsConfirmation: false },
      }),
    ...(hasGroup(UNSURE) && {
      [UNSURE]: {
        label: `${action} in text that may mean something else`,
        needsConfirmation: true,
      },
    }),
    ...(ofVersions && { [VERSION]: { label: ofVersions.label, needsConfirmation: true } }),
  };
  return {
    documentChanges: [...files, ...texts, ...newVersions],
    ...(Object.keys(changeAnnotations).length > 0 ? { changeAnnotations } : {}),
  };
}

/** The reserved words of the template language, with constants in both spellings. */
const RESERVED =
  /^(?:and|or|not|in|is|if|else|elif|for|recursive|true|false|none|True|False|None|loop|self|super|caller|with|as|import)$/;

export function refuseIdentifier(newName: string): RenameRefusal | undefined {
  if (!/^[A-Za-z_]\w*$/.test(newName)) {
    return refuse(
      `\`${newName}\` is not a valid name in templates. Use letters, digits and \`_\`; do not start with a digit.`,
    );
  }
  if (RESERVED.test(newName)) {
    return refuse(`\`${newName}\` is a reserved word of the template language. Choose another name.`);
  }
  if (TEMPLATE_VARIABLES.some(({ name }) => name === newName)) {
    return refuse(`\`${newName}\` is a built-in variable of templates. Choose another name.`);
  }
  return findFunction(newName) && refuse(`\`${newName}\` is a function of the template language. Choose another name.`);
}
