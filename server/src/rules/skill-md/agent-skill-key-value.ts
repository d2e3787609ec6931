import type { Analysis } from '../../analysis/analysis.ts';
import { targetsBeside, targetsOfContent } from '../../analysis/targets.ts';
import type { Client } from '../../clients/facts/client.ts';
import { readersOf } from '../../clients/matrix/client-folders.ts';
import { subjectOf } from '../../clients/matrix/subject.ts';
import type { Draft, Fix } from '../../finding.ts';
import { fixHere, fixIn } from '../../finding.ts';
import { formatScalar, quoteScalar, setScalar } from '../../languages/yaml/edit.ts';
import {
  findValue,
  isNull,
  stringOf,
  type YamlEntry,
  type YamlNode,
  type YamlScalar,
} from '../../languages/yaml/node.ts';
import { listed, nearestNames } from '../../nearest.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { sliceOf, span } from '../../text.ts';
import { type ClientKeyType, findClientKeys, type KeyOfClient } from '../../vocabulary/agent-skill-clients.ts';
import { draftOf, isBracketed, valueProblems } from '../any-file/shape-problems.ts';
import type { Rule } from '../engine/rule.ts';
import { agentWithoutFork, foreignEntriesOf, nameOf, unknownHookEvents } from './entries.ts';

export const agentSkillKeyValue: Rule = {
  name: 'agent-skill-key-value',
  severity: 'warning',
  evidence: {
    kind: 'vendor',
    source: "the clients' own documents, `server/src/clients/facts/data/`",
    checked: '2026-11-30',
  },
  dialects: ['agent-skill'],
  readsCertainKeys: true,
  hasSharedCauses: true,
  *check(file, analysis) {
    for (const problem of valueProblems(file, 'agent-skill-key-value')) yield draftOf(file, problem);
    const definitions = definitionsFor(file, analysis);
    for (const entry of foreignEntriesOf(file).known) {
      const { keys, of } = definitions(nameOf(entry));
      if (isNull(entry.value) || keys.length === 0) continue;
      const item = entry.value.kind === 'list' ? entry.value.items.find(({ kind }) => kind !== 'scalar') : undefined;
      if (item && keys.every(({ type }) => type === 'string-or-list')) yield draftOfItem(file, entry, item, keys);
      if (GLOBS.has(nameOf(entry))) yield* globDrafts(entry, keys);
      const unread = unreadBy(entry.value, keys);
      if (unread.length === 0) {
        if (of !== 'others') yield* draftOfQuotes(file, entry, keys);
        continue;
      }
      if (!isOtherWord(entry.value, unread)) yield draftOfValue(file, entry, unread);
      // Authors also use keys such as `context` for their own purposes.
      else if (of === 'targets') yield draftOfValue(file, entry, unread);
      else if (of === 'inferred targets') yield { ...draftOfValue(file, entry, unread), severity: 'hint' };
    }
    if (definitions('context').keys.length > 0) yield* agentWithoutFork(file);
    if (definitions('hooks').keys.length > 0) yield* unknownHookEvents(file);
  },
};

/** The keys whose values are globs. */
const GLOBS: ReadonlySet<string> = new Set(['paths', 'globs']);

/** Reports a glob that is not a text, and one that matches nothing because it is empty. */
function* globDrafts({ key, value }: YamlEntry, keys: readonly KeyOfClient[]): Iterable<Draft> {
  const clients = listed(keys.map(({ client }) => client));
  const items = value.kind === 'list' ? value.items : [value];
  if (items.length === 0)
    yield {
      severity: 'hint',
      span: value.span,
      message: `\`${String(key.value)}\` has no glob. Add one, or remove the key.`,
    };
  for (const item of items) {
    if (item.kind !== 'scalar' || (item !== value && isNull(item))) continue;
    const name = item === value ? `\`${String(key.value)}\`` : `An item of \`${String(key.value)}\``;
    if (typeof item.value === 'number' || typeof item.value === 'boolean')
      yield {
        span: item.span,
        message: `${name} must be a glob for ${clients}, such as \`src/**/*.ts\`, but is ${describeType(item)}.`,
      };
    else if (String(item.value).trim() === '')
      yield {
        severity: 'hint',
        span: item.span,
        message: `${name} is an empty text, which matches no file. Write a glob, or remove it.`,
      };
  }
}

