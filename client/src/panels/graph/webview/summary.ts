/** The line above the graph: counts, cycles, and why nothing is shown. */

import { button, type Child, el, link, setChildren } from '../../kit/dom.ts';
import { t, tCount } from '../../kit/l10n.ts';
import type { GraphReply } from '../messages.ts';
import type { Drawing } from './drawing.ts';
import { problemsOf } from './text.ts';

export interface SummaryModel {
  readonly graph: GraphReply | undefined;
  readonly drawing: Drawing | undefined;
  readonly problem: string | undefined;
}

export interface SummaryActions {
  readonly go: (id: string) => void;
  /** Removes the filters. */
  readonly clear: () => void;
}

/** Further cycles are counted only; the findings list them all. */
const MOST_CYCLES = 3;

export function createSummary({ go, clear }: SummaryActions): {
  readonly element: HTMLElement;
  readonly update: (model: SummaryModel) => void;
} {
  const element = el('div', { class: 'summary-line' });
  let key = '';
  return {
    element,
    update: ({ graph, drawing, problem }) => {
      const shown = drawing?.cards.length ?? 0;
      const next = JSON.stringify([graph?.nodes, graph?.cycles, graph?.partial, shown, problem]);
      if (next === key) return;
      key = next;
      setChildren(
        element,
        [
          problem !== undefined && el('p', { class: 'problem', text: problem, attrs: { role: 'alert' } }),
          ...(graph ? [countsLine(graph, shown, clear), ...cycleLines(graph, go)] : []),
        ].filter((child) => child !== false),
      );
    },
  };
}

function countsLine({ nodes, edges, partial }: GraphReply, shown: number, clear: () => void): HTMLElement {
  if (nodes.length === 0) return el('p', { class: 'quiet', text: t('There is no skill in this workspace yet.') });
  if (shown === 0) return el('p', {}, t('No skill passes the filters.'), ' ', button(t('Show all'), clear));
  const skills = nodes.filter(({ kind }) => kind === 'skill').length;
  const unknown = nodes.length - skills;
  const wrong = nodes.filter((node) => node.kind === 'skill' && problemsOf(node).length > 0).length;
  const parts = [
    shown < nodes.length
      ? tCount(skills, '{1} of 1 skill', '{1} of {0} skills', shown)
      : tCount(skills, '1 skill', '{0} skills'),
    tCount(edges.length, '1 composition', '{0} compositions'),
    ...(unknown > 0 ? [t('{0} unknown', unknown)] : []),
    ...(wrong > 0 ? [t('{0} with errors', wrong)] : []),
    ...(partial ? [t('still reading')] : []),
  ];
  return el('p', { class: 'quiet', text: parts.join(' · '), attrs: { role: 'status' } });
}

function cycleLines({ cycles: all, nodes }: GraphReply, go: (id: string) => void): readonly HTMLElement[] {
  const names = new Map(nodes.map(({ id, name }) => [id, name]));
  const shown = all.slice(0, MOST_CYCLES).map((cycle) => {
    const steps = [...cycle, ...cycle.slice(0, 1)];
    const links = steps.flatMap((id, at): Child[] => [
      at > 0 && ' → ',
      link(names.get(id) ?? id, t('Go to its card'), () => go(id)),
    ]);
    return el('p', { class: 'problem' }, `${t('Cycle')}: `, ...links);
  });
  const more = all.length - shown.length;
  return more > 0
    ? [...shown, el('p', { class: 'problem', text: tCount(more, 'and 1 more cycle', 'and {0} more cycles') })]
    : shown;
}
