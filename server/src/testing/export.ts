/**
 * Exports samples and routing cases for other tools, as a promptfoo configuration and as `evals.json` (docs/testing.md,
 * "Other tools").
 */

import type { Composition } from '../composer/composition.ts';
import { allSchemas, isObject, isUsable, type Schema } from '../languages/schema/schema.ts';
import { isJson } from '../languages/yaml/json.ts';
import type { Json } from '../languages/yaml/node.ts';
import { type Assertion, nameOf } from './assertion.ts';
import { assertionsOn, type SampleCase } from './check-sample.ts';

interface PromptfooAssertion {
  readonly type: string;
  readonly value: Json;
  readonly transform?: string;
}

/**
 * Returns a promptfoo configuration with a prompt and a test for each sample, a prompt for each list of skills, and a
 * test for each routing case (docs/testing.md, "Other tools").
 */
export function toPromptfoo(cases: readonly ExportedCase[], routed: readonly RoutedSkill[] = []): Exported {
  const lost: string[] = [];
  const tests = cases.map((one, at) => {
    const label = labelOf(one);
    const addLost = (why: string | undefined): void => {
      if (why !== undefined) lost.push(`${label}: ${why}`);
    };
    const mapped = one.assertions.flatMap((assertion) => {
      addLost(whyLost(assertion));
      const found = mapAssertion(assertion);
      return found.map((each) => (assertion.severity === 'soft' ? { ...each, weight: 0 } : each));
    });
    const json = one.schema?.json as Json | undefined;
    if (json !== undefined) addLost(unknownTo(json));
    return { description: label, prompts: [idOf(at)], assert: [...(json === undefined ? [] : fits(json)), ...mapped] };
  });
  const prompts = cases.map((one, at) => ({ id: idOf(at), label: labelOf(one), raw: asPrompt(one.prompt) }));
  const lists = [...new Set(routed.map(({ list }) => list))];
  prompts.push(...lists.map((list, at) => ({ id: listIdOf(at), label: listIdOf(at), raw: choicePrompt(list) })));
  const routingTests = routed.flatMap(({ skill, name, list, cases: requests }) =>
    requests.map(({ request, should }) => ({
      description: labelOf({ skill, sample: `${should ? 'should' : 'should not'}: ${request}` }),
      prompts: [listIdOf(lists.indexOf(list))],
      vars: { request: { parts: `\n${request}`.split('{') } },
      assert: [should ? isName(name) : isOther(name)],
    })),
  );
  const description = 'Skill prompts, composed by Skill Composer. Add the models to call under `providers`.';
  return { text: printed({ description, prompts, tests: [...tests, ...routingTests] }), lost };
}

/**
 * Returns the ID by which a test names its prompt. A test that named its prompt by a label with `*`, or by a part of a
 * label, could match several prompts in promptfoo.
 */
const idOf = (at: number): string => `sample-${at + 1}`;

