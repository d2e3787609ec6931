/** The composition graph in words: each skill with all that its card says, what it composes, and who composes it. */

import { type Child, el, link } from '../../kit/dom.ts';
import { t } from '../../kit/l10n.ts';
import type { WirePlace } from '../messages.ts';
import type { Card, Picture } from './drawing.ts';
import { groupedBy } from './rows.ts';
import { edgeSentence, factsOf } from './text.ts';

export type Reveal = (place: WirePlace, focus: boolean) => void;

export function listOf({ cards, byId, lines }: Picture, reveal: Reveal): HTMLElement {
  const parts = groupedBy(lines, ({ edge }) => edge.from);
  const composers = groupedBy(lines, ({ edge }) => edge.to);
  const items = cards.map((card) => {
    const { node } = card;
    return el(
      'li',
      {},
      nameOf(card, reveal),
      ...factsOf(node).map((fact) => el('div', { class: 'detail', text: fact })),
      ...(parts.get(node.id) ?? []).map(({ edge, target, stages }) =>
        el(
          'div',
          { class: 'way' },
          link(edgeSentence(edge, target, stages), t('Go to the entry'), () => reveal(edge, true)),
        ),
      ),
      composedBy(composers.get(node.id) ?? [], byId),
    );
  });
  return el('ul', { class: 'skill-list' }, ...items);
}

function nameOf({ node }: Card, reveal: Reveal): HTMLElement {
  if (node.kind === 'unknown') return el('strong', { text: node.name });
  return link(node.name, t('Go to the skill'), () => reveal(node, true));
}

function composedBy(lines: Picture['lines'], byId: Picture['byId']): Child {
  const names = new Set(lines.flatMap(({ edge }) => byId.get(edge.from)?.node.name ?? []));
  return names.size > 0 && el('div', { class: 'way', text: t('composed by {0}', [...names].join(', ')) });
}
