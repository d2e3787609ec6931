/** Writes the `execution` of a composite that has none, or an empty one: its steps in the order of their data, with references to their inputs. */
import { readDataFlow, type VisitedStep } from '../../analysis/data-flow/data-flow.ts';
import { pairsOf } from '../../analysis/data-flow/mappings.ts';
import { packageOf } from '../../analysis/package-of.ts';
import { groupSkillsByStage } from '../../composer/subgraph/execution.ts';
import { printYaml } from '../../languages/schema/schema.ts';
import { insertEntry } from '../../languages/yaml/edit.ts';
import { isNull, type Json, type YamlNode } from '../../languages/yaml/node.ts';
import { findSkillEntry } from '../../skill/contract.ts';
import { unedited, withEdits } from '../../skill/edited-file.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { applyEdits, lineBreakOf, span, touches } from '../../text.ts';
import { isSkillDialect } from '../../vocabulary/dialect.ts';
import type { Refactoring, RefactoringContext } from './refactoring.ts';

/** Applies to `composes` of a skill without steps in `execution`, if its skills do not wait for stages of an approach. */
export const writeSteps: Refactoring = {
  kind: 'refactor.rewrite',
  rewrite(context) {
    const { file, selection } = context;
    const { frontmatter, contract, dialect, text } = file;
    const { root, broken } = frontmatter.tree;
    const composes = findSkillEntry(root, 'composes');
    const execution = findSkillEntry(root, 'execution');
    const isHere = [composes, execution].some((entry) => entry && touches(entry.span, selection.start));
    if (!composes || !isHere || root?.kind !== 'map') return undefined;
    if (!isSkillDialect(dialect) || broken || contract.backed || (execution && !isEmpty(execution.value)))
      return undefined;
    const steps = stepsOf(context);
    if (!steps || steps.length === 0) return undefined;
    const lines = `\n  ${printYaml(steps).replaceAll('\n', '\n  ')}`;
    const edits = execution
      ? [{ span: span(execution.key.span.end + 1, execution.value.span.end), newText: inLinesOf(text, lines) }]
      : insertEntry(text, root, 'execution', lines, { after: 'composes' });
    const result = withEdits(unedited(file), edits);
    return result && { title: 'Write out the steps of `composes`', result };
  },
};

const isEmpty = (value: YamlNode): boolean => isNull(value) || (value.kind === 'list' && value.items.length === 0);

/** Returns a file whose `execution` is an empty list as a file without steps, which run in the order of their data. */
function withoutEmptyList(file: SkillFile): SkillFile {
  const list = findSkillEntry(file.frontmatter.tree.root, 'execution')?.value;
  return list?.kind === 'list' ? file.edited(applyEdits(file.text, [{ span: list.span, newText: '' }])) : file;
}

const inLinesOf = (text: string, lines: string): string => lines.replaceAll('\n', lineBreakOf(text));

/** Returns the steps of the `execution`; undefined if the order is not known, or depends on stages. */
function stepsOf({ analysis, file }: RefactoringContext): readonly Json[] | undefined {
  const own = packageOf(analysis, file.uri, () => []);
  const visits = readDataFlow(analysis, withoutEmptyList(file))?.visits ?? [];
  if (!own || own.composes.some((one) => typeof one.package === 'string')) return undefined;
  const stages = own.artifacts.flatMap(({ stages: of }) => of);
  const groups = groupSkillsByStage(own, stages);
  if (groups.some(({ stage }) => stage > 0)) return undefined;
  const steps = groups.map(({ entries }) =>
    entries.flatMap(({ step }) => visits.filter(({ entry }) => entry.step === step).map(stepOf)),
  );
  if (steps.flat().length !== file.contract.composes.length) return undefined;
  return steps.map((group) => (group.length > 1 ? { parallel: group } : (group[0] ?? null)));
}

/** Returns a step, with references to the values that its inputs get by their names. A mapping stays in `composes`. */
function stepOf({ entry, input, flow }: VisitedStep): Json {
  const mapped = new Set(pairsOf(entry.inputMapping).map(({ to }) => to));
  const inputs = (input?.fields ?? []).flatMap(({ name }) => {
    const [value, ...others] = flow.values.get(name) ?? [];
    if (!value || others.length > 0 || mapped.has(name)) return [];
    const source = value.entry ? `$${value.entry.step}.output.${value.field.name}` : `$input.${name}`;
    return [[name, source] as const];
  });
  return { step: entry.step, ...(inputs.length > 0 && { inputs: Object.fromEntries(inputs) }) };
}