/** Returns the label of a sample, escaped so that promptfoo neither reads a file nor inserts environment variables. */
export const labelOf = ({ skill, sample }: Pick<ExportedCase, 'skill' | 'sample'>): string =>
  `${skill} › ${sample}`.replace(/\{(?=[{%#])/g, '{ ').replace(/^([\w+.-]+):/, '$1 :');

/** Returns the ID of the prompt that asks for a skill in a list. */
const listIdOf = (at: number): string => `skills-${at + 1}`;

/**
 * Returns the prompt that asks for the skill for a request. The request is inserted from parts without braces, so that
 * promptfoo finds no template and no file name in it.
 */
const choicePrompt = (list: string): string =>
  [
    'Choose the skill that should handle the request of a user. You can choose one of these skills:',
    '',
    '<skills>',
    asTemplate(list),
    '</skills>',
    '',
    '<request>{{ request.parts | join("{") }}',
    '</request>',
    '',
    'Answer with only the name of the one skill that fits best, exactly as the list writes it. If no skill fits, answer',
    'only `none`. Write no other words, and do not carry out the request.',
  ].join('\n');

/** Returns an assertion that the answer is the name. */
const isName = (name: string): PromptfooAssertion => ({
  type: 'equals',
  value: asTemplate(name),
  transform: ANSWER,
});

/** Returns an assertion that the answer does not contain the name as a whole word. */
function isOther(name: string): PromptfooAssertion {
  const literal = name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const pattern = `(?<![\\p{L}\\p{N}_-])${literal}(?![\\p{L}\\p{N}_-])`;
  return { type: 'javascript', value: asTemplate(`!new RegExp(${JSON.stringify(pattern)}, "u").test(${TEXT})`) };
}

/** A JavaScript expression for the output as a string; an object becomes JSON. */
const TEXT = "(typeof output === 'string' ? output : JSON.stringify(output))";

/** A JavaScript expression for the output without the white space and the quotes around it. */
const ANSWER = `${TEXT}.replace(/^[\\s*_"'\u0060-]+|[\\s*_"'\u0060.]+$/g, '')`;

function mapAssertion(assertion: Assertion): readonly PromptfooAssertion[] {
  switch (assertion.type) {
    case 'structural':
      return fits(assertion.schema.json as Json);
    case 'length': {
      const checks = lengthChecks(assertion);
      return checks.length === 0 ? [] : [{ type: 'javascript', value: checks.join(' && ') }];
    }
    case 'pattern': {
      const { match, notMatch } = assertion;
      return [
        ...(match === undefined ? [] : [matches(match, 'regex', '')]),
        ...(notMatch === undefined ? [] : [matches(notMatch, 'not-regex', '!')]),
      ];
    }
    case 'contains':
      return [{ type: 'contains', value: asTemplate(asText(assertion.value)) }];
    case 'equals':
      return typeof assertion.value === 'string'
        ? [{ type: 'equals', value: asTemplate(assertion.value.trim()), transform: `${TEXT}.trim()` }]
        : fits({ const: assertion.value });
    case 'semantic':
      return [{ type: 'llm-rubric', value: asTemplate(rubricOf(assertion)) }];
  }
}

/** Returns JavaScript expressions that check a length; none for a unit that depends on the model. */
export function lengthChecks({ min, max, unit }: Extract<Assertion, { type: 'length' }>): readonly string[] {
  const count = COUNTS.get(unit);
  if (count === undefined) return [];
  return [...(min === undefined ? [] : [`${count} >= ${min}`]), ...(max === undefined ? [] : [`${count} <= ${max}`])];
}

/** Returns a JavaScript expression that tests a pattern. */
export const patternCheck = (pattern: string): string =>
  `new RegExp(${JSON.stringify(pattern)}, ${JSON.stringify(flagsOf(pattern))}).test(${TEXT})`;

function whyLost(assertion: Assertion): string | undefined {
  if (assertion.type === 'structural') return unknownTo(assertion.schema.json as Json);
  if (assertion.type !== 'length' || COUNTS.has(assertion.unit)) return undefined;
  return 'a length in tokens, which each model counts differently.';
}

/** JavaScript that finds JSON as `jsonIn` does, in the whole output or else in the first fence with JSON. */
const JSON_OF = [
  '((text) => [text, ...[...text.matchAll(/^(`{3,}(?!`)|~{3,}(?!~)).*\\n(?:([^]*?)\\n)?\\1[^\\S\\n]*$/gm)]',
  ".map((fence) => fence[2] ?? '')].find((one) => { try { JSON.parse(one); return true } catch { return false } })",
  ` ?? text)(${TEXT})`,
].join('');

/** Writes the schema as a string, because in an object every `$ref` would refer to the whole configuration. */
function fits(json: Json): readonly PromptfooAssertion[] {
  if (unknownTo(json) !== undefined) return [];
  const value = asTemplate(JSON.stringify(isObject(json) ? { ...json, $schema: undefined } : json));
  return [{ type: 'is-json', value, transform: JSON_OF }];
}

/**
 * Returns a phrase about the part of a schema that promptfoo does not support. promptfoo rejects a schema with such a
 * part.
 */
function unknownTo(json: Json): string | undefined {
  for (const schema of allSchemas(json)) {
    const unknown = Object.keys(schema).find((key) => !OF_DRAFT_7.has(key));
    if (unknown !== undefined) return `a schema with \`${unknown}\`, which promptfoo does not support.`;
    const { format } = schema;
    if (typeof format === 'string' && !FORMATS.has(format)) {
      return `a schema with the format \`${format}\`, which promptfoo does not support.`;
    }
  }
  return undefined;
}

const OF_DRAFT_7: ReadonlySet<string> = new Set(
  [
    '$schema $ref $comment $defs definitions title description default examples readOnly writeOnly type enum const',
    'multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern format',
    'items additionalItems maxItems minItems uniqueItems contains properties patternProperties additionalProperties',
    'propertyNames maxProperties minProperties required dependencies if then else allOf anyOf oneOf not',
    'contentMediaType contentEncoding',
  ].flatMap((line) => line.split(' ')),
);

const FORMATS: ReadonlySet<string> = new Set(
  'date time date-time duration uri uri-reference uri-template url email hostname ipv4 ipv6 regex uuid json-pointer relative-json-pointer'.split(
    ' ',
  ),
);

/**
 * Returns an assertion on a pattern. promptfoo reads patterns without the flag `u`, which changes the meaning of `\p`
 * and of characters outside ASCII.
 */
const matches = (pattern: string, type: 'regex' | 'not-regex', not: '' | '!'): PromptfooAssertion =>
  pattern !== '' && /^[ -~]*$/.test(pattern) && !/\\[pPu]/.test(pattern)
    ? { type, value: asTemplate(pattern) }
    : {
        type: 'javascript',
        value: asTemplate(`${not}${patternCheck(pattern)}`),
      };

function flagsOf(pattern: string): string {
  try {
    new RegExp(pattern, 'u');
    return 'u';
  } catch {
    return '';
  }
}

const COUNTS: ReadonlyMap<string, string> = new Map([
  ['characters', `[...${TEXT}].length`],
  ['words', `${TEXT}.split(/\\s+/).filter((word) => word !== '').length`],
  ['lines', `${TEXT}.replace(/\\r?\\n$/, '').split(/\\r?\\n/).length`],
]);

const asText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

export const rubricOf = ({ prompt, expected }: Extract<Assertion, { type: 'semantic' }>): string =>
  expected === null ? prompt : `${prompt}\nExpected answer: ${asText(expected)}`;

/**
 * Escapes a string, which promptfoo renders as a template. A brace that begins a tag becomes an expression, since
 * promptfoo renders nothing if it finds an invalid tag. A string that begins like a URL would be read or run as a file.
 */
const asTemplate = (text: string): string => {
  const escaped = text.replace(/\{(?=[{%#])/g, '{{ "{" }}').replaceAll('#}', '{{ "#}" }}');
  return /^\s*[\w+.-]+:/.test(text) ? `{{ "" }}${escaped}` : escaped;
};

/**
 * Escapes a prompt. An empty template line prevents promptfoo from reading a single line as a file name and from
 * reformatting JSON.
 */
const asPrompt = (text: string): string => {
  const escaped = asTemplate(text);
  return text.includes('\n') && !isJson(text) ? escaped : `{{ "" -}}\n{{ "" }}${escaped}`;
};

// Samples as cases of `evals/evals.json` (docs/testing.md, "Other tools").

type Fields = { readonly [key: string]: Json };

/** Returns the text of `evals.json`. `before` is its current text, whose other cases and unknown fields are kept. */
export function toEvals(skill: string, cases: readonly ExportedCase[], before: string | undefined): Exported {
  const old = read(before);
  const kept = Array.isArray(old.evals) ? (old.evals as readonly Json[]) : [];
  const known = new Map(
    kept.flatMap((one) => (isObject(one) && typeof one.name === 'string' ? [[one.name, one]] : [])),
  );
  let next = Math.max(0, ...kept.map((one) => (isObject(one) && typeof one.id === 'number' ? one.id : 0)));
  const fresh = new Map(
    cases.map((one): [string, Fields] => {
      const own = known.get(one.sample);
      const assertions = [...(one.schema ? [schemaSentence(one.schema.json)] : []), ...one.assertions.map(sentenceOf)];
      const expected = own?.expected_output ?? 'An output that meets every assertion.';
      const id = own?.id ?? ++next;
      return [one.sample, { ...own, id, name: one.sample, prompt: one.prompt, expected_output: expected, assertions }];
    }),
  );
  const rest = kept.map((one) => (isObject(one) && typeof one.name === 'string' ? (fresh.get(one.name) ?? one) : one));
  const added = [...fresh].flatMap(([name, one]) => (known.has(name) ? [] : [one]));
  const soft = cases.flatMap(({ sample, assertions }) =>
    assertions.some(({ severity }) => severity === 'soft') ? [`${sample}: the severity \`soft\` of an assertion.`] : [],
  );
  return { text: printed({ ...old, skill_name: skill, evals: [...rest, ...added] }), lost: soft };
}

function read(text: string | undefined): Fields {
  try {
    const json = JSON.parse((text ?? '{}').replace(/^\uFEFF/, '')) as Json;
    return isObject(json) ? (json as Fields) : {};
  } catch {
    return {};
  }
}

const schemaSentence = (json: unknown): string =>
  `The output is JSON that matches this schema: ${JSON.stringify(json)}`;

/** Returns an assertion as a check that a person or a model can decide. */
function sentenceOf(assertion: Assertion): string {
  switch (assertion.type) {
    case 'semantic':
      return rubricOf(assertion);
    case 'structural':
      return schemaSentence(assertion.schema.json);
    case 'contains':
    case 'equals':
      return `The output ${assertion.type} this: ${typeof assertion.value === 'string' ? assertion.value : JSON.stringify(assertion.value)}`;
    case 'pattern':
      return [
        ...(assertion.match === undefined ? [] : [`The output matches the regular expression ${assertion.match}`]),
        ...(assertion.notMatch === undefined
          ? []
          : [`The output does not match the regular expression ${assertion.notMatch}`]),
      ].join('\n');
    case 'length':
      return `The output ${nameOf(assertion)}`;
  }
}

/** A sample for other tools (docs/testing.md, "Other tools"). */
export interface ExportedCase {
  readonly skill: string;
  readonly sample: string;
  readonly prompt: string;
  /** The assertions on the output. */
  readonly assertions: readonly Assertion[];
  /** The schema of the output; undefined if there is no usable schema. */
  readonly schema: Schema | undefined;
  /** The keys of expectations about the composition, which other tools do not test. */
  readonly ofPrompt: readonly string[];
}

export function exportedCase(
  skill: string,
  sample: SampleCase,
  composition: Pick<Composition, 'prompt' | 'assertions'>,
  schema: Schema | undefined,
): ExportedCase {
  const { expect, name } = sample;
  const listed = { tools: expect.tools, interrupts: expect.interrupts, nodes: expect.nodes };
  return {
    skill,
    sample: name,
    prompt: composition.prompt,
    assertions: assertionsOn(sample, composition),
    schema: schema && isUsable(schema) && schema.form !== 'empty' ? schema : undefined,
    ofPrompt: [
      ...(expect.prompt.length > 0 ? ['prompt'] : []),
      ...Object.entries(listed).flatMap(([key, names]) => (names.length > 0 ? [key] : [])),
      ...(expect.taken.length + expect.leftOut.length > 0 ? ['artifacts'] : []),
      ...(expect.maxTokens ? ['tokens'] : []),
      ...(expect.snapshot ? ['snapshot'] : []),
      ...(expect.path ? ['path'] : []),
      ...(expect.exit ? ['exit'] : []),
    ],
  };
}

/** A skill with its routing cases, for other tools (docs/testing.md, "Other tools"). */
export interface RoutedSkill {
  readonly skill: string;
  /** The name of the skill in the list. */
  readonly name: string;
  /** The list that a model chooses from. */
  readonly list: string;
  readonly cases: readonly { readonly request: string; readonly should: boolean }[];
}

interface Exported {
  readonly text: string;
  /** The parts that the other format cannot express, each as a phrase. */
  readonly lost: readonly string[];
}

const printed = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;
