import { findValue, type YamlNode } from '../languages/yaml/node.ts';
import { sliceOf } from '../text.ts';
import { setLevel } from './common/levels.ts';
import { valueProblems } from './common/shape-problems.ts';
import { type Rule, SKILLS } from './rule.ts';

export const invalidLevel: Rule = {
  name: 'invalid-level',
  number: 'E009',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4' },
  dialects: SKILLS,
  *check(file) {
    const node = findValue(file.frontmatter.tree.root, 'level');
    for (const { span } of valueProblems(file, 'invalid-level')) {
      const level = node && meantLevel(node);
      yield {
        span,
        message: `${quoted(sliceOf(file.text, span))} is no level. Write the number 1 (atomic, composes nothing), 2 (composite, composes level 1) or 3 (workflow, composes levels 1 and 2).`,
        fixes: level ? setLevel(file, level, `Set the level to ${level}`) : [],
      };
    }
  },
};

const quoted = (source: string): string => (/^[^\r\n]{1,40}$/.test(source) ? `\`${source}\`` : 'This');

const WORDS: ReadonlyMap<string, number> = new Map(Object.entries({ atomic: 1, composite: 2, workflow: 3 }));

/** The nearest level to a number, or the one that `L2` or `composite` names; undefined where none is meant. */
function meantLevel(node: YamlNode): number | undefined {
  if (node.kind !== 'scalar') return undefined;
  if (typeof node.value === 'number') return Math.min(3, Math.max(1, Math.round(node.value)));
  const word = String(node.value).trim().toLowerCase();
  const digit = /^(?:l|level)?[ _-]?([123])(?:\.0+)?$/.exec(word)?.[1];
  return digit ? Number(digit) : WORDS.get(word);
}
