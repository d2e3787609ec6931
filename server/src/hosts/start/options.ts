/** The client's initialization options, of which what is wrong is left out: a server with fewer options still serves. */
import type { InitializationOptions } from '../../protocol.ts';
import { flag, isRecord, oneOf, type Shape, text } from './shape.ts';

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
