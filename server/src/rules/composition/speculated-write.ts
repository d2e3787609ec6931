import { composedSkills, nameOf, placeIn } from '../../analysis/composed-skills.ts';
import { placesHere } from '../../finding.ts';
import { findSkillEntry } from '../../skill/contract.ts';
import { callsIn, readExecution } from '../../skill/execution/execution.ts';
import { effectiveContract } from '../../workspace/effective-contract.ts';
import { type Rule, SKILLS } from '../engine/rule.ts';

/** Reports a speculated step that writes and may be cancelled, because cancelling does not undo what it has written. */
export const speculatedWrite: Rule = {
  name: 'speculated-write',
  severity: 'warning',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4, "Execution"' },
  dialects: SKILLS,
  about: 'composition',
  *check(file, analysis) {
    const calls = callsIn(readExecution(file.text, findSkillEntry(file.frontmatter.tree.root, 'execution')?.value));
    if (calls.every(({ keepWhen }) => !keepWhen)) return;
    const composed = new Map(composedSkills(analysis, file).map((entry) => [entry.step, entry.skill]));
    for (const { step, keepWhen } of calls) {
      const skill = keepWhen && composed.get(step.name);
      if (!skill) continue;
      const closure = [skill, ...analysis.graph.closureOf(skill)];
      const { operation, effects } = effectiveContract(closure, analysis.operationOfTool);
      const writer = operation?.name === 'WRITE' ? operation.by : effects.get('Mutate');
      if (!writer) continue;
      yield {
        span: step.span,
        message: `\`${step.name}\` writes, and may be cancelled after it has written. Run it after the \`until\` step, or remove \`keep_when\`.`,
        related: [
          ...placesHere(file, [keepWhen], 'This condition may cancel it'),
          ...placeIn(analysis, writer, ({ name }) => name, `\`${nameOf(writer)}\` writes`),
        ],
      };
    }
  },
};
