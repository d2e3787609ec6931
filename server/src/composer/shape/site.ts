/** Where in the tree of composed skills a shape is made, and what is gathered on the way. */

import type { Json } from '../../languages/yaml/node.ts';
import type { InvocationSource, PackageSkill, Place, SkillPackage } from '../../skill/package.ts';
import type { CapabilitySet, ComposeError, Decision, Limits } from '../composition.ts';
import type { ConditionContext } from '../conditions.ts';

/** One for all shapes of a composition. */
export interface Gathering {
  readonly capabilities: CapabilitySet;
  readonly source: InvocationSource;
  readonly limits: Limits;
  /** `scope`, `source` and `model`, which are the same at every depth. */
  readonly ambient: ConditionContext;
  readonly decisions: Map<string, Decision>;
  readonly errors: Map<string, ComposeError>;
  /** How many nested shapes there are by now. */
  nested: number;
}

export interface Site {
  readonly gathering: Gathering;
  readonly skillPackage: SkillPackage;
  /** The composed skills from the top-level file's entry down to this one; empty at the top. */
  readonly through: readonly PackageSkill[];
  /** Where errors of composed skills are shown: the entry in the top-level file. Undefined at the top. */
  readonly entry: Place | undefined;
  /** The inputs whose values are known before the run. */
  readonly input: Readonly<Record<string, Json>>;
  /** The inputs whose values come only at run time. */
  readonly lateInput: ReadonlySet<string>;
  /** The names of the flow whose values come only at run time: late inputs, and what earlier steps put out. It grows. */
  readonly late: Set<string>;
}

/** A skill that several paths lead to is decided upon in the same way each time; once is enough. */
export function decide(
  { gathering, skillPackage }: Site,
  decision: Omit<Decision, 'uri' | 'artifact'> & Partial<Pick<Decision, 'artifact'>>,
): void {
  const { span, subject, name, taken, reason } = decision;
  const key = [skillPackage.uri, span.start, span.end, subject, name, taken, reason].join('\n');
  if (gathering.decisions.has(key)) return;
  gathering.decisions.set(key, { uri: skillPackage.uri, artifact: undefined, ...decision });
}

/**
 * At the top an error stands at its own place; that of a composed skill at the top-level entry that leads there, with the
 * skills of `path` as the way.
 */
export function report(site: Site, error: Omit<ComposeError, 'uri'>, path = site.through): void {
  const { gathering, skillPackage, entry } = site;
  const own = { ...error, uri: skillPackage.uri };
  const way = path.map(({ name }) => `\`${name}\``).join(' → ');
  const message = way === '' ? error.message : `${error.message} It is reached through ${way}.`;
  const shown = entry ? { ...own, ...entry, message } : own;
  const key = [skillPackage.uri, shown.span.start, shown.span.end, error.kind, error.subject].join('\n');
  if (!gathering.errors.has(key)) gathering.errors.set(key, shown);
}
