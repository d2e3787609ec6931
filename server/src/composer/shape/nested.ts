/** A composed skill as a node with its own shape: its own tools, bounded by the top-level caller (docs/composer.md, step 5). */

import type { Json } from '../../languages/yaml/node.ts';
import type { PackageArtifact, PackageSkill, Retry, SkillPackage } from '../../skill/package.ts';
import type { SubgraphShape } from '../composition.ts';
import { type ConditionContext, conditionReason, evaluate, firstApproach } from '../conditions.ts';
import { sortKeys } from '../json.ts';
import { addDecision, addError, type ShapeContext } from './context.ts';
import { addNode, newGraph, type OpenEdge, takeSkillId } from './graph.ts';
import { knownInputOf, outputNamesOf } from './known-input.ts';
import { nestedTools } from './tools.ts';

/** Composed skills that compose the same ones multiply with every level; beyond this limit they have no shape. */
const MAX_NESTED = 300;

/** What a step says beyond the entry of `composes` that it runs. */
interface Call {
  readonly span: PackageSkill['span'];
  readonly inputs: Json | undefined;
  readonly retry: Retry | undefined;
}

export function addSkill(
  context: ShapeContext,
  open: readonly OpenEdge[],
  entry: PackageSkill,
  call?: Call,
): readonly OpenEdge[] {
  const { graph, skillPackage, runtimeNames } = context;
  const composed = typeof entry.package === 'string' ? undefined : entry.package;
  const retry = call?.retry ?? composed?.retry;
  const timeoutMs = composed?.timeoutMs;
  const subgraph = shapeNested(context, entry, call?.inputs);
  for (const name of outputNamesOf(entry)) runtimeNames.add(name);
  return addNode(graph, open, {
    id: takeSkillId(graph, entry.step),
    kind: 'skill',
    label: entry.step,
    uri: skillPackage.uri,
    span: call?.span ?? entry.span,
    skill: {
      name: entry.name,
      step: entry.step,
      version: composed?.version,
      inputMapping: sortKeys(entry.inputMapping),
      outputMapping: sortKeys(entry.outputMapping),
      inputs: call?.inputs === undefined ? undefined : sortKeys(call.inputs),
    },
    ...(subgraph && { subgraph }),
    ...(retry && { retry }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
}

/** Undefined where there is no skill to shape, which is an error, or where the limit is reached, which is a decision. */
function shapeNested(context: ShapeContext, entry: PackageSkill, inputs: Json | undefined): SubgraphShape | undefined {
  const composed = entry.package;
  if (typeof composed === 'string') {
    addAbsentError(context, entry, composed);
    return undefined;
  }
  const { shared } = context;
  const nested = nestedContext(context, entry, composed, inputs);
  if (composed.unreadable) {
    addUnreadableError(nested, entry);
    return undefined;
  }
  if (shared.nested >= MAX_NESTED) {
    const reason = `not drawn: the shape holds ${MAX_NESTED} composed skills already`;
    addDecision(context, { span: entry.span, subject: 'skill', name: entry.name, taken: true, reason });
    return undefined;
  }
  shared.nested++;
  return shared.buildShape(nested, nestedTools(nested), chooseKnownApproach(nested));
}

function nestedContext(
  context: ShapeContext,
  entry: PackageSkill,
  composed: SkillPackage,
  inputs: Json | undefined,
): ShapeContext {
  const known = knownInputOf(context, entry, composed, inputs);
  return {
    shared: context.shared,
    skillPackage: composed,
    graph: newGraph(),
    path: [...context.path, entry],
    topEntry: context.topEntry ?? { uri: context.skillPackage.uri, span: entry.span },
    ...known,
    runtimeNames: new Set(known.runtimeInput),
  };
}

function addAbsentError(context: ShapeContext, { name, span }: PackageSkill, why: 'missing' | 'cycle'): void {
  const isCycle = why === 'cycle';
  addError(context, {
    kind: 'MissingRequiredField',
    span,
    subject: name,
    message: isCycle
      ? `The composed skill \`${name}\` leads back to a skill that composes it, so that neither would ever end.`
      : `The composed skill \`${name}\` does not exist, so there is nothing to run in its place.`,
    suggestion: isCycle
      ? 'Take one of the skills out of the circle.'
      : `Create \`${name}\`, or correct its name in \`composes\`.`,
  });
}

function addUnreadableError(nested: ShapeContext, { name }: PackageSkill): void {
  addError(
    nested,
    {
      kind: 'MissingRequiredField',
      span: nested.skillPackage.headSpan,
      subject: name,
      message: `The frontmatter of the composed skill \`${name}\` cannot be read.`,
      suggestion: `Correct the YAML of \`${name}\`.`,
    },
    nested.path.slice(0, -1),
  );
}

/**
 * The first approach whose condition holds for the inputs that are known before the run. One whose condition needs other
 * inputs, or fails, is not taken.
 */
function chooseKnownApproach(context: ShapeContext): PackageArtifact | undefined {
  const { skillPackage, knownInput, runtimeInput, shared } = context;
  const variables: ConditionContext = { ...knownInput, parameters: knownInput, ...shared.ambient };
  const { approach, decisions } = firstApproach(skillPackage, (artifact) => {
    const words = wordsOf(artifact.includeWhen?.source ?? '');
    const awaited = [...runtimeInput].find((name) => words.includes(name));
    if (awaited !== undefined) {
      return { taken: false, reason: `its include_when asks for ${awaited}, which comes only at run time` };
    }
    const result = evaluate(shared.engine, skillPackage.uri, artifact.includeWhen, variables);
    return result.ok
      ? { taken: result.holds, reason: conditionReason(artifact, result.holds, variables) }
      : { taken: false, reason: 'its include_when cannot be judged before the run' };
  });
  for (const decision of decisions) addDecision(context, decision);
  return approach;
}

const wordsOf = (source: string): readonly string[] => source.match(/[\p{L}_][\p{L}\p{N}_-]*/gu) ?? [];
