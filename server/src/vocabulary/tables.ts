/** The vocabulary of each dialect. */
import { agentSkillKeys } from './agent-skill-keys.ts';
import { catalogKeys } from './catalog-keys.ts';
import type { Dialect } from './dialect.ts';
import { packageKeys } from './published/dialect-keys.ts';
import type { KeyTable } from './shape.ts';
import { skillKeys } from './skill-keys.ts';

/** The vocabulary of a dialect's frontmatter. */
export function tableOf(dialect: Dialect): KeyTable {
  if (dialect === 'catalog') return catalogKeys;
  if (dialect === 'package') return packageKeys;
  return dialect === 'agent-skill' ? agentSkillKeys : skillKeys;
}
