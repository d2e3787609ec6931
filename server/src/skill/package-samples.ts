/** Reads sample invocations, with the spans for errors in the invocations (docs/format.md, section 2, "Samples"). */
import { findValue, isNull, type Json, jsonOf, stringOf, type YamlNode } from '../languages/yaml/node.ts';
import { inWords } from '../nearest.ts';
import type { Span } from '../text.ts';
import type { SampleEntry } from './contract.ts';
import type { Invocation, InvocationSource, MemoryItem, PackageSample } from './package.ts';

export const INVOCATION_SOURCES: readonly InvocationSource[] = ['explicit', 'agent-selected', 'scheduled', 'authoring'];

/**
 * Returns the samples of a contract, with the spans of their values (docs/format.md, section 2, "Samples"). Never
 * throws.
 */
export const readSamples = (samples: readonly SampleEntry[]): readonly PackageSample[] =>
  samples.map(({ name, span, value, parameters }) => {
    const places = new Map<string, Span>();
    if (parameters) collectPlaces(parameters, '', places);
    return {
      name,
      span,
      invocation: readInvocation(value),
      places: { span, request: findValue(value, 'request')?.span, parameters: places },
    };
  });

/** Returns the values of a sample (docs/format.md, section 2, "Samples"). Values of a wrong type are left out. */
export function readInvocation(node: YamlNode): Invocation {
  const text = (key: string): string | undefined => {
    const value = findValue(node, key);
    // A channel may be written as a number.
    return value?.kind === 'scalar' && !isNull(value) ? (stringOf(value) ?? value.source) : undefined;
  };
  const parameters = findValue(node, 'parameters');
  const source = INVOCATION_SOURCES.find((word) => word === text('source'));
  const given: { -readonly [Key in keyof Invocation]: Invocation[Key] } = {};
  const request = text('request');
  const [channel, profile, model] = [text('channel'), text('profile'), text('model')];
  const thread = text('thread_id');
  if (request !== undefined) given.request = request;
  if (parameters?.kind === 'map') given.parameters = jsonOf(parameters) as Readonly<Record<string, Json>>;
  if (source !== undefined) given.source = source;
  if (channel !== undefined) given.channel = channel;
  if (thread !== undefined) given.thread_id = thread;
  if (profile !== undefined) given.profile = profile;
  if (model !== undefined) given.model = model;
  const memory = findValue(node, 'memory');
  if (memory?.kind === 'list') given.memory = memory.items.flatMap(readMemoryItem);
  return given;
}

function readMemoryItem(node: YamlNode): readonly MemoryItem[] {
  const [id, tier, text] = ['id', 'tier', 'text'].map((key) => stringOf(findValue(node, key)));
  return id === undefined || tier === undefined || text === undefined ? [] : [{ id, tier, text }];
}

/**
 * Returns the message for a sample that must fail with an error of the kind `expected`, but composes or fails only with
 * errors of other `kinds` (docs/testing.md, "Expectations of a sample"). Returns undefined for a sample that fails as
 * expected.
 */
export function unexpectedOutcome(expected: string, kinds: readonly string[]): string | undefined {
  if (kinds.includes(expected)) return undefined;
  const actual = kinds.length === 0 ? 'it composes' : `it fails with ${inWords([...new Set(kinds)], 'and')}`;
  return `The sample must fail with \`${expected}\`, but ${actual}.`;
}

/** The largest number of parameters that get a span. */
const MAX_PLACES = 2_000;

function collectPlaces(node: YamlNode, path: string, places: Map<string, Span>): void {
  if (places.size >= MAX_PLACES) return;
  places.set(path, node.span);
  const below = (step: string): string => (path === '' ? step : `${path}.${step}`);
  if (node.kind === 'list')
    for (const [at, item] of node.items.entries()) collectPlaces(item, below(String(at)), places);
  if (node.kind !== 'map') return;
  for (const { key, value } of node.entries) collectPlaces(value, below(String(key.value)), places);
}
