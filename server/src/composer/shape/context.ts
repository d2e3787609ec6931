/** What is known where the shape of one skill is built: of the top-level skill, or of a composed one. */

import type { Json } from '../../languages/yaml/node.ts';
import type { InvocationSource, PackageArtifact, PackageSkill, Place, SkillPackage } from '../../skill/package.ts';
import type { CapabilitySet, ComposeError, Decision, Limits, SubgraphShape } from '../composition.ts';
import type { ConditionContext } from '../conditions.ts';
import type { TemplateEngine } from '../render/engine.ts';
import type { Graph } from './graph.ts';

/** The same for all shapes of a composition. */
interface SharedContext {
  readonly engine: TemplateEngine;
  readonly capabilities: CapabilitySet;
  readonly source: InvocationSource;
  readonly limits: Limits;
  /** `scope`, `source` and `model`, which are the same at every depth. */
  readonly ambient: ConditionContext;
  /** By a key that is the same for the same decision. */
  readonly decisions: Map<string, Decision>;
  readonly errors: Map<string, ComposeError>;
  /** How many nested shapes there are so far. */
  nested: number;
  readonly buildShape: (
    context: ShapeContext,
    tools: readonly string[],
    approach: PackageArtifact | undefined,
  ) => SubgraphShape;
}

export interface ShapeContext {
  readonly shared: SharedContext;
  readonly skillPackage: SkillPackage;
  /** The graph of this skill, while it is built. */
  readonly graph: Graph;
  /** The composed skills from the top-level file's entry down to this one; empty at the top. */
  readonly path: readonly PackageSkill[];
  /** Where errors of composed skills are shown: the entry in the top-level file. Undefined at the top. */
  readonly topEntry: Place | undefined;
  /** The inputs whose values are known before the run. */
  readonly knownInput: Readonly<Record<string, Json>>;
  /** The inputs whose values come only at run time. */
  readonly runtimeInput: ReadonlySet<string>;
  /** The names of the flow whose values come only at run time: inputs, and outputs of earlier steps. It grows. */
  readonly runtimeNames: Set<string>;
}

/** Adds a decision, once for a skill that several paths lead to. */
export function addDecision(
  { shared, skillPackage }: ShapeContext,
  decision: Omit<Decision, 'uri' | 'artifact'> & Partial<Pick<Decision, 'artifact'>>,
): void {
  const { span, subject, name, taken, reason } = decision;
  const key = [skillPackage.uri, span.start, span.end, subject, name, taken, reason].join('\n');
  if (shared.decisions.has(key)) return;
  shared.decisions.set(key, { uri: skillPackage.uri, artifact: undefined, ...decision });
}

/**
 * Adds an error, at its own place where the skill is the top one, else at the top-level entry that leads to it. `path` is
 * named in the message.
 */
export function addError(context: ShapeContext, error: Omit<ComposeError, 'uri'>, path = context.path): void {
  const { shared, skillPackage, topEntry } = context;
  const own = { ...error, uri: skillPackage.uri };
  const names = path.map(({ name }) => `\`${name}\``).join(' → ');
  const message = names === '' ? error.message : `${error.message} It is reached through ${names}.`;
  const shown = topEntry ? { ...own, ...topEntry, message } : own;
  const key = [skillPackage.uri, shown.span.start, shown.span.end, error.kind, error.subject].join('\n');
  if (!shared.errors.has(key)) shared.errors.set(key, shown);
}
