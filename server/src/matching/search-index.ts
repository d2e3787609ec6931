/** The words of all skills, searched by `minisearch`. The time to add or remove a skill depends only on its words. */
import MiniSearch from 'minisearch';
import type { SkillWords } from '../skill/summary.ts';
import { ARTICLES, isPair, type Term, termsOf, type Unit, unitsOf } from './words.ts';

/** The search terms of a skill. */
export interface SearchableSkill {
  readonly name: string;
  readonly version: string | undefined;
  readonly words: SkillWords;
}

/** The frontmatter keys that are searched, in descending order of weight. */
export const FIELDS = ['name', 'trigger_phrases', 'intent_patterns', 'tags', 'description', 'when_to_use'] as const;
export type Field = (typeof FIELDS)[number];

const WEIGHTS: Readonly<Record<Field, number>> = {
  name: 2.5,
  trigger_phrases: 2,
  intent_patterns: 1.5,
  tags: 1.25,
  description: 1,
  when_to_use: 1,
};

/** The BM25 weights for the repetition (`k`), the text length (`b`) and the presence (`d`) of a word. */
const BM25 = { k: 1.2, b: 0.5, d: 0.5 };

/** The maximum number of characters that are read from a request. */
const MAX_REQUEST = 2_000;

/** The maximum number of unknown words that are searched as misspelt or incomplete. Later unknown words are ignored. */
const MAX_STRANGE = 16;

/**
 * The limit for the total number of skills that contain the searched words. The most common words, which would exceed
 * it, are not searched.
 */
const MAX_FINDS = 20_000;
/** The number of words that are always searched, starting with the rarest. */
const MIN_WORDS = 4;

export interface Request {
  readonly units: readonly Unit[];
  /** The keys of the search terms, without duplicates. */
  readonly keys: readonly string[];
}

/** Splits a request into units (words and single characters) and search terms. */
export function readRequest(text: string): Request {
  const beginning = text.slice(0, MAX_REQUEST);
  return { units: unitsOf(beginning), keys: [...new Set(termsOf(beginning).map(({ key }) => key))] };
}

export interface Hit {
  readonly id: string;
  /** A number from 0 to 1. */
  readonly score: number;
  /** The trigger phrase that the request contains, or the intent pattern that it matches. */
  readonly trigger: { readonly field: Field; readonly text: string } | undefined;
  /** The words of the skill that are in the request, each with its fields. */
  readonly found: Readonly<Record<string, readonly string[]>>;
}

const TEXTS: Readonly<Record<Field, (skill: SearchableSkill) => readonly string[]>> = {
  name: ({ name }) => [name],
  trigger_phrases: ({ words }) => words.triggerPhrases,
  intent_patterns: ({ words }) => words.intentPatterns,
  tags: ({ words }) => words.tags,
  description: ({ words }) => [words.description],
  when_to_use: ({ words }) => [words.whenToUse],
};

/** Returns the terms of a field, without the placeholders of intent patterns. */
const termsIn = (skill: SearchableSkill, field: Field): readonly Term[] =>
  TEXTS[field](skill).flatMap((text) => termsOf(field === 'intent_patterns' ? withoutPlaceholders(text) : text));

const withoutPlaceholders = (pattern: string): string => pattern.replace(/\{[^{}]*\}/g, ' ');

/** The terms of each field, separated by spaces. No term contains a space. */
type Document = Readonly<Record<Field | 'id', string>>;

function documentOf(id: string, skill: SearchableSkill): Document {
  const terms = (field: Field): string =>
    termsIn(skill, field)
      .map(({ key }) => key)
      .join(' ');
  return {
    id,
    name: terms('name'),
    trigger_phrases: terms('trigger_phrases'),
    intent_patterns: terms('intent_patterns'),
    tags: terms('tags'),
    description: terms('description'),
    when_to_use: terms('when_to_use'),
  };
}

