/** Samples as a configuration of promptfoo: a prompt and a test for each (docs/testing.md, "Other tools"). */
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
  const tests = cases.map((one) => {
    const label = labelOf(one);
    const mapped = one.assertions.flatMap((assertion) => {
      const found = mapAssertion(assertion);
      if (found.length === 0) lost.push(`${label}: a length in tokens, which every model counts otherwise.`);
      return found.map((each) => (assertion.severity === 'soft' ? { ...each, weight: 0 } : each));
    });
    const schema = one.schema ? [{ type: 'contains-json', value: one.schema.json }] : [];
    return { description: label, prompts: [label], assert: [...schema, ...mapped] };
  });
  const prompts = cases.map((one) => ({ id: labelOf(one), label: labelOf(one), raw: asTemplate(one.prompt) }));
  const description = 'Prompts of skills as Skill Composer composes them. Name the models to ask under `providers`.';
  return { text: printed({ description, prompts, tests }), lost };
}

const labelOf = ({ skill, sample }: ExportedCase): string => `${skill} › ${sample}`;

/** As JSON or as text, whichever kind of output there is. */
const TEXT = "(typeof output === 'string' ? output : JSON.stringify(output))";

function mapAssertion(assertion: Assertion): readonly PromptfooAssertion[] {
  switch (assertion.type) {
    case 'structural':
      return [{ type: 'contains-json', value: assertion.schema.json as Json }];
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
        ...(match === undefined ? [] : [{ type: 'regex', value: asTemplate(match) }]),
        ...(notMatch === undefined ? [] : [{ type: 'not-regex', value: asTemplate(notMatch) }]),
      ];
    }
    case 'contains':
      return [{ type: 'contains', value: asTemplate(asText(assertion.value)) }];
    case 'equals':
      return typeof assertion.value === 'string'
        ? [{ type: 'equals', value: asTemplate(assertion.value.trim()), transform: 'output.trim()' }]
        : [{ type: 'contains-json', value: { const: assertion.value } }];
    case 'semantic':
      return [{ type: 'llm-rubric', value: asTemplate(rubricOf(assertion)) }];
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

/** Texts are templates there: braces are written so that the template gives them back. */
const asTemplate = (text: string): string => text.replace(/\{[{%#]|#\}/g, (braces) => `{{ "${braces}" }}`);
