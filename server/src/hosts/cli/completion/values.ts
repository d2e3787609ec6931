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
import { CHECK_FORMATS } from '../formats/check-formats.ts';
import { EXPORTS } from '../testing/export-tests.ts';
import { FORMATS } from '../words.ts';
import { SHELLS } from './shells.ts';

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

const BY_PLACEHOLDER: Readonly<Record<string, Value>> = {
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
};

/** The placeholders that mean something of their own for one command. */
const BY_COMMAND: Readonly<Record<string, Readonly<Record<string, Value>>>> = {
  check: { '--format': { words: CHECK_FORMATS } },
  compose: { '--format': { words: COMPOSE_FORMATS }, '--source': { words: INVOCATION_SOURCES } },
  diff: { '--format': { words: FORMATS } },
  graph: { '--format': { words: GRAPH_FORMATS } },
  clients: { '--format': { words: CLIENTS_FORMATS }, '--client': { words: clients.map(({ id }) => id) } },
  match: { '--format': { words: FORMATS }, '--source': { words: INVOCATION_SOURCES } },
  catalog: { '--format': { words: CATALOG_FORMATS } },
  audit: { '--format': { words: AUDIT_FORMATS } },
  test: { '--format': { words: TEST_FORMATS } },
  'tools pull': { '--format': { words: PULL_FORMATS } },
  install: { '--format': { words: FORMATS }, SOURCE: FILES },
  convert: { '--report': { words: FORMATS } },
};

/** Of an option or an argument by its name, and of its placeholder. */
export function valueFor(command: string, name: string, placeholder: string): Value {
  return BY_COMMAND[command]?.[name] ?? BY_PLACEHOLDER[placeholder] ?? NOTHING;
}
