/** The controls of the graph: which part of it, which skills of that, a search, and how it is shown. */

import { el, setAttr, setText } from '../../kit/dom.ts';
import { iconButton } from '../../kit/icons.ts';
import { t } from '../../kit/l10n.ts';
import type { GraphState } from '../messages.ts';
import { levelTitle } from './text.ts';

/** What the bar shows. */
export interface BarModel {
  readonly state: GraphState;
  /** What may be shown by itself: skills that compose others, by URI. */
  readonly scopes: ReadonlyMap<string, string>;
  /** The levels that there are; 0 for skills without one. */
  readonly levels: readonly number[];
  /** How many hits the search has, and at which of them one is, from 1; 0 for none. */
  readonly hits: number;
  readonly hit: number;
}

export interface BarActions {
  readonly look: (change: Partial<GraphState>) => void;
  readonly scope: (scope: string | null) => void;
  /** To the next hit, or by -1 to the one before. */
  readonly step: (by: 1 | -1) => void;
  readonly zoom: (by: number) => void;
  readonly fit: () => void;
}

export interface Bar {
  readonly element: HTMLElement;
  readonly update: (model: BarModel) => void;
  readonly focusSearch: () => void;
}

const NOT_GIVEN = 'all';

export function createBar(actions: BarActions): Bar {
  let model: BarModel | undefined;
  const scope = select(t('Show'), () => actions.scope(scope.value === '' ? null : scope.value));
  const level = select(t('Level'), () =>
    actions.look({ level: level.value === NOT_GIVEN ? null : Number(level.value) }),
  );
  const search = el('input', {
    class: 'input',
    attrs: { type: 'text', 'aria-label': t('Search skills'), placeholder: t('Search'), spellcheck: 'false' },
    on: { input: () => actions.look({ search: search.value }) },
  });
  const count = el('span', { class: 'find-count quiet', attrs: { role: 'status' } });
  search.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') actions.step(event.shiftKey ? -1 : 1);
    else if (event.key === 'Escape' && search.value !== '') actions.look({ search: '' });
    else return;
    event.preventDefault();
  });
  const errors = el('button', {
    class: 'button toggle',
    text: t('With errors'),
    title: t('Show skills with errors alone'),
    attrs: { type: 'button' },
    on: { click: () => actions.look({ onlyErrors: !model?.state.onlyErrors }) },
  });
  const asList = iconButton('list', t('Show as a list'), () => actions.look({ asList: !model?.state.asList }));
  const zooms = el(
    'span',
    { class: 'zooms' },
    iconButton('minus', t('Zoom out (-)'), () => actions.zoom(1 / 1.25)),
    iconButton('plus', t('Zoom in (+)'), () => actions.zoom(1.25)),
    iconButton('fit', t('Fit (0)'), actions.fit),
  );
  const find = el('span', { class: 'search', attrs: { role: 'search' } }, search, count);
  const element = el(
    'div',
    { class: 'graph-bar', attrs: { role: 'toolbar', 'aria-label': t('Composition graph') } },
    scope,
    find,
    level,
    errors,
    el('span', { class: 'views' }, asList, zooms),
  );

  return {
    element,
    focusSearch: () => {
      search.focus();
      search.select();
    },
    update: (next) => {
      model = next;
      const { state, scopes, levels, hits, hit } = next;
      setOptions(scope, [
        ['', t('Workspace')],
        ...[...scopes].map(([uri, name]) => [uri, t('{0}, all it reaches', name)] as const),
      ]);
      scope.value = state.scope ?? '';
      setOptions(level, [
        [NOT_GIVEN, t('All levels')],
        ...levels.map((one) => [String(one), one === 0 ? t('No level') : levelTitle(one)] as const),
      ]);
      level.value = state.level === null ? NOT_GIVEN : String(state.level);
      level.hidden = levels.length < 2 && state.level === null;
      if (search.value !== state.search) search.value = state.search;
      setText(count, state.search === '' ? '' : hits === 0 ? t('No results') : t('{0} of {1}', hit || '–', hits));
      setAttr(errors, 'aria-pressed', String(state.onlyErrors));
      setAttr(asList, 'aria-pressed', String(state.asList));
      zooms.hidden = state.asList;
    },
  };
}

function select(label: string, change: () => void): HTMLSelectElement {
  return el('select', { class: 'input', attrs: { 'aria-label': label }, on: { change } });
}

/** Only where they differ: a list that is open would close. */
function setOptions(target: HTMLSelectElement, options: readonly (readonly [string, string])[]): void {
  const key = JSON.stringify(options);
  if (target.dataset.key === key) return;
  target.dataset.key = key;
  target.replaceChildren(...options.map(([value, text]) => el('option', { text, attrs: { value } })));
}