export class SearchIndex {
  readonly #skills = new Map<string, SearchableSkill>();
  readonly #search = new MiniSearch<Document>({
    fields: [...FIELDS],
    tokenize: (terms) => terms.split(' '),
    processTerm: (term) => term,
    // Removes skills immediately, without a timer that cleans up later.
    autoVacuum: false,
  });
  /** The number of skills and the number of names that contain each word. */
  readonly #counts = new Map<string, { readonly skills: number; readonly names: number }>();
  /** The skills with a phrase or a pattern without searchable words, such as "what if {change}". */
  readonly #unsearchable = new Set<string>();

  get(id: string): SearchableSkill | undefined {
    return this.#skills.get(id);
  }

  /** Adds or replaces a skill; undefined removes it. */
  set(id: string, skill: SearchableSkill | undefined): void {
    const before = this.#skills.get(id);
    if (before) {
      const document = documentOf(id, before);
      this.#search.remove(document);
      this.#count(document, -1);
      this.#skills.delete(id);
      this.#unsearchable.delete(id);
    }
    if (!skill) return;
    const document = documentOf(id, skill);
    this.#search.add(document);
    this.#count(document, 1);
    this.#skills.set(id, skill);
    if (hasUnsearchable(skill)) this.#unsearchable.add(id);
  }

  #count(document: Document, by: 1 | -1): void {
    const names = new Set(document.name.split(' '));
    for (const key of new Set(FIELDS.flatMap((field) => document[field].split(' ')))) {
      const known = this.#counts.get(key) ?? { skills: 0, names: 0 };
      const skills = known.skills + by;
      if (skills === 0) this.#counts.delete(key);
      else this.#counts.set(key, { skills, names: known.names + (names.has(key) ? by : 0) });
    }
  }

  /** Returns the number of skills that contain a search term. */
  skillsWith(key: string): number {
    return this.#counts.get(key)?.skills ?? 0;
  }

  /**
   * Returns the words of a request that are searched, and the words that are searched as misspelt or incomplete
   * (`strange`).
   */
  plan(keys: readonly string[]): { readonly keys: readonly string[]; readonly strange: ReadonlySet<string> } {
    const byRarity = [...keys].sort((a, b) => this.skillsWith(a) - this.skillsWith(b));
    let finds = 0;
    const searched = byRarity.filter((key, at) => {
      finds += this.skillsWith(key);
      return at < MIN_WORDS || finds <= MAX_FINDS;
    });
    const strange = keys.filter((key) => !this.#counts.has(key) && !isPair(key));
    return { keys: searched, strange: new Set(strange.slice(0, MAX_STRANGE)) };
  }

  /** Returns the skills that contain a word of the request, in no particular order. */
  search({ units, keys: wanted }: Request): readonly Hit[] {
    const { keys, strange } = this.plan(wanted);
    const best = keys.reduce((sum, key) => sum + this.#bestOf(this.#counts.get(key)?.names ?? 0), 0);
    const results =
      keys.length === 0
        ? []
        : this.#search.search(keys.join(' '), {
            ...{ boost: WEIGHTS, bm25: BM25, weights: NEAR },
            maxFuzzy: 2,
            fuzzy: (key) => strange.has(key) && key.length > 3 && !/\d/.test(key) && 0.25,
            prefix: (key) => strange.has(key) && key.length > 2,
          });
    const hits = results.map(({ id, score, queryTerms: { length }, match: found }): Hit => {
      // The library has multiplied the score by the number of found words.
      const share = Math.min(1, score / length / best) * (length / keys.length);
      return { id, score: rounded(share), trigger: this.#triggerOf(id, units, found), found };
    });
    const known = new Set(this.#unsearchable.size > 0 ? hits.map(({ id }) => id) : []);
    for (const id of this.#unsearchable) {
      const trigger = known.has(id) ? undefined : this.#triggerOf(id, units);
      if (trigger) hits.push({ id, score: 0, trigger, found: {} });
    }
    return hits;
  }

  /** Returns the score of a word in a name of average length. `names` is the number of names that contain the word. */
  #bestOf(names: number): number {
    const all = this.#search.documentCount;
    const rarity = Math.log(1 + (all - Math.max(1, names) + 0.5) / (Math.max(1, names) + 0.5));
    return WEIGHTS.name * rarity * (BM25.d + 1);
  }

  /**
   * Returns the matching phrase or pattern. Checks only fields in which a word was found, or all fields of a skill that
   * has a phrase or pattern without searchable words.
   */
  #triggerOf(id: string, units: readonly Unit[], found?: Hit['found']): Hit['trigger'] {
    const words = this.get(id)?.words;
    if (!words || words.triggerPhrases.length + words.intentPatterns.length === 0) return undefined;
    const mayHave = (field: Field): boolean =>
      found === undefined ||
      this.#unsearchable.has(id) ||
      Object.values(found).some((fields) => fields.includes(field));
    const phrase = mayHave('trigger_phrases') && words.triggerPhrases.find((text) => containsPhrase(units, text));
    if (phrase) return { field: 'trigger_phrases', text: phrase };
    const pattern = mayHave('intent_patterns') && words.intentPatterns.find((text) => matchesPattern(units, text));
    return pattern ? { field: 'intent_patterns', text: pattern } : undefined;
  }
}

