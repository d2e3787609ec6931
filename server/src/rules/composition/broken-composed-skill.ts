import type { Analysis } from '../../analysis/analysis.ts';
import { resolvedSkill } from '../../analysis/composed-skills.ts';
import { placesHere } from '../../finding.ts';
import { type ComposesEntry, findSkillEntry } from '../../skill/contract.ts';
import { callsIn, readExecution } from '../../skill/execution/execution.ts';
import { groupBy } from '../../skill/mentions.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { resolveUse } from '../../workspace/resolve-skill.ts';
import type { IndexedSkill } from '../../workspace/workspace-index.ts';
import { type Rule, SKILLS } from '../engine/rule.ts';
import { firstFaultOfComposedSkill } from './composition-faults.ts';

/** Reports a composed skill that no invocation can compose, once for each skill. */
export const brokenComposedSkill: Rule = {
  name: 'broken-composed-skill',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/composer.md, step 5' },
  dialects: SKILLS,
  about: 'composition',
  *check(file, analysis, table) {
    const root = resolvedSkill(analysis, file);
    if (!root) return;
    const wayBack = analysis.graph.waysBackOf(root);
    for (const [first, ...others] of groupBy(runEntries(analysis, file, root), ({ skill }) => skill.uri).values()) {
      const { uri } = first.skill;
      // `circular-dependency` reports a skill that composes this one.
      const fault = wayBack(uri) ? undefined : firstFaultOfComposedSkill(analysis, uri, table);
      if (!fault) continue;
      const { name, span } = first.entry;
      yield {
        span,
        message: `\`${name}\` cannot be composed, so this skill cannot run. Correct \`${name}\`: ${fault.message}`,
        related: [
          { uri, span: fault.span, message: `The error of \`${name}\`` },
          ...placesHere(
            file,
            others.map(({ entry }) => entry),
            `\`${name}\` is also composed here`,
          ),
        ],
      };
    }
  },
};

/** Returns the entries of `composes` that a run uses, with their skills. */
function runEntries({ graph }: Analysis, { text, contract, frontmatter }: SkillFile, root: IndexedSkill) {
  const execution = findSkillEntry(frontmatter.tree.root, 'execution')?.value;
  const steps =
    execution?.kind === 'list' && new Set(callsIn(readExecution(text, execution)).map(({ step }) => step.name));
  const isRun = ({ step }: ComposesEntry): boolean => !steps || steps.has(step);
  const known = new Map(graph.composedSkillsOf(root).map(({ entry, skill }) => [entry, skill]));
  return contract.composes.flatMap((entry, at) => {
    const skill = isRun(entry) ? (known.get(at) ?? resolveUse(graph, root, entry.name)?.skill) : undefined;
    return skill ? [{ entry, skill }] : [];
  });
}
