/**
 * Finds the causes that may make a client skip, change or report a file. Each client has its own grammar, limits and
 * keys.
 */
import type { TextLength, WrittenKey } from '../skill/agent-skill-facts.ts';
import { agentSkillKeys } from '../vocabulary/agent-skill-keys.ts';
import type { Client, Condition, KeyType, TextLimit } from '../vocabulary/client.ts';
import { clients } from '../vocabulary/clients.ts';
import type { Cause } from './cell.ts';
import { findKey, folderName, type Subject, textOf } from './subject.ts';

/** Returns the causes in the order in which a loader finds them. */
export function conditionsOf(client: Client, subject: Subject): readonly Cause[] {
  const { facts, body } = subject;
  const file = client.limits.file?.value;
  const of = (kind: Condition, key?: string): Cause => (key === undefined ? { kind } : { kind, key });
  const causes: Cause[] = [];
  if (file?.max !== undefined && body && body.bytes > file.max) causes.push(of('file_too_large'));
  if (facts.bom) causes.push(of('bom'));
  if (facts.crlf) causes.push(of('crlf'));
  const begins = facts.frontmatter === 'indented' ? client.opening !== 'start' : facts.frontmatter !== 'missing';
  if (!begins) return [...causes, of('missing_frontmatter')];
  if (facts.frontmatter === 'unclosed') return [...causes, of('unclosed_frontmatter')];
  if (facts.yaml !== 'fine') causes.push(of(facts.yaml === 'colon' ? 'unquoted_colon' : 'bad_yaml'));
  if (facts.frontmatter === 'empty' && client.outcomes.empty_frontmatter) {
    return [...causes, of('empty_frontmatter')];
  }
  causes.push(...ofName(client, subject), ...ofDescription(client, subject));
  if (facts.yaml === 'fine') causes.push(...ofKeys(client, subject));
  if (body?.isEmpty && client.outcomes.empty_body) causes.push(of('empty_body'));
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
  const written = textOf(subject, 'name');
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

function* ofDescription({ limits }: Client, subject: Subject): Iterable<Cause> {
  const written = textOf(subject, 'description');
  if (!written) {
    yield { kind: 'missing_description', key: 'description' };
    return;
  }
  const limit = { ...STANDARD_DESCRIPTION, ...limits.description?.value };
  const most = limit.listing ?? limit.max ?? Infinity;
  const length = listedLength(limit, subject);
  if (limit.tags === false && written.hasTags) yield { kind: 'description_tags', key: 'description' };
  if (length > most) {
    // If only the combined text is too long, the client cuts the value of the last key.
    const [last] =
      measured(written.length, limit) > most ? [] : (limit.with ?? []).filter((key) => textOf(subject, key));
    yield { kind: 'description_too_long', key: last ?? 'description' };
  }
}

/** Returns the length of the description, including the keys that the limit adds to it. */
export function listedLength(limit: TextLimit, subject: Subject): number {
  const keys = ['description', ...(limit.with ?? [])];
  const lengths = keys.flatMap((key) => textOf(subject, key)?.length ?? []);
  return lengths.reduce((sum, length) => sum + measured(length, limit), 0);
}

const measured = ({ characters, bytes }: TextLength, { unit }: TextLimit): number =>
  unit === 'bytes' ? bytes : characters;

function* ofKeys({ outcomes, keys }: Client, subject: Subject): Iterable<Cause> {
  for (const [name, type] of Object.entries(outcomes.wrong_type?.types ?? {})) {
    const key = findKey(subject, name);
    if (key && key.type !== 'null' && type && !isOfType(key, type)) yield { kind: 'wrong_type', key: name };
  }
  for (const { name } of subject.facts.keys) {
    if (!isStandard(name) && !name.startsWith('x-') && !keys.some((key) => key.name === name)) {
      yield { kind: 'unknown_key', key: name };
    }
  }
}

const isOfType = ({ type }: WrittenKey, wanted: KeyType | 'scalar'): boolean => {
  if (wanted === 'scalar') return type !== 'list' && type !== 'map';
  return (
    wanted === 'unknown' || type === wanted || (wanted === 'string-or-list' && (type === 'string' || type === 'list'))
  );
};

const standardNames: ReadonlySet<string> = new Set(agentSkillKeys.map(({ name }) => name));

const isStandard = (name: string): boolean => standardNames.has(name);

/** Returns the boolean value of a key for this client; undefined if it is not a boolean. */
export function booleanValue({ booleans }: Client, subject: Subject, key: string): boolean | undefined {
  const written = findKey(subject, key);
  if (!written || (written.type !== 'boolean' && !booleans?.value.includes(written.text.toLowerCase())))
    return undefined;
  return /^(?:true|yes|on|1)$/i.test(written.text);
}
