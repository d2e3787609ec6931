/** Samples as cases of `evals/evals.json`, by its own field names (docs/testing.md, "Other tools"). */
import { isObject } from '../../languages/schema/schema.ts';
import type { Json } from '../../languages/yaml/node.ts';
import { type Assertion, nameOf } from '../assertion.ts';
import { type Exported, type ExportedCase, printed } from './exported-case.ts';
import { rubricOf } from './promptfoo.ts';

type Fields = { readonly [key: string]: Json };

/** `before` is the file that is written over: what is not of our cases stays in it, and so does what we do not know. */
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
    assertions.some(({ severity }) => severity === 'soft') ? [`${sample}: that an assertion is \`soft\`.`] : [],
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

const schemaSentence = (json: unknown): string => `The output is JSON that fits this schema: ${JSON.stringify(json)}`;

/** A check that a person, or a model, can answer. */
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
