/** Where in a `SKILL.md` that stands which is behind a reason. */
import { findEntry } from '../languages/yaml/node.ts';
import { headOf } from '../skill/head.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { type Span, span } from '../text.ts';
import type { Cause } from './cell.ts';

export function placeOf(file: SkillFile, { kind, key }: Cause): Span {
  const { tree } = file.frontmatter;
  if (kind === 'bom') return span(0, 1);
  if (kind === 'bad_yaml' || kind === 'unquoted_colon' || kind === 'unclosed_frontmatter') {
    return tree.problems.find((problem) => problem.kind === 'syntax')?.span ?? headOf(file);
  }
  const entry = key === undefined ? undefined : findEntry(tree.root, key);
  if (!entry || kind === 'missing_name' || kind === 'missing_description') return headOf(file);
  const isOfKey = kind === 'unknown_key' || kind === 'key';
  return !isOfKey && entry.value.span.start < entry.value.span.end ? entry.value.span : entry.key.span;
}
