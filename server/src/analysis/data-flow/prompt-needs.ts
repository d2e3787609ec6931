/**
 * The optional inputs without which the prompt of a skill always fails, so that its composites must pass them (docs/format.md,
 * section 4, "Gaps").
 */
import type { Node } from '../../languages/minijinja/ast.ts';
import type { SkillTemplate } from '../../skill/artifact-data.ts';
import { readProse } from '../../skill/read-package.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { type Span, shift } from '../../text.ts';
import { TEMPLATE_VARIABLES } from '../../vocabulary/known-names.ts';
import type { Analysis } from '../analysis.ts';
import type { Side } from './fields.ts';

/** The span of the first use of each input, by the name of the input. */
export type PromptNeeds = ReadonlyMap<string, Span>;

/** Returns the needs of the prompt of the skill at `uri`. Reads only what every rendering of its framing evaluates. */
export const promptNeeds = (analysis: Analysis, uri: string): PromptNeeds =>
  analysis.keep(promptNeeds, uri, needsOf) ?? new Map();

/** Returns the input of a skill, in which the inputs that its prompt needs are required at their first use. */
export function withPromptNeeds(input: Side | undefined, needs: PromptNeeds): Side | undefined {
  if (!input || needs.size === 0) return input;
  const fields = input.fields.map((field) => {
    const use = needs.get(field.name);
    return use && !field.isRequired && !field.hasDefault
      ? { ...field, isRequired: true, isForPrompt: true as const, span: use }
      : field;
  });
  return { ...input, fields };
}

function needsOf(file: SkillFile): PromptNeeds {
  const template = framingOf(file);
  const needs = new Map<string, Span>();
  const defined = new Set(
    template?.source.scopes.uses.flatMap(({ span, variable }) => (variable ? [span.start] : [])) ?? [],
  );
  for (const node of template?.source.template.nodes ?? []) {
    const printed = printedBy(node);
    if (!template || printed?.kind !== 'name' || defined.has(printed.span.start) || needs.has(printed.name)) continue;
    if (AMBIENT.has(printed.name)) continue;
    needs.set(printed.name, shift(printed.span, template.span.start));
  }
  return needs;
}

const AMBIENT: ReadonlySet<string> = new Set(TEMPLATE_VARIABLES.map(({ name }) => name));

/** Returns the expression that a node outside of all blocks prints or loops over. Both fail for an undefined value. */
const printedBy = (node: Node) =>
  node.kind === 'output' ? node.value : node.kind === 'for' && !node.recursive ? node.iterable : undefined;

/** Returns the template of the framing, if it has no variants (docs/composer.md, step 2). */
function framingOf(file: SkillFile): SkillTemplate | undefined {
  const { body, contract, dialect, templates } = file;
  if (dialect === 'agent-skill' || !body || templates.length === 0) return undefined;
  if (!contract.framing && readProse(file, body.framing).length > 0) return undefined;
  const names = new Set(templates.map(({ artifact }) => artifact.name));
  const name = contract.framing?.name ?? (names.size === 1 ? [...names][0] : undefined);
  const [only, variant] = templates.filter(({ artifact }) => artifact.name === name);
  return variant ? undefined : only;
}
