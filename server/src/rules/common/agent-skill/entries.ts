/** What rules share about the keys of a `SKILL.md`. */
import type { Fix } from '../../../finding.ts';
import { renameKey } from '../../../languages/yaml/edit.ts';
import type { YamlEntry } from '../../../languages/yaml/node.ts';
import type { SkillFile } from '../../../skill/skill-file.ts';
import type { MisspeltEntry } from '../../../vocabulary/foreign-keys.ts';
import { fixHere } from '../../rule.ts';

export function renameMisspelt(file: SkillFile, { entry, meant }: MisspeltEntry): Fix[] {
  const { root } = file.frontmatter.tree;
  const edits = root?.kind === 'map' ? renameKey(file.text, root, nameOf(entry), meant) : [];
  return fixHere(file, `Rename to \`${meant}\``, edits);
}

export const nameOf = ({ key }: YamlEntry): string => String(key.value);

export const STANDARD = 'Agent Skills specification, https://agentskills.io/specification';
