/**
 * Finds the sentences that can be dropped from a description that is too long (docs/clients.md, "A shorter
 * description"). These fixes depend on the words and the routing cases of all skills, so no rule computes them.
 */

import { Analysis } from '../../analysis/analysis.ts';
import { modelBeside } from '../../analysis/listings.ts';
import { MAX_CHECKED_CASES, route, routingCases } from '../../analysis/routing.ts';
import { overListings, targetClients, targetRows } from '../../analysis/targets.ts';
import { entryOf, heaviestSkills, listingOf, withEntry } from '../../clients/matrix/budget.ts';
import type { ClientRow } from '../../clients/matrix/cell.ts';
import { listedLength } from '../../clients/matrix/listed-length.ts';
import { subjectOf } from '../../clients/matrix/subject.ts';
import type { Finding, Fix } from '../../finding.ts';
import { fixHere } from '../../finding.ts';
import { setScalar } from '../../languages/yaml/edit.ts';
import { findValue, mapEntries, stringOf, type YamlScalar } from '../../languages/yaml/node.ts';
import { sourceSpans } from '../../languages/yaml/source-spans.ts';
import { termsOf } from '../../matching/words.ts';
import { lengthOf } from '../../skill/agent-skill-facts.ts';
import { SkillFile } from '../../skill/skill-file.ts';
import { readEvals } from '../../testing/evals.ts';
import { applyEdits, type Span, sliceOf, span, type TextEdit } from '../../text.ts';
import { MAX_DESCRIPTION } from '../../vocabulary/agent-skill-keys.ts';
import { update } from '../../workspace/update.ts';
import type { TriggerRequest } from '../../workspace/workspace-index.ts';

/** The largest number of alternatives for one finding. */
const MAX_FIXES = 3;
/** The largest number of sentences that one fix drops. */
const MAX_DROPPED = 3;
/** The longest text that is split into sentences, in UTF-16 code units. */
const MAX_TEXT = 10_000;
/** Later sentences are never dropped. */
const MAX_SENTENCES = 40;
/** The largest number of combinations of sentences that are compared, and of those that are tried. */
const MAX_COMBINATIONS = 2_000;
const MAX_TRIES = 30;
/** With more routing cases, the effect of a shorter description is not computed, and there is no fix. */
const MAX_CASES = 300;
/** The largest number of shorter descriptions whose effect on routing cases is computed. */
const MAX_ROUTED = 12;

/**
 * Returns the fixes that drop a sentence, the best first; none for a finding that is not about a text that is too long.
 * After each fix, the target clients list the skill in full, the text keeps its trigger words, and the routing cases
 * have the same results (docs/clients.md, "A shorter description"). Never throws.
 */
export function shorteningFixes(analysis: Analysis, file: SkillFile, { shortens }: Finding): readonly Fix[] {
  if (!shortens || analysis.partial) return [];
  if (shortens === 'description') {
    return analysis.keep(excessOfText, file.uri, (one) => fixesFor(analysis, one, excessOfText(analysis))) ?? [];
  }
  const [over] = overListings(analysis, file.uri);
  const uri = over && heaviestSkills(over.entries)[0]?.uri;
  if (uri === undefined) return [];
  return analysis.keep(excessOfLists, uri, (one) => fixesFor(analysis, one, excessOfLists(analysis, uri))) ?? [];
}

/** Returns the amount by which a version of a file is too long, in a unit that is at least one byte; 0 if it fits. */
type Excess = (file: SkillFile) => number;

const excessOfText =
  (analysis: Analysis): Excess =>
  (file) => {
    const { agentSkill } = file.summary;
    if (!agentSkill) return 0;
    const subject = subjectOf(file.uri, agentSkill);
    const overClients = targetRows(analysis, file)
      .rows.filter(isTooLong)
      .map(({ client: { limits } }) => {
        const limit = limits.description?.value ?? {};
        return Math.max(1, listedLength(limit, subject) - (limit.listing ?? limit.max ?? MAX_DESCRIPTION));
      });
    return Math.max(0, listedLength({}, subject) - MAX_DESCRIPTION, ...overClients);
  };

