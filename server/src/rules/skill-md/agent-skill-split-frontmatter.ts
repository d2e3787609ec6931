import type { Fix } from '../../finding.ts';
import { fixHere } from '../../finding.ts';
import { findEntry } from '../../languages/yaml/node.ts';
import { inWords } from '../../nearest.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { lineBreakOf, sliceOf, span } from '../../text.ts';
import type { Rule } from '../engine/rule.ts';
import { findSecondFrontmatter, nameOf, type SecondFrontmatter, STANDARD } from './entries.ts';

/** Keys after the closing fence, which every client reads as body text. */
export const agentSkillSplitFrontmatter: Rule = {
  name: 'agent-skill-split-frontmatter',
  severity: 'warning',
  evidence: { kind: 'spec', source: STANDARD },
  dialects: ['agent-skill'],
  *check(file) {
    const second = file.derive(findSecondFrontmatter);
    const [first] = second?.entries ?? [];
    if (!second || !first) return;
    const names = second.entries.slice(0, MAX_NAMED).map(nameOf);
    const isOne = second.entries.length === 1;
    const { root } = file.frontmatter.tree;
    const twice = second.entries.filter((entry) => findEntry(root, nameOf(entry)));
    const advice =
      twice.length > 0
        ? `The frontmatter already has ${inWords(twice.slice(0, MAX_NAMED).map(nameOf), 'and')}: keep ${twice.length === 1 ? 'it' : 'each of them'} only once.`
        : `Move ${isOne ? 'it' : 'them'} above that line.`;
    yield {
      span: first.key.span,
      about: second.entries.map(nameOf),
      message: `${inWords(names, 'and')}${second.entries.length > MAX_NAMED ? ' and more' : ''} ${isOne ? 'is' : 'are'} after the \`---\` that ends the frontmatter, so clients read ${isOne ? 'it' : 'them'} as body text. ${advice}`,
      fixes: twice.length > 0 ? [] : joinParts(file, second),
    };
  },
};

const MAX_NAMED = 6;

/**
 * Returns the fix that joins the two parts of the frontmatter. If the second part has a closing fence, only the text
 * between the parts is removed.
 */
function joinParts(file: SkillFile, { content, gap, hasClose }: SecondFrontmatter): readonly Fix[] {
  const title = 'Join the two parts of the frontmatter';
  if (hasClose) return fixHere(file, title, [{ span: gap, newText: '' }]);
  const { text } = file;
  const lines = sliceOf(text, content);
  const newText = /[\r\n]$/.test(lines) ? lines : `${lines}${lineBreakOf(text)}`;
  const close = span(gap.start, gap.start);
  return fixHere(file, title, [
    { span: close, newText },
    { span: content, newText: '' },
  ]);
}
