/**
 * The frontmatter keys of `SKILL.md` (docs/format.md, section 9) as each client's public documents define them: only keys
 * beyond the open standard (`agent-skill-keys.ts`), and those that the client reads differently.
 */
import { agentSkillKeys } from './agent-skill-keys.ts';
import type { Client, ClientKeyFact } from './client.ts';
import { facts as standardFacts } from './clients/standard.json';
import { clients } from './clients.ts';

export type ClientKeyType = 'string' | 'boolean' | 'list' | 'map' | 'string-or-list';

export interface ClientKey {
  readonly name: string;
  readonly type: ClientKeyType;
  /** One sentence on what the key does. */
  readonly description: string;
  /** Every value the document allows, where it lists them. */
  readonly values?: readonly string[];
  /** Commas part the items of a text. */
  readonly commas?: true;
}

interface ClientKeyTable {
  readonly client: string;
  /** The public document that defines the keys. */
  readonly source: string;
  /** ISO date of the day on which it was read. */
  readonly checked: string;
  readonly keys: readonly ClientKey[];
}

/** What the standard recommends for the body; advice, not limits. */
export const standardAdvice = standardFacts.advice.value;

/** The events of `hooks`, by https://code.claude.com/docs/en/hooks. */
export const hookEvents: readonly string[] = [
  ...['SessionStart', 'SessionEnd', 'Setup', 'UserPromptSubmit', 'UserPromptExpansion', 'Stop', 'StopFailure'],
  ...['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PostToolBatch', 'PermissionRequest', 'PermissionDenied'],
  ...['SubagentStart', 'SubagentStop', 'TaskCreated', 'TaskCompleted', 'TeammateIdle', 'Notification'],
  ...['InstructionsLoaded', 'ConfigChange', 'CwdChanged', 'FileChanged', 'WorktreeCreate', 'WorktreeRemove'],
  ...['PreCompact', 'PostCompact', 'Elicitation', 'ElicitationResult'],
];

const standardNames: ReadonlySet<string> = new Set(agentSkillKeys.map(({ name }) => name));

/** A word that authors use for their own purposes, too, is taken for a client's key nowhere. */
function findKey({ name, type, effect, values, shared, commas, nested }: ClientKeyFact): ClientKey | undefined {
  if (shared || type === 'unknown' || type === 'number') return undefined;
  if (standardNames.has(name) && type !== 'string-or-list' && !nested) return undefined;
  return { name, type, description: effect, ...(values && { values }), ...(commas && { commas }) };
}

function tableOf({ name, keys, sources }: Client): readonly ClientKeyTable[] {
  const known = keys.map(findKey).filter((key) => key !== undefined);
  const source = sources[keys[0]?.source ?? ''];
  return source && known.length > 0
    ? [{ client: name, source: source.where, checked: source.checked, keys: known }]
    : [];
}

export const clientKeyTables: readonly ClientKeyTable[] = clients.flatMap(tableOf);
