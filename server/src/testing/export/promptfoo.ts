/** Samples as a configuration of promptfoo: a prompt and a test for each (docs/testing.md, "Other tools"). */
import { allSchemas, isObject } from '../../languages/schema/schema.ts';
import { isJson } from '../../languages/yaml/json.ts';
import type { Json } from '../../languages/yaml/node.ts';
import type { Assertion } from '../assertion.ts';
import { type Exported, type ExportedCase, printed } from './exported-case.ts';

interface PromptfooAssertion {
  readonly type: string;
  readonly value: Json;
  readonly transform?: string;
}

export function toPromptfoo(cases: readonly ExportedCase[]): Exported {
  const lost: string[] = [];
  const tests = cases.map((one, at) => {
    const label = labelOf(one);
    const told = (why: string | undefined): void => {
      if (why !== undefined) lost.push(`${label}: ${why}`);
    };
    const mapped = one.assertions.flatMap((assertion) => {
      told(whyLost(assertion));
      const found = mapAssertion(assertion);
      return found.map((each) => (assertion.severity === 'soft' ? { ...each, weight: 0 } : each));
    });
    const json = one.schema?.json as Json | undefined;
    if (json !== undefined) told(unknownTo(json));
    return { description: label, prompts: [idOf(at)], assert: [...(json === undefined ? [] : fits(json)), ...mapped] };
  });
  const prompts = cases.map((one, at) => ({ id: idOf(at), label: labelOf(one), raw: asPrompt(one.prompt) }));
  const description = 'Prompts of skills as Skill Composer composes them. Name the models to ask under `providers`.';
  return { text: printed({ description, prompts, tests }), lost };
}

/** Tests name their prompt by it: promptfoo takes a part of a label, or one with `*`, for the labels of others, too. */
const idOf = (at: number): string => `sample-${at + 1}`;

/** Nothing that promptfoo puts a value of the environment into, or reads a file for. */
const labelOf = ({ skill, sample }: ExportedCase): string =>
  `${skill} › ${sample}`.replace(/\{(?=[{%#])/g, '{ ').replace(/^([\w+.-]+):/, '$1 :');

/** As JSON or as text, whichever kind of output there is. */
const TEXT = "(typeof output === 'string' ? output : JSON.stringify(output))";

function mapAssertion(assertion: Assertion): readonly PromptfooAssertion[] {
  switch (assertion.type) {
    case 'structural':
      return fits(assertion.schema.json as Json);
    case 'length': {
      const count = COUNTS.get(assertion.unit);
      if (count === undefined) return [];
      const { min, max } = assertion;
      const bounds = [...(min === undefined ? [] : [`>= ${min}`]), ...(max === undefined ? [] : [`<= ${max}`])];
      return [{ type: 'javascript', value: bounds.map((bound) => `${count} ${bound}`).join(' && ') }];
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

function whyLost(assertion: Assertion): string | undefined {
  if (assertion.type === 'structural') return unknownTo(assertion.schema.json as Json);
  if (assertion.type !== 'length' || COUNTS.has(assertion.unit)) return undefined;
  return 'a length in tokens, which every model counts otherwise.';
}

/** The whole output where it is JSON, else its first fence that is: what `jsonIn` takes. */
const JSON_OF = [
  '((text) => [text, ...[...text.matchAll(/^(`{3,}(?!`)|~{3,}(?!~)).*\\n(?:([^]*?)\\n)?\\1[^\\S\\n]*$/gm)]',
  ".map((fence) => fence[2] ?? '')].find((one) => { try { JSON.parse(one); return true } catch { return false } })",
  ` ?? text)(${TEXT})`,
].join('');

/** As text: references in a schema that is an object would be those of the whole configuration. */
function fits(json: Json): readonly PromptfooAssertion[] {
  if (unknownTo(json) !== undefined) return [];
  const value = asTemplate(JSON.stringify(isObject(json) ? { ...json, $schema: undefined } : json));
  return [{ type: 'is-json', value, transform: JSON_OF }];
}

/** promptfoo refuses a schema with what it does not know. */
function unknownTo(json: Json): string | undefined {
  for (const schema of allSchemas(json)) {
    const unknown = Object.keys(schema).find((key) => !OF_DRAFT_7.has(key));
    if (unknown !== undefined) return `a schema with \`${unknown}\`, which promptfoo does not know.`;
    const { format } = schema;
    if (typeof format === 'string' && !FORMATS.has(format)) {
      return `a schema with the format \`${format}\`, which promptfoo does not know.`;
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

/** promptfoo reads a pattern without the flag `u`, which says something else of letters beyond ASCII and of `\p`. */
const matches = (pattern: string, type: 'regex' | 'not-regex', not: '' | '!'): PromptfooAssertion =>
  pattern !== '' && /^[ -~]*$/.test(pattern) && !/\\[pPu]/.test(pattern)
    ? { type, value: asTemplate(pattern) }
    : {
        type: 'javascript',
        value: asTemplate(
          `${not}new RegExp(${JSON.stringify(pattern)}, ${JSON.stringify(flagsOf(pattern))}).test(${TEXT})`,
        ),
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
 * Texts are templates there. Each brace that would begin a tag is written as an expression of its own, since a tag's sign
 * alone makes promptfoo take all for no template. A text that begins like an address names a file that is read or run.
 */
const asTemplate = (text: string): string => {
  const escaped = text.replace(/\{(?=[{%#])/g, '{{ "{" }}').replaceAll('#}', '{{ "#}" }}');
  return /^\s*[\w+.-]+:/.test(text) ? `{{ "" }}${escaped}` : escaped;
};

/** What stands on one line may be the name of a file, and JSON is written anew: a line that leaves nothing prevents both. */
const asPrompt = (text: string): string => {
  const escaped = asTemplate(text);
  return text.includes('\n') && !isJson(text) ? escaped : `{{ "" -}}\n{{ "" }}${escaped}`;
};
