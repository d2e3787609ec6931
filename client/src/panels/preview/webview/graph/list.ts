/** The graph in words: the same nodes, ways and conditions as a nested list. */

import { el, link } from '../../../kit/dom.ts';
import { t } from '../../../kit/l10n.ts';
import type { ShownShape } from '../../messages.ts';
import type { Actions } from '../model.ts';
import { interruptsAt, interruptWords, wayWords, wordsOf } from './text.ts';

export function listOfShape(shape: ShownShape, actions: Actions): HTMLElement {
  const titles = new Map(shape.nodes.map((node) => [node.id, wordsOf(node, shape).title]));
  const items = shape.nodes.map((node) => {
    const { title, lines } = wordsOf(node, shape);
    const { uri, range } = node;
    const ways = shape.edges.filter(({ from }) => from === node.id);
    return el(
      'li',
      {},
      link(title, t('Go to the source'), () => actions.reveal({ uri, range }, true)),
      lines.length > 0 && el('span', { class: 'detail', text: ` ${lines.join(' · ')}` }),
      ...interruptsAt(shape, node).map((one) => el('div', { class: 'detail interrupt', text: interruptWords(one) })),
      node.subgraph && listOfShape(node.subgraph, actions),
      ...ways.map((edge) => el('div', { class: 'way', text: wayWords(edge, titles.get(edge.to) ?? edge.to) })),
    );
  });
  return el('ol', { class: 'shape-list' }, ...items);
}
