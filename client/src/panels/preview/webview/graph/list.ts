/** The graph as a nested list, with the same nodes, edges and conditions. */

import { el, link } from '../../../kit/dom.ts';
import { t } from '../../../kit/l10n.ts';
import type { ShownShape } from '../../messages.ts';
import type { Actions } from '../model.ts';
import { edgeText, interruptsAt, interruptText, nodeText } from './text.ts';

export function listOf(shape: ShownShape, actions: Actions): HTMLElement {
  const titles = new Map(shape.nodes.map((node) => [node.id, nodeText(node, shape).title]));
  const items = shape.nodes.map((node) => {
    const { title, lines } = nodeText(node, shape);
    const { uri, range } = node;
    const edges = shape.edges.filter(({ from }) => from === node.id);
    return el(
      'li',
      {},
      link(title, t('Go to the source'), () => actions.reveal({ uri, range }, true)),
      lines.length > 0 && el('span', { class: 'detail', text: ` ${lines.join(' · ')}` }),
      ...interruptsAt(shape, node).map((one) => el('div', { class: 'detail interrupt', text: interruptText(one) })),
      node.subgraph && listOf(node.subgraph, actions),
      ...edges.map((edge) => el('div', { class: 'way', text: edgeText(edge, titles.get(edge.to) ?? edge.to) })),
    );
  });
  return el('ol', { class: 'shape-list' }, ...items);
}
