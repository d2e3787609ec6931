/** Reads a `retry`: of a skill, of its policy or of a step (docs/format.md, section 2, "Retry"). */
import {
  findEntry,
  findValue,
  stringOf,
  type YamlEntry,
  type YamlNode,
  type YamlScalar,
} from '../languages/yaml/node.ts';
import { namesOf } from './contract.ts';

/** How often and when a failed run is retried. */
export interface Retry {
  /** The number of attempts, including the first. With 1, a failed run is not retried. */
  readonly maxAttempts: number;
  readonly backoff: string | undefined;
  /** The codes of the errors that are retried; empty for all errors. */
  readonly retryOn: readonly string[];
}

/** The two keys that set the number of attempts, and the number of the first attempt that they do not count. */
const KEYS = [
  ['max_attempts', 0],
  ['attempts', 1],
] as const;

/**
 * Returns the entry of a `retry` that sets the number of attempts: `max_attempts`, else `attempts`; undefined without
 * either (docs/format.md, section 2, "Retry").
 */
export const attemptsEntry = (retry: YamlNode | undefined): YamlEntry | undefined =>
  KEYS.map(([key]) => findEntry(retry, key)).find((entry) => entry !== undefined);

/**
 * Returns the number of attempts of a `retry`, including the first, with its node; undefined without a number
 * (docs/format.md, section 2, "Retry").
 */
export function attemptsOf(
  retry: YamlNode | undefined,
): { readonly max: number; readonly node: YamlScalar } | undefined {
  for (const [key, uncounted] of KEYS) {
    const node = findValue(retry, key);
    if (node?.kind === 'scalar' && typeof node.value === 'number') return { max: node.value + uncounted, node };
  }
  return undefined;
}

/**
 * Reads a retry (docs/format.md, section 2, "Retry"). Returns undefined without a number of attempts. Never throws.
 */
export function readRetry(node: YamlNode | undefined): Retry | undefined {
  const maxAttempts = attemptsOf(node)?.max ?? 0;
  if (!Number.isFinite(maxAttempts) || maxAttempts < 1) return undefined;
  return {
    maxAttempts,
    backoff: stringOf(findValue(node, 'backoff')),
    retryOn: namesOf(findValue(node, 'retry_on')).map(({ name }) => name),
  };
}
