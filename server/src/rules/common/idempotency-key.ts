/** The template of an idempotency key: `{title_id}:{locale}` over the inputs (docs/format.md, section 6). */
import type { Draft } from '../../finding.ts';
import { typeAt } from '../../languages/schema/schema.ts';
import { findValue, stringOf, type YamlMap, type YamlScalar } from '../../languages/yaml/node.ts';
import { sourceSpans } from '../../languages/yaml/source-spans.ts';
import { didYouMean, inWords, nearestNames } from '../../nearest.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { fixHere } from '../rule.ts';
import { replaceName } from './name-fixes.ts';

const PLACEHOLDER = /\{\s*([A-Za-z_][\w-]*(?:\.\w[\w-]*)*)\s*\}/g;

/** Braces that hold no input, placeholders that are no inputs, and a key that is the same for every call. */
export function* checkKeyTemplate(file: SkillFile, policy: YamlMap): Iterable<Draft> {
  const node = findValue(policy, 'idempotency_key');
  const template = stringOf(node);
  const { input } = file.contract;
  if (node?.kind !== 'scalar' || template === undefined) return;
  yield* looseBraces(file, node, template);
  if (!input || input.schema.problems.length > 0) return;
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

/** A brace that belongs to no placeholder goes into every key as it stands. */
function* looseBraces(file: SkillFile, node: YamlScalar, template: string): Iterable<Draft> {
  // Placeholders keep their length, so that offsets stay.
  const rest = template.replace(PLACEHOLDER, (placeholder) => ' '.repeat(placeholder.length));
  const placeOf = sourceSpans(file.text, node);
  const match = /\{([A-Za-z_][\w.-]*)?|\}/.exec(rest);
  if (!match) return;
  const [brace, name] = match;
  const place = placeOf(match.index, match.index + brace.length);
  // With a name before it the end is all that is missing.
  const isOpen = name !== undefined && rest[match.index + brace.length] !== '}';
  const why = brace === '}' ? 'opened' : isOpen ? 'closed' : 'filled: no name of an input stands in it';
  yield {
    span: place,
    message: `The brace \`${brace[0]}\` is never ${why}, so it goes into the key as it stands. An input stands in single braces: \`{title_id}\`.`,
    fixes: isOpen
      ? fixHere(file, 'Close the brace', [{ span: { start: place.end, end: place.end }, newText: '}' }])
      : [],
  };
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
