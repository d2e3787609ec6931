/** Mandatory frontmatter keys that a file does not have: where that is reported, and what can be added. */
import type { Draft, Fix } from '../../finding.ts';
import { formatScalar } from '../../languages/yaml/edit.ts';
import { findEntry, isNull, type YamlEntry } from '../../languages/yaml/node.ts';
import { headOf } from '../../skill/head.ts';
import { kebabName } from '../../skill/kebab-name.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { contains, endOfLine, type Span, sliceOf, span } from '../../text.ts';
import { nameFromUri } from '../../vocabulary/dialect.ts';
import { fixHere } from '../rule.ts';
import { addKey } from './insert-key.ts';

/** For a contract, which is all frontmatter, whether it has anything in it. */
export const hasFrontmatter = ({ dialect, frontmatter: { open, tree } }: SkillFile): boolean =>
  dialect === 'contract' ? tree.root !== undefined && !isNull(tree.root) : open !== undefined;

/** `place` is that of the key where it stands empty; `why` completes "This skill has no `name`, so". */
export function draftOfMissingKey(file: SkillFile, key: string, place: Span, why: string): Draft {
  const entry = findEntry(file.frontmatter.tree.root, key);
  const isEmpty = entry !== undefined;
  const comment = entry && key === 'description' ? findComment(file, entry) : undefined;
  if (comment) {
    return {
      span: comment,
      message: `\`${key}\` is empty, since a \`#\` behind a blank begins a comment. Put the value in quotes to make it text.`,
      fixes: [
        ...fixHere(file, 'Put the value in quotes', [
          { span: comment, newText: formatScalar(sliceOf(file.text, comment)) },
        ]),
        ...addMandatoryKey(file, key),
      ],
    };
  }
  return {
    span: isEmpty ? place : headOf(file),
    message: `${isEmpty ? `\`${key}\` is empty` : `This skill has no \`${key}\``}, so ${why}`,
    fixes: addMandatoryKey(file, key),
  };
}

/** The comment that stands where a text was meant, unless it reminds of something to do. */
function findComment({ text, frontmatter }: SkillFile, { key, value }: YamlEntry): Span | undefined {
  if (!isNull(value) || sliceOf(text, value.span) !== '') return undefined;
  const line = span(key.span.end, endOfLine(text, key.span.end));
  const comment = frontmatter.tree.comments.find((one) => contains(line, one.span));
  const isText = comment && !/^#\s*(?:todo|fixme|xxx|tbd)\b/i.test(sliceOf(text, comment.span));
  return isText && /^:[ \t]+$/.test(text.slice(line.start, comment.span.start)) ? comment.span : undefined;
}

/** Valid as it stands, and plainly to be replaced. */
export const NEW_DESCRIPTION = 'What this skill does, and when to use it.';

function addMandatoryKey(file: SkillFile, key: string): Fix[] {
  if (key === 'description') return addKey(file, key, NEW_DESCRIPTION, 'Add a `description` to fill in');
  if (key === 'version') return addKey(file, key, '1.0.0');
  if (key === 'input_schema') return addKey(file, key, '{}');
  const name = key === 'name' ? kebabName(nameFromUri(file.uri)) : undefined;
  return name ? addKey(file, key, name) : [];
}
