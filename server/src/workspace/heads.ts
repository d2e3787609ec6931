/**
 * What stands outside the bodies of files: while it is as it was, so is all that is said of it. An edit in a body gives
 * another index, whose heads are those of the index before.
 */
import type { SkillDocument } from '../skill/document.ts';
import type { WorkspaceIndex } from './workspace-index.ts';

type Documents = WorkspaceIndex['documents'];

/** Stands for the heads of all files. It holds none of them: what is remembered by it keeps no old text. */
const tokens = new WeakMap<Documents, object>();

function tokenOf(documents: Documents): object {
  const known = tokens.get(documents) ?? {};
  tokens.set(documents, known);
  return known;
}

/** Whether a file before and after an edit differs in nothing but its body. */
export const sameHead = (before: SkillDocument, after: SkillDocument): boolean =>
  before.frontmatter === after.frontmatter && before.contract === after.contract && before.summary === after.summary;

/** Says of two sets of files that they differ in nothing but bodies. */
export const keepHeads = (before: Documents, after: Documents): void => void tokens.set(after, tokenOf(before));

/** All that an index holds beside bodies, to be compared by `sameHeads`. */
export const headsOf = (index: WorkspaceIndex): readonly unknown[] =>
  Object.values({ ...index, documents: tokenOf(index.documents) });

export const sameHeads = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((value, i) => value === b[i]);
