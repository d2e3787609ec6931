/** What may stand as the value of an option, or as an argument, by its placeholder. */
import { TARGETS } from '../../../exchange/conversion.ts';
import { SEVERITIES } from '../../../finding.ts';
import { rules } from '../../../rules/index.ts';
import { KINDS } from '../../../scaffold/scaffold.ts';
import { INVOCATION_SOURCES } from '../../../skill/package-samples.ts';
import { clients } from '../../../vocabulary/clients.ts';
import { AUDIT_FORMATS } from '../commands/audit.ts';
import { CATALOG_FORMATS } from '../commands/catalog.ts';
import { CLIENTS_FORMATS } from '../commands/clients.ts';
import { COMPOSE_FORMATS } from '../commands/compose.ts';
import { GRAPH_FORMATS } from '../commands/graph.ts';
import { TEST_FORMATS } from '../commands/test.ts';
import { PULL_FORMATS } from '../commands/tools-pull.ts';
import { EXPORTS } from '../testing/export-tests.ts';
import { CHECK_FORMATS, FORMATS, SHELLS } from '../words.ts';

export interface Value {
  /** The words that there are; none where nobody knows. */
  readonly words: readonly string[];
  readonly paths?: 'files' | 'folders';
  /** What follows such a word and `=`. */
  readonly assigned?: Value;
}

const NOTHING: Value = { words: [] };
const FILES: Value = { words: [], paths: 'files' };
const FOLDERS: Value = { words: [], paths: 'folders' };

const ruleNames = rules.map(({ name }) => name);

const BY_PLACEHOLDER: ReadonlyMap<string, Value> = new Map(
  Object.entries<Value>({
    FILE: FILES,
    PATH: FILES,
    DIR: FOLDERS,
    SEVERITY: { words: SEVERITIES },
    RULE: { words: ruleNames },
    'NAME=SEVERITY': { words: ruleNames, assigned: { words: [...SEVERITIES, 'off'] } },
    'FORMAT=FILE': { words: CHECK_FORMATS, assigned: FILES },
    KIND: { words: KINDS },
    TARGET: { words: TARGETS },
    TOOL: { words: EXPORTS },
    SHELL: { words: SHELLS },
  }),
);

/** The placeholders that mean something of their own for one command. */
const BY_COMMAND: ReadonlyMap<string, ReadonlyMap<string, Value>> = new Map(
  Object.entries({
    check: new Map<string, Value>(Object.entries<Value>({ '--format': { words: CHECK_FORMATS } })),
    compose: new Map<string, Value>(
      Object.entries<Value>({ '--format': { words: COMPOSE_FORMATS }, '--source': { words: INVOCATION_SOURCES } }),
    ),
    diff: new Map<string, Value>(Object.entries<Value>({ '--format': { words: FORMATS } })),
    graph: new Map<string, Value>(Object.entries<Value>({ '--format': { words: GRAPH_FORMATS } })),
    clients: new Map<string, Value>(
      Object.entries<Value>({
        '--format': { words: CLIENTS_FORMATS },
        '--client': { words: clients.map(({ id }) => id) },
      }),
    ),
    match: new Map<string, Value>(
      Object.entries<Value>({ '--format': { words: FORMATS }, '--source': { words: INVOCATION_SOURCES } }),
    ),
    catalog: new Map<string, Value>(Object.entries<Value>({ '--format': { words: CATALOG_FORMATS } })),
    audit: new Map<string, Value>(Object.entries<Value>({ '--format': { words: AUDIT_FORMATS } })),
    test: new Map<string, Value>(Object.entries<Value>({ '--format': { words: TEST_FORMATS } })),
    'tools pull': new Map<string, Value>(Object.entries<Value>({ '--format': { words: PULL_FORMATS } })),
    install: new Map<string, Value>(Object.entries<Value>({ '--format': { words: FORMATS }, SOURCE: FILES })),
    convert: new Map<string, Value>(Object.entries<Value>({ '--report': { words: FORMATS } })),
  }),
);

/** Of an option or an argument by its name, and of its placeholder. */
export function valueFor(command: string, name: string, placeholder: string): Value {
  return BY_COMMAND.get(command)?.get(name) ?? BY_PLACEHOLDER.get(placeholder) ?? NOTHING;
}
