/** The conditions of a skill: expressions of the template language that stand in YAML (docs/format.md, section 5). */
import { parseExpression, type TemplateExpression } from '../languages/minijinja/parser.ts';
import { resolveScopes, type Scopes } from '../languages/minijinja/scopes.ts';
import { findValue, type YamlNode, type YamlScalar } from '../languages/yaml/node.ts';
import { sourceSpan } from '../languages/yaml/source-spans.ts';
import type { Span } from '../text.ts';
import type { ArtifactMetadata } from './artifact-data.ts';
import type { Artifact } from './body.ts';
import { findSkillEntry, type SkillContract } from './contract.ts';

export interface Condition {
  readonly place: 'include_when' | 'interrupt' | 'execution';
  /** The artifact whose `include_when` it is. */
  readonly artifact: Artifact | undefined;
  readonly scalar: YamlScalar;
  /** Parsed from the scalar's value; its spans are offsets in that value. `inFile` gives their places. */
  readonly expression: TemplateExpression;
  readonly scopes: Scopes;
}

/** The place in the file of a stretch of the condition's value. */
export const inFile = (text: string, condition: Condition, { start, end }: Span): Span =>
  sourceSpan(text, condition.scalar, start, end);

export function readConditions(
  root: YamlNode | undefined,
  contract: SkillContract,
  metadata: readonly ArtifactMetadata[],
): readonly Condition[] {
  return [
    ...contract.interrupts.flatMap(({ when }) => conditionOf('interrupt', when)),
    ...executionConditions(findSkillEntry(root, 'execution')?.value),
    ...metadata.flatMap(({ artifact, tree }) =>
      tree.broken ? [] : conditionOf('include_when', findValue(tree.root, 'include_when'), artifact),
    ),
  ];
}

/** Of a longer expression no places are given: finding each would take long. */
const MAX_LENGTH = 10_000;

function conditionOf(place: Condition['place'], node: YamlNode | undefined, artifact?: Artifact): Condition[] {
  if (node?.kind !== 'scalar' || typeof node.value !== 'string') return [];
  if (node.value.length > MAX_LENGTH) return [];
  const source = place === 'execution' ? withPlainReferences(node.value) : node.value;
  const expression = parseExpression(source);
  return [{ place, artifact, scalar: node, expression, scopes: resolveScopes(expression) }];
}

/** Every `condition` and `keep_when` below an `execution` block, at any depth, in order. */
function executionConditions(node: YamlNode | undefined): Condition[] {
  if (node?.kind === 'list') return node.items.flatMap(executionConditions);
  if (node?.kind !== 'map') return [];
  return node.entries.flatMap(({ key, value }) =>
    key.value === 'condition' || key.value === 'keep_when'
      ? conditionOf('execution', value)
      : key.value === 'inputs'
        ? []
        : executionConditions(value),
  );
}

/**
 * Step references (`$analyze-security.output`) as names of the same length that the expression grammar knows
 * (`_analyze_security.output`), so that every offset stays true.
 */
const withPlainReferences = (source: string): string =>
  source.replace(/\$[A-Za-z_][\w-]*/g, (reference) => `_${reference.slice(1).replaceAll('-', '_')}`);
