/** The client's initialization options, of which what is wrong is left out: a server with fewer options still serves. */
import type { InitializationOptions } from '../../protocol.ts';

/** Shapes of data from outside. A shape says what is wrong with a value at a path, or nothing where it fits. */
export type Shape = (value: unknown, path: string) => string | undefined;

const whether =
  (holds: (value: unknown) => boolean, what: string): Shape =>
  (value, path) =>
    holds(value) ? undefined : `\`${path}\` must be ${what}`;

export const anything: Shape = () => undefined;
export const text: Shape = whether((value) => typeof value === 'string', 'a string');
export const flag: Shape = whether((value) => typeof value === 'boolean', '`true` or `false`');
export const count: Shape = whether((value) => Number.isInteger(value) && Number(value) >= 0, 'a whole number from 0');
export const integer: Shape = whether(Number.isInteger, 'a whole number');
export const key: Shape = whether((value) => ['string', 'number'].includes(typeof value), 'a string or a number');

const oneOf = (...words: readonly string[]): Shape =>
  whether((value) => words.includes(value as string), words.map((word) => `\`${word}\``).join(' or '));

/** Clients write null for what they leave out. */
export const optional =
  (shape: Shape): Shape =>
  (value, path) =>
    value === undefined || value === null ? undefined : shape(value, path);

export const list =
  (shape: Shape): Shape =>
  (value, path) => {
    if (!Array.isArray(value)) return `\`${path}\` must be a list`;
    for (const [at, item] of value.entries()) {
      const problem = shape(item, `${path}[${at}]`);
      if (problem) return problem;
    }
    return undefined;
  };

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object with values of one shape under whatever names. */
export const recordOf =
  (shape: Shape): Shape =>
  (value, path) => {
    if (!isRecord(value)) return `\`${path}\` must be an object`;
    const problems = Object.entries(value).map(([name, one]) => shape(one, `${path}.${name}`));
    return problems.find((problem) => problem !== undefined);
  };

/** An object with at least these fields. */
export const object =
  (fields: Readonly<Record<string, Shape>>): Shape =>
  (value, path) => {
    if (!isRecord(value)) return `\`${path}\` must be an object`;
    for (const [name, shape] of Object.entries(fields)) {
      const problem = shape(Object.hasOwn(value, name) ? value[name] : undefined, `${path}.${name}`);
      if (problem) return problem;
    }
    return undefined;
  };

const shapes: Readonly<Record<keyof InitializationOptions, Shape>> = {
  coreScript: text,
  composeWorker: text,
  previewCommand: text,
  showReferencesCommand: text,
  renameCommand: text,
  enableCommand: text,
  disableCommand: text,
  suggestCommand: text,
  diagnostics: oneOf('push', 'pull'),
  trusted: flag,
  editor: text,
};

export interface ReadOptions {
  readonly options: InitializationOptions;
  /** What else the client gave: settings. */
  readonly others: Readonly<Record<string, unknown>>;
  /** What is wrong with options that are left out. */
  readonly problems: readonly string[];
}

export function readOptions(given: unknown): ReadOptions {
  if (given === undefined || given === null) return { options: {}, others: {}, problems: [] };
  if (!isRecord(given)) return { options: {}, others: {}, problems: ['`initializationOptions` must be an object'] };
  const entries = Object.entries(given).filter(([, value]) => value !== undefined && value !== null);
  const judged = entries.map(([name, value]) => {
    const shape = Object.hasOwn(shapes, name) ? shapes[name as keyof InitializationOptions] : undefined;
    return { entry: [name, value] as const, isOption: shape !== undefined, problem: shape?.(value, name) };
  });
  const pick = (isOption: boolean) =>
    Object.fromEntries(judged.filter((one) => one.isOption === isOption && !one.problem).map(({ entry }) => entry));
  return { options: pick(true), others: pick(false), problems: judged.flatMap(({ problem }) => problem ?? []) };
}
