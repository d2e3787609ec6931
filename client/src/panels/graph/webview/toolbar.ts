/** The toolbar of the graph: scope, filters, search, list and zoom. */

import { el, setAttr, setText } from '../../kit/dom.ts';
import { iconButton } from '../../kit/icons.ts';
import { t } from '../../kit/l10n.ts';
import { type Zoomable, zoomButtons } from '../../kit/zoom.ts';
import type { GraphState } from '../messages.ts';
import { levelTitle } from './text.ts';

export interface ToolbarModel {
  readonly state: GraphState;
  /** The names of skills that can be a scope, by URI. */
  readonly scopes: ReadonlyMap<string, string>;
  /** The levels in the graph; 0 for skills without one. */
  readonly levels: readonly number[];
  /** The number of search hits, and which of them is selected, from 1; 0 for none. */
  readonly hits: number;
  readonly hit: number;
}

export interface ToolbarActions extends Zoomable {
  readonly setState: (change: Partial<GraphState>) => void;
  readonly scope: (scope: string | null) => void;
  /** Goes to the next hit, or with -1 to the previous one. */
  readonly step: (by: 1 | -1) => void;
}

export interface Toolbar {
  readonly element: HTMLElement;
  readonly update: (model: ToolbarModel) => void;
  readonly focusSearch: () => void;
}

const ALL_LEVELS = 'all';

export function createToolbar(actions: ToolbarActions): Toolbar {
  let model: ToolbarModel | undefined;
  const scope = select(t('Show'), () => actions.scope(scope.value === '' ? null : scope.value));
  const level = select(t('Level'), () =>
    actions.setState({ level: level.value === ALL_LEVELS ? null : Number(level.value) }),
  );
  const search = el('input', {
    class: 'input',
    attrs: { type: 'text', 'aria-label': t('Search skills'), placeholder: t('Search'), spellcheck: 'false' },
    on: { input: () => actions.setState({ search: search.value }) },
  });
  const count = el('span', { class: 'find-count quiet', attrs: { role: 'status' } });
  search.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') actions.step(event.shiftKey ? -1 : 1);
    else if (event.key === 'Escape' && search.value !== '') actions.setState({ search: '' });
    else return;
    event.preventDefault();
  });
  const errors = el('button', {
    class: 'button toggle',
    text: t('With errors'),
    title: t('Show skills with errors alone'),
    attrs: { type: 'button' },
    on: { click: () => actions.setState({ onlyErrors: !model?.state.onlyErrors }) },
  });
  const asList = iconButton('list', t('Show as a list'), () => actions.setState({ asList: !model?.state.asList }));
  const zooms = el('span', { class: 'zooms' }, ...zoomButtons(actions));
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
        [ALL_LEVELS, t('All levels')],
        ...levels.map((one) => [String(one), one === 0 ? t('No level') : levelTitle(one)] as const),
      ]);
      level.value = state.level === null ? ALL_LEVELS : String(state.level);
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

/** Sets options only if they differ, since an open list would close. */
function setOptions(target: HTMLSelectElement, options: readonly (readonly [string, string])[]): void {
  const key = JSON.stringify(options);
  if (target.dataset.key === key) return;
  target.dataset.key = key;
  target.replaceChildren(...options.map(([value, text]) => el('option', { text, attrs: { value } })));
}