/** Definitions of a key by clients, and the reason why these clients matter. */
interface Definitions {
  readonly keys: readonly KeyOfClient[];
  readonly of: 'targets' | 'inferred targets' | 'others';
}

/**
 * Returns a function that finds the definitions of a key: those of the target clients, or else of the clients that read
 * the folder of the file, or else, for a file that is not in the folder of a client, of all clients.
 */
function definitionsFor(file: SkillFile, analysis: Analysis): (name: string) => Definitions {
  const { agentSkill } = file.summary;
  const subject = agentSkill && subjectOf(file.uri, agentSkill);
  const targets = subject && targetsOfContent(analysis, subject);
  const readers = subject && readersOf(subject);
  return (name) => {
    const all = findClientKeys(name);
    const of = (clients: readonly Client[] = []) =>
      all.filter(({ client }) => clients.some((one) => one.name === client));
    const keys = of(targets?.clients);
    if (keys.length > 0) return { keys, of: targets?.isChosen ? 'targets' : 'inferred targets' };
    // Clients that the author did not choose do not matter.
    if (targets?.isChosen && targetsBeside(analysis, file.uri).clients.length > 0) return { keys: [], of: 'others' };
    return { keys: readers ? of(readers) : all, of: 'others' };
  };
}

/**
 * Returns the definitions of a key that do not allow the value. A value that one of the clients reads is valid, except
 * that all clients must read a Boolean, because the key controls who may invoke the skill.
 */
function unreadBy(value: YamlNode, keys: readonly KeyOfClient[]): readonly KeyOfClient[] {
  const unread = keys.filter((key) => !isReadBy(value, key));
  return unread.length === keys.length || unread.every(({ type }) => type === 'boolean') ? unread : [];
}

/**
 * Returns true if a client reads the value. A client that documents a key as text accepts any scalar, exactly as
 * written.
 */
function isReadBy(value: YamlNode, { type, values, integers, booleans, exactBooleans }: KeyOfClient): boolean {
  if (value.kind === 'scalar') {
    if (exactBooleans) return booleans?.includes(value.source) === true;
    const word = String(value.value);
    if (booleans?.includes(word.toLowerCase())) return true;
    if (values) return values.includes(word) || (integers === true && /^[+-]?\d+$/.test(word));
  }
  return acceptsType(type, value);
}

function acceptsType(type: ClientKeyType, value: YamlNode): boolean {
  if (type === 'boolean') return value.kind === 'scalar' && typeof value.value === 'boolean';
  if (value.kind === 'scalar') return type !== 'list' && type !== 'map';
  return value.kind === 'list' ? type === 'list' || type === 'string-or-list' : type === 'map';
}

/** Returns true for a word that is not similar to any of the documented values. */
const isOtherWord = (value: YamlNode, keys: readonly KeyOfClient[]): boolean =>
  value.kind === 'scalar' &&
  keys.every(({ values }) => values) &&
  closestValues(value.value, valuesOf(keys)).length === 0;

/** Returns the values that a word probably means: the same word in another spelling, or similar words. */
function closestValues(written: unknown, values: readonly string[]): readonly string[] {
  const word = String(written).trim().toLowerCase();
  return values.includes(word) ? [word] : nearestNames(word, values);
}

const valuesOf = (keys: readonly KeyOfClient[]): readonly string[] => [
  ...new Set(keys.flatMap(({ values }) => values ?? [])),
];

