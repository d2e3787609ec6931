/** The graph as a nested list, with the same nodes, edges and conditions. */
import { Link } from '../../../kit/controls.tsx';
import { t } from '../../../kit/l10n.ts';
import type { ShownShape } from '../../messages.ts';
import type { Actions } from '../model.ts';
import { edgeText, interruptsAt, interruptText, nodeText } from './text.ts';

interface ShapeListProps {
  readonly shape: ShownShape;
  readonly reveal: Actions['reveal'];
}

export function ShapeList({ shape, reveal }: ShapeListProps) {
  const titles = new Map(shape.nodes.map((node) => [node.id, nodeText(node, shape).title]));
  return (
    <ol class="shape-list">
      {shape.nodes.map((node) => {
        const { title, lines } = nodeText(node, shape);
        return (
          <li key={node.id}>
            <Link title={t('Go to the source')} onClick={() => reveal(node, true)}>
              {title}
            </Link>
            {lines.length > 0 && <span class="detail"> {lines.join(' · ')}</span>}
            {interruptsAt(shape, node).map((one, at) => (
              <div key={at} class="detail interrupt">
                {interruptText(one)}
              </div>
            ))}
            {node.subgraph && <ShapeList shape={node.subgraph} reveal={reveal} />}
            {shape.edges
              .filter(({ from }) => from === node.id)
              .map((edge, at) => (
                <div key={at} class="way">
                  {edgeText(edge, titles.get(edge.to) ?? edge.to)}
                </div>
              ))}
          </li>
        );
      })}
    </ol>
  );
}
