/** The vocabulary of each dialect. */
import { agentSkillKeys } from './agent-skill-keys.ts';
import { catalogKeys } from './catalog-keys.ts';
import { type Dialect, isOfClient } from './dialect.ts';
import { packageKeys } from './published/dialect-keys.ts';
import type { KeySpec, KeyTable } from './shape.ts';
import { skillKeys } from './skill-keys.ts';

/** Files of clients are defined by their clients. */
const NO_KEYS: readonly KeySpec[] = [];

/** The vocabulary of a dialect's frontmatter. */
export function tableOf(dialect: Dialect): KeyTable {
  if (dialect === 'catalog') return catalogKeys;
  if (dialect === 'package') return packageKeys;
  if (isOfClient(dialect)) return NO_KEYS;
  return dialect === 'agent-skill' ? agentSkillKeys : skillKeys;
}
