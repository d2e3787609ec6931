import type { Analysis } from '../../analysis/analysis.ts';
import { mayOverlap } from '../../analysis/replaced-by.ts';
import { type Fix, fixHere, type RelatedLocation } from '../../finding.ts';
import { formatNumber } from '../../format-amounts.ts';
import { setScalar } from '../../languages/yaml/edit.ts';
import { findValue, stringOf } from '../../languages/yaml/node.ts';
import { OVERLAP_THRESHOLD, shownSimilarity } from '../../matching/overlap-index.ts';
import { termsOf, unitsOf } from '../../matching/words.ts';
import { inWords } from '../../nearest.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { MAX_DESCRIPTION } from '../../vocabulary/agent-skill-keys.ts';
import { nameFromUri } from '../../vocabulary/dialect.ts';
import { type Rule, SKILLS } from '../engine/rule.ts';
import { exampleOfUse } from './description-wording.ts';

/** The largest number of related locations in one finding. */
const MAX_PLACES = 5;

/** The largest number of skills that a fix names. */
const MOST_NAMED = 3;

/** The largest number of shared words in a message. */
const MAX_WORDS = 5;

/** Reports a skill whose description is similar to that of another skill. */
export const overlappingSkills: Rule = {
  name: 'overlapping-skills',
  severity: 'hint',
  evidence: { kind: 'heuristic', source: 'docs/registry.md, "Overlap"' },
  dialects: [...SKILLS, 'agent-skill'],
  // A registry of typed skills is reviewed with `audit`.
  offIn: SKILLS,
  isDecided: (_, analysis) => !analysis.partial,
  *check(file, analysis) {
    const { description } = file.contract;
    if (!description || analysis.partial) return;
    const partners = partnersOf(analysis, file);
    const [first] = partners;
    if (!first) return;
    const telling = first.shared.filter((word) => !/^use[sd]?$/i.test(word)).slice(0, MAX_WORDS);
    const words = telling.map((word) => `“${word}”`).join(', ');
    const more = partners.length > 1 ? ` and ${formatNumber(partners.length - 1)} more` : '';
    yield {
      span: description.span,
      message: `This description is similar to that of \`${first.name}\`${more} (${figure(first.similarity)} of 1; shared: ${words}). Say how the skills differ, or merge them.`,
      // Each pair is one finding, at the later file. An editor also shows it in the other file.
      fixes: partners.length <= MOST_NAMED ? nameOthers(analysis, file, partners) : [],
      ...(partners.every(({ uri }) => uri > file.uri) && { repeats: first.uri }),
      related: partners.slice(0, MAX_PLACES).flatMap(({ uri, name, similarity }): RelatedLocation[] => {
        const place = analysis.file(uri)?.contract.description;
        const message = `\`${name}\` has a similar description (${figure(similarity)})`;
        return place ? [{ uri, span: place.span, message }] : [];
      }),
    };
  },
};

/**
 * Returns the fix that names the other skills, each with an example of when to use it, which the author completes; no fix
 * if one of them has no example.
 */
function nameOthers(analysis: Analysis, file: SkillFile, partners: readonly Partner[]): readonly Fix[] {
  const value = findValue(file.frontmatter.tree.root, 'description');
  const examples = partners.flatMap((partner) => {
    const when = whenToUse(analysis, file, partner);
    return when === undefined ? [] : [{ name: partner.name, when }];
  });
  const [first] = examples;
  if (value?.kind !== 'scalar' || !first || examples.length < partners.length) return [];
  const text = (stringOf(value) ?? '').trim();
  const sentences = examples.map(({ name, when }) => `Use ${name} instead ${when}.`);
  const longer = [/[.!?]$/.test(text) ? text : `${text}.`, ...sentences].join(' ');
  if ([...longer].length > MAX_DESCRIPTION) return [];
  const names = inWords(
    examples.map(({ name }) => name),
    'or',
  );
  const fixes = fixHere(file, `Say when to use ${names} instead`, setScalar(file.text, value, longer));
  return fixes.map((fix) => ({ ...fix, placeholder: first.when }));
}

/**
 * Returns an example of when to use another skill. A name of one word may be an ordinary word, and equal descriptions have
 * no example that only one of them has.
 */
function whenToUse(analysis: Analysis, file: SkillFile, { uri, name }: Partner): string | undefined {
  const textOf = textReader(analysis);
  const [own, other] = [textOf(file.uri), textOf(uri)];
  const example = exampleOfUse(other.text, name)?.sentence ?? '';
  const [, when] = /^Use (when .*)$/.exec(example) ?? [];
  if (when === undefined || !/[-_]/.test(name)) return undefined;
  return [...other.words()].every((word) => own.words().has(word)) ? undefined : when;
}

