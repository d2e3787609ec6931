/**
 * Validates YAML against a vocabulary. Reports unknown keys, missing keys, and values with a shape that differs from
 * the table.
 */

import { formatNumber } from '../format-amounts.ts';
import { formatJson } from '../languages/yaml/edit.ts';
import {
  findEntry,
  findValue,
  isNull,
  type Json,
  jsonOf,
  setProperty,
  stringOf,
  type YamlEntry,
  type YamlMap,
  type YamlNode,
  type YamlScalar,
} from '../languages/yaml/node.ts';
import { didYouMean, nearestNames } from '../nearest.ts';
import { type Span, span, type TextEdit } from '../text.ts';
import { checkFormat } from './formats.ts';
import { alternatives, findKey, type KeySpec, type KeyTable, keysMeant, type Shape } from './shape.ts';

/**
 * Checks a map against a table, and returns all problems sorted by position. A top level that is not a map counts as
 * one problem. If `filled` is true, a key without a value is a problem.
 */
export function checkShape(root: YamlNode | undefined, table: KeyTable, filled = false): readonly ShapeProblem[] {
  if (!root || isNull(root)) return missingKeys(undefined, table, 0);
  if (root.kind === 'map')
    return checkMap(root, { keys: table, ...(filled && { filled }) }, { key: '', rule: undefined, depth: 0 });
  const message = `Expected keys with values, such as \`${table[0]?.name}: …\`, but found ${describe(root)}.`;
  return [{ kind: 'value', span: root.span, message, key: '', rule: undefined, depth: 0, fixes: [] }];
}

/** The key whose value is being validated, the rule that reports it, and how deep the key's map is nested. */
type KeyContext = Pick<ShapeProblem, 'key' | 'rule' | 'depth'>;

type MapShape = Pick<Extract<Shape, { kind: 'map' }>, 'keys' | 'unknownKeys' | 'filled'>;

/**
 * Checks a map. `rule` reports the problems with values whose keys have no rule; `depth` is the nesting depth of the
 * keys.
 */
function checkMap(
  map: YamlMap,
  { keys: table, unknownKeys, filled }: MapShape,
  { rule, depth }: KeyContext,
): ShapeProblem[] {
  const firsts = new Map<string, YamlEntry>();
  const spellings = new Set<string>();
  const missing = missingKeys(map, table, depth);
  const problems = map.entries.flatMap((entry) => {
    const name = String(entry.key.value);
    const spec = findKey(table, name);
    if (!spec) {
      if (name.startsWith('x-')) return [];
      const problem = unknownKey(map, entry, table, depth);
      // A misspelt mandatory key is one problem. At the top level, missing keys have rules of their own.
      const at = depth === 0 ? -1 : missing.findIndex(({ key }) => key === problem.meant?.[0]);
      if (at < 0) return [{ ...problem, rule: unknownKeys }];
      const [{ key, kind }] = missing.splice(at, 1) as [ShapeProblem];
      return [{ ...problem, key, kind }];
    }
    const first = firsts.get(spec.name);
    // The YAML reader already reports a duplicate with the same spelling.
    if (first && !spellings.has(name)) return [secondSpelling(entry, first, spec, depth)];
    firsts.set(spec.name, first ?? entry);
    spellings.add(name);
    return checkEntry(entry, spec, { key: spec.name, rule: spec.rule ?? rule, depth }, filled === true);
  });
  return [...problems, ...missing].sort((a, b) => a.span.start - b.span.start);
}

function checkEntry(
  { key, value, span: entrySpan }: YamlEntry,
  spec: KeySpec,
  place: KeyContext,
  isFilled: boolean,
): ShapeProblem[] {
  if (!isNull(value)) return checkValue(value, spec.shape, place);
  if (isFilled && isMissing(value, spec.shape)) {
    const problem = withoutValue(key.span, `\`${spec.name}\``, place);
    return [spec.mandatory ? { ...problem, kind: 'missing-key' } : problem];
  }
  if (!spec.mandatory || spec.shape.kind === 'schema') return [];
  const message = `\`${spec.name}\` is empty. Add a value: ${spec.docs}`;
  return [{ ...place, kind: 'missing-key', span: entrySpan, message, rule: undefined, fixes: [] }];
}

/** Returns whether the shape does not allow a null. A written `null` may be any JSON value. */
const isMissing = (value: YamlNode, shape: Shape): boolean =>
  isNull(value) && !(shape.kind === 'any' && value.kind === 'scalar' && value.source !== '');

