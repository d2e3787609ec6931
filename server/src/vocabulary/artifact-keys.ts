/** The metadata keys of artifacts (docs/format.md, section 5). */

import { distance } from 'fastest-levenshtein';
import type { Heading } from '../languages/markdown/blocks.ts';
import { trimSpan } from '../languages/markdown/spans.ts';
import { type Span, span } from '../text.ts';
import { amount, any, condition, prose, schema, text } from './common-shapes.ts';
import { OLDER_CHECKS } from './older-checks.ts';
import { either, type KeyTable, key, keysOf, listOf, named, oneOf, type Shape, withValues } from './shape.ts';

/** All artifact kinds (docs/format.md, section 5). */
export const ARTIFACT_KINDS = ['Description', 'Approach', 'PromptTemplate', 'Example'] as const;
const RETIRED_KINDS = ['CodeTemplate', 'DspyModule'] as const;

/** The parts of an Example. */
export const EXAMPLE_SIDES = ['input', 'output'] as const;

export type ExampleSide = (typeof EXAMPLE_SIDES)[number];

export type ArtifactKind = (typeof ARTIFACT_KINDS)[number];
export type RetiredKind = (typeof RETIRED_KINDS)[number];

/** The spans of `Kind` or `Kind: name`; `nameSpan` is missing if the heading has no name. */
export interface HeadingParts {
  readonly kindSpan: Span;
  readonly nameSpan?: Span;
}

export function splitHeading(text: string, { textSpan }: Heading): HeadingParts {
  const colon = text.slice(textSpan.start, textSpan.end).indexOf(':');
  if (colon < 0) return { kindSpan: textSpan };
  const kindSpan = trimSpan(text, span(textSpan.start, textSpan.start + colon));
  const nameSpan = trimSpan(text, span(textSpan.start + colon + 1, textSpan.end));
  return nameSpan.start === nameSpan.end ? { kindSpan } : { kindSpan, nameSpan };
}

/** Returns the kind that `written` names, ignoring case, spaces, hyphens and underscores. */
export const findKind = (written: string): ArtifactKind | undefined => lookUp(ARTIFACT_KINDS, written);

export const findRetiredKind = (written: string): RetiredKind | undefined => lookUp(RETIRED_KINDS, written);

function lookUp<Kind extends string>(kinds: readonly Kind[], written: string): Kind | undefined {
  const folded = fold(written);
  return kinds.find((kind) => kind.toLowerCase() === folded);
}

/** A length that no kind reaches, even with spaces. */
const MAX_LENGTH = 40;

/**
 * Returns the part of an Example that a heading names. `exact` headings name only the part, as in `### Input`; others
 * are misspelt or have more words, as in `### Expected outputs`.
 */
export function findExamplePart(heading: string): { readonly side: ExampleSide; readonly exact: boolean } | undefined {
  const words =
    heading
      .slice(0, MAX_LENGTH)
      .toLowerCase()
      .match(/[a-z]+/g) ?? [];
  if (words.length === 0 || words.length > 3) return undefined;
  const named = EXAMPLE_SIDES.filter((side) =>
    words.some((word) => word === side || word === `${side}s` || (words.length === 1 && isTypo(word, side))),
  );
  const [side] = named;
  if (side === undefined || named.length > 1) return undefined;
  return { side, exact: new RegExp(`^${side}\\s*:?$`, 'i').test(heading) };
}

const isTypo = (word: string, right: string): boolean => word[0] === right[0] && distance(word, right) <= 2;

const fold = (written: string): string =>
  written
    .slice(0, MAX_LENGTH)
    .toLowerCase()
    .replace(/[\s_-]+/g, '');

/** English words that are similar to a kind but are not misspellings of it. */
const OTHER_WORDS = new Set(
  (
    'sample samples trample ample examine examined examiner examines exempla exemplar ' +
    'reproach broach approached approacher ' +
    'descriptive descriptor descriptors prescription inscription subscription discretion conscription ' +
    'exemple exemples exemplo exemplos approche approches descripción descripcion descripció descripcio'
  ).split(' '),
);

/**
 * Returns the kind that `written` misspells. A plural or derived word is a misspelling only if the heading has a name
 * (`Examples: dusk`), and otherwise an ordinary heading.
 */
export function findNearKind(written: string, named: boolean): ArtifactKind | undefined {
  if (written.length > MAX_LENGTH) return undefined;
  const folded = fold(written);
  if (OTHER_WORDS.has(folded) || /\d/.test(folded)) return undefined;
  // Authors write a heading that looks like an artifact in bold to keep it as prose.
  if (written.includes('*')) return undefined;
  const words = written.split(/[\s_-]+/).length;
  return ARTIFACT_KINDS.find((kind) => {
    const target = kind.toLowerCase();
    // `Example 1: x` and `Approach B: y` are ordinary headings.
    if (words > (kind === 'PromptTemplate' ? 2 : 1)) return false;
    const typos = distance(folded, target);
    if (typos > 2 || named) return typos <= 2;
    const isPlural = distance(folded, `${target}s`) < typos;
    return folded[0] === target[0] && !isPlural && !isDerived(folded, target);
  });
}

/** A kind that a heading names in its first words, such as `Examples` or `Example 1: dusk`. */
interface LeadingKind {
  readonly kind: ArtifactKind;
  /** The name after the kind, without its number; empty if the heading has no name. */
  readonly name: string;
  /** True if the heading names the kind in full, and not only with a related word such as `Prompt`. */
  readonly isFull: boolean;
}

