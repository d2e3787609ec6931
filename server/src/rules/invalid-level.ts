import type { Analysis } from '../analysis/analysis.ts';
import type { Draft } from '../finding.ts';
import { findValue, type YamlNode } from '../languages/yaml/node.ts';
import { missingKeySpan } from '../skill/head.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { sliceOf } from '../text.ts';
import { declaresLevel, levelAboveComposed, setLevel } from './common/composed-skills.ts';
import { valueProblems } from './common/shape-problems.ts';
import { type Rule, SKILLS } from './rule.ts';

export const invalidLevel: Rule = {
  name: 'invalid-level',
  number: 'E009',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4' },
  dialects: SKILLS,
  *check(file, analysis) {
    yield* unwrittenLevel(analysis, file);
    const node = findValue(file.frontmatter.tree.root, 'level');
    for (const { span } of valueProblems(file, 'invalid-level')) {
      const level = node && guessLevel(node);
      yield {
        span,
        message: `${quoted(sliceOf(file.text, span))} is not a level. Write 1 (atomic, composes nothing), 2 (composite, composes level 1) or 3 (workflow, composes levels 1 and 2).`,
        fixes: level ? setLevel(file, level, `Set the level to ${level}`) : [],
      };
    }
  },
};

/** Reports a composite without a level. If its level would be above 3, `invalid-l3-compose` reports the composed skill. */
function* unwrittenLevel(analysis: Analysis, file: SkillFile): Generator<Draft> {
  const level = declaresLevel(file) ? undefined : levelAboveComposed(analysis, file);
  if (level === undefined || level > 3) return;
  yield {
    severity: 'hint',
    span: missingKeySpan(file),
    message: `This composite has no \`level\`; its composed skills imply level ${level}. Add \`level: ${level}\`, so that a change to them does not change the level.`,
    fixes: setLevel(file, level, `Add \`level: ${level}\``),
  };
}

const quoted = (source: string): string => (/^[^\r\n]{1,40}$/.test(source) ? `\`${source}\`` : 'This');

const WORDS: ReadonlyMap<string, number> = new Map(Object.entries({ atomic: 1, composite: 2, workflow: 3 }));

/** Returns the level nearest to a number, or the level that a word such as `L2` or `composite` names. */
function guessLevel(node: YamlNode): number | undefined {
  if (node.kind !== 'scalar') return undefined;
  if (typeof node.value === 'number') return Math.min(3, Math.max(1, Math.round(node.value)));
  const word = String(node.value).trim().toLowerCase();
  const digit = /^(?:l|level)?[ _-]?([123])(?:\.0+)?$/.exec(word)?.[1];
  return digit ? Number(digit) : WORDS.get(word);
}
