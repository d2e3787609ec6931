import { findInvisible, type InvisibleText } from '../abilities/invisible.ts';
import { fixHere, type Rule } from './rule.ts';

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
        message: `${told(found)} Remove what is not meant to be here.`,
        fixes: fixHere(file, 'Remove the invisible characters', [{ span: found.span, newText: '' }]),
      };
    }
  },
};

/** Of a longer text the beginning is told. */
const MAX_SPELLED = 100;

function told({ kind, spells }: InvisibleText): string {
  if (kind === 'tag') {
    const text = spells === '' ? '' : `: \`${spells.slice(0, MAX_SPELLED).replaceAll('`', "'")}\``;
    return `Tag characters stand here, which nobody sees and a model may read${text}.`;
  }
  if (kind === 'bidirectional')
    return 'A bidirectional control stands here: the text is shown in another order than a model reads it.';
  if (kind === 'selector')
    return 'Variation selectors follow each other here; nobody sees them, and they can hold a text.';
  return 'A character without width stands here: nobody sees it, and searches and commands that are copied fail at it.';
}
