/** Decides whether a caller may use a tool (docs/composer.md, "Request and result"). Never widens capabilities. */
import type { InvocationSource, PackageTool } from '../skill/package.ts';
import { AUTHORING_TOOLS } from '../vocabulary/known-names.ts';
import type { CapabilitySet } from './composition.ts';

interface Availability {
  readonly available: boolean;
  /** A clause without a period, for example `night-desk lacks write:candidates`. */
  readonly reason: string;
}

/** Returns whether a tool is available to a caller, with the reason in both cases. */
export function availabilityOf(
  { name, descriptor }: PackageTool,
  { caller, tools, scopes }: CapabilitySet,
  source: InvocationSource,
): Availability {
  const who = caller ?? 'the caller';
  if (!descriptor) return refused('the catalog has no tool with this name');
  if (source !== 'authoring' && AUTHORING_TOOLS.includes(name))
    return refused('only invocations with the source authoring may use it');
  if (tools !== 'all' && !tools.includes(name)) return refused(`${who} may not use it`);
  const lacking = scopes === 'all' ? [] : descriptor.scopes.filter((scope) => !scopes.includes(scope));
  if (lacking.length > 0) return refused(`${who} lacks ${listOf(lacking)}`);
  const isKnown = caller !== undefined || tools !== 'all' || scopes !== 'all';
  return {
    available: true,
    reason: isKnown ? `declared, and available to ${who}` : 'declared, and available without a caller',
  };
}

const refused = (reason: string): Availability => ({ available: false, reason });

const listOf = (names: readonly string[]): string =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
