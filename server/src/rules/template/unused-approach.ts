import type { Fix } from '../../finding.ts';
import { fixHere } from '../../finding.ts';
import { findValue } from '../../languages/yaml/node.ts';
import type { Artifact } from '../../skill/body.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { lineBreakOf, sliceOf, span } from '../../text.ts';
import type { Rule } from '../engine/rule.ts';

/** Reports an Approach that is never chosen, because an earlier one is always chosen. */
export const unusedApproach: Rule = {
  name: 'unused-approach',
  severity: 'warning',
  evidence: { kind: 'spec', source: 'docs/composer.md, step 5' },
  dialects: ['composer'],
  *check(file) {
    const approaches = file.body?.artifacts.filter(({ kind }) => kind === 'Approach') ?? [];
    const at = approaches.findIndex((approach) => isAlwaysChosen(file, approach));
    const first = approaches[at];
    if (!first) return;
    for (const approach of approaches.slice(at + 1)) {
      const advice = isAlwaysChosen(file, approach)
        ? 'Add `include_when` to one of the two, or remove this one.'
        : `Move it before \`${first.name}\`, or add \`include_when\` there.`;
      yield {
        span: approach.nameSpan ?? approach.kindSpan,
        message: `This Approach is never chosen, because \`${first.name}\` comes first and has no condition. ${advice}`,
        tag: 'unnecessary',
        related: [{ uri: file.uri, span: first.heading.textSpan, message: `\`${first.name}\` is always chosen` }],
        fixes: isAlwaysChosen(file, approach) ? [] : moveBefore(file, approach, first),
      };
    }
  },
};

/** Returns whether an Approach has no condition, or only `true`; false if its metadata cannot be read. */
function isAlwaysChosen({ metadata }: SkillFile, artifact: Artifact): boolean {
  const own = metadata.find((one) => one.artifact === artifact);
  if (artifact.metadata && !own) return false;
  if (own?.tree.broken) return false;
  const condition = findValue(own?.tree.root, 'include_when');
  return condition === undefined || (condition.kind === 'scalar' && condition.value === true);
}

function moveBefore(file: SkillFile, { span: from, name }: Artifact, first: Artifact): readonly Fix[] {
  const lineBreak = lineBreakOf(file.text);
  const moved = sliceOf(file.text, from).trimEnd();
  const start = first.span.start;
  return fixHere(file, `Move \`${name}\` before \`${first.name}\``, [
    { span: span(start, start), newText: `${moved}${lineBreak}${lineBreak}` },
    { span: from, newText: '' },
  ]);
}
