/**
 * Finds the causes that may make a client skip, change or report a file. Each client has its own grammar, limits and
 * keys.
 */
import type { TextLength, WrittenKey } from '../skill/agent-skill-facts.ts';
import { agentSkillKeys } from '../vocabulary/agent-skill-keys.ts';
import type { Client, Condition, TextLimit } from '../vocabulary/client.ts';
import { clients } from '../vocabulary/clients.ts';
import type { Cause } from './cell.ts';
import {
  beginsAt,
  hasType,
  ignoresFrontmatter,
  isEmptyDescription,
  readKey,
  readText,
  usedValue,
  yamlConditionOf,
} from './read-keys.ts';
import { folderName, type Subject, textOf } from './subject.ts';

/** Returns the causes in the order in which a loader finds them. */
export function conditionsOf(client: Client, subject: Subject): readonly Cause[] {
  const { facts, body } = subject;
  const file = client.limits.file?.value;
  const of = (kind: Condition, key?: string): Cause => (key === undefined ? { kind } : { kind, key });
  const causes: Cause[] = [];
  if (file?.max !== undefined && body && body.bytes > file.max) causes.push(of('file_too_large'));
  const isEmpty = body?.isEmpty && client.outcomes.empty_body;
  if (facts.bom) causes.push(of('bom'));
  if (facts.crlf) causes.push(of('crlf'));
  if (!beginsAt(client.opening, facts.frontmatter))
    return [...causes, of('missing_frontmatter'), ...(isEmpty ? [of('empty_body')] : [])];
  if (facts.cr) causes.push(of('cr'));
  if (facts.frontmatter === 'unclosed') return [...causes, of('unclosed_frontmatter')];
  if (facts.hasSpacesAfterFence && client.outcomes.fence_spaces) causes.push(of('fence_spaces'));
  if (facts.yaml !== 'fine') causes.push(of(yamlConditionOf(client, subject)));
  if (facts.frontmatter === 'empty' && client.outcomes.empty_frontmatter) {
    return [...causes, of('empty_frontmatter')];
  }
  if (ignoresFrontmatter(client, subject)) return causes;
  causes.push(...facts.keys.flatMap(({ name, last }) => (last ? of('duplicate_key', name) : [])));
  causes.push(...ofName(client, subject), ...ofDescription(client, subject));
  if (facts.yaml === 'fine') causes.push(...ofKeys(client, subject));
  if (isEmpty) causes.push(of('empty_body'));
  return causes;
}

/** The limits in the standard, for clients that document no limits. */
const STANDARD_NAME: TextLimit = { max: 64 };
const STANDARD_DESCRIPTION: TextLimit = { max: 1024 };

const STANDARD_PATTERN = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;

const patterns: ReadonlyMap<Client, RegExp> = new Map(
  clients.flatMap((client) => {
    const { pattern } = client.limits.name?.value ?? {};
    return pattern === undefined ? [] : [[client, new RegExp(pattern, 'u')] as const];
  }),
);

function* ofName(client: Client, subject: Subject): Iterable<Cause> {
  const written = readText(client, subject, 'name');
  if (!written) {
    yield { kind: 'missing_name', key: 'name' };
    return;
  }
  const limit = { ...STANDARD_NAME, ...client.limits.name?.value };
  const name = written.text.normalize('NFKC').trim();
  if (!(patterns.get(client) ?? STANDARD_PATTERN).test(name)) yield { kind: 'name_bad_chars', key: 'name' };
  const word = limit.reserved?.find((one) => name.toLowerCase().includes(one));
  if (word !== undefined) yield { kind: 'name_reserved', key: 'name', word };
  if (name.includes('--')) yield { kind: 'name_consecutive_hyphens', key: 'name' };
  const folder = folderName(subject).normalize('NFKC');
  const folded = (text: string) => (limit.folder === 'equal-ignoring-case' ? text.toLowerCase() : text);
  if (folder !== '' && folded(name) !== folded(folder)) yield { kind: 'name_not_folder', key: 'name' };
  if (measured(written.length, limit) > (limit.max ?? Infinity)) yield { kind: 'name_too_long', key: 'name' };
}

function* ofDescription(client: Client, subject: Subject): Iterable<Cause> {
  const { limits } = client;
  const written = readText(client, subject, 'description');
  if (!written) {
    const kind = isEmptyDescription(client, subject) ? 'empty_description' : 'missing_description';
    yield { kind, key: 'description' };
    return;
  }
  const limit = { ...STANDARD_DESCRIPTION, ...limits.description?.value };
  const most = limit.listing ?? limit.max ?? Infinity;
  const length = listedLength(limit, subject, (key) => readText(client, subject, key));
  if (limit.tags === false && written.hasTags) yield { kind: 'description_tags', key: 'description' };
  if (length > most) {
    // If only the combined text is too long, the client cuts the value of the last key.
    const [last] =
      measured(written.length, limit) > most ? [] : (limit.with ?? []).filter((key) => readText(client, subject, key));
    yield { kind: 'description_too_long', key: last ?? 'description' };
  }
}

/** Returns the length of the description, including the keys that the limit adds to it. */
export function listedLength(
  limit: TextLimit,
  subject: Subject,
  read = (key: string): WrittenKey | undefined => textOf(subject, key),
): number {
  const keys = ['description', ...(limit.with ?? [])];
  const lengths = keys.flatMap((key) => read(key)?.length ?? []);
  return lengths.reduce((sum, length) => sum + measured(length, limit), 0);
}

const measured = ({ characters, bytes }: TextLength, { unit }: TextLimit): number =>
  unit === 'bytes' ? bytes : characters;

function* ofKeys(client: Client, subject: Subject): Iterable<Cause> {
  const { wrong_type: wrong } = client.outcomes;
  for (const key of wrong ? subject.facts.keys : []) {
    if (wrong && !hasType(usedValue(client, key), wrong)) yield { kind: 'wrong_type', key: key.name };
  }
  for (const { name } of subject.facts.keys) {
    if (!isStandard(name) && !name.startsWith('x-') && !client.keys.some((key) => key.name === name)) {
      yield { kind: 'unknown_key', key: name };
    }
  }
}

const standardNames: ReadonlySet<string> = new Set(agentSkillKeys.map(({ name }) => name));

const isStandard = (name: string): boolean => standardNames.has(name);

/** Returns the boolean value of a key for this client; undefined if it is not a boolean. */
export function booleanValue(client: Client, subject: Subject, key: string): boolean | undefined {
  const { booleans } = client;
  const written = readKey(client, subject, key);
  if (!written || (written.type !== 'boolean' && !booleans?.value.includes(written.text.toLowerCase())))
    return undefined;
  return /^(?:true|yes|on|1)$/i.test(written.text);
}