/** Returns whether the length of the description makes a client skip the skill, hide it or cut it. */
const isTooLong = ({ loaded, listed, cut }: ClientRow): boolean =>
  [
    ...(loaded.outcome === 'no' ? loaded.reasons : []),
    ...(listed.outcome === 'no' ? listed.reasons : []),
    ...(cut.outcome === 'yes' ? cut.reasons : []),
  ].some(
    ({ cause }) => cause?.code === 'entry/cut' || (cause?.code === 'fields/length' && cause.key === 'description'),
  );

function excessOfLists(analysis: Analysis, uri: string): Excess {
  const over = overListings(analysis, uri);
  const model = modelBeside(analysis, uri);
  return (file) => {
    const { agentSkill } = file.summary;
    const subject = agentSkill && subjectOf(uri, agentSkill);
    return Math.max(
      0,
      ...over.map(({ client, entries }) => {
        const before = entries.inOrder.find((one) => one.uri === uri);
        const now = subject && entryOf(client, subject, analysis.agentSkills.rivalsOf(client, subject));
        const listing = before && now && listingOf(client, withEntry(entries, before, now), model);
        return listing ? listing.used - listing.limit.amount : Infinity;
      }),
    );
  };
}

function fixesFor(analysis: Analysis, file: SkillFile, excessOf: Excess): readonly Fix[] {
  const sentences = listedKeys(analysis, file).flatMap((key) => sentencesIn(file, key));
  const excess = excessOf(file);
  if (excess <= 0 || sentences.length < 2) return [];
  const tests = allRoutingCases(analysis);
  const triggers = triggerTermsOf(analysis, file, sentences, tests);
  const keepsRouting = routingCheck(analysis, file.uri, tests);
  const suffix = triggers.size > 0 ? ' (keeps all trigger words)' : '';
  for (let count = 1; count <= MAX_DROPPED; count++) {
    const fixes = new Map<string, Fix>();
    for (const drop of dropsOf(analysis, file, sentences, count, { excess, triggers })) {
      const edited = editedWithout(file, sentences, drop);
      if (!edited || fixes.has(edited.file.text)) continue;
      if (excessOf(edited.file) > 0 || !keepsRouting(edited.file)) continue;
      for (const fix of fixHere(file, `${titleOf(drop)}${suffix}`, edited.edits)) fixes.set(edited.file.text, fix);
      if (fixes.size === MAX_FIXES) break;
    }
    if (fixes.size > 0) return [...fixes.values()];
  }
  return [];
}

function titleOf(drop: readonly Sentence[]): string {
  const most = drop.length === 1 ? 48 : 32;
  const beginnings = drop.map(({ text }) => `“${beginning(text, most)}”`).join(', ');
  return `Drop the ${drop.length === 1 ? 'sentence' : 'sentences'} ${beginnings}`;
}

/** Returns the first words of a sentence, with at most `most` characters. */
function beginning(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const characters = [...line];
  if (characters.length <= most) return line;
  const start = characters.slice(0, most - 1).join('');
  return `${start.replace(/\s\S{0,12}$/, '')}…`;
}

// The order in which sentences are tried.

/** A sentence of a key, by its UTF-16 offsets in the value. */
interface Sentence {
  readonly key: string;
  readonly node: YamlScalar;
  readonly text: string;
  readonly from: number;
  readonly to: number;
  /** The index among the sentences of the key. */
  readonly index: number;
  /** The search terms, without duplicates. */
  readonly terms: readonly string[];
}

/** The keys whose text a client may list. */
const KEYS = ['description', 'when_to_use'] as const;

/** Returns the keys whose text a target client lists. */
const listedKeys = (analysis: Analysis, file: SkillFile): readonly (typeof KEYS)[number][] => {
  const limits = targetClients(analysis, file).flatMap(({ limits: { description } }) => description?.value.with ?? []);
  return KEYS.filter((key) => key === 'description' || limits.includes(key));
};

function sentencesIn(file: SkillFile, key: (typeof KEYS)[number]): readonly Sentence[] {
  const node = findValue(file.frontmatter.tree.root, key);
  if (node?.kind !== 'scalar' || typeof node.value !== 'string' || node.value.length > MAX_TEXT) return [];
  let next = 0;
  return sentencesOf(node.value).map((whole, index) => {
    const from = next + whole.length - whole.trimStart().length;
    next += whole.length;
    const text = whole.trim();
    return { key, node, text, from, to: from + text.length, index, terms: [...new Set(keysOf(text))] };
  });
}

