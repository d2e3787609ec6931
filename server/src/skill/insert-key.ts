/** Inserts frontmatter keys in the order that the format defines. */
import type { Draft, Fix, Severity } from '../finding.ts';
import { fixHere } from '../finding.ts';
import { formatScalar, insertEntry } from '../languages/yaml/edit.ts';
import { findEntry, findValue, isNull, stringOf, type YamlEntry } from '../languages/yaml/node.ts';
import { contains, endOfLine, type Span, sliceOf, span, type TextEdit } from '../text.ts';
import { nameFromUri } from '../vocabulary/dialect.ts';
import { skillKeys } from '../vocabulary/skill-keys.ts';
import { findSkillEntry, namedOf } from './contract.ts';
import { kebabName } from './kebab-name.ts';
import type { SkillFile } from './skill-file.ts';
import { missingKeySpan } from './skill-file.ts';

/**
 * Returns the edits that add a top-level key after the last key that precedes it in the format's order, or that set its
 * value if it is empty. `valueYaml` is YAML.
 */
export function insertKey({ text, frontmatter }: SkillFile, key: string, valueYaml: string): readonly TextEdit[] {
  const { root } = frontmatter.tree;
  // If the frontmatter is only `null` or `~`, the key replaces it.
  if (root && isNull(root) && root.span.start < root.span.end) {
    return [{ span: root.span, newText: `${key}: ${valueYaml}` }];
  }
  if (!root || isNull(root)) return insertEntry(text, frontmatter.content, key, valueYaml);
  if (root.kind !== 'map') return [];
  const empty = findSkillEntry(root, key)?.value;
  if (empty?.kind === 'scalar' && empty.value === null) {
    const { start, end } = empty.span;
    return [{ span: empty.span, newText: start === end && text[start - 1] === ':' ? ` ${valueYaml}` : valueYaml }];
  }
  const earlier = skillKeys.slice(
    0,
    skillKeys.findIndex(({ name }) => name === key),
  );
  const previous = earlier.reverse().find(({ name }) => findSkillEntry(root, name));
  const anchor = previous && findSkillEntry(root, previous.name);
  const [first] = root.entries;
  if (anchor) return insertEntry(text, root, key, valueYaml, { after: String(anchor.key.value) });
  return insertEntry(text, root, key, valueYaml, first ? { before: String(first.key.value) } : {});
}

/** Returns the fix that adds `key: value`; none if the key cannot be inserted. */
export const addKey = (file: SkillFile, key: string, valueYaml: string, title?: string): Fix[] =>
  fixHere(file, title ?? `Add \`${key}: ${valueYaml}\``, insertKey(file, key, valueYaml));

// Findings about missing mandatory keys.

/**
 * Returns whether a file has frontmatter. A contract, which consists only of frontmatter, has frontmatter if the file
 * is not empty.
 */
export const hasFrontmatter = ({ dialect, frontmatter: { open, tree } }: SkillFile): boolean =>
  dialect === 'contract' ? tree.root !== undefined && !isNull(tree.root) : open !== undefined;

/**
 * Returns the severity of a missing key of a skill that has only an `id`: other keys are recommended, because the skill
 * composes without them (docs/format.md, section 2, "Short form").
 */
export const adviceIfNamedById = ({ contract }: SkillFile): { readonly severity?: Severity } =>
  contract.isNamedById ? { severity: 'hint' } : {};

/**
 * Returns the finding for a missing or empty key. `place` is the span to report for an empty key; `advice` says how to
 * fix the problem.
 */
export function draftOfMissingKey(file: SkillFile, key: string, place: Span, advice: string): Draft {
  const entry = findEntry(file.frontmatter.tree.root, key);
  const isEmpty = entry !== undefined;
  const comment = entry && key === 'description' ? findComment(file, entry) : undefined;
  if (comment) {
    return {
      span: comment,
      message: `\`${key}\` has no value, because a \`#\` after a space begins a comment. Put the value in quotes.`,
      fixes: fixHere(file, 'Put the value in quotes', [
        { span: comment, newText: formatScalar(sliceOf(file.text, comment)) },
      ]),
    };
  }
  return {
    span: isEmpty ? place : missingKeySpan(file),
    message: `${isEmpty ? `\`${key}\` has no value.` : `Missing key \`${key}\`.`} ${advice}`,
    fixes: addMandatoryKey(file, key),
  };
}

/** Finds a comment in place of a value, such as `description: #1 skill`. A comment such as `# TODO` does not count. */
function findComment({ text, frontmatter }: SkillFile, { key, value }: YamlEntry): Span | undefined {
  if (!isNull(value) || sliceOf(text, value.span) !== '') return undefined;
  const line = span(key.span.end, endOfLine(text, key.span.end));
  const comment = frontmatter.tree.comments.find((one) => contains(line, one.span));
  const isText = comment && !/^#\s*(?:todo|fixme|xxx|tbd)\b/i.test(sliceOf(text, comment.span));
  return isText && /^:[ \t]+$/.test(text.slice(line.start, comment.span.start)) ? comment.span : undefined;
}

/** The description that the fixes insert: valid, but clearly a placeholder. */
export const NEW_DESCRIPTION = 'What this skill does, and when to use it.';

/** Returns the description of a new skill whose author has not written one. `subject` is its title or name. */
export const descriptionOfNew = (subject: string): string =>
  `Handles requests such as "${subject}". Use this skill for every such request.`;

/** Returns whether a description is that of a new skill, in which the author has not changed anything. */
export const isDescriptionOfNew = (description: string): boolean =>
  /^Handles requests such as "[^\n]*"\. Use this skill for every such request\.$/.test(description);

/**
 * Returns the finding for a description that is still the placeholder of a fix; undefined otherwise. Snippets and new
 * skills have texts of their own, which the editor selects.
 */
export function placeholderDraft({ frontmatter }: SkillFile): Draft | undefined {
  const node = findEntry(frontmatter.tree.root, 'description')?.value;
  if (!node || stringOf(node)?.trim() !== NEW_DESCRIPTION) return undefined;
  return {
    span: node.span,
    severity: 'warning',
    message: 'This `description` is a placeholder. Say what the skill does and when to use it.',
  };
}

function addMandatoryKey(file: SkillFile, key: string): Fix[] {
  if (key === 'description') {
    const fixes = addKey(file, key, NEW_DESCRIPTION, 'Add a `description` to fill in');
    return fixes.map((fix) => ({ ...fix, placeholder: NEW_DESCRIPTION }));
  }
  if (key === 'version') return addKey(file, key, '1.0.0');
  if (key === 'input_schema') return addKey(file, key, '{}');
  if (key !== 'name') return [];
  // Other skills may refer to the skill by its `id`.
  const { isNamedById, name: id } = file.contract;
  const name = isNamedById ? id?.name : kebabName(nameFromUri(file.uri));
  return name ? addKey(file, key, formatScalar(name)) : [];
}

/** Returns the fix that adds the author as the `owner`, or no fix if the skill has no author. */
export function addOwner(file: SkillFile): readonly Fix[] {
  const author = namedOf(findValue(file.frontmatter.tree.root, 'author'))?.name;
  return author ? addKey(file, 'owner', formatScalar(author, true)) : [];
}
