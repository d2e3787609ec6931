/** Describes the difference between the earlier and the current capabilities of a skill. */
import type { Analysis } from '../analysis/analysis.ts';
import { AUTHORING_TOOLS } from '../vocabulary/known-names.ts';
import { type Capabilities, type CapabilityList, sortedOnce } from './capabilities.ts';

export interface CapabilityChange {
  /** `more`: the skill gains a capability; `less`: the skill loses a capability; `other`: any other change. */
  readonly kind: 'more' | 'less' | 'other';
  /** The change as a phrase: "new tool `write_page`". */
  readonly text: string;
}

/** One side of a comparison: the entry of the lock file, or the current skill. */
export interface Compared {
  readonly capabilities: Capabilities;
  /** The digests of the files, by path. */
  readonly digests: ReadonlyMap<string, string>;
}

/** Each list of capabilities, with the noun for its entries in the singular and the plural. */
const WORDS: readonly (readonly [CapabilityList, string, string])[] = [
  ['tools', 'tool', 'tools'],
  ['scopes', 'scope', 'scopes'],
  ['effects', 'effect', 'effects'],
  ['runs', 'command or file that runs by itself', 'commands and files that run by themselves'],
  ['executables', 'script', 'scripts'],
  ['reaches', 'resource that scripts use', 'resources that scripts use'],
  ['programs', 'program that is not analysed', 'programs that are not analysed'],
  ['modules', 'module that is not analysed', 'modules that are not analysed'],
  ['unanalysed', 'code or script that is not analysed', 'pieces of code and scripts that are not analysed'],
  ['addresses', 'address', 'addresses'],
  ['interrupts', 'interrupt', 'interrupts'],
  ['parts', 'composed skill', 'composed skills'],
  ['others', 'composed skill in the workspace', 'composed skills in the workspace'],
  ['findings', 'finding', 'findings'],
];

/**
 * Returns whether the closure declares the operation `WRITE` or the effect `Mutate`, or has a tool that is known to
 * write.
 */
export const mayWrite = (analysis: Analysis, uri: string, { operation, effects, tools }: Capabilities): boolean =>
  operation === 'WRITE' ||
  effects.includes('Mutate') ||
  tools.some((tool) => operationOf(analysis, uri, tool) === 'WRITE');

/**
 * Returns the operation of a tool in the lock file. The name may refer to a tool in the catalog or in a client; the
 * catalog has priority.
 */
const operationOf = (analysis: Analysis, uri: string, tool: string): string | undefined =>
  toolFacts(analysis, uri, tool, false).operation ?? toolFacts(analysis, uri, tool, true).operation;

/** Returns the changes, added capabilities first. Uses the current facts about tools for both sides. */
export function capabilityChanges(
  analysis: Analysis,
  uri: string,
  before: Compared,
  now: Compared,
): readonly CapabilityChange[] {
  const more: CapabilityChange[] = [];
  const less: CapabilityChange[] = [];
  const wrote = mayWrite(analysis, uri, before.capabilities);
  const writes = mayWrite(analysis, uri, now.capabilities);
  if (writes && !wrote) more.push({ kind: 'more', text: 'may now write' });
  if (wrote && !writes) less.push({ kind: 'less', text: 'may no longer write' });
  for (const [key, one, many] of WORDS) {
    const [old, fresh] = [before.capabilities[key], now.capabilities[key]];
    const added = fresh.filter((word) => !old.includes(word));
    const gone = old.filter((word) => !fresh.includes(word));
    if (added.length > 0) more.push({ kind: 'more', text: newOnes(added, one, many) });
    if (gone.length > 0)
      less.push({ kind: 'less', text: `without the ${gone.length === 1 ? one : many} ${listedNames(gone)}` });
  }
  const changed = sortedOnce([...now.capabilities.executables, ...now.capabilities.runs]).filter((path) => {
    const digest = before.digests.get(path);
    return digest !== undefined && digest !== now.digests.get(path);
  });
  const other: CapabilityChange[] =
    changed.length === 0
      ? []
      : [
          {
            kind: 'other',
            text: `${amountOf(changed.length, 'script has', 'scripts have')} changed: ${listedNames(changed)}`,
          },
        ];
  return [...more, ...other, ...less];
}

const newOnes = (added: readonly string[], one: string, many: string): string =>
  added.length === 1 ? `new ${one} ${listedNames(added)}` : `${added.length} new ${many}: ${listedNames(added)}`;

/** The facts about a tool that a skill may use. */
interface ToolFacts {
  /**
   * True if the workspace has the tool. Undefined for a client's tool, or if the tools of the workspace are unknown.
   */
  readonly isKnown: boolean | undefined;
  readonly operation: string | undefined;
  readonly scopes: readonly string[];
  readonly effects: readonly string[];
}

/** Tools of clients that change files or run commands. */
const WRITING: ReadonlySet<string> = new Set([
  'Bash',
  'PowerShell',
  'Shell',
  'shell',
  'bash',
  'run_shell_command',
  'Write',
  'Edit',
  'MultiEdit',
  'NotebookEdit',
  'write_file',
  'replace',
]);

/** Returns the facts about a tool by the name that a skill uses. `isOfClient` is true for a tool in `allowed-tools`. */
export function toolFacts(analysis: Analysis, uri: string, word: string, isOfClient: boolean): ToolFacts {
  if (isOfClient) {
    const operation = WRITING.has(word.replace(/\(.*$/s, '')) ? 'WRITE' : undefined;
    return { isKnown: undefined, operation, scopes: [], effects: [] };
  }
  const catalog = analysis.catalogOf(uri);
  const declared = catalog.tools.get(word);
  const contracts = analysis.skillsNamed(word, uri).filter(({ summary }) => summary.isTool);
  const contract = contracts[0]?.summary;
  const knows = catalog.toolsKnown || analysis.findCatalog(uri) === undefined;
  return {
    isKnown: declared || contract || AUTHORING_TOOLS.includes(word) ? true : knows ? false : undefined,
    operation: analysis.operationOfTool(uri, word),
    scopes: declared?.scopes ?? contract?.requiredScopes ?? [],
    effects: contract?.effects ?? [],
  };
}

// Names and amounts in messages.

/** The maximum number of names that are listed. The remaining names are only counted. */
const MAX_NAMED = 20;

export const listedNames = (names: readonly string[]): string => {
  const named = names.slice(0, MAX_NAMED).map((name) => `\`${name}\``);
  const more = names.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
};

const amountOf = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
