/**
 * Completion of tools in `allowed-tools` and similar keys of a `SKILL.md`, as a string or a list. Offers the documented
 * tools of the target clients or, if there are no targets, of all clients that grant tools; in a client-specific key,
 * offers the tools of the clients that define the key.
 */

import { isShell } from '../../abilities/permissions.ts';
import { programsOf } from '../../abilities/scripts.ts';
import { clientsFor, grants, STANDARD_KEY, toolKeysOf } from '../../analysis/client-tools.ts';
import type { Client, ClientTool } from '../../clients/facts/client.ts';
import { findClient } from '../../clients/facts/clients.ts';
import { listed } from '../../nearest.ts';
import { readToolWords } from '../../skill/tool-words.ts';
import { type Span, sliceOf, span } from '../../text.ts';
import type { CatalogTool } from '../../workspace/catalog.ts';
import { describeTool } from '../hover/describe-names.ts';
import { trusted } from '../markdown.ts';
import { matchesPattern } from '../symbol/schema-place.ts';
import { nameProposals } from './names.ts';
import { Kind, type Offer, type Proposal, Rank } from './proposal.ts';
import { keyInsert } from './schema-words.ts';
import { namesBeside, offerAt, written, type YamlCursor } from './yaml-place.ts';

/** The client-specific keys that name tools. */
const CLIENT_KEYS: ReadonlySet<unknown> = new Set(['disallowed-tools', 'allowedTools']);

/** Offers tools in a key that names tools; returns undefined in other keys. */
export function offerTools(cursor: YamlCursor): Offer | undefined {
  const { file, place } = cursor;
  const { path, role } = place;
  const key = path[0];
  const isOfTools =
    file.dialect === 'client-file'
      ? toolKeysOf(cursor.analysis, file).includes(String(key))
      : key === STANDARD_KEY || CLIENT_KEYS.has(key);
  if (!isOfTools || path.length > 2) return undefined;
  // On a new line below the key, a list starts.
  const isBelow = role === 'key' && path.length === 1 && place.siblings.length === 0 && !place.flow;
  if (role === 'key' && !isBelow) return undefined;
  const word = toolAt(sliceOf(file.text, place.span), cursor.offset - place.span.start);
  if (!word) return offerPatterns(cursor, String(key));
  const taken = new Set([...namesBeside(cursor), ...otherTools(cursor, word)]);
  const { start } = place.span;
  return {
    span: span(start + word.start, start + word.end),
    before: isBelow ? '- ' : place.before,
    proposals: toolProposals(cursor, String(key)).filter(({ label }) => !taken.has(label)),
  };
}

/** Returns the word at an offset, between spaces and commas; undefined inside brackets. */
function toolAt(text: string, offset: number): Span | undefined {
  const before = text.slice(0, offset);
  if (before.lastIndexOf('(') > before.lastIndexOf(')')) return undefined;
  const start = offset - (/[^\s,]*$/.exec(before)?.[0].length ?? 0);
  return span(start, offset + (/^[^\s,()]*/.exec(text.slice(offset))?.[0].length ?? 0));
}

/** Offers the programs in the skill's commands, as client patterns, inside the brackets of a shell tool. */
function offerPatterns(cursor: YamlCursor, key: string): Offer | undefined {
  const { analysis, file, offset, place } = cursor;
  const before = sliceOf(file.text, { start: place.span.start, end: offset });
  const [, name = '', typed = ''] = /([\w-]{1,60})\(([^()]*)$/.exec(before) ?? [];
  const patterns = clientsFor(analysis, file, key).flatMap(
    ({ tools }) => tools?.value.names.find((tool) => tool.name === name)?.pattern ?? [],
  );
  const [pattern] = patterns;
  if (!isShell(name) || pattern === undefined) return undefined;
  const after = /^[^()\s,]*/.exec(sliceOf(file.text, { start: offset, end: place.span.end }))?.[0].length ?? 0;
  return {
    span: span(offset - typed.length, offset + after),
    proposals: programsOf(file, analysis.folder(file.uri)?.files ?? []).map(
      (program): Proposal => ({
        label: pattern.replace(/\$\{1:[^}]*\}/, () => program),
        kind: Kind.Value,
        detail: 'used in commands of this skill',
        rank: Rank.own,
      }),
    ),
  };
}

function otherTools({ file, place }: YamlCursor, word: Span): readonly string[] {
  const text = sliceOf(file.text, place.span);
  return [text.slice(0, word.start), text.slice(word.end)].flatMap((part) => readToolWords(part).words);
}

