/** What a rename changes, and how a new name is written in the place of an old one. */
import type { FileEdits } from '../../finding.ts';
import { formatScalar, setScalar } from '../../languages/yaml/edit.ts';
import type { YamlTree } from '../../languages/yaml/node.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { contains, type Span, sliceOf, type TextEdit } from '../../text.ts';
import type { Occurrence } from '../symbol/occurrences.ts';
import { findScalar, type ScalarPlace, textOf } from '../symbol/scalar-place.ts';

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
export interface Refusal {
  readonly refusal: string;
}

export const refuse = (refusal: string): Refusal => ({ refusal });

export const isRefusal = (answer: object | undefined): answer is Refusal => answer !== undefined && 'refusal' in answer;

/** A file's name in a message. */
export const fileOf = (uri: string): string => {
  const parts = uri.split('/');
  return `\`${parts.at(-1) === 'SKILL.md' ? parts.slice(-2).join('/') : parts.at(-1)}\``;
};

/** The new name in every place; a refusal where one of them is a YAML alias. */
export function planEdits(occurrences: readonly Occurrence[], newName: string): Plan | Refusal {
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

function editsAt(file: SkillFile, place: Span, newName: string): readonly TextEdit[] | Refusal {
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
