/**
 * Checks of a policy (docs/format.md, section 6): idempotency keys such as `{title_id}:{locale}`, fallbacks and limits.
 */

import type { Analysis } from '../../analysis/analysis.ts';
import { replaceName } from '../../analysis/name-fixes.ts';
import type { Draft } from '../../finding.ts';
import { fixHere, placesHere } from '../../finding.ts';
import { allSchemas, isUsable, type Schema, typeAt } from '../../languages/schema/schema.ts';
import {
  findValue,
  type Json,
  listItems,
  mapEntries,
  stringOf,
  type YamlMap,
  type YamlNode,
  type YamlScalar,
} from '../../languages/yaml/node.ts';
import { sourceSpans } from '../../languages/yaml/source-spans.ts';
import { didYouMean, inWords, nearestNames } from '../../nearest.ts';
import { findSkillEntry } from '../../skill/contract.ts';
import type { SkillFile } from '../../skill/skill-file.ts';

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
      message: `Unknown input \`${name}\`.${didYouMean(near) || ` ${inputsInWords(names)}`}`,
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

// Fallbacks for errors: a constant, a field or a skill (docs/format.md, section 6, "Contracts").

/** Reports a fallback that is an unknown name. A string that is not a name, or another value, is a constant. */
export function* checkFallbacks(file: SkillFile, analysis: Analysis): Iterable<Draft> {
  const fallbacks = listItems(findSkillEntry(file.frontmatter.tree.root, 'errors')?.value).flatMap((error) => {
    const node = findValue(error, 'fallback');
    return node?.kind === 'scalar' && isName(node) ? [node] : [];
  });
  const schemas = schemasOf(file);
  if (fallbacks.length === 0 || analysis.partial || !schemas.every(isUsable)) return;
  const constants = new Set(schemas.flatMap(({ json }) => constantsIn(json)));
  for (const node of fallbacks) {
    const name = String(node.value);
    if (constants.has(name) || findFallbackField(file, name)) continue;
    if (analysis.skillsNamed(name, file.uri).length > 0) continue;
    const near = nearestNames(name, [...constants, ...fieldsOf(schemas), ...analysis.graph.names]);
    yield {
      // A string that is not similar to any known name may be a constant of the caller.
      ...(near.length === 0 ? { severity: 'warning' as const } : {}),
      span: node.span,
      message: `Unknown fallback \`${name}\`.${didYouMean(near) || ' Use a constant or a field from the schemas, or the name of a skill.'}`,
      fixes: replaceName(file, [node.span], near),
    };
  }
}

const isName = ({ value }: YamlScalar): boolean => typeof value === 'string' && /^[\w$.:/-]+$/.test(value);

/** Returns the strings in a schema: constants, values of enumerations, defaults. */
const constantsIn = (schema: Json): readonly string[] =>
  [...allSchemas(schema)].flatMap((part) =>
    [part.const, part.default, ...(Array.isArray(part.enum) ? part.enum : [])].filter(
      (value): value is string => typeof value === 'string',
    ),
  );

const schemasOf = ({ contract }: SkillFile): readonly Schema[] =>
  [contract.input, contract.output].flatMap((side) => side?.schema ?? []);

/**
 * Returns the field that a fallback such as `locale`, `title.name` or `$input.locale` names; undefined for a name that
 * is not a field, and for a constant of the schemas.
 */
export function findFallbackField(
  file: SkillFile,
  name: string,
): { readonly side: 'input' | 'output'; readonly path: readonly string[] } | undefined {
  const [, prefix, rest = name] = /^\$(input|output)\.(.*)$/.exec(name) ?? [];
  if (prefix === undefined && schemasOf(file).some(({ json }) => constantsIn(json).includes(name))) return undefined;
  const path = rest.split('.');
  const sides = prefix === 'input' ? (['input', 'output'] as const) : (['output', 'input'] as const);
  const side = sides.find((one) => {
    const schema = file.contract[one]?.schema;
    return schema !== undefined && typeAt(schema, path) !== undefined;
  });
  return side && { side, path };
}

const fieldsOf = (schemas: readonly Schema[]): readonly string[] =>
  schemas.flatMap(({ fields }) => fields.map(({ name }) => name));

// Converts numbers with a unit to the unit that a policy key uses (docs/format.md, section 6).

const SECONDS: ReadonlyMap<string, number> = new Map(
  Object.entries({ ms: 0.001, s: 1, sec: 1, m: 60, min: 60, h: 3600 }),
);

/**
 * Converts a number to the unit of its key: `2s` to `2000` for `timeout_ms`, `5%` or `5` to `0.05` for a threshold.
 * Returns undefined for text without a number.
 */
export function inUnitOf(key: string, written: string): string | undefined {
  const match = /^["']?\s*\$?\s*(\d{1,12}(?:\.\d{1,12})?)\s*(%|[a-z]+)?\s*["']?$/i.exec(written.slice(0, 60));
  if (!match) return undefined;
  const value = Number(match[1]);
  const unit = (match[2] ?? '').toLowerCase();
  const scale = key.endsWith('_ms') ? 0.001 : key.endsWith('_sec') ? 1 : undefined;
  if (scale !== undefined) {
    const seconds = SECONDS.get(unit);
    return seconds === undefined ? undefined : short((value * seconds) / scale);
  }
  if (key.endsWith('_threshold'))
    return value <= 100 && (unit === '%' || (unit === '' && value > 1)) ? short(value / 100) : undefined;
  return key.endsWith('_usd') && (unit === '' || unit === 'usd') ? short(value) : undefined;
}

/** Returns the number as text, without the rounding errors of binary fractions. */
const short = (value: number): string => String(Number(value.toPrecision(12)));

// Contradictory limits on calls (docs/format.md, section 6, "Contracts").

const SECONDS_OF_UNIT: ReadonlyMap<string, number> = new Map([
  ['sec', 1],
  ['min', 60],
  ['hour', 3600],
  ['day', 86_400],
]);

/** Reports a limit for one caller that has no effect because a global limit is lower. */
export function* checkLimits(file: SkillFile, policy: YamlNode): Iterable<Draft> {
  const limits = mapEntries(findValue(policy, 'rate_limit')).flatMap(readLimit);
  for (const own of limits.filter(({ isGlobal }) => !isGlobal)) {
    const reached = limits.find(({ isGlobal, perSecond }) => isGlobal && perSecond < own.perSecond);
    if (!reached) continue;
    yield {
      severity: 'warning',
      span: own.span,
      message: `\`${own.name}\` has no effect, because \`${reached.name}\` allows fewer calls for all callers together. Lower it, or raise \`${reached.name}\`.`,
      related: placesHere(file, [reached], `\`${reached.name}\` is set here`),
    };
  }
}

function readLimit({ key, value }: { key: YamlNode; value: YamlNode }) {
  const name = key.kind === 'scalar' ? String(key.value) : '';
  const seconds = SECONDS_OF_UNIT.get(/_per_(sec|min|hour|day)$/.exec(name)?.[1] ?? '');
  if (value.kind !== 'scalar' || typeof value.value !== 'number' || value.value <= 0 || seconds === undefined)
    return [];
  return [{ name, span: value.span, isGlobal: name.startsWith('global_'), perSecond: value.value / seconds }];
}