function draftOfValue(file: SkillFile, entry: YamlEntry, keys: readonly KeyOfClient[]): Draft {
  const { value } = entry;
  const clients = listed(keys.map(({ client }) => client));
  const [first] = keys;
  const values = valuesOf(keys);
  const isChoice = value.kind === 'scalar' && keys.every((key) => key.values) && values.length > 0;
  const written = isChoice ? sliceOf(file.text, value.span).slice(0, 100) : '';
  return {
    span: value.span,
    message: isChoice
      ? `\`${nameOf(entry)}\` must be ${listed(
          [...values.map((one) => `\`${one}\``), ...(keys.some(({ integers }) => integers) ? ['an integer'] : [])],
          'or',
        )} for ${clients}, but is \`${written}\`.`
      : `\`${nameOf(entry)}\` must be ${WORDS[first?.type ?? 'string']} for ${clients}, but is ${isOtherCase(value) ? `\`${value.source}\`` : describeType(value)}.${isBracketed(file, value) ? ' Quote it, including the brackets.' : ''}`,
    fixes: fixesOf(file, value, first, values),
  };
}

/** Reports a Boolean in quotes: a client reads it, but its editor shows an error. */
function* draftOfQuotes(file: SkillFile, { value }: YamlEntry, keys: readonly KeyOfClient[]): Iterable<Draft> {
  const strict = keys.filter(({ exactBooleans }) => exactBooleans);
  if (strict.length === 0 || value.kind !== 'scalar' || value.style === 'plain') return;
  yield {
    span: value.span,
    severity: 'hint',
    message: `${listed(strict.map(({ client }) => client))} accepts \`${value.source}\` in quotes, but shows an error in the editor. Remove the quotes.`,
    fixes: fixHere(file, 'Remove the quotes', [{ span: value.span, newText: value.source }], true),
  };
}

/** Reports a map or a list as an item of a list of strings. The fix replaces maps with the values of their `name`. */
function draftOfItem({ uri, text }: SkillFile, entry: YamlEntry, item: YamlNode, keys: readonly KeyOfClient[]): Draft {
  const key = nameOf(entry);
  const clients = listed(keys.map(({ client }) => client));
  const items = entry.value.kind === 'list' ? entry.value.items : [];
  const names = items.map((one) => (one.kind === 'scalar' ? String(one.value) : stringOf(findValue(one, 'name'))));
  const written = names.flatMap((name) => (name === undefined ? [] : [formatScalar(name, true)]));
  const isWhole = written.length === items.length && !/(?:^|\s)#/.test(sliceOf(text, entry.value.span));
  const edits = isWhole
    ? [{ span: span(entry.key.span.end, entry.value.span.end), newText: `: [${written.join(', ')}]` }]
    : [];
  return {
    span: item.span,
    message: `\`${key}\` must be a list of ${key === 'arguments' ? 'names' : 'strings'} for ${clients}, but contains ${describeType(item)}.`,
    fixes: fixIn('Keep only the names', [{ uri, edits }]),
  };
}

const WORDS: Readonly<Record<ClientKeyType, string>> = {
  string: 'a string',
  boolean: '`true` or `false`',
  list: 'a list',
  map: 'a map',
  'string-or-list': 'a string or a list',
};

/** Returns whether a value is a Boolean for YAML, but not for a client that compares its text. */
const isOtherCase = (value: YamlNode): value is YamlScalar =>
  value.kind === 'scalar' && typeof value.value === 'boolean';

function describeType(value: YamlNode): string {
  if (value.kind !== 'scalar') return value.kind === 'list' ? 'a list' : 'a map';
  return typeof value.value === 'number' ? 'a number' : typeof value.value === 'boolean' ? 'a Boolean' : 'a string';
}

function fixesOf(
  file: SkillFile,
  value: YamlNode,
  key: KeyOfClient | undefined,
  values: readonly string[],
): readonly Fix[] {
  if (key?.type === 'string' && isBracketed(file, value)) {
    return fixHere(file, 'Quote it', quoteScalar(file.text, value.span), true);
  }
  if (value.kind !== 'scalar') return [];
  const written = String(value.value).trim().toLowerCase();
  if (key?.type === 'boolean') {
    const meant = /^(?:true|yes|on|1)$/.test(written)
      ? 'true'
      : /^(?:false|no|off|0)$/.test(written)
        ? 'false'
        : undefined;
    return meant ? fixHere(file, `Replace with \`${meant}\``, [{ span: value.span, newText: meant }], true) : [];
  }
  return closestValues(value.value, values).flatMap((name) =>
    fixHere(file, `Replace with \`${name}\``, setScalar(file.text, value, name)),
  );
}
