/**
 * Finds the facts that the committed observations pin. A fact is pinned if each other value that a client has for it would make
 * a prediction wrong that is right now. For a fact that is not pinned, a new situation has to be found.
 */
import type { Client } from '../server/src/vocabulary/client.ts';
import { clients } from '../server/src/vocabulary/clients.ts';
import { clientCalled } from './clients/index.ts';
import type { Observation } from './observation.ts';
import { type Comparison, factsOf, judge, type Prepared, prepare } from './predict.ts';

/** The paths of facts in a data file that change which skills are in a list, or the text of an entry. */
const PATHS: readonly string[] = [
  'fileName.value',
  'links.value.folder',
  'links.value.file',
  'precedence.value',
  'identity',
  'opening',
  ...[
    'missing_frontmatter',
    'bad_yaml',
    'unquoted_colon',
    'bom',
    'crlf',
    'missing_name',
    'missing_description',
    'name_bad_chars',
    'name_consecutive_hyphens',
    'name_not_folder',
    'name_too_long',
    'description_too_long',
    'unknown_key',
    'duplicate_name',
    'unclosed_frontmatter',
    'empty_frontmatter',
    'wrong_type',
    'empty_body',
    'name_reserved',
    'description_tags',
  ].map((condition) => `outcomes.${condition}.value`),
  'limits.name.value.max',
  'limits.name.value.folder',
  'limits.description.value.max',
  'limits.description.value.listing',
  'limits.description.value.unit',
  'listing.format.folds',
  'listing.format.trims',
  'listing.format.removesTags',
  'listing.format.joiner',
  'listing.format.path',
  'listing.format.escapes.characters',
  'listing.hidden.value',
];

/** Outcomes that differ only in a message, which no list shows. */
const SAME: readonly (readonly unknown[])[] = [
  ['skipped_with_message', 'skipped_silently', 'rejected'],
  ['ok', 'loaded_with_warning', 'repaired', undefined],
];

export interface Pinning {
  /** The path of the fact, for example `outcomes.bom`. */
  readonly path: string;
  /** Its value; undefined if the client has none. */
  readonly value: unknown;
  /** The other values for which no prediction becomes wrong. Empty if the fact is pinned. */
  readonly open: readonly unknown[];
  /** The other values for which more predictions are right. */
  readonly better: readonly { readonly value: unknown; readonly right: number }[];
}

/**
 * Tries the other values of each fact.
 *
 * @param folder an empty folder for the workspaces
 * @returns one entry for each fact; none for a client that the product does not know
 */
export async function pinningOf(observation: Observation, folder: string): Promise<readonly Pinning[]> {
  const client = factsOf(observation);
  if (!client) return [];
  const { skills } = clientCalled(observation.client);
  const depth = client.dirs.value.findIndex(({ path, at }) => path === skills.project && at !== 'home');
  const paths = [...(depth < 0 ? [] : [`dirs.value.${depth}.depth`]), ...PATHS];
  const trials = paths.flatMap((path) => {
    const value = valueAt(client, path);
    const others = alternativesOf(path).filter((other) => !isSame(other, value));
    return hasParent(client, path) ? others.map((other) => ({ path, other, right: 0, lost: 0 })) : [];
  });
  let before = 0;
  for await (const prepared of prepare(observation, folder)) {
    const now = judge(observation, client, prepared);
    before += now.filter(({ verdict }) => verdict === 'right').length;
    for (const trial of trials) {
      const then = withValue(client, trial.path, trial.other, () => judged(observation, client, prepared));
      trial.right += then.filter(({ verdict }) => verdict === 'right').length;
      trial.lost += now.filter(({ verdict }, at) => verdict === 'right' && then[at]?.verdict !== 'right').length;
    }
  }
  return paths.flatMap((path): readonly Pinning[] => {
    const own = trials.filter((trial) => trial.path === path);
    if (own.length === 0) return [];
    return [
      {
        path: path.replace(/\.value$/, ''),
        value: valueAt(client, path),
        open: own.filter(({ lost }) => lost === 0).map(({ other }) => other),
        better: own
          .filter(({ right }) => right > before)
          .map(({ other, right }) => ({ value: other, right: right - before })),
      },
    ];
  });
}

/** A combination of facts that the product refuses makes no prediction right. */
function judged(observation: Observation, client: Client, prepared: Prepared): readonly Comparison[] {
  try {
    return judge(observation, client, prepared);
  } catch {
    return [];
  }
}

/** Returns the values that clients have at a path. */
function alternativesOf(path: string): readonly unknown[] {
  if (path.endsWith('.depth')) return [1, 2, 'unlimited'];
  const values = clients.map((client) => valueAt(client, path)).filter((value) => value !== 'unknown');
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other) || SAME.some((group) => group.includes(one) && group.includes(other));

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const valueAt = (value: unknown, path: string): unknown =>
  path.split('.').reduce((inner, key) => (isObject(inner) ? inner[key] : undefined), value);

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('.'));

/** Returns false for a part of a fact that the client does not have. */
const hasParent = (client: Client, path: string): boolean =>
  !path.includes('.') || isObject(valueAt(client, parentOf(path)));

/**
 * Runs a function while a client has another value, which is not in doubt. The client itself is changed, because
 * the product has tables by client.
 */
function withValue<Result>(client: Client, path: string, value: unknown, run: () => Result): Result {
  const parent = (path.includes('.') ? valueAt(client, parentOf(path)) : client) as Record<string, unknown>;
  const key = path.slice(path.lastIndexOf('.') + 1);
  const before = { ...parent };
  if (value === undefined) delete parent[key];
  else parent[key] = value;
  delete parent.certainty;
  try {
    return run();
  } finally {
    for (const name of Object.keys(parent)) delete parent[name];
    Object.assign(parent, before);
  }
}
