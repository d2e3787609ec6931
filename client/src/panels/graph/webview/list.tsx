/** The composition graph as a list: each card with its facts, its composed skills and its composers. */
import { Link } from '../../kit/controls.tsx';
import { t } from '../../kit/l10n.ts';
import { nodesOf } from './drawing.ts';
import type { Link as GroupLink, Item } from './folders.ts';
import type { ViewProps } from './model.ts';
import { edgeDescription, groupLinkText, isMention, itemText, linkDescription, type Nodes } from './text.ts';

interface SkillListProps extends ViewProps {
  readonly hits: ReadonlySet<string> | undefined;
  readonly openItem: (item: Item) => void;
}

export function SkillList({ page, shown: { items, links }, folders, hits, openItem, actions }: SkillListProps) {
  const nodes = nodesOf(items);
  const names = new Map(items.map((item) => [item.id, itemText(item, folders).title]));
  const parts = byEnd(links, 'from');
  const composers = byEnd(
    links.filter((link) => !isMention(link)),
    'to',
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
    <section class="graph-list" aria-label={t('Composition graph')} tabIndex={0}>
      <ul class="skill-list">
        {items.map((item) => {
          const marks = [item.id === page.selected && 'selected', hits?.has(item.id) && 'hit'].filter(Boolean);
          return (
            <li key={item.id} class={marks.join(' ')}>
              <Name item={item} title={names.get(item.id) ?? ''} openItem={openItem} reveal={actions.reveal} />
              {itemText(item, folders).facts.map((fact, at) => (
                <div key={at} class="detail">
                  {fact}
                </div>
              ))}
              {(parts.get(item.id) ?? []).map((link) => (
                <SkillEdges
                  key={link.to}
                  link={link}
                  target={names.get(link.to) ?? ''}
                  nodes={nodes}
                  reveal={actions.reveal}
                />
              ))}
              <ComposedBy names={(composers.get(item.id) ?? []).map(({ from }) => names.get(from) ?? '')} />
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function byEnd(links: readonly GroupLink[], end: 'from' | 'to'): ReadonlyMap<string, readonly GroupLink[]> {
  const found = new Map<string, GroupLink[]>();
  for (const link of links) found.set(link[end], [...(found.get(link[end]) ?? []), link]);
  return found;
}

interface NameProps {
  readonly item: Item;
  readonly title: string;
  readonly openItem: (item: Item) => void;
  readonly reveal: ViewProps['actions']['reveal'];
}

function Name({ item, title, openItem, reveal }: NameProps) {
  const [node] = item.nodes;
  if (item.opens) {
    return (
      <Link title={t('Show its skills')} onClick={() => openItem(item)}>
        {title}
      </Link>
    );
  }
  if (node?.kind !== 'skill') return <strong>{title}</strong>;
  return (
    <Link title={t('Go to the skill')} onClick={() => reveal(node, true)}>
      {title}
    </Link>
  );
}

interface SkillEdgesProps {
  readonly link: GroupLink;
  readonly target: string;
  readonly nodes: Nodes;
  readonly reveal: ViewProps['actions']['reveal'];
}

/** The skills that a skill composes; for a group, the number of these skills. */
function SkillEdges({ link, target, nodes, reveal }: SkillEdgesProps) {
  const { edges, from } = link;
  if (!nodes.has(from)) {
    return (
      <div class="way" title={linkDescription(link, nodes)}>
        {groupLinkText(link, target)} · {edges.length}
      </div>
    );
  }
  return (
    <>
      {edges.map((edge, at) => (
        <div key={at} class="way">
          <Link title={t('Go to the entry')} onClick={() => reveal(edge, true)}>
            {edgeDescription(edge, nodes)}
          </Link>
        </div>
      ))}
    </>
  );
}

const ComposedBy = ({ names }: { readonly names: readonly string[] }) =>
  names.length > 0 ? <div class="way">{t('composed by {0}', names.join(', '))}</div> : null;
