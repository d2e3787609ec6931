import type { Analysis } from '../../analysis/analysis.ts';
import { sidesOf } from '../../analysis/data-flow/fields.ts';
import { pairsOf } from '../../analysis/data-flow/mappings.ts';
import type { Draft } from '../../finding.ts';
import { fixHere, placesHere } from '../../finding.ts';
import { removeEntry } from '../../languages/yaml/edit.ts';
import { repeatedTargets } from '../../skill/execution/name-problems.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { type Rule, SKILLS } from '../engine/rule.ts';

/** Reports two values that are mapped to the same input, and two outputs that are mapped to the same name. */
export const duplicateMapping: Rule = {
  name: 'duplicate-mapping',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4, "Mappings"' },
  dialects: SKILLS,
  about: 'composition',
  prevents: ['composition'],
  *check(file, analysis) {
    for (const { mapping, span, from, first, message, advice } of repeatedTargets(file)) {
      yield {
        span,
        message: `${message} ${advice}`,
        related: placesHere(file, [{ span: first }], 'The other mapping'),
        fixes: fixHere(file, `Remove \`${from}\` from the mapping`, removeEntry(file.text, mapping, from)),
      };
    }
    yield* takenOutputs(analysis, file);
  },
};

/** Reports an output that is mapped to the name of another output of the same skill. */
function* takenOutputs(analysis: Analysis, file: SkillFile): Iterable<Draft> {
  const repeated = new Set(repeatedTargets(file).map(({ span }) => span.start));
  for (const { name, step, outputMapping } of file.contract.composes) {
    const pairs = pairsOf(outputMapping);
    const composed = pairs.length > 0 ? analysis.resolveSide(file, name, 'output') : undefined;
    const fields = (composed && sidesOf(composed).output?.fields) ?? [];
    for (const { from, to, toSpan } of pairs) {
      if (repeated.has(toSpan.start)) continue;
      const other = fields.find((field) => field.name === to);
      if (!other || pairs.some((pair) => pair.from === to) || !fields.some((field) => field.name === from)) continue;
      yield {
        span: toSpan,
        message: `The output \`${from}\` of \`${step}\` is mapped to \`${to}\`, which is another output of this step. Choose another name.`,
        related: [{ uri: other.uri, span: other.span, message: `The output \`${to}\`` }],
      };
    }
  }
}
