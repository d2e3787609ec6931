/** Holds YAML against the vocabularies: keys that are unknown or missing, values of another shape than the table's. */

import {
  isNull,
  type YamlEntry,
  type YamlList,
  type YamlMap,
  type YamlNode,
  type YamlScalar,
} from '../languages/yaml/node.ts';
import { didYouMean, nearestNames } from '../nearest.ts';
import { type Span, span } from '../text.ts';
import { type Complaint, findComplaint } from './check-scalar.ts';
import { alternatives, findKey, type KeySpec, type KeyTable, type Shape } from './shape.ts';
import type { ShapeMend, ShapeProblem } from './shape-problem.ts';
import { describe, expectation } from './shape-words.ts';

/** All problems of a map under a table, in order of place. A top level that is no map is one problem. */
export function checkShape(root: YamlNode | undefined, table: KeyTable): readonly ShapeProblem[] {
  if (!root || isNull(root)) return missingKeys(undefined, table, 0);
  if (root.kind !== 'map') {
    const message = `Expected keys with values here, such as \`${table[0]?.name}: …\`, but this is ${describe(root)}.`;
    return [valueProblem(root.span, message, { key: '', rule: undefined, depth: 0 })];
  }
  return checkMap(root, table, 0, undefined);
}

/** What the walk knows about where it is. */
interface At {
  readonly key: string;
  readonly rule: string | undefined;
  readonly depth: number;
}

function checkMap(map: YamlMap, table: KeyTable, depth: number, rule: string | undefined): ShapeProblem[] {
  const seen = new Set<string>();
  const problems = map.entries.flatMap((entry) => {
    const name = String(entry.key.value);
    const key = findKey(table, name);
    if (!key) return name.startsWith('x-') ? [] : [unknownKey(entry, name, table, depth)];
    // A second spelling of a key is the first one's duplicate; which of the two is meant cannot be told.
    if (seen.has(key.name) && name !== key.name) return [secondSpelling(entry, name, key, depth)];
    seen.add(key.name);
    return checkEntry(entry, key, depth, rule);
  });
  return [...problems, ...missingKeys(map, table, depth)].sort((a, b) => a.span.start - b.span.start);
}

function checkEntry({ value, span: place }: YamlEntry, key: KeySpec, depth: number, rule?: string): ShapeProblem[] {
  if (isNull(value)) {
    if (!key.mandatory || key.shape.kind === 'schema') return [];
    return [
      { kind: 'missing-key', span: place, message: emptyKey(key), rule: undefined, mends: [], key: key.name, depth },
    ];
  }
  return checkValue(value, key.shape, { key: key.name, rule: key.rule ?? rule, depth });
}

function checkValue(node: YamlNode, shape: Shape, at: At): ShapeProblem[] {
  // Nearly every shape has no alternatives, so that none need be gathered.
  const fitting = shape.kind === 'either' ? alternatives(shape).filter((option) => takes(option, node)) : [shape];
  const [chosen] = fitting;
  if (!chosen || !takes(chosen, node)) return [wrongKind(node, shape, at)];
  switch (chosen.kind) {
    case 'list':
      return (node as YamlList).items.flatMap((item) => (isNull(item) ? [] : checkValue(item, chosen.items, at)));
    case 'map':
      return checkMap(node as YamlMap, chosen.keys, at.depth + 1, at.rule);
    case 'record':
      return (node as YamlMap).entries.flatMap(({ key, value }) =>
        isNull(value) ? [] : checkValue(value, chosen.values, { ...at, key: String(key.value) }),
      );
    case 'schema':
    case 'any':
      return [];
    default:
      return checkScalar(node as YamlScalar, fitting, at);
  }
}

/** Whether a node is of the YAML kind that a shape asks for; what it says comes later. */
function takes(shape: Shape, node: YamlNode): boolean {
  if (shape.kind === 'any' || shape.kind === 'schema') return true;
  if (shape.kind === 'list') return node.kind === 'list';
  if (shape.kind === 'map' || shape.kind === 'record') return node.kind === 'map';
  return node.kind === 'scalar';
}

/** Among `shapes`, which all take scalars, the value must fit one; the first one's complaint is the one to show. */
function checkScalar(node: YamlScalar, shapes: readonly Shape[], at: At): ShapeProblem[] {
  let first: Complaint | undefined;
  for (const shape of shapes) {
    const complaint = findComplaint(node, shape, at.key);
    if (!complaint) return [];
    first ??= complaint;
  }
  return first ? [valueProblem(node.span, first.message, at, first.mends)] : [];
}

function unknownKey({ key }: YamlEntry, name: string, table: KeyTable, depth: number): ShapeProblem {
  const near = nearestNames(
    name,
    table.map((spec) => spec.name),
  );
  return {
    kind: 'unknown-key',
    span: key.span,
    message: `\`${name}\` is not a key that is known here; it is kept and ignored.${didYouMean(near) || ' Keys of your own begin with `x-`.'}`,
    rule: undefined,
    mends: near.map((right) => ({
      title: `Rename to \`${right}\``,
      safe: false,
      edits: [{ span: key.span, newText: right }],
    })),
    key: name,
    depth,
  };
}

const secondSpelling = ({ key }: YamlEntry, name: string, spec: KeySpec, depth: number): ShapeProblem => ({
  kind: 'value',
  span: key.span,
  message: `\`${name}\` is another spelling of \`${spec.name}\`, which stands here already. Keep one of the two.`,
  rule: 'duplicate-key',
  mends: [],
  key: spec.name,
  depth,
});

function missingKeys(map: YamlMap | undefined, table: KeyTable, depth: number): ShapeProblem[] {
  const wanted = table.filter(({ mandatory }) => mandatory);
  if (wanted.length === 0) return [];
  const present = new Set(map?.entries.map((entry) => findKey(table, String(entry.key.value))));
  const place = map ? (map.entries[0]?.key.span ?? map.span) : span(0, 0);
  return wanted
    .filter((key) => !present.has(key))
    .map((key) => ({
      kind: 'missing-key' as const,
      span: place,
      message: `\`${key.name}\` is missing: ${key.docs}`,
      rule: undefined,
      mends: [],
      key: key.name,
      depth,
    }));
}

const emptyKey = ({ name, docs }: KeySpec): string => `\`${name}\` is empty: ${docs}`;

function wrongKind(node: YamlNode, shape: Shape, at: At): ShapeProblem {
  const wanted = alternatives(shape);
  const mends: ShapeMend[] = [];
  if (
    node.kind === 'scalar' &&
    wanted.some(({ kind }) => kind === 'list') &&
    !['literal', 'folded'].includes(node.style)
  ) {
    const several = typeof node.value === 'string' && node.value.includes(',');
    const { start, end } = node.span;
    const edits = [
      { span: span(start, start), newText: '[' },
      { span: span(end, end), newText: ']' },
    ];
    mends.push({ title: 'Make it a list', safe: !several, edits });
  }
  const expected = [...new Set(wanted.map(expectation))].join(' or ');
  return valueProblem(node.span, `\`${at.key}\` must be ${expected}, but this is ${describe(node)}.`, at, mends);
}

const valueProblem = (place: Span, message: string, at: At, mends: readonly ShapeMend[] = []): ShapeProblem => ({
  kind: 'value',
  span: place,
  message,
  rule: at.rule,
  mends,
  key: at.key,
  depth: at.depth,
});