/** An English sentence that says when to use the skill, which is dropped only if no other sentence can be. */
const WHEN_TO_USE = /\b(?:us(?:e|ed|ing)|invoked?|triggers?|activated?)\b.{0,60}?\b(?:when|whenever|if|for)\b/i;

/**
 * Returns the combinations of `count` sentences that are long enough, first those whose words are found in most other
 * skills. A combination that would remove a trigger word, or all sentences of a key, is left out.
 */
function dropsOf(
  analysis: Analysis,
  file: SkillFile,
  sentences: readonly Sentence[],
  count: number,
  { excess, triggers }: { readonly excess: number; readonly triggers: ReadonlySet<string> },
): readonly (readonly Sentence[])[] {
  const elsewhere = fixedTermsOf(analysis, file);
  const uses = new Map<string, number>();
  for (const { terms } of sentences) for (const term of terms) uses.set(term, (uses.get(term) ?? 0) + 1);
  const total = analysis.graph.skills.size;
  const found: { readonly drop: readonly Sentence[]; readonly cost: number }[] = [];
  let compared = 0;
  for (const drop of combinations(sentences.slice(0, MAX_SENTENCES), count)) {
    if (++compared > MAX_COMBINATIONS) break;
    if (drop.reduce((sum, { text }) => sum + lengthOf(text).bytes + 1, 0) < excess) continue;
    if (KEYS.some((key) => isWhole(sentences, drop, key))) continue;
    const dropped = new Map<string, number>();
    for (const { terms } of drop) for (const term of terms) dropped.set(term, (dropped.get(term) ?? 0) + 1);
    const lost = [...dropped].flatMap(([term, times]) =>
      times === uses.get(term) && !elsewhere.has(term) ? [term] : [],
    );
    if (lost.some((term) => triggers.has(term))) continue;
    const cost = lost.reduce(
      (sum, term) => sum + Math.log(1 + total / Math.max(1, analysis.search.skillsWith(term))),
      0,
    );
    found.push({ drop, cost });
  }
  const place = (drop: readonly Sentence[]): number => drop.reduce((sum, { index }) => sum + index, 0);
  const saysWhen = (drop: readonly Sentence[]): number => drop.filter(({ text }) => WHEN_TO_USE.test(text)).length;
  return found
    .sort((a, b) => saysWhen(a.drop) - saysWhen(b.drop) || a.cost - b.cost || place(b.drop) - place(a.drop))
    .slice(0, MAX_TRIES)
    .map(({ drop }) => drop);
}

const isWhole = (sentences: readonly Sentence[], drop: readonly Sentence[], key: string): boolean =>
  drop.some((one) => one.key === key) &&
  sentences.filter((one) => one.key === key).length === drop.filter((one) => one.key === key).length;

function* combinations<Item>(items: readonly Item[], count: number, from = 0): Iterable<readonly Item[]> {
  if (count === 0) yield [];
  else
    for (let at = from; at < items.length; at++)
      for (const rest of combinations(items, count - 1, at + 1)) yield [items[at] as Item, ...rest];
}

// Trigger words and routing cases.

/** Returns the search terms of a skill that no fix changes: those of its name, its tags, its phrases and patterns. */
function fixedTermsOf(analysis: Analysis, { uri, summary }: SkillFile): ReadonlySet<string> {
  const words = analysis.index.files.get(uri)?.words;
  const texts = [summary.name ?? '', ...(words?.tags ?? []), ...phrasesOf(analysis, uri)];
  return new Set(texts.flatMap(keysOf));
}

const keysOf = (text: string): readonly string[] => termsOf(text).map(({ key }) => key);

function phrasesOf(analysis: Analysis, uri: string): readonly string[] {
  const words = analysis.index.files.get(uri)?.words;
  return [...(words?.triggerPhrases ?? []), ...(words?.intentPatterns ?? [])];
}

/** Text in quotes or in code, which a description uses for requests, names and extensions of files. */
const QUOTED = /“([^“”]+)”|„([^„“”]+)[“”]|«([^«»]+)»|「([^「」]+)」|"([^"]+)"|`([^`]+)`/gu;

