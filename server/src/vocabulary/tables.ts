/** The vocabulary of each dialect. */
import { agentSkillKeys } from './agent-skill-keys.ts';
import { catalogKeys } from './catalog-keys.ts';
import { type Dialect, isOfClient } from './dialect.ts';
import { manifestFormatOf } from './manifests/formats.ts';
import { packageKeys } from './published/dialect-keys.ts';
import type { KeySpec, KeyTable } from './shape.ts';
import { skillKeys } from './skill-keys.ts';

/** Files of clients are defined by their clients. */
const NO_KEYS: readonly KeySpec[] = [];

/** Returns the vocabulary of a dialect's frontmatter. `uri` selects the one of a manifest. */
export function tableOf(dialect: Dialect, uri = ''): KeyTable {
  if (dialect === 'plugin') return manifestFormatOf(uri)?.keys ?? NO_KEYS;
  if (dialect === 'catalog') return catalogKeys;
  if (dialect === 'package') return packageKeys;
  if (isOfClient(dialect)) return NO_KEYS;
  return dialect === 'agent-skill' ? agentSkillKeys : skillKeys;
}
