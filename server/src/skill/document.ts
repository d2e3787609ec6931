/**
 * One skill file as a readonly value: read this first. `parseSkill` is total: whatever the bytes, there is a document,
 * with its problems. A catalog is read by the same function and has no body.
 */

import type { Frontmatter } from '../languages/yaml/frontmatter.ts';
import { findEntry } from '../languages/yaml/node.ts';
import { lineStartsOf } from '../text.ts';
import { dialectOf, isPlainMarkdown } from '../vocabulary/dialect.ts';
import { closed, type ReadText } from './closed-document.ts';
import { schemaReader } from './edited-schema.ts';
import { contractOf, hasBodyOf, readFrontmatter, readRest } from './read-parts.ts';
import { skillsMentioned } from './references.ts';
import type { SkillDocument } from './skill-document.ts';
import { summarize } from './summary.ts';

export { isStored, type Known, type ReadText, stored, unread } from './closed-document.ts';
export type { SkillDocument } from './skill-document.ts';
export type { SkillSummary } from './summary.ts';

/**
 * Parses one file. `previous` is the same file before the edit; what did not change is taken over from it, which
 * changes the cost and never the result. With `again`, which reads the text anew, the document does not keep it.
 */
export function parseSkill(uri: string, text: string, previous?: SkillDocument, again?: ReadText): SkillDocument {
  const dialect = dialectOf(uri) ?? 'composer';
  const hasBody = hasBodyOf(dialect);
  const known = hasBody && previous && hasSameHead(text, previous) ? previous : undefined;
  const frontmatter = known?.frontmatter ?? readFrontmatter(dialect, text);
  const contract =
    known?.contract ?? contractOf(dialect, frontmatter, previous && schemaReader(text, frontmatter.tree, previous));
  const mentioned = hasBody ? skillsMentioned(text, frontmatter.bodyStart) : [];
  const isSkill = !isPlainMarkdown(uri) || looksLikeSkill(text, frontmatter);
  // A summary is made of the frontmatter and of the skills that the body mentions. Where both are as they were it stays
  // the same object, which the workspace sees at a glance: 60 of the 1,060 us of an edit went into comparing the two.
  const summary =
    known && sameNames(mentioned, skillsMentioned(known.text, frontmatter.bodyStart))
      ? known.summary
      : summarize(dialect, text, frontmatter.tree, contract, mentioned);
  const hasSamples = isSkill && !frontmatter.tree.broken && contract.samples.length > 0;
  const core = { uri, dialect, isSkill, hasSamples, text, summary };
  if (!previous) return closed(core, again);
  // What is being edited is looked at in a moment, and the text before it should be held no longer.
  const head = { frontmatter, contract, ...core };
  return { lines: lineStartsOf(text), ...head, ...readRest(head, previous) };
}

/** Whether a text begins with the whole frontmatter of the file before the edit, so that it has the same one. */
function hasSameHead(text: string, { text: before, frontmatter: { close, bodyStart } }: SkillDocument): boolean {
  // A fence that the text ends with may go on, and so may a `\r`.
  return close !== undefined && before[bodyStart - 1] === '\n' && text.startsWith(before.slice(0, bodyStart));
}

const sameNames = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((name, i) => name === b[i]);

/** Whether a plain `.md` in a `skills` folder has the `name` and `description` that make it a skill (section 1). */
function looksLikeSkill(text: string, { open, content, tree }: Frontmatter): boolean {
  if (!open) return false;
  if (findEntry(tree.root, 'name') && findEntry(tree.root, 'description')) return true;
  const source = text.slice(content.start, content.end);
  return tree.broken && /^name[ \t]*:/m.test(source) && /^description[ \t]*:/m.test(source);
}
