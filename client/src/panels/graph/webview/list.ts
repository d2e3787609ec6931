/** The composition graph as a list: each skill with its facts, what it composes, and its composers. */

import { type Child, el, link } from '../../kit/dom.ts';
import { t } from '../../kit/l10n.ts';
import type { Place } from '../../kit/place.ts';
import type { Card, Drawing } from './drawing.ts';
import { groupedBy } from './rows.ts';
import { edgeDescription, factsOf } from './text.ts';

export type Reveal = (place: Place, focus: boolean) => void;

export function listOf({ cards, byId, edges }: Drawing, reveal: Reveal): HTMLElement {
  const parts = groupedBy(edges, ({ edge }) => edge.from);
  const composers = groupedBy(edges, ({ edge }) => edge.to);
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
          link(edgeDescription(edge, target, stages), t('Go to the entry'), () => reveal(edge, true)),
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

function composedBy(edges: Drawing['edges'], byId: Drawing['byId']): Child {
  const names = new Set(edges.flatMap(({ edge }) => byId.get(edge.from)?.node.name ?? []));
  return names.size > 0 && el('div', { class: 'way', text: t('composed by {0}', [...names].join(', ')) });
}
