/** What is asked for, and how a change of one value changes it. */
import type { Asked, Invocation, NamedInvocation, SamplesReply } from '../../messages.ts';
import { type Model, samplesOf } from '../model.ts';
import { isKeys, type Json, same } from './schema.ts';

export type Path = readonly (string | number)[];

/** The chosen entry of the list: a sample, an example, made-up values, or input of one's own. */
export type Choice =
  | { readonly kind: 'sample' | 'example'; readonly name: string }
  | { readonly kind: 'made-up' }
  | { readonly kind: 'own'; readonly origin: string | undefined };

export function choiceOf(model: Model): Choice {
  const { sample, invocation, origin } = model.page.asked;
  if (sample !== undefined) return { kind: 'sample', name: sample };
  if (invocation === undefined) return { kind: 'made-up' };
  const example = samplesOf(model)?.examples.find(({ name }) => name === origin);
  return example && same(example.invocation as Json, invocation as Json)
    ? { kind: 'example', name: example.name }
    : { kind: 'own', origin };
}

/** What is given, without defaults and made-up values. */
export function givenIn({ page, show }: Model): Invocation {
  const { sample, invocation } = page.asked;
  return invocation ?? find(show?.samples.samples, sample)?.invocation ?? {};
}

export function askFor(choice: Choice, samples: SamplesReply | undefined, given: Invocation, asked: Asked): Asked {
  const rest = { ...callOf(asked), without: [] };
  if (choice.kind === 'sample') return { sample: choice.name, ...rest };
  if (choice.kind === 'own') return { invocation: given, ...rest };
  const example = choice.kind === 'example' ? find(samples?.examples, choice.name) : undefined;
  return example ? { invocation: example.invocation, origin: example.name, ...rest } : rest;
}

/** The question with another invocation, which is the user's own from here on. */
export function askWith(asked: Asked, invocation: Invocation): Asked {
  const from = asked.sample ?? asked.origin;
  return { invocation, ...callOf(asked), without: asked.without, ...(from !== undefined && { origin: from }) };
}

/** What is asked beside the input: for which client, and called with what. */
const callOf = ({ client, arguments: words }: Asked): Pick<Asked, 'client' | 'arguments'> => ({
  ...(client !== undefined && { client }),
  ...(words !== undefined && { arguments: words }),
});

/** A value with a part of it replaced; undefined takes the part out: it is not given. */
export function withPart(value: Json | undefined, path: Path, part: Json | undefined): Json | undefined {
  const [first, ...rest] = path;
  if (first === undefined) return part;
  if (typeof first === 'number') {
    const list = Array.isArray(value) ? [...(value as readonly Json[])] : [];
    const item = withPart(list[first], rest, part);
    if (item === undefined) list.splice(first, 1);
    else list[first] = item;
    return list;
  }
  const map: Record<string, Json> = isKeys(value) ? { ...(value as Readonly<Record<string, Json>>) } : {};
  const next = withPart(Object.hasOwn(map, first) ? map[first] : undefined, rest, part);
  const others = Object.entries(map).filter(([name]) => name !== first);
  return Object.fromEntries(next === undefined ? others : replaced(Object.entries(map), first, next));
}

const replaced = (entries: readonly [string, Json][], name: string, value: Json): [string, Json][] =>
  entries.some(([key]) => key === name)
    ? entries.map(([key, old]) => [key, key === name ? value : old])
    : [...entries, [name, value]];

/** The value at a path. */
export function partAt(value: Json | undefined, path: Path): Json | undefined {
  return path.reduce<Json | undefined>((at, step) => {
    if (typeof step === 'number') return Array.isArray(at) ? (at as readonly Json[])[step] : undefined;
    return isKeys(at) && Object.hasOwn(at, step) ? (at as Readonly<Record<string, Json>>)[step] : undefined;
  }, value);
}

const find = (list: readonly NamedInvocation[] | undefined, name: string | undefined): NamedInvocation | undefined =>
  list?.find((one) => one.name === name);
