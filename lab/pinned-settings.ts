/**
 * The settings of a client that its observation pins: each other variant would contradict a situation that the pipeline
 * predicts now (lab/README.md, "Which settings are observed").
 */
import type { Pipeline } from '../server/src/clients/pipeline/pipeline.ts';
import { isChoice } from '../server/src/clients/pipeline/setting.ts';
import { VARIANTS } from '../server/src/clients/pipeline/variants.ts';
import { compareCalls } from './calls.ts';
import { compareDeliveries } from './delivered.ts';
import type { Observation } from './observation.ts';
import { compareWith, workspacesOf } from './pipeline.ts';

/** A setting, with its other variants. */
export interface Pinned {
  /** The path of the setting, for example `find.hidden`. */
  readonly setting: string;
  readonly value: unknown;
  /** The variants that contradict no situation. The setting is observed if the list is empty. */
  readonly open: readonly unknown[];
  /** A situation that each other variant contradicts. */
  readonly refuted: readonly { readonly variant: unknown; readonly by: string }[];
}

/**
 * Returns the settings of a client with the variants that its observation leaves open. A setting with several values is
 * tried with each of them.
 */
export function pinned(pipeline: Pipeline, observation: Observation): readonly Pinned[] {
  const workspaces = workspacesOf(observation);
  const rightOf = (one: Pipeline): ReadonlySet<string> =>
    new Set([
      ...compareWith(one, observation, workspaces)
        .filter(({ verdict }) => verdict === 'right' || verdict === 'unknown')
        .map(({ situation }) => situation),
      ...compareCalls(one, observation, workspaces)
        .filter(({ isRight }) => isRight)
        .map(({ call }) => call),
      ...compareDeliveries(one, observation)
        .filter(({ verdict }) => verdict !== 'wrong')
        .map(({ call }) => `text of ${call}`),
    ]);
  const now = rightOf(pipeline);
  return variationsOf(pipeline).map(({ setting, value, others }) => {
    const tried = others.map((variant) => {
      const then = rightOf(withSetting(pipeline, setting, variant));
      return { variant, by: [...now].find((situation) => !then.has(situation)) };
    });
    return {
      setting,
      value,
      open: tried.filter(({ by }) => by === undefined).map(({ variant }) => variant),
      refuted: tried.flatMap(({ variant, by }) => (by === undefined ? [] : [{ variant, by }])),
    };
  });
}

/** Returns the settings of a client, each with its other variants. */
function variationsOf(pipeline: Pipeline) {
  const isAny = (path: string): boolean => valueAt(pipeline, path) !== undefined;
  const own = pipeline.find.folders.flatMap((_, at) =>
    ['root', 'hidden', 'flat'].map((key) => `find.folders.${at}.${key}`),
  );
  const settings = [...VARIANTS.keys(), ...own].filter(isAny);
  const ofLists = (['find.folders', 'admit.rules', 'entry.text', 'entry.escaped'] as const).flatMap((path) => {
    const list = valueAt(pipeline, path) as readonly unknown[];
    // A list is another one without one of its parts.
    return list.map((value, at) => ({ setting: `${path}.${at}`, value, others: [undefined] }));
  });
  return [
    ...settings.map((setting) => {
      const value = valueAt(pipeline, setting);
      const variants = VARIANTS.get(setting.replace(/^find\.folders\.\d+/, 'find')) ?? [];
      // `any` includes the others, so that nothing contradicts it.
      const all = (isChoice(value) ? [...variants, ...value.oneOf] : variants).filter((one) => one !== 'any');
      return {
        setting,
        value,
        others: isChoice(value) ? distinct(all) : distinct(all).filter((one) => !isSame(one, value)),
      };
    }),
    ...ofLists,
  ];
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
const distinct = (values: readonly unknown[]): readonly unknown[] =>
  values.filter((one, at) => values.findIndex((other) => isSame(one, other)) === at);

function valueAt(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((part, key) => (part as Record<string, unknown> | undefined)?.[key], value);
}

/** Returns the client with another value of a setting; undefined removes it. Equal parts stay the same objects. */
function withSetting(pipeline: Pipeline, path: string, value: unknown): Pipeline {
  const change = (part: unknown, [key = '', ...rest]: readonly string[]): unknown => {
    const changed = rest.length === 0 ? value : change((part as Record<string, unknown>)[key], rest);
    if (Array.isArray(part))
      return part.flatMap((one, at) => (String(at) !== key ? [one] : changed === undefined ? [] : [changed]));
    return { ...(part as object), [key]: changed };
  };
  return change(pipeline, path.split('.')) as Pipeline;
}

/**
 * Returns the lines of a report: for each client its settings that are not pinned, with the variants that are left, then
 * the settings that are not pinned for several clients, which are the next questions.
 */
export function linesOfPinned(
  clients: readonly { readonly pipeline: Pipeline; readonly observation: Observation }[],
): readonly string[] {
  const left = new Map<string, string[]>();
  const lines = clients.flatMap(({ pipeline, observation }) => {
    const settings = pinned(pipeline, observation);
    const open = settings.filter((one) => one.open.length > 0);
    for (const { setting } of open) left.set(setting, [...(left.get(setting) ?? []), pipeline.id]);
    return [
      `${pipeline.name} ${observation.version}: ${settings.length - open.length} of ${settings.length} settings are observed`,
      ...open.map((one) => `  ${one.setting}: ${shown(one.value)}, or ${one.open.map(shown).join(', ')}`),
      '',
    ];
  });
  const most = [...left].filter(([, ids]) => ids.length > 1).sort(([, a], [, b]) => b.length - a.length);
  return [
    ...lines,
    ...(most.length > 0 ? ['Not observed for several clients:'] : []),
    ...most.map(([setting, ids]) => `  ${setting}: ${ids.length} (${ids.join(', ')})`),
  ];
}

const shown = (value: unknown): string =>
  value === undefined
    ? 'nothing'
    : isChoice(value)
      ? `unknown (${value.oneOf.map(shown).join(', ')})`
      : JSON.stringify(value);
