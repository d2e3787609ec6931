/**
 * Reads the client's initialization options. Ignores invalid options, because the server also works without them.
 */
import * as v from 'valibot';
import { type InitializationOptions, initializationOptions } from '../../protocol.ts';

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the first problem with a value and its path below `name`; undefined if the value is valid. */
export function problemOf(schema: v.GenericSchema, value: unknown, name: string): string | undefined {
  const { issues } = v.safeParse(schema, value, { abortEarly: true });
  if (!issues) return undefined;
  const [issue] = issues;
  const path = v.getDotPath(issue);
  return `\`${path === null ? name : `${name}.${path}`}\`: ${issue.message}`;
}

const schemas: ReadonlyMap<string, v.GenericSchema> = new Map(Object.entries(initializationOptions.entries));

export interface ReadOptions {
  readonly options: InitializationOptions;
  /** The other entries, which are settings. */
  readonly others: Readonly<Record<string, unknown>>;
  /** The problems of the ignored options. */
  readonly problems: readonly string[];
}

export function readOptions(given: unknown): ReadOptions {
  if (given === undefined || given === null) return { options: {}, others: {}, problems: [] };
  if (!isRecord(given)) return { options: {}, others: {}, problems: ['`initializationOptions` must be an object'] };
  const entries = Object.entries(given).filter(([, value]) => value !== undefined && value !== null);
  const validated = entries.map(([name, value]) => {
    const schema = schemas.get(name);
    return {
      entry: [name, value] as const,
      isOption: schema !== undefined,
      problem: schema && problemOf(schema, value, name),
    };
  });
  const pick = (isOption: boolean) =>
    Object.fromEntries(validated.filter((one) => one.isOption === isOption && !one.problem).map(({ entry }) => entry));
  return { options: pick(true), others: pick(false), problems: validated.flatMap(({ problem }) => problem ?? []) };
}
