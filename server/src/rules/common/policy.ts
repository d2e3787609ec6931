/** The template of an idempotency key: `{title_id}:{locale}` over the inputs (docs/format.md, section 6). */

import type { Analysis } from '../../analysis/analysis.ts';
import type { Draft } from '../../finding.ts';
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
import { fixHere, placesHere } from '../rule.ts';
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

// What an error falls back to: a constant, a field or a skill (docs/format.md, section 6, "Contracts").

/** A fallback that is a name, and names nothing. Other text is a constant, and so is what is no text. */
export function* checkFallbacks(file: SkillFile, analysis: Analysis): Iterable<Draft> {
  const fallbacks = listItems(findSkillEntry(file.frontmatter.tree.root, 'errors')?.value).flatMap((error) => {
    const node = findValue(error, 'fallback');
    return node?.kind === 'scalar' && isName(node) ? [node] : [];
  });
  const schemas = [file.contract.input, file.contract.output].flatMap((side) => side?.schema ?? []);
  if (fallbacks.length === 0 || analysis.partial || !schemas.every(isUsable)) return;
  const constants = new Set(schemas.flatMap(({ json }) => constantsIn(json)));
  for (const node of fallbacks) {
    const name = String(node.value);
    if (constants.has(name) || isField(schemas, name) || analysis.isSkillName(name)) continue;
    const near = nearestNames(name, [...constants, ...fieldsOf(schemas), ...analysis.graph.names]);
    yield {
      // A text of the caller's own is a constant, too, where it resembles no name.
      ...(near.length === 0 ? { severity: 'warning' as const } : {}),
      span: node.span,
      message: `The error falls back to \`${name}\`, but that is no constant of the schemas, no field and no skill, so nothing can take the place of the result.${didYouMean(near)}`,
      fixes: replaceName(file, [node.span], near),
    };
  }
}

const isName = ({ value }: YamlScalar): boolean => typeof value === 'string' && /^[\w$.:/-]+$/.test(value);

/** The texts that a schema names itself: constants, enumerations, defaults. */
const constantsIn = (schema: Json): readonly string[] =>
  [...allSchemas(schema)].flatMap((part) =>
    [part.const, part.default, ...(Array.isArray(part.enum) ? part.enum : [])].filter(
      (value): value is string => typeof value === 'string',
    ),
  );

/** `locale`, `title.name` or `$input.locale`. */
function isField(schemas: readonly Schema[], name: string): boolean {
  const path = name.replace(/^\$(?:input|output)\./, '').split('.');
  return schemas.some((schema) => typeAt(schema, path) !== undefined);
}

const fieldsOf = (schemas: readonly Schema[]): readonly string[] =>
  schemas.flatMap(({ fields }) => fields.map(({ name }) => name));

// Numbers that authors write with a unit, in the unit that the policy's key asks for (docs/format.md, section 6).

const SECONDS: ReadonlyMap<string, number> = new Map(
  Object.entries({ ms: 0.001, s: 1, sec: 1, m: 60, min: 60, h: 3600 }),
);

/** `2s` for `timeout_ms` is `2000`, `5%` or `5` for a threshold is `0.05`. Undefined where there is no number. */
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

/** Without the rounding errors of binary fractions. */
const short = (value: number): string => String(Number(value.toPrecision(12)));

// Limits of calls that contradict each other (docs/format.md, section 6, "Contracts").

const SECONDS_OF_UNIT: ReadonlyMap<string, number> = new Map([
  ['sec', 1],
  ['min', 60],
  ['hour', 3600],
  ['day', 86_400],
]);

/** A limit of one caller that is never reached, because all callers together may call less often in as long a time. */
export function* checkLimits(file: SkillFile, policy: YamlNode): Iterable<Draft> {
  const limits = mapEntries(findValue(policy, 'rate_limit')).flatMap(readLimit);
  for (const own of limits.filter(({ isGlobal }) => !isGlobal)) {
    const reached = limits.find(({ isGlobal, perSecond }) => isGlobal && perSecond < own.perSecond);
    if (!reached) continue;
    yield {
      severity: 'warning',
      span: own.span,
      message: `\`${own.name}\` never stops anybody: \`${reached.name}\` allows fewer calls, by all callers together. Lower the one or raise the other.`,
      related: placesHere(file, [reached], `\`${reached.name}\` is set here.`),
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
