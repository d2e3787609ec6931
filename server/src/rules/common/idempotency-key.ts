/** The template of an idempotency key: `{title_id}:{locale}` over the inputs (docs/format.md, section 6). */
import type { Draft } from '../../finding.ts';
import { typeAt } from '../../languages/schema/schema.ts';
import { findValue, stringOf, type YamlMap } from '../../languages/yaml/node.ts';
import { sourceSpans } from '../../languages/yaml/source-spans.ts';
import { didYouMean, inWords, nearestNames } from '../../nearest.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { replaceName } from './name-fixes.ts';

const PLACEHOLDER = /\{\s*([A-Za-z_][\w-]*(?:\.\w[\w-]*)*)\s*\}/g;

/** Placeholders that are no inputs, and a key that is the same for every call. */
export function* checkKeyTemplate(file: SkillFile, policy: YamlMap): Iterable<Draft> {
  const node = findValue(policy, 'idempotency_key');
  const template = stringOf(node);
  const { input } = file.contract;
  if (node?.kind !== 'scalar' || template === undefined || !input || input.schema.problems.length > 0) return;
  const { schema } = input;
  const names = schema.fields.map(({ name }) => name);
  if (!template.includes('{') && names.length > 0) {
    yield {
      span: node.span,
      message: `This key names no input, so every call has the same key and counts as a repeat of the first. Write inputs in braces: ${inWords(
        names.slice(0, 3).map((name) => `{${name}}`),
        'or',
      )}.`,
    };
  }
  if (isOpen(schema.json)) return;
  const placeOf = sourceSpans(file.text, node);
  for (const match of template.matchAll(PLACEHOLDER)) {
    const [placeholder, path = ''] = match;
    const [name = '', ...rest] = path.split('.');
    if (names.includes(name) || typeAt(schema, [name, ...rest])) continue;
    const from = match.index + placeholder.indexOf(path);
    const span = placeOf(from, from + name.length);
    const near = nearestNames(name, names);
    yield {
      span,
      message: `The skill has no input \`${name}\`, so this part of the key is always empty.${didYouMean(near) || ` ${inputsInWords(names)}`}`,
      fixes: replaceName(file, [span], near),
    };
  }
}

const inputsInWords = (names: readonly string[]): string =>
  names.length === 0 ? 'It has no inputs at all.' : `It has ${inWords(names.slice(0, 8), 'and')}.`;

/** Whether a schema may take fields that it does not list. */
function isOpen(json: { readonly [key: string]: unknown }): boolean {
  const rest = json.additionalProperties;
  return (
    (rest !== undefined && rest !== false) ||
    ['patternProperties', '$ref', '$dynamicRef', 'if', 'not'].some((key) => Object.hasOwn(json, key))
  );
}