const LEADING_KINDS: readonly (readonly [RegExp, ArtifactKind, boolean])[] = [
  [/^prompt[ _-]?templates?\b/i, 'PromptTemplate', true],
  [/^(?:prompts?|templates?)\b/i, 'PromptTemplate', false],
  [/^(?:few-?shot )?examples?\b/i, 'Example', true],
  [/^samples?\b/i, 'Example', false],
  [/^approach(?:es)?\b/i, 'Approach', true],
  [/^descriptions?\b/i, 'Description', true],
];

/**
 * Returns the kind that the first words of a heading name. Most such headings are ordinary, so the caller must find the
 * structure of an artifact below the heading.
 */
export function findLeadingKind(heading: string): LeadingKind | undefined {
  for (const [pattern, kind, isFull] of LEADING_KINDS) {
    const match = heading.length > MAX_HEADING ? null : pattern.exec(heading);
    if (!match) continue;
    const rest = heading.slice(match[0].length).replace(/^[\s:()–—-]+|[\s:()]+$/g, '');
    return { kind, isFull, name: rest.replace(/^\d+\s*[:.–—-]\s*(?=\S)|^of\s+/i, '') };
  }
  return undefined;
}

/** The longest heading that may be an artifact, in characters. */
const MAX_HEADING = 200;

/** A plural or a derived word: `examples`, `approaches`. */
const isDerived = (folded: string, target: string): boolean => folded.startsWith(target);

/** The keys of each assertion type, at least one of which is required. */
export const ASSERTION_NEEDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['structural', ['schema']],
  ['length', ['min', 'max']],
  ['pattern', ['match', 'not_match']],
  ['contains', ['value']],
  ['equals', ['value']],
  ['semantic', ['prompt']],
]);

/** The further keys of an assertion type; every type has a `severity`. */
export const ASSERTION_OPTIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ['length', ['unit']],
  ['semantic', ['expected']],
]);

export const assertionKeys = keysOf(
  '5',
  key(
    'type',
    oneOf({
      structural: 'The output matches a schema.',
      length: 'The length of the output is in a range.',
      pattern: 'The output matches, or does not match, a regular expression.',
      contains: 'The output contains a string.',
      equals: 'The output equals a string or a value.',
      semantic: 'A model answers a question about the output.',
    }),
    'The kind of check.',
    { mandatory: true, unless: 'check' },
  ),
  key(
    'check',
    oneOf(Object.fromEntries(OLDER_CHECKS.map(({ check, type }) => [check, `The same as \`type: ${type}\`.`]))),
    'An older spelling of `type`.',
    { isOlder: true },
  ),
  key('schema', schema, 'For `structural`: the schema.'),
  key('min', amount, 'For `length`: the minimum.'),
  key('max', amount, 'For `length`: the maximum.'),
  key(
    'unit',
    oneOf({
      characters: 'Counts characters.',
      tokens: 'Counts tokens.',
      words: 'Counts words.',
      lines: 'Counts lines.',
    }),
    'For `length`: the unit.',
  ),
  key('match', { kind: 'string', format: 'regex' }, 'For `pattern`: an expression that must match.'),
  key('not_match', { kind: 'string', format: 'regex' }, 'For `pattern`: an expression that must not match.'),
  key('value', any, 'For `contains` and `equals`: the string or the value.'),
  key('prompt', prose, 'For `semantic`: the question.'),
  key('expected', any, 'For `semantic`: the right answer.'),
  key(
    'severity',
    oneOf({ hard: 'A failure ends the run.', soft: 'A failure is a warning.' }),
    'The severity of a failure. Default: `hard`.',
  ),
);

const assertion: Shape = {
  kind: 'map',
  filled: true,
  keys: assertionKeys,
  forms: [['type'], ['check']],
  needs: [
    ...[...ASSERTION_NEEDS].map(([value, oneOf]) => ({
      ...{ key: 'type', value, oneOf },
      also: ASSERTION_OPTIONS.get(value) ?? [],
    })),
    ...OLDER_CHECKS.map(({ check, type }) => ({
      ...{ key: 'check', value: check, unless: 'type' },
      oneOf: ASSERTION_NEEDS.get(type) ?? [],
      also: ASSERTION_OPTIONS.get(type) ?? [],
    })),
  ],
};

/** Checks on an output, or on a prompt. */
export const assertions: Shape = withValues(listOf(assertion));

const includeWhen = key(
  'include_when',
  either(condition, { kind: 'boolean' }),
  'The artifact is included if this is true. Inputs have their names, such as `tone`; `scope`, `source` and `model` can be used, too, but no references with `$` and no outputs.',
  {
    rule: 'invalid-condition',
    example: 'tone == "grim"',
    elsewhere: ['include_if', 'only_when', 'only_if', 'when', 'if', 'condition'],
  },
);
const tags = key('tags', listOf(text), 'Words that make the example relevant.', {
  example: '[combat, night]',
  elsewhere: ['keywords', 'topics'],
});
const modelVariant = key(
  'model_variant',
  named('model'),
  'The model family that this template is for. Templates with the same name may have different model families.',
  { example: 'anthropic', elsewhere: ['model', 'models', 'variant'] },
);
const tools = key(
  'tools',
  listOf(named('tool')),
  "The tools that this approach needs, a subset of the skill's tools.",
  {
    example: '[read_page]',
    elsewhere: ['allowed_tools'],
  },
);
const assertionsKey = key('assertions', assertions, 'Checks on an output.', { elsewhere: ['asserts', 'checks'] });

/** The metadata keys of each kind of artifact. */
export const artifactKeys: Readonly<Record<ArtifactKind, KeyTable>> = {
  Description: keysOf('5', includeWhen),
  Approach: keysOf('5', includeWhen, tools),
  PromptTemplate: keysOf('5', modelVariant, assertionsKey),
  Example: keysOf('5', tags, assertionsKey),
};