const withoutValue = (span: Span, subject: string, place: KeyContext): ShapeProblem => ({
  ...place,
  kind: 'value',
  span,
  message: `${subject} is empty. Add a value, or remove it.`,
  fixes: [],
});

/** Checks a value. `subject` is the subject of the messages about the value itself. */
function checkValue(node: YamlNode, shape: Shape, place: KeyContext, subject = `\`${place.key}\``): ShapeProblem[] {
  const fitting = alternatives(shape).filter((option) => takes(option, node));
  const [first] = fitting;
  if (!first) return [wrongKind(node, shape, place, subject)];
  if (node.kind === 'list' && first.kind === 'list') {
    const itemSubject = `An item of \`${place.key}\``;
    const found = node.items.flatMap((item) => {
      if (!isNull(item)) return checkValue(item, first.items, place, itemSubject);
      return first.filled ? [withoutValue(item.span, itemSubject, place)] : [];
    });
    return mergeTypes(found, node.items);
  }
  if (node.kind === 'map' && first.kind === 'map') {
    return checkMap(node, first, { ...place, depth: place.depth + 1 });
  }
  if (node.kind === 'map' && first.kind === 'record') {
    return node.entries.flatMap(({ key, value }) => {
      const own = { ...place, key: String(key.value) };
      if (!isNull(value)) return checkValue(value, first.values, own);
      return first.filled && isMissing(value, first.values) ? [withoutValue(key.span, `\`${own.key}\``, own)] : [];
    });
  }
  return node.kind === 'scalar' ? checkScalarUnder(node, fitting, place, subject) : [];
}

