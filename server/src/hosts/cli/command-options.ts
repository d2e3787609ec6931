/** What `commander` makes of the options of each command. */

import { UserError } from '../user-error.ts';
import type { AuditWords } from './commands/audit.ts';
import type { PlannerCatalogWords } from './commands/catalog.ts';
import type { InvocationWords } from './commands/invocation.ts';
import type { BaselineWords } from './commands/known.ts';

export interface Common {
  readonly format: string;
  readonly config?: string;
  readonly cwd: string;
  readonly color: boolean;
  readonly quiet?: true;
}

export interface ForCheck extends Common, BaselineWords {
  readonly changed?: string;
  readonly shard?: string;
  readonly fix?: true;
  readonly watch?: true;
  readonly failOn: string;
  readonly rule: readonly string[];
  readonly out: readonly string[];
  readonly today?: string;
}

export interface ForCompose extends Common, InvocationWords {}

export interface ForNew extends Common {
  readonly kind: string;
  readonly description?: string;
}

export interface ForClients extends Common {
  readonly client: readonly string[];
  readonly budget?: true;
  readonly failOn: string;
}

export interface ForMatch extends Common {
  readonly top: string;
  readonly profile?: string;
  readonly source: string;
  readonly channel?: string;
}

export interface ForDiff extends Common {
  readonly base?: string;
  readonly baseFile?: string;
}

export interface ForCatalog extends Common, PlannerCatalogWords {}

export interface ForAudit extends Common, AuditWords {
  readonly failOn: string;
  readonly today?: string;
}

// Options of `test`, and of `check`, that mean something else together, or nothing.

/** Of an option, those that do not go with it, and why. */
const APART: readonly (readonly [option: string, why: string, others: readonly string[]])[] = [
  [
    '--watch',
    'which is for a single run',
    [
      '--format',
      '--config',
      '--update',
      '--shard',
      '--runner',
      '--max-runs',
      '--record',
      '--recorded',
      '--out',
      '--export',
      '--fix',
      '--rule',
      '--changed',
      '--baseline',
      '--write-baseline',
      '--today',
    ],
  ],
  [
    '--export',
    'since it writes samples and tests nothing',
    ['--format', '--update', '--shard', '--runner', '--max-runs', '--record', '--recorded', '--snapshots'],
  ],
];

/** Refuses them, so that nothing is left out in silence. */
export function assertTogether({
  config,
  format,
  words,
}: {
  readonly config: string | undefined;
  readonly format: string;
  readonly words: object;
}): void {
  const given: Readonly<Record<string, unknown>> = {
    ...words,
    config,
    format: format === 'pretty' ? undefined : format,
  };
  const isGiven = (option: string): boolean => {
    const value = given[option.slice(2).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())];
    return Array.isArray(value) ? value.length > 0 : value !== undefined;
  };
  for (const [option, why, others] of APART) {
    const other = isGiven(option) ? others.find(isGiven) : undefined;
    if (other) throw new UserError(`\`${option}\` does not go with \`${other}\`, ${why}: leave one of them out.`);
  }
}