/** The weights of a word that is similar to a word of the request (`fuzzy`) or begins with such a word (`prefix`). */
const NEAR = { fuzzy: 0.6, prefix: 0.6 };

/** Rounds a score to four digits, so that the score is the same on every machine. */
const rounded = (score: number): number => Math.round(score * 10_000) / 10_000;

const hasUnsearchable = (skill: SearchableSkill): boolean =>
  skill.words.triggerPhrases.some((text) => termsOf(text).length === 0) ||
  skill.words.intentPatterns.some((text) => termsOf(withoutPlaceholders(text)).length === 0);

/** Returns the words whose keys are in `keys`, as they are written in a field of a skill. */
export function wordsWithKeys(skill: SearchableSkill, field: Field, keys: ReadonlySet<string>): readonly string[] {
  return termsIn(skill, field).flatMap(({ key, text }) => (keys.has(key) ? [text] : []));
}

// Trigger phrases and intent patterns. Patterns are not compiled to regular expressions.

/** Returns whether the request contains the words of a phrase in order, with or without other words between them. */
export function containsPhrase(request: readonly Unit[], phrase: string): boolean {
  const units = wanted(unitsOf(phrase));
  let from = 0;
  for (let at = 0; at < units.length; ) {
    const end = endOfRun(units, at);
    const found = findRun(request, from, units.slice(at, end));
    if (found < 0) return false;
    from = found + (end - at);
    at = end;
  }
  return units.length > 0;
}

/** Removes the articles. */
const wanted = (units: readonly Unit[]): readonly Unit[] => units.filter(({ key }) => !ARTICLES.has(key));

/** Returns the index after the last character of a run. */
function endOfRun(units: readonly Unit[], start: number): number {
  let end = start + 1;
  while (units[end]?.continuesRun) end++;
  return end;
}

function findRun(request: readonly Unit[], from: number, run: readonly Unit[]): number {
  for (let at = from; at + run.length <= request.length; at++) {
    if (run.every(({ key }, i) => request[at + i]?.key === key && (i === 0 || request[at + i]?.continuesRun)))
      return at;
  }
  return -1;
}

/** The maximum number of words, or of characters in a script without spaces, that a `{name}` placeholder matches. */
const MAX_WORDS = 6;
const MAX_CHARACTERS = 24;
/** The maximum number of parts in a pattern. Longer patterns never match. */
const MAX_PARTS = 60;

/** Returns whether a pattern matches the whole request. Ignores stop words that are only in the request. */
export function matchesPattern(request: readonly Unit[], pattern: string): boolean {
  const parts = partsOf(pattern);
  if (parts.length > MAX_PARTS || !parts.some((part) => part !== 'any')) return false;
  // The positions in the request at which the previous parts of the pattern can end.
  let reached = new Set([0]);
  for (const part of parts) {
    const next = new Set<number>();
    for (const at of reached) for (const end of endsOf(request, at, part)) next.add(end);
    if (next.size === 0) return false;
    reached = next;
  }
  return [...reached].some((at) => pastStops(request, at) === request.length);
}

type PatternUnit = Unit | 'any';

function partsOf(pattern: string): readonly PatternUnit[] {
  return pattern
    .slice(0, 1_000)
    .split(/(\{[^{}]*\})/)
    .flatMap((piece): readonly PatternUnit[] => (piece.startsWith('{') ? ['any'] : wanted(unitsOf(piece))));
}

function endsOf(request: readonly Unit[], start: number, part: PatternUnit): readonly number[] {
  if (part !== 'any') {
    const at = request[start]?.key === part.key ? start : pastStops(request, start);
    return request[at]?.key === part.key ? [at + 1] : [];
  }
  const ends: number[] = [];
  let size = 0;
  for (let at = start; at < request.length; at++) {
    size += request[at]?.kind === 'character' ? MAX_WORDS / MAX_CHARACTERS : 1;
    if (size > MAX_WORDS) break;
    ends.push(at + 1);
  }
  return ends;
}

function pastStops(request: readonly Unit[], from: number): number {
  let at = from;
  while (request[at]?.kind === 'stop') at++;
  return at;
}
