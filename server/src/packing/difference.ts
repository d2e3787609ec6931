/** The difference between what a skill could do and what it may do now, in words. */
import type { Analysis } from '../analysis/analysis.ts';
import { AUTHORING_TOOLS } from '../vocabulary/known-names.ts';
import type { Capabilities, CapabilityList } from './capabilities.ts';

export interface CapabilityChange {
  /** Whether the skill may do more, less, or something else. */
  readonly kind: 'more' | 'less' | 'other';
  /** A part of a sentence: "new tool `write_page`". */
  readonly text: string;
}

/** What is compared: what the lock has, and what there is now. */
export interface Compared {
  readonly capabilities: Capabilities;
  /** The digests of the files, by path. */
  readonly digests: ReadonlyMap<string, string>;
}

/** Each list with what one more of it is called, and what more are. */
const WORDS: readonly (readonly [CapabilityList, string, string])[] = [
  ['tools', 'tool', 'tools'],
  ['scopes', 'scope', 'scopes'],
  ['effects', 'effect', 'effects'],
  ['runs', 'command that runs by itself', 'commands that run by themselves'],
  ['executables', 'script', 'scripts'],
  ['reaches', 'reach of scripts', 'reaches of scripts'],
  ['addresses', 'address', 'addresses'],
  ['interrupts', 'interrupt', 'interrupts'],
  ['parts', 'part', 'parts'],
  ['others', 'part of the workspace', 'parts of the workspace'],
  ['findings', 'finding', 'findings'],
];

/** Whether anything in the closure writes, as far as this workspace knows. */
export const mayWrite = (analysis: Analysis, uri: string, { operation, tools }: Capabilities): boolean =>
  operation === 'WRITE' || tools.some((tool) => operationOf(analysis, uri, tool) === 'WRITE');

/** Of a tool as the lock has it, whose dialect is not kept: a name of the catalog goes before one of a client. */
const operationOf = (analysis: Analysis, uri: string, tool: string): string | undefined =>
  toolFacts(analysis, uri, tool, false).operation ?? toolFacts(analysis, uri, tool, true).operation;

/** First what there is more of. Both sides are judged by what the workspace knows of its tools now. */
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
  const changed = now.capabilities.executables.filter((path) => {
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

/** What is known of a tool that a skill may use. */
interface ToolFacts {
  /** Whether this workspace has the tool; undefined where that is not known, and for a tool of a client. */
  readonly isKnown: boolean | undefined;
  readonly operation: string | undefined;
  readonly scopes: readonly string[];
  readonly effects: readonly string[];
}

/** Tools of clients that change files, or run what may change anything. */
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

/** A tool as a skill names it; `isOfClient` where `allowed-tools` does. */
export function toolFacts(analysis: Analysis, uri: string, word: string, isOfClient: boolean): ToolFacts {
  if (isOfClient) {
    const operation = WRITING.has(word.replace(/\(.*$/s, '')) ? 'WRITE' : undefined;
    return { isKnown: undefined, operation, scopes: [], effects: [] };
  }
  const catalog = analysis.catalogOf(uri);
  const declared = catalog.tools.get(word);
  const contracts = analysis.skillsNamed(word).filter(({ summary }) => summary.isTool);
  const contract = contracts[0]?.summary;
  const knows = catalog.toolsKnown || analysis.findCatalog(uri) === undefined;
  return {
    isKnown: declared || contract || AUTHORING_TOOLS.includes(word) ? true : knows ? false : undefined,
    operation: declared?.operation ?? contract?.operation,
    scopes: declared?.scopes ?? contract?.requiredScopes ?? [],
    effects: contract?.effects ?? [],
  };
}

// Names and amounts as messages have them.

/** More names are counted. */
const MAX_NAMED = 20;

export const listedNames = (names: readonly string[]): string => {
  const named = names.slice(0, MAX_NAMED).map((name) => `\`${name}\``);
  const more = names.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
};

const amountOf = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
