/** Reads the conditions of a skill: expressions of the template language in YAML (docs/format.md, section 5). */
import { parseExpression, type TemplateExpression } from '../languages/minijinja/parser.ts';
import { resolveScopes, type Scopes } from '../languages/minijinja/scopes.ts';
import { findValue, type YamlNode, type YamlScalar } from '../languages/yaml/node.ts';
import { sourceSpan } from '../languages/yaml/source-spans.ts';
import type { Span } from '../text.ts';
import type { ArtifactMetadata } from './artifact-data.ts';
import type { Artifact } from './body.ts';
import { findSkillEntry, type SkillContract } from './contract.ts';
import { referencesInCondition } from './execution/execution.ts';

export interface Condition {
  readonly place: 'include_when' | 'interrupt' | 'execution';
  /** The artifact of an `include_when`. */
  readonly artifact: Artifact | undefined;
  readonly scalar: YamlScalar;
  /**
   * The expression. The spans in it are offsets in the value of the scalar, which `inFile` converts to offsets in the
   * file.
   */
  readonly expression: TemplateExpression;
  readonly scopes: Scopes;
}

/** Converts a span in the condition's value to a span in the file `text`. */
export const inFile = (text: string, condition: Condition, { start, end }: Span): Span =>
  sourceSpan(text, condition.scalar, start, end);

/**
 * Returns all conditions of a skill, in the order interrupts, `execution`, artifacts (docs/format.md, section 5).
 * `root` is the frontmatter. Never throws.
 */
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

/**
 * The length of the longest expression that is read, in UTF-16 code units. Finding the parts of a longer expression is
 * slow.
 */
export const MAX_CONDITION_LENGTH = 10_000;

function conditionOf(place: Condition['place'], node: YamlNode | undefined, artifact?: Artifact): Condition[] {
  if (node?.kind !== 'scalar' || typeof node.value !== 'string') return [];
  const { length } = node.value;
  const isLong = length > MAX_CONDITION_LENGTH;
  const source = isLong ? '' : place === 'execution' ? withPlainReferences(node.value) : node.value;
  const parsed = parseExpression(source);
  const message = 'A condition may have at most 10,000 characters. Shorten it.';
  const problem = { kind: 'unexpected', span: { start: 0, end: length }, message, related: [] } as const;
  const expression = isLong ? { ...parsed, problems: [problem] } : parsed;
  return [{ place, artifact, scalar: node, expression, scopes: resolveScopes(expression) }];
}

/** Returns every `condition` and `keep_when` of an `execution`, at any depth, in order. */
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

/** Returns the name of a step, or a reference without its `$`, in the form that the expression grammar supports. */
export const plainName = (name: string): string => `_${name.replaceAll('-', '_')}`;

/**
 * Replaces step references (`$analyze-security.output`) with names of the same length that the expression grammar
 * supports (`_analyze_security.output`), so that all offsets stay the same.
 */
export function withPlainReferences(source: string): string {
  let plain = source;
  for (const { index, whole } of referencesInCondition(source)) {
    plain = plain.slice(0, index) + plainName(whole.slice(1)) + plain.slice(index + whole.length);
  }
  return plain;
}
