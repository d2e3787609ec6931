import { findInvisible, type InvisibleText } from '../../abilities/invisible.ts';
import { fixHere } from '../../finding.ts';
import type { Rule } from '../engine/rule.ts';

export const invisibleText: Rule = {
  name: 'invisible-text',
  severity: 'hint',
  evidence: { kind: 'spec', source: 'Unicode Technical Report 36, https://www.unicode.org/reports/tr36/' },
  dialects: ['agent-skill'],
  readsBroken: true,
  *check(file) {
    for (const found of findInvisible(file.text)) {
      yield {
        span: found.span,
        message: `${describe(found)} Remove it if it is not intended.`,
        fixes: fixHere(file, 'Remove the invisible characters', [{ span: found.span, newText: '' }]),
      };
    }
  },
};

/** The length of the longest text that a message shows, in UTF-16 code units. */
const MAX_SPELLED = 100;

function describe({ kind, spells }: InvisibleText): string {
  if (kind === 'tag') {
    const text = spells === '' ? '' : `: \`${spells.slice(0, MAX_SPELLED).replaceAll('`', "'")}\``;
    return `Invisible text in tag characters, which a model may read${text}.`;
  }
  if (kind === 'bidirectional')
    return 'Bidirectional control character: the text is displayed in a different order from the one that a model reads.';
  if (kind === 'selector') return 'Invisible sequence of variation selectors, which can hide text.';
  return 'Invisible zero-width character, which breaks searches and copied commands.';
}