/**
 * Returns the search terms that must stay in the text: those of the requests that must select the skill, of its
 * phrases, and of quoted text.
 */
function triggerTermsOf(
  analysis: Analysis,
  { uri }: SkillFile,
  sentences: readonly Sentence[],
  routing: readonly RoutingTest[],
): ReadonlySet<string> {
  const requests = routing.flatMap((one) => (one.uri === uri && one.should ? [one.request] : []));
  const quoted = sentences.flatMap(({ text }) => text.match(QUOTED) ?? []);
  const written = new Set(sentences.flatMap(({ terms }) => terms));
  const wanted = [...requests, ...phrasesOf(analysis, uri), ...quoted].flatMap(keysOf);
  return new Set(wanted.filter((term) => written.has(term)));
}

/** A routing case and the URI of its skill. */
interface RoutingTest extends TriggerRequest {
  readonly uri: string;
}

/**
 * Returns the routing cases of all skills (docs/matching.md, "Routing cases"). The cases in `evals/` are known only for
 * folders that a host has read.
 */
function allRoutingCases(analysis: Analysis): readonly RoutingTest[] {
  const { filesWithRoutingCases, facts } = analysis.index;
  const tests: RoutingTest[] = [];
  for (const uri of filesWithRoutingCases) {
    const file = analysis.file(uri);
    if (file)
      tests.push(
        ...routingCases(file)
          .slice(0, MAX_CHECKED_CASES)
          .map(({ request, should }) => ({ uri, request, should })),
      );
  }
  for (const [uri, { files }] of facts.folders) {
    for (const { path, text = '' } of files) {
      if (!/^evals\/[^/]+\.json$/.test(path)) continue;
      const { triggers } = readEvals(text, false);
      tests.push(...triggers.map(({ request, shouldTrigger: should }) => ({ uri, request, should })));
    }
  }
  for (const [uri, requests] of facts.triggers) {
    if (!facts.folders.has(uri)) tests.push(...requests.map((one) => ({ uri, ...one })));
  }
  return tests;
}

/**
 * Returns a function that checks whether a new version of a file keeps the results of routing cases: each case of the
 * skill has the same result, and each case of another skill that passes still passes.
 */
function routingCheck(analysis: Analysis, uri: string, tests: readonly RoutingTest[]): (edited: SkillFile) => boolean {
  if (tests.length === 0) return () => true;
  if (tests.length > MAX_CASES) return () => false;
  const holds = (now: Analysis, test: RoutingTest): boolean => {
    const { holds: isRight, isApplicable } = route(now, test.uri, { ...test, span: span(0, 0) });
    return isRight || !isApplicable;
  };
  const before = tests.map((test) => holds(analysis, test));
  // A separate analysis, because each next one updates the search index of the one before.
  let current = new Analysis(analysis.index);
  let left = MAX_ROUTED;
  return (edited) => {
    if (left-- <= 0) return false;
    const index = update(current.index, { kind: 'file', file: edited });
    current = new Analysis(index, { analysis: current, changed: [uri] });
    return tests.every((test, at) => {
      const [was, is] = [before[at], holds(current, test)];
      return test.uri === uri ? was === is : is || !was;
    });
  };
}

// The edits that drop sentences.

/**
 * Returns the edits that drop sentences, and keep the style of the scalar and its lines. Returns undefined if the value
 * after the edits would differ from the kept sentences.
 */
