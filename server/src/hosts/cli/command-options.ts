/** What `commander` makes of the options of each command. */
import type { AuditWords } from './commands/audit.ts';
import type { CatalogWords } from './commands/catalog.ts';
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

export interface ForCatalog extends Common, CatalogWords {}

export interface ForAudit extends Common, AuditWords {
  readonly failOn: string;
  readonly today?: string;
}