interface Partner {
  readonly uri: string;
  readonly name: string;
  readonly similarity: number;
  readonly shared: readonly string[];
}

function partnersOf(analysis: Analysis, { uri }: SkillFile): readonly Partner[] {
  const { skills } = analysis.graph;
  const own = skills.get(uri);
  if (!own) return [];
  const textOf = textReader(analysis);
  const text = textOf(uri);
  return analysis.overlap
    .similarTo(uri, OVERLAP_THRESHOLD)
    .flatMap(({ ids, similarity, shared }) =>
      ids.flatMap((other): readonly Partner[] => {
        const skill = skills.get(other);
        if (!skill || !mayOverlap(analysis, own, skill) || areDistinguished(text, textOf(other))) return [];
        return [{ uri: other, name: skill.summary.name ?? nameFromUri(other), similarity, shared }];
      }),
    )
    .sort((a, b) => b.similarity - a.similarity || (a.uri < b.uri ? -1 : 1));
}

/** Words for making something, which do not distinguish two skills. */
const MAKING: ReadonlySet<string> = new Set(
  termsOf('make create write draft generate build produce prepare compose author').map(({ key }) => key),
);

/** The smallest share of common words in the first sentences. Descriptions may share only a text that all skills have. */
const IN_FIRST_SENTENCE = 0.5;

/**
 * Returns whether a request can choose between two skills: the descriptions begin differently, one of them names the
 * other skill, or they differ in the words that also distinguish the names, such as `nunit` and `xunit`.
 */
function areDistinguished(one: NamedText, other: NamedText): boolean {
  const least = Math.min(one.first.size, other.first.size);
  // Too short texts are a matter of `unclear-description`.
  if (least < MIN_WORDS) return true;
  const common = [...one.first].filter((word) => other.first.has(word)).length;
  if (common < IN_FIRST_SENTENCE * least) return true;
  if (isNamedIn(other.name, one.text) || isNamedIn(one.name, other.text)) return true;
  const [own, others] = [onlyIn(one, other), onlyIn(other, one)];
  return own.length > 0 && others.length > 0 && ![...own, ...others].every((word) => MAKING.has(word));
}

interface ReadText {
  readonly text: string;
  /** The words of the text, also short ones such as `Go`, which are left out of the comparison. */
  readonly words: () => ReadonlySet<string>;
  /** The terms of the first sentence. */
  readonly first: ReadonlySet<string>;
}

interface NamedText extends ReadText {
  readonly name: string;
}

/** Returns the function that reads the description of a skill. Equal descriptions, of which there may be many, are read once. */
function textReader({ index, graph }: Analysis): (uri: string) => NamedText {
  const known = new Map<string, ReadText>();
  return (uri) => {
    const text = index.files.get(uri)?.words.description ?? '';
    const read = known.get(text) ?? readText(text);
    known.set(text, read);
    return { ...read, name: graph.skills.get(uri)?.summary.name ?? nameFromUri(uri) };
  };
}

function readText(text: string): ReadText {
  let words: ReadonlySet<string> | undefined;
  return {
    text,
    words: () => {
      words ??= new Set(unitsOf(text).flatMap(({ key, kind }) => (kind === 'character' ? [] : [key])));
      return words;
    },
    first: new Set(termsOf(firstSentence(text)).map(({ key }) => key)),
  };
}

/** The smallest number of words in a first sentence. */
const MIN_WORDS = 3;

/** Words such as `Use this skill when`, with which many descriptions begin. */
const LEAD_IN =
  /^(?:this skill|use|invoke|nutze|verwende|(?:à )?utiliser|usar|usa|úsalo)\b.{0,40}?\b(?:when|wenn|quand|lorsque|cuando|quando)\b/iu;

const firstSentence = (text: string): string =>
  (text.split(/[.!?](?=\s)|[。！？\n]/u, 1)[0] ?? '').replace(LEAD_IN, '');

/** Returns whether a text contains a name of several words. A name of one word may be an ordinary word. */
const isNamedIn = (name: string, text: string): boolean => /[-_]/.test(name) && text.includes(name);

/** Returns the words of a name that are in its own description, but not in the other one. */
function onlyIn(own: NamedText, other: NamedText): readonly string[] {
  if (own.text === other.text) return [];
  const name = own.name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
  return [...own.words()].filter((word) => name.includes(word) && !other.words().has(word));
}

const figure = (similarity: number): string => shownSimilarity(similarity).toFixed(2);
