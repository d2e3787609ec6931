/** The line above the graph: counts, cycles, list budgets, and the reason if nothing is shown. */
import { Button, Link } from '../../kit/controls.tsx';
import { t, tCount } from '../../kit/l10n.ts';
import { type ClientBudget, ListBudgets } from '../../kit/list-budgets.tsx';
import type { Card } from './drawing.ts';
import type { ViewProps } from './model.ts';
import { errorsOf, errorText } from './text.ts';

interface SummaryProps extends ViewProps {
  readonly problem: string | undefined;
  readonly go: (card: Card) => void;
}

export function Summary({ problem, go, ...views }: SummaryProps) {
  return (
    <div class="summary-line">
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <Counts {...views} />
      <ListBudgets fills={fillsOf(views)} reveal={(place) => views.actions.reveal(place, true)} />
      <Cycles {...views} go={go} />
    </div>
  );
}

function Counts({ graph, shown, drawing, page, actions }: ViewProps) {
  if (graph.nodes.length === 0) {
    return (
      <p class="empty">
        {t('This workspace has no skills yet.')}{' '}
        <Button primary onClick={actions.newSkill}>
          {t('New Skill…')}
        </Button>
      </p>
    );
  }
  const showAll = (): void => actions.setPage({ level: null, onlyErrors: false });
  if (shown.items.length === 0) {
    return (
      <p>
        {emptyText(page)} <Button onClick={showAll}>{t('Show all skills')}</Button>
      </p>
    );
  }
  const nodes = shown.items.flatMap((item) => item.nodes);
  const all = graph.nodes.filter(({ kind }) => kind === 'skill').length;
  const skills = nodes.filter(({ kind }) => kind === 'skill').length;
  const ids = new Set(nodes.map(({ id }) => id));
  const edges = graph.edges.filter(({ kind, from, to }) => kind === 'composes' && ids.has(from) && ids.has(to));
  const unknown = nodes.length - skills;
  const parts = [
    skills < all ? tCount(all, '{1} of 1 skill', '{1} of {0} skills', skills) : tCount(all, '1 skill', '{0} skills'),
    tCount(edges.length, '1 composition', '{0} compositions'),
    ...(unknown > 0 ? [t('{0} unknown', unknown)] : []),
    ...errorText(errorsOf(nodes)),
    ...(page.level === null ? [] : [t('other levels are hidden')]),
    ...(page.onlyErrors ? [t('skills without errors are hidden')] : []),
    ...(graph.partial ? [t('still loading')] : []),
    ...(drawing.links.length < shown.links.length ? [t('too many connections to draw; see the list')] : []),
  ];
  return (
    <p class="quiet" role="status">
      {parts.join(' · ')}
      {(page.level !== null || page.onlyErrors) && (
        <>
          {' '}
          <Link onClick={showAll}>{t('Show all skills')}</Link>
        </>
      )}
    </p>
  );
}

/** Returns the reason why the filters hide all skills. */
function emptyText({ level, onlyErrors }: ViewProps['page']): string {
  if (!onlyErrors) return t('All skills are hidden, because none has the chosen level.');
  if (level === null) return t('All skills are hidden, because none has errors.');
  return t('All skills are hidden, because none of the chosen level has errors.');
}

/** The maximum number of cycles that are shown; further cycles are only counted. The findings list all cycles. */
const MOST_CYCLES = 3;

function Cycles({ graph, shown, drawing, go }: ViewProps & Pick<SummaryProps, 'go'>) {
  const itemOf = new Map(shown.items.flatMap((item) => item.nodes.map((node) => [node.id, { node, item }] as const)));
  const cycles = graph.cycles.filter((cycle) => cycle.every((id) => itemOf.has(id)));
  const more = cycles.length - MOST_CYCLES;
  return (
    <>
      {cycles.slice(0, MOST_CYCLES).map((cycle) => (
        <p key={cycle.join(' ')} class="problem">
          {t('Cycle')}:{' '}
          {[...cycle, ...cycle.slice(0, 1)].map((id, at) => {
            const { node, item } = itemOf.get(id) ?? {};
            const card = drawing.byId.get(item?.id ?? '');
            return (
              <span key={at}>
                {at > 0 && ' → '}
                <Link title={t('Go to its card')} onClick={() => card && go(card)}>
                  {node?.name}
                </Link>
              </span>
            );
          })}
        </p>
      ))}
      {more > 0 && <p class="problem">{tCount(more, 'and 1 more cycle', 'and {0} more cycles')}</p>}
    </>
  );
}

// The budgets of the client lists that contain the shown skills.

/**
 * Returns the client lists of the catalogs that govern the shown skills. If there are several catalogs, each name
 * includes the catalog's folder.
 */
function fillsOf({ graph: { lists }, shown, folders }: ViewProps): readonly ClientBudget[] {
  const skills = shown.items.flatMap(({ nodes }) => nodes.map(({ id }) => id)).filter((id) => /\/skill\.md$/i.test(id));
  const governing = [...new Set(lists.map(({ folder }) => folder))].sort((a, b) => b.length - a.length);
  const used = new Set(skills.map((id) => governing.find((folder) => folder === '' || id.startsWith(`${folder}/`))));
  return lists
    .filter(({ folder }) => used.has(folder))
    .map(({ folder, client, fill }) => {
      const path = used.size > 1 ? folders.nameOf(folder) : '';
      return { key: `${folder} ${client}`, name: path === '' ? client : `${client} · ${path}`, fill };
    });
}