/** A tool name with the clients that use it. */
interface Named {
  readonly label: string;
  readonly clients: Client[];
  readonly tool: ClientTool | CatalogTool;
}

function toolProposals({ analysis, file }: YamlCursor, key: string): readonly Proposal[] {
  const asked = clientsFor(analysis, file, key);
  const ofServers = [...analysis.catalogOf(file.uri).tools.values()].slice(0, MAX_TOOLS);
  const names = new Map<string, Named>();
  const add = (label: string, client: Client, tool: Named['tool']) => {
    const known = names.get(label);
    if (known) known.clients.push(client);
    else names.set(label, { label, clients: [client], tool });
  };
  for (const client of asked) {
    for (const tool of client.tools?.value.names ?? []) add(tool.name, client, tool);
    for (const tool of ofServers) {
      const label = serverTool(client, tool);
      if (label !== undefined) add(label, client, tool);
    }
  }
  return [...names.values()].flatMap((named) => proposalsOf(named, key));
}

/** Returns a client's name for a tool of a server; undefined if YAML would have to quote it. */
function serverTool({ tools }: Client, { server, name }: CatalogTool): string | undefined {
  if (server === undefined || tools?.value.mcp === undefined) return undefined;
  const label = tools.value.mcp.replace('{server}', () => server).replace('{tool}', () => name);
  return /^[\w.-]+(?:\([\w.-]+\))?$/.test(label) ? label : undefined;
}

function proposalsOf({ label, clients: whose, tool }: Named, key: string): readonly Proposal[] {
  const isIdle = key === STANDARD_KEY && !whose.some(grants);
  const isKnown = whose.every(({ allowedTools }) => allowedTools.value !== 'unknown');
  const detail = `${whose.map(({ name }) => name).join(', ')}${isIdle && isKnown ? ' (grants nothing)' : ''}`;
  const rank = isIdle ? Rank.rest : Rank.known;
  if ('span' in tool) {
    return [
      {
        label,
        kind: Kind.Function,
        detail: `${tool.server ?? ''}, ${detail}`,
        docs: () => describeTool(tool),
        rank: isIdle ? Rank.rest : Rank.near,
      },
    ];
  }
  const docs = `${tool.docs} ${useOf(whose, key)}`.trim();
  const plain: Proposal = { label, kind: Kind.Function, detail, docs: trusted(docs), rank };
  if (tool.pattern === undefined) return [plain];
  return [
    plain,
    {
      ...plain,
      label: `${label}(…)`,
      kind: Kind.Snippet,
      docs: trusted(`${tool.docs} Allows only calls that match the pattern. ${useOf(whose, key)}`.trim()),
      insert: `${label}(${tool.pattern})`,
      isSnippet: true,
      filter: label,
    },
  ];
}

/** Describes the effect of the key in each client. */
function useOf(whose: readonly Client[], key: string): string {
  const effects = whose.flatMap(({ name, keys }) => {
    const effect = keys.find((one) => one.name === key)?.effect;
    return effect === undefined ? [] : [`${name}: ${effect}`];
  });
  const idle = whose.filter(
    ({ allowedTools: { value } }) => key === STANDARD_KEY && value !== 'grants' && value !== 'unknown',
  );
  const names = listed(idle.map(({ name }) => name));
  return [...effects, ...(idle.length > 0 ? [`The key has no effect in ${names}.`] : [])].join(' ');
}

/** The maximum number of proposed tools from servers. */
const MAX_TOOLS = 2_000;

/** Offers the catalog's tools as keys and the client's tools as values in `agent_skills.tools` of a catalog. */
export function offerClientTools(cursor: YamlCursor): Offer | undefined {
  const { path, role, siblings } = cursor.place;
  if (role === 'key' && matchesPattern(path, 'agent_skills', 'tools', '*')) {
    const tools = nameProposals(cursor, 'tool').filter(({ label }) => !siblings.includes(label));
    return offerAt(
      cursor,
      tools.map((tool): Proposal => ({ ...tool, ...keyInsert(cursor, tool.label, 'value') })),
    );
  }
  if (role !== 'value' || !matchesPattern(path, 'agent_skills', 'tools', '*', '*')) return undefined;
  const client = findClient(String(path[2]));
  return offerAt(
    cursor,
    (client?.tools?.value.names ?? []).map(({ name, docs }) => ({
      label: name,
      kind: Kind.Function,
      detail: client?.name,
      docs: trusted(docs),
      insert: written(cursor, name),
    })),
  );
}
