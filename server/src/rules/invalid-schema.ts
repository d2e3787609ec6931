import type { Draft } from '../finding.ts';
import type { SchemaProblem } from '../languages/schema/schema.ts';
import { removeEntry, setScalar } from '../languages/yaml/edit.ts';
import { mapsByKeyOffset } from '../languages/yaml/node.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { schemaProblems } from './common/schema-problems.ts';
import { fixHere, type Rule } from './rule.ts';

export const invalidSchema: Rule = {
  name: 'invalid-schema',
  number: 'E005',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 3' },
  dialects: ['composer', 'contract', 'catalog'],
  *check(file) {
    for (const problem of schemaProblems(file)) {
      if (problem.rule === undefined) yield draftOf(file, problem);
    }
  },
};

function draftOf(file: SkillFile, problem: SchemaProblem): Draft {
  const { span, message, severity, fix } = problem;
  return {
    span,
    message,
    fixes: fix ? fixHere(file, fix.title, [{ span: fix.span, newText: fix.newText }]) : [],
    ...duplicating(file, problem),
    ...(severity ? { severity } : {}),
  };
}

/** Returns the message and the fixes for a key whose correction is already a key of the same field. */
function duplicating(file: SkillFile, { span, fix }: SchemaProblem): Pick<Draft, 'message' | 'fixes'> | undefined {
  const { text, frontmatter } = file;
  const map = fix && mapsByKeyOffset(frontmatter.tree.root).get(span.start);
  const wrong = map?.entries.find(({ key }) => key.span.start === span.start);
  const right = map?.entries.find((entry) => entry !== wrong && entry.key.value === fix?.newText.split(':')[0]);
  if (!map || !wrong || !right) return undefined;
  const [name, other] = [String(wrong.key.value), String(right.key.value)];
  const removal = removeEntry(text, map, name);
  const contradicts = name === 'optional' && right.value.kind === 'scalar' && right.value.value === true;
  return {
    message: `Unknown key \`${name}\`, and the field already has \`${other}\`. Remove \`${name}\`.`,
    fixes: [
      ...fixHere(file, `Remove \`${name}\``, removal),
      ...(contradicts && right.value.kind === 'scalar' && removal.length > 0
        ? fixHere(file, 'Write `required: false`', [...removal, ...setScalar(text, right.value, false)])
        : []),
    ],
  };
}
