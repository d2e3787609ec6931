/** Checks the idempotency key of a policy, such as `{title_id}:{locale}` (docs/format.md, section 6, "Contracts"). */
import { replaceName } from '../../analysis/name-fixes.ts';
import type { Draft } from '../../finding.ts';
import { fixHere } from '../../finding.ts';
import { typeAt } from '../../languages/schema/schema.ts';
import { findValue, stringOf, type YamlMap, type YamlScalar } from '../../languages/yaml/node.ts';
import { sourceSpans } from '../../languages/yaml/source-spans.ts';
import { didYouMean, inWords, nearestNames } from '../../nearest.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { SCOPE_PARTS } from '../../vocabulary/policy-keys.ts';

const PLACEHOLDER = /\{\s*([A-Za-z_][\w-]*(?:\.\w[\w-]*)*)\s*\}/g;

/** Reports unmatched braces, unknown inputs, and a key that is the same for every call. */
export function* checkKeyTemplate(file: SkillFile, policy: YamlMap): Iterable<Draft> {
  const node = findValue(policy, 'idempotency_key');
  const template = stringOf(node);
  const { input } = file.contract;
  if (node?.kind !== 'scalar' || template === undefined) return;
  yield* checkBraces(file, node, template);
  if (!input || input.schema.problems.length > 0) return;
  const { schema } = input;
  const names = schema.fields.map(({ name }) => name);
  if (!template.includes('{') && names.length > 0) {
    yield {
      span: node.span,
      message: `This key contains no input, so it is the same for every call. Add an input in braces, for example ${inWords(
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
      message: `Unknown input \`${name}\`.${didYouMean(near) || ` ${adviceFor(name, names)}`}`,
      fixes: replaceName(file, [span], near),
    };
  }
}

/** Reports a brace that does not belong to a placeholder, because the brace would be part of every key. */
function* checkBraces(file: SkillFile, node: YamlScalar, template: string): Iterable<Draft> {
  // Placeholders are replaced with spaces of the same length, so that offsets do not change.
  const rest = template.replace(PLACEHOLDER, (placeholder) => ' '.repeat(placeholder.length));
  const placeOf = sourceSpans(file.text, node);
  const match = /\{([A-Za-z_][\w.-]*)?|\}/.exec(rest);
  if (!match) return;
  const [brace, name] = match;
  const place = placeOf(match.index, match.index + brace.length);
  // After a name, only the closing brace is missing.
  const isOpen = name !== undefined && rest[match.index + brace.length] !== '}';
  const why = brace === '}' ? 'has no opening brace' : isOpen ? 'is not closed' : 'is not followed by an input';
  yield {
    span: place,
    message: `The brace \`${brace[0]}\` ${why}. Write an input in single braces, for example \`{title_id}\`.`,
    fixes: isOpen
      ? fixHere(file, 'Close the brace', [{ span: { start: place.end, end: place.end }, newText: '}' }])
      : [],
  };
}

/** The gateway knows the parts of the scope, so they are not inputs. */
const adviceFor = (name: string, names: readonly string[]): string =>
  SCOPE_PARTS.has(name)
    ? `Remove it from the key, and add \`${name}\` to \`idempotency_scope\`.`
    : inputsInWords(names);

const inputsInWords = (names: readonly string[]): string =>
  names.length === 0 ? 'The skill has no inputs.' : `Use ${inWords(names.slice(0, 8), 'or')}.`;

/** Returns whether a schema may allow fields that it does not list. */
function isOpen(json: { readonly [key: string]: unknown }): boolean {
  const rest = json.additionalProperties;
  return (
    (rest !== undefined && rest !== false) ||
    ['patternProperties', '$ref', '$dynamicRef', 'if', 'not'].some((key) => Object.hasOwn(json, key))
  );
}
