/** Mandatory frontmatter keys that a file does not have: where that is reported, and what can be added. */
import type { Draft, Fix } from '../../finding.ts';
import { findEntry, isNull } from '../../languages/yaml/node.ts';
import { headOf } from '../../skill/head.ts';
import { kebabName, promisedName } from '../../skill/kebab-name.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { Span } from '../../text.ts';
import { addKey } from './insert-key.ts';

/** For a contract, which is all frontmatter, whether it has anything in it. */
export const hasFrontmatter = ({ dialect, frontmatter: { open, tree } }: SkillFile): boolean =>
  dialect === 'contract' ? tree.root !== undefined && !isNull(tree.root) : open !== undefined;

/** `place` is that of the key where it stands empty; `why` completes "This skill has no `name`, so". */
export function draftOfMissingKey(file: SkillFile, key: string, place: Span, why: string): Draft {
  const isEmpty = findEntry(file.frontmatter.tree.root, key) !== undefined;
  return {
    span: isEmpty ? place : headOf(file),
    message: `${isEmpty ? `\`${key}\` is empty` : `This skill has no \`${key}\``}, so ${why}`,
    fixes: addMandatoryKey(file, key),
  };
}

/** Valid as it stands, and plainly to be replaced. */
export const NEW_DESCRIPTION = 'What this skill does, and when to use it.';

function addMandatoryKey(file: SkillFile, key: string): Fix[] {
  if (key === 'description') return addKey(file, key, NEW_DESCRIPTION, 'Add a `description` to fill in');
  if (key === 'version') return addKey(file, key, '1.0.0');
  if (key === 'input_schema') return addKey(file, key, '{}');
  const name = key === 'name' ? kebabName(promisedName(file.uri)) : undefined;
  return name ? addKey(file, key, name) : [];
}