function editedWithout(file: SkillFile, sentences: readonly Sentence[], drop: readonly Sentence[]): Edited | undefined {
  const edits: TextEdit[] = [];
  const expected: (readonly [key: string, value: string])[] = [];
  for (const key of KEYS) {
    const own = sentences.filter((one) => one.key === key);
    const [first] = own;
    const isDropped = (one: Sentence | undefined): boolean => one !== undefined && drop.includes(one);
    if (!first || !own.some(isDropped)) continue;
    const spans = sourceSpans(file.text, first.node);
    const inSource = ({ start, end }: Span): Span => span(spans(start, start + 1).start, spans(end - 1, end).end);
    const ranges = runsOf(own, isDropped).map(([from, to]) => {
      const [before, after] = [own[from.index - 1], own[to.index + 1]];
      const hasBreak = (start: number, end: number): boolean =>
        /[\r\n]/.test(sliceOf(file.text, inSource({ start, end })));
      const isLineStart = before !== undefined && hasBreak(before.to, from.from);
      const takesNext = after !== undefined && (!before || (isLineStart && !hasBreak(to.to, after.from)));
      return takesNext ? span(from.from, after.from) : span(before?.to ?? from.from, to.to);
    });
    const value = ranges.reduceRight(
      (text, { start, end }) => text.slice(0, start) + text.slice(end),
      String(first.node.value),
    );
    expected.push([key, value]);
    const small = ranges.map((range) => ({ span: inSource(range), newText: '' }));
    const isExact = holdsIn(file, small, [[key, value]]);
    edits.push(...(isExact ? small : setScalar(file.text, first.node, value)));
  }
  const edited = holdsIn(file, edits, expected);
  return edited && { file: edited, edits };
}

interface Edited {
  readonly file: SkillFile;
  readonly edits: readonly TextEdit[];
}

/** Returns the runs of neighbouring items that `isIn` selects, each as its first and last item. */
function runsOf(
  all: readonly Sentence[],
  isIn: (one: Sentence) => boolean,
): readonly (readonly [Sentence, Sentence])[] {
  const runs: [Sentence, Sentence][] = [];
  for (const one of all) {
    if (!isIn(one)) continue;
    const last = runs.at(-1);
    if (last && last[1].index === one.index - 1) last[1] = one;
    else runs.push([one, one]);
  }
  return runs;
}

/** Returns the file after edits; undefined if the keys are not the same, or do not have the expected values. */
function holdsIn(
  file: SkillFile,
  edits: readonly TextEdit[],
  expected: readonly (readonly [key: string, value: string])[],
): SkillFile | undefined {
  const edited = new SkillFile(file.uri, applyEdits(file.text, edits));
  const { tree } = edited.frontmatter;
  const names = ({ frontmatter }: SkillFile): string =>
    JSON.stringify(mapEntries(frontmatter.tree.root).map(({ key }) => key.value));
  if (tree.broken || names(edited) !== names(file)) return undefined;
  return expected.every(([key, value]) => stringOf(findValue(tree.root, key)) === value) ? edited : undefined;
}

// Sentences.

/** The ends of abbreviations, and of initials, after which a sentence goes on. */
const ABBREVIATION =
  /(?:^|[\s(])(?:\p{L}|e\.g|i\.e|vs|cf|ca|approx|incl|resp|no|fig|mr|mrs|ms|dr|st|bzw|ggf|inkl|nr|ej)\.$/iu;

/** Opening characters with their closing characters. German text closes „ with “. */
const PAIRS: readonly (readonly [RegExp, RegExp])[] = [
  [/\(/g, /\)/g],
  [/\[/g, /\]/g],
  [/「/g, /」/g],
  [/（/g, /）/g],
];

/**
 * Splits a text into sentences, each with the white space after it, so that the sentences joined are the text. Does not
 * split inside brackets and quotes, or after abbreviations and the numbers of lists. Never throws.
 */
export function sentencesOf(text: string): readonly string[] {
  const sentences: string[] = [];
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'sentence' }).segment(text)) {
    const last = sentences.at(-1);
    if (last !== undefined && (isUnfinished(last) || !/[\p{L}\p{N}]/u.test(segment) || /^\p{Ll}/u.test(segment)))
      sentences[sentences.length - 1] = last + segment;
    else sentences.push(segment);
  }
  return sentences;
}

function isUnfinished(sentence: string): boolean {
  const written = sentence.trim();
  // A line that is a sentence or an item of a list ends with its line, even if a bracket is never closed.
  if (sentence.slice(sentence.trimEnd().length).includes('\n')) return false;
  if (ABBREVIATION.test(written.slice(-20)) || /^(?:[-*•]|\d{1,3}[.)])?$/.test(written)) return true;
  const count = (pattern: RegExp): number => sentence.match(pattern)?.length ?? 0;
  const quotes = sentence.includes('„') ? count(/„/g) > count(/[“”]/g) : count(/“/g) > count(/”/g);
  return quotes || count(/"/g) % 2 === 1 || PAIRS.some(([open, close]) => count(open) > count(close));
}
