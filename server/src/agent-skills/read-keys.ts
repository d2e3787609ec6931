/** The keys of a `SKILL.md` as a client reads them. Clients differ in duplicate keys, other types and broken files. */
import type { WrittenKey } from '../skill/agent-skill-facts.ts';
import type { Client, Condition, KeyType, OutcomeFact } from '../vocabulary/client.ts';
import { findKey, isText, type Subject } from './subject.ts';

/** Returns the value that a client reads for a key; otherwise undefined. */
export function readKey(client: Client, subject: Subject, name: string): WrittenKey | undefined {
  if (ignoresFrontmatter(client, subject)) return undefined;
  const { wrong_type: wrong } = client.outcomes;
  const first = findKey(subject, name);
  const key = first && usedValue(client, first);
  return key && wrong?.loses === 'value' && !hasType(key, wrong) ? undefined : key;
}

/** Returns the value that a client uses of a key that may be written several times. */
export const usedValue = ({ outcomes }: Client, key: WrittenKey): WrittenKey =>
  outcomes.duplicate_key?.value === 'last_wins' ? (key.last ?? key) : key;

/** Returns the value that a client reads for a key if it is a non-empty scalar; otherwise undefined. */
export function readText(client: Client, subject: Subject, name: string): WrittenKey | undefined {
  const key = readKey(client, subject, name);
  return key && isText(key) ? key : undefined;
}

/** Returns whether a client distinguishes an empty description from a missing one, and the description is empty. */
export function isEmptyDescription(client: Client, subject: Subject): boolean {
  const { empty_description: fact } = client.outcomes;
  const key = fact && readKey(client, subject, 'description');
  return key !== undefined && !isText(key) && (key.type === 'string' || (key.type === 'null' && fact?.nulls === true));
}

/** Returns whether a client ignores the frontmatter of a file. */
export function ignoresFrontmatter(client: Client, subject: Subject): boolean {
  const { opening, outcomes } = client;
  const { frontmatter, yaml, cr } = subject.facts;
  const loses = (fact: OutcomeFact | undefined): boolean => fact?.loses === 'frontmatter';
  return (
    !beginsAt(opening, frontmatter) ||
    (frontmatter === 'unclosed' && loses(outcomes.unclosed_frontmatter)) ||
    (cr && loses(outcomes.cr)) ||
    (yaml !== 'fine' && loses(outcomes[yamlConditionOf(client, subject)]))
  );
}

/** Returns the condition of a frontmatter whose YAML has errors. */
export function yamlConditionOf({ outcomes }: Client, { facts: { yaml, signs = '' } }: Subject): Condition {
  if (yaml === 'colon') return 'unquoted_colon';
  if (yaml === 'tag') return 'unknown_tag';
  const { unquoted_sign: fact } = outcomes;
  const isKnown = fact && [...signs].every((sign) => fact.signs?.includes(sign) ?? true);
  return yaml === 'sign' && isKnown ? 'unquoted_sign' : 'bad_yaml';
}

/** Returns whether a client finds a frontmatter at its position in the file. */
export const beginsAt = (opening: Client['opening'], found: Subject['facts']['frontmatter']): boolean => {
  if (found === 'indented') return opening !== 'start';
  return found === 'below' ? opening === 'anywhere' : found !== 'missing';
};

/** Returns whether a value has the type that the client requires. */
export function hasType({ name, type }: WrittenKey, { types, nulls }: OutcomeFact): boolean {
  const wanted: KeyType | 'scalar' | undefined = types?.[name];
  if (wanted === undefined) return true;
  if (type === 'null') return nulls !== true;
  if (wanted === 'scalar') return type !== 'list' && type !== 'map';
  return (
    wanted === 'unknown' || type === wanted || (wanted === 'string-or-list' && (type === 'string' || type === 'list'))
  );
}