/** Merges the items of a list with a wrong type: the first one has the number, the places of the others, and one fix. */
function mergeTypes(problems: readonly ShapeProblem[], items: readonly YamlNode[]): ShapeProblem[] {
  const places = new Set(items.map((item) => item.span));
  const groups = new Map<string, ShapeProblem[]>();
  for (const one of problems) {
    const key = one.must !== undefined && places.has(one.span) ? one.must : '';
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  const rest = groups.get('') ?? [];
  groups.delete('');
  const merged = [...groups].flatMap(([must, same]): ShapeProblem[] => {
    const [first, ...others] = same;
    if (!first || others.length === 0) return same;
    const fixes = same.flatMap((one) => one.fixes.slice(0, 1));
    const all = { edits: fixes.flatMap(({ edits }) => edits), safe: fixes.every(({ safe }) => safe) };
    return [
      {
        ...first,
        message: `${must} (${same.length} items).`,
        same: others.map((one) => one.span),
        fixes: fixes.length === same.length ? [{ title: `Correct ${same.length} items`, ...all }] : [],
      },
    ];
  });
  return [...rest, ...merged].sort((a, b) => a.span.start - b.span.start);
}

/** Returns true if a node has the YAML kind that a shape requires, regardless of its content. */
function takes(shape: Shape, node: YamlNode): boolean {
  if (shape.kind === 'any' || shape.kind === 'schema') return true;
  if (shape.kind === 'list') return node.kind === 'list';
  if (shape.kind === 'map' || shape.kind === 'record') return node.kind === 'map';
  return node.kind === 'scalar';
}

/** Returns the problem with the first shape, or no problem if the value matches one of the shapes. */
function checkScalarUnder(
  node: YamlScalar,
  shapes: readonly Shape[],
  place: KeyContext,
  subject: string,
): ShapeProblem[] {
  let first: ScalarProblem | undefined;
  for (const shape of shapes) {
    const problem = checkScalar(node, shape, subject);
    if (!problem) return [];
    first ??= problem;
  }
  return first ? [{ ...place, ...first, kind: 'value', span: node.span }] : [];
}

/** Returns the keys that an unknown key may mean: the map does not have them yet, and they can have its value. */
function keysFor(map: YamlMap, { key, value }: YamlEntry, table: KeyTable): readonly string[] {
  return keysMeant(String(key.value), table).filter((meant) => {
    const spec = findKey(table, meant);
    const isTaken = map.entries.some((other) => findKey(table, String(other.key.value)) === spec);
    const shapes = spec ? alternatives(spec.shape) : [];
    const isItem = (shape: Shape): boolean => shape.kind === 'list' && alternatives(shape.items).some(fits);
    const fits = (shape: Shape): boolean => takes(shape, value) || isItem(shape);
    return !isTaken && (isNull(value) || shapes.some(fits));
  });
}

function unknownKey(map: YamlMap, entry: YamlEntry, table: KeyTable, depth: number): ShapeProblem {
  const { key } = entry;
  const name = String(key.value);
  const meant = keysFor(map, entry, table);
  const advice = didYouMean(meant) || ' Begin your own keys with `x-`.';
  return {
    kind: 'unknown-key',
    span: key.span,
    message: `Unknown key \`${name}\`.${advice}`,
    rule: undefined,
    fixes: meant.map((right) => renameKey(key.span, right)),
    key: name,
    meant,
    depth,
  };
}

/** Returns the fix that renames the key at a span. */
export const renameKey = (key: Span, name: string): ShapeFix => ({
  title: `Rename to \`${name}\``,
  safe: false,
  edits: [{ span: key, newText: name }],
});

const secondSpelling = (second: YamlEntry, first: YamlEntry, spec: KeySpec, depth: number): ShapeProblem => ({
  kind: 'value',
  span: second.key.span,
  message: `\`${second.key.value}\` is another spelling of \`${first.key.value}\`, which is already set. Keep one of the two.`,
  rule: 'duplicate-key',
  first: first.key.span,
  fixes: [],
  key: spec.name,
  depth,
});

function missingKeys(map: YamlMap | undefined, table: KeyTable, depth: number): ShapeProblem[] {
  const present = new Set(map?.entries.map((entry) => findKey(table, String(entry.key.value))));
  const place = map ? (map.entries[0]?.key.span ?? map.span) : span(0, 0);
  return table
    .filter((spec) => spec.mandatory && !present.has(spec) && !(map && spec.unless && findEntry(map, spec.unless)))
    .map(({ name, docs }) => ({
      kind: 'missing-key',
      span: place,
      message: `Missing key \`${name}\`. Add it: ${docs}`,
      rule: undefined,
      fixes: [],
      key: name,
      depth,
    }));
}

function wrongKind(node: YamlNode, shape: Shape, place: KeyContext, subject: string): ShapeProblem {
  const wanted = alternatives(shape);
  const expected = [...new Set(wanted.map(expectation))].join(' or ');
  const must = `${subject} must be ${expected}`;
  const message = `${must}, but is ${describe(node)}.`;
  const items = wanted.flatMap((one) => (one.kind === 'list' ? alternatives(one.items) : []));
  // A map is an item only if the list has items with such a key.
  const isItem = (item: Shape): boolean =>
    (node.kind === 'scalar' && takes(item, node)) ||
    (node.kind === 'map' &&
      item.kind === 'map' &&
      node.entries.some(({ key }) => findKey(item.keys, String(key.value)) !== undefined));
  const record = wanted.find((one) => one.kind === 'record');
  const fixes = items.some(isItem) ? makeList(node) : record ? makeRecord(node, record) : [];
  return { ...place, kind: 'value', span: node.span, message, must, fixes };
}

/** Puts a value of one line in brackets. Splits it at commas, which may separate items: then the fix is not safe. */
function makeList(node: YamlNode): ShapeFix[] {
  const { start, end } = node.span;
  const isBlock = node.kind === 'scalar' ? node.style === 'literal' || node.style === 'folded' : !node.flow;
  if (isBlock) return [];
  const value = node.kind === 'scalar' ? node.value : undefined;
  const hasCommas = typeof value === 'string' && value.includes(',');
  const isQuoted = node.kind === 'scalar' && (node.style === 'double' || node.style === 'single');
  // Commas in brackets, as in `*.{ts,tsx}`, do not separate items.
  if (hasCommas && isQuoted && !/[([{]/.test(value)) {
    const parts = value.split(',').map((part) => part.trim());
    const items = parts.filter((part) => part !== '').map((part) => JSON.stringify(part));
    return [{ title: 'Make it a list', safe: false, edits: [{ span: node.span, newText: `[${items.join(', ')}]` }] }];
  }
  const edits = [
    { span: span(start, start), newText: '[' },
    { span: span(end, end), newText: ']' },
  ];
  return [{ title: 'Make it a list', safe: !hasCommas, edits }];
}

/** The longest map that a fix writes on one line, in UTF-16 code units. */
const MAX_RECORD = 400;

/** Makes a map of a list whose items have different names: in a key such as `name`, or as their only key. */
function makeRecord(node: YamlNode, { values }: Extract<Shape, { readonly kind: 'record' }>): ShapeFix[] {
  if (node.kind !== 'list' || node.items.length === 0 || !alternatives(values).some(({ kind }) => kind === 'map'))
    return [];
  const record: Record<string, Json> = {};
  for (const item of node.items) {
    const [name, value] = namedItem(item) ?? [];
    if (name === undefined || value === undefined || Object.hasOwn(record, name)) return [];
    setProperty(record, name, value);
  }
  // A list in a block may begin in the column of its key, and a map must not.
  const newText = `${node.flow ? '' : ' '}${formatJson(record)}`;
  if (newText.length > MAX_RECORD) return [];
  return [{ title: 'Make it a map of names', safe: false, edits: [{ span: node.span, newText }] }];
}

/** Returns the name and the rest of an item such as `{name: one, …}` or `{one: {…}}`. */
function namedItem(item: YamlNode): readonly [string, Json] | undefined {
  if (item.kind !== 'map') return undefined;
  const [only, ...others] = item.entries;
  if (only && others.length === 0 && only.value.kind === 'map') return [String(only.key.value), jsonOf(only.value)];
  const key = ['name', 'id', 'title'].find((one) => findEntry(item, one));
  const name = key === undefined ? undefined : stringOf(findValue(item, key));
  if (name === undefined || name === '') return undefined;
  return [name, jsonOf({ ...item, entries: item.entries.filter((entry) => entry.key.value !== key) })];
}

/** A problem of a choice, a boolean, a number or a string. */
interface ScalarProblem extends Pick<ShapeProblem, 'isHint'> {
  readonly message: string;
  readonly must?: string;
  readonly fixes: readonly ShapeFix[];
}

/**
 * Checks a scalar against a scalar shape. Returns a problem about the `subject`; undefined if the scalar is valid.
 */
function checkScalar(node: YamlScalar, shape: Shape, subject: string): ScalarProblem | undefined {
  switch (shape.kind) {
    case 'choice':
      return checkChoice(node, shape, subject);
    case 'boolean':
      return checkBoolean(node, subject);
    case 'number':
      return checkNumber(node, shape, subject);
    case 'string':
      return checkText(node, shape, subject);
    default:
      return undefined;
  }
}

type Of<Kind extends Shape['kind']> = Shape & { readonly kind: Kind };

const problem = (message: string, ...fixes: ShapeFix[]): ScalarProblem => ({ message, fixes });

const wrongType = (must: string, node: YamlScalar, ...fixes: ShapeFix[]): ScalarProblem => ({
  message: `${must}, but is ${describe(node)}.`,
  must,
  fixes,
});

const replace = ({ span }: YamlScalar, newText: string, safe: boolean): ShapeFix => ({
  title: `Replace with \`${newText}\``,
  safe,
  edits: [{ span, newText }],
});

/** A message lists at most this number of choices, unless no choice is similar to the written value. */
const MAX_SHOWN_CHOICES = 12;

function checkChoice(
  node: YamlScalar,
  { choices, pattern, expected }: Of<'choice'>,
  subject: string,
): ScalarProblem | undefined {
  const { value, source } = node;
  if (choices.some((choice) => choice.value === value)) return undefined;
  const written = String(value);
  if (pattern?.test(written)) return undefined;
  const names = choices.map((choice) => String(choice.value));
  const exact = names.find((name) => name.toLowerCase() === written.toLowerCase());
  const renamed = choices.filter(({ formerly }) => formerly?.toLowerCase() === written.toLowerCase());
  const longer = names.filter((name) => written !== '' && name.startsWith(`${written}-`));
  const certain = exact ? [exact] : renamed.length > 0 ? renamed.map((choice) => String(choice.value)) : longer;
  const near = certain.length > 0 ? certain : nearestNames(written, names);
  const shown = `\`${source || written}\``;
  const list = expected ?? `one of ${names.map((name) => `\`${name}\``).join(', ')}`;
  return problem(
    near.length > 0 && names.length > MAX_SHOWN_CHOICES
      ? `${subject} cannot be ${shown}.${didYouMean(near)}`
      : `${subject} must be ${list}, but is ${shown}.`,
    ...near.map((name) => replace(node, name, name === exact)),
  );
}

function checkBoolean(node: YamlScalar, subject: string): ScalarProblem | undefined {
  if (typeof node.value === 'boolean') return undefined;
  const must = `${subject} must be \`true\` or \`false\``;
  const written = String(node.value);
  if (/^(yes|on|true)$/i.test(written)) return wrongType(must, node, replace(node, 'true', true));
  if (/^(no|off|false)$/i.test(written)) return wrongType(must, node, replace(node, 'false', true));
  return wrongType(must, node);
}

function checkNumber(node: YamlScalar, shape: Of<'number'>, subject: string): ScalarProblem | undefined {
  const { integer, min, max, positive } = shape;
  const { value } = node;
  if (typeof value !== 'number') {
    const isQuoted = typeof value === 'string' && /^\d+(\.\d+)?$/.test(value);
    return wrongType(`${subject} must be a number`, node, ...(isQuoted ? [replace(node, value, true)] : []));
  }
  if (!Number.isFinite(value)) return problem(`${subject} must be a finite number.`);
  if (integer && !Number.isInteger(value)) return problem(`${subject} must be a whole number, but is ${value}.`);
  if (positive && value <= 0) return problem(`${subject} must be greater than 0, but is ${value}.`);
  if (min !== undefined && value < min) return problem(`${subject} must be at least ${min}, but is ${value}.`);
  if (max !== undefined && value > max) return problem(`${subject} must be at most ${max}, but is ${value}.`);
  return undefined;
}

function checkText(node: YamlScalar, shape: Of<'string'>, subject: string): ScalarProblem | undefined {
  const { value, source, span } = node;
  const { format, minLength = 0, maxLength, pattern, expected } = shape;
  const isText = typeof value === 'string';
  // YAML reads a version such as `1.0` as a number, so the source text is checked.
  const written = isText ? value : source;
  const found = format && checkFormat(written, format, subject);
  if (found) {
    const fixes = found.suggestion ? [replace(node, found.suggestion, false)] : [];
    return { ...problem(found.message, ...fixes), ...(found.isHint && { isHint: true }) };
  }
  if (!isText) {
    if (format) return undefined;
    const quote = { title: 'Quote it', safe: true, edits: [{ span, newText: `"${source}"` }] };
    const found = wrongType(`${subject} must be a string`, node, quote);
    return { ...found, message: `${found.message} Quote it.` };
  }
  if (written.trim().length < minLength) return problem(`${subject} must not be empty.`);
  const length = maxLength === undefined ? 0 : [...written].length;
  if (maxLength !== undefined && length > maxLength) {
    return problem(
      `${subject} has ${formatNumber(length)} characters; the limit is ${formatNumber(maxLength)}. Shorten it by ${formatNumber(length - maxLength)}.`,
    );
  }
  if (pattern && !pattern.test(written)) {
    return problem(`${subject} must be ${expected}, but is \`${written}\`.`);
  }
  return undefined;
}

// Problems with the shape of YAML.

/** A fix for the problem. A `safe` fix cannot change the meaning. */
export interface ShapeFix {
  readonly title: string;
  readonly safe: boolean;
  readonly edits: readonly TextEdit[];
}

export interface ShapeProblem {
  readonly kind: 'unknown-key' | 'missing-key' | 'value';
  readonly span: Span;
  readonly message: string;
  /** The rule that the key's table assigns to its values; undefined if the kind of problem determines the rule. */
  readonly rule: string | undefined;
  readonly fixes: readonly ShapeFix[];
  /** True for a value that is read as intended. */
  readonly isHint?: true;
  /** The missing or unknown key, or the key of the wrong value. */
  readonly key: string;
  /** For an unknown key, the keys that it may mean. */
  readonly meant?: readonly string[];
  /** The nesting depth of the key's map; 0 is the top level. */
  readonly depth: number;
  /** The first occurrence of a duplicate key. */
  readonly first?: Span;
  /** The message about a wrong type, without the value. */
  readonly must?: string;
  /** The further items of a list with the same wrong type. */
  readonly same?: readonly Span[];
}

// Words for shapes and nodes in messages.

/** The values that a shape accepts. */
export function expectation(shape: Shape): string {
  switch (shape.kind) {
    case 'list':
      return 'a list';
    case 'map':
    case 'record':
      return 'a map of keys to values';
    case 'boolean':
      return '`true` or `false`';
    case 'number':
      return 'a number';
    case 'choice':
      return shape.expected ?? `one of ${shape.choices.map(({ value }) => `\`${value}\``).join(', ')}`;
    default:
      return 'a string';
  }
}

/** The kind of a node. */
function describe(node: YamlNode): string {
  if (node.kind === 'list') return 'a list';
  if (node.kind === 'map') return 'a map of keys to values';
  const { value, source } = node;
  if (typeof value === 'number') return `the number ${source}`;
  if (typeof value === 'boolean') return `the boolean \`${source}\``;
  return value === null ? 'empty' : 'a string';
}
