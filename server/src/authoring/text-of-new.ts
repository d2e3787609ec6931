/** Creates the initial text of a skill that a fix adds. */
import type { NewSkill } from '../features/actions/new-skill.ts';
import { setScalar } from '../languages/yaml/edit.ts';
import { findValue } from '../languages/yaml/node.ts';
import { insertKey } from '../rules/common/insert-key.ts';
import { scaffold } from '../scaffold/scaffold.ts';
import { SkillFile } from '../skill/skill-file.ts';
import { applyEdits } from '../text.ts';

/** Returns the text; undefined if the name is invalid. */
export function initialText({ uri, name, kind, level, version }: NewSkill): string | undefined {
  const made = scaffold({ kind, name });
  if ('problem' in made) return undefined;
  const file = new SkillFile(uri, made.text);
  const written = findValue(file.frontmatter.tree.root, 'version');
  return applyEdits(file.text, [
    ...(version !== undefined && written?.kind === 'scalar' ? setScalar(file.text, written, version) : []),
    ...(level === undefined ? [] : insertKey(file, 'level', String(level))),
  ]);
}
