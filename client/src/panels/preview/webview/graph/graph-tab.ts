/** The graph tab: the steps that the skill runs, as a drawing or a list. */

import { arrowTip } from '../../../kit/arrow-tip.ts';
import { button, el, setAttr, setChildren, setChildrenKeepingFocus, svg } from '../../../kit/dom.ts';
import { iconButton } from '../../../kit/icons.ts';
import { directionOf } from '../../../kit/keys.ts';
import { t } from '../../../kit/l10n.ts';
import { createMeasure } from '../../../kit/measure-text.ts';
import { createViewport } from '../../../kit/viewport.ts';
import { zoomButtons, zoomByKey } from '../../../kit/zoom.ts';
import type { ShownShape } from '../../messages.ts';
import type { Actions, Model, View } from '../model.ts';
import { nextBox } from './arrow-keys.ts';
import { drawGraph } from './draw.ts';
import { exportPng, exportSvg } from './export.ts';
import { type Box, type Drawing, layoutShape } from './layout.ts';
import { listOf } from './list.ts';

export function createGraph(actions: Actions): View {
  const tip = arrowTip('strokeWidth');
  const content = svg('g');
  const frame = svg('svg', { class: 'graph-frame', role: 'group', 'aria-label': t('Graph') }, tip, content);
  const continuesBelow = el(
    'div',
    { class: 'graph-more' },
    el('span', { text: t('The graph goes on below.') }),
    button(t('Show all of it'), () => fit(true)),
  );
  const viewport = createViewport(frame, content, () => {
    continuesBelow.hidden = !viewport.continuesBelow();
  });
  const list = el('div', { class: 'graph-list' });
  let model: Model | undefined;
  let drawing: Drawing | undefined;
  let key: string | undefined;
  let focused: string | undefined;

  let fitsAll = false;

  const fit = (all: boolean): void => {
    fitsAll = all;
    if (drawing) viewport.fit(drawing.width, drawing.height, all);
  };
  const save = async (format: 'svg' | 'png'): Promise<void> => {
    const drawn = content.firstElementChild;
    if (!drawing || !(drawn instanceof SVGGElement)) return;
    const { width, height } = drawing;
    const text = exportSvg(drawn, tip, width, height);
    const data = format === 'svg' ? text : await exportPng(text, width, height);
    actions.post({ type: 'exportImage', format, data });
  };
  const asList = iconButton('list', t('Show as a list'), () =>
    actions.setPage({ graphAsList: !model?.page.graphAsList }),
  );
  const zoomable = { zoom: viewport.zoom, fit: () => fit(true) };
  const zooms = el(
    'span',
    { class: 'zooms' },
    ...zoomButtons(zoomable),
    button('SVG', () => void save('svg')),
    button('PNG', () => void save('png')),
  );
  const bar = el('div', { class: 'graph-bar', attrs: { role: 'toolbar', 'aria-label': t('Graph') } }, asList, zooms);
  const note = el('p', { class: 'quiet graph-note' });
  const element = el('div', { class: 'graph' }, bar, note, frame as unknown as HTMLElement, continuesBelow, list);

  const boxOf = (path: string | undefined): Box | undefined => drawing?.boxes.find((box) => box.path === path);
  const nodeOf = (path: string): SVGGElement | undefined =>
    [...content.querySelectorAll<SVGGElement>('.node')].find((one) => one.dataset.path === path);
  const focus = (path: string): void => {
    const node = nodeOf(path);
    const box = boxOf(path);
    if (!node || !box) return;
    for (const other of content.querySelectorAll('.node[tabindex="0"]')) other.setAttribute('tabindex', '-1');
    node.setAttribute('tabindex', '0');
    focused = path;
    viewport.scrollTo(box);
    node.focus({ preventScroll: true });
  };
  const toggle = (box: Box): void => {
    const open = model?.page.open ?? [];
    if (box.isExpandable)
      actions.setPage({ open: box.isExpanded ? open.filter((one) => one !== box.path) : [...open, box.path] });
  };
  const pathAt = (event: Event): string | undefined =>
    event.target instanceof Element ? event.target.closest<SVGGElement>('.node')?.dataset.path : undefined;

  frame.addEventListener('click', (event) => {
    const box = boxOf(pathAt(event));
    if (!box) return;
    focus(box.path);
    if (event.target instanceof Element && event.target.closest('.sign')) toggle(box);
    else actions.reveal(box.node, false);
  });
  frame.addEventListener('keydown', (event) => {
    const box = boxOf(pathAt(event));
    const direction = directionOf(event);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (direction && box && drawing) focus(nextBox(drawing, box, direction)?.path ?? box.path);
    else if (event.key === 'Enter' && box) actions.reveal(box.node, true);
    else if (event.key === ' ' && box) toggle(box);
    else if (!zoomByKey(event.key, zoomable)) return;
    event.preventDefault();
  });

  const draw = (shape: ShownShape, open: readonly string[]): void => {
    // Ranges of nodes change with every keystroke and need no new drawing.
    const next = JSON.stringify([shape, open], (name, value) => (name === 'range' ? undefined : value));
    if (next === key) {
      updateNodes(shape);
      return;
    }
    key = next;
    const drawn = layoutShape(shape, new Set(open), createMeasure());
    drawing = drawn;
    const hadFocus = content.contains(document.activeElement);
    content.replaceChildren(drawGraph(drawn));
    const first = boxOf(focused) ?? drawn.boxes[0];
    if (first) nodeOf(first.path)?.setAttribute('tabindex', '0');
    if (hadFocus && first) focus(first.path);
    if (!viewport.isUserMoved()) fit(fitsAll);
  };
  const updateNodes = (shape: ShownShape): void => {
    if (!drawing) return;
    const nodes = new Map<string, Box['node']>();
    const visit = (one: typeof shape, above: string): void => {
      for (const node of one.nodes) {
        nodes.set(above + node.id, node);
        if (node.subgraph) visit(node.subgraph, `${above}${node.id}/`);
      }
    };
    visit(shape, '');
    drawing = { ...drawing, boxes: drawing.boxes.map((box) => ({ ...box, node: nodes.get(box.path) ?? box.node })) };
  };

  // A resized panel fits the graph again, unless the user moved it.
  new ResizeObserver(() => {
    if (!viewport.isUserMoved()) fit(fitsAll);
  }).observe(frame);

  return {
    element,
    update: (next) => {
      model = next;
      const shape = next.composition?.subgraph;
      const { graphAsList, open } = next.page;
      asList.setAttribute('aria-pressed', String(graphAsList));
      zooms.hidden = graphAsList;
      setAttr(frame, 'hidden', graphAsList || !shape ? '' : undefined);
      continuesBelow.hidden = graphAsList || !shape || !viewport.continuesBelow();
      list.hidden = !graphAsList;
      element.classList.toggle('dimmed', next.errors.length > 0);
      note.textContent = shape?.delegated
        ? t('A model chooses the shape when it runs; this is the loop that stands there meanwhile.')
        : '';
      note.hidden = note.textContent === '';
      if (!shape) return setChildren(list, []);
      if (graphAsList) setChildrenKeepingFocus(list, [listOf(shape, actions)]);
      else draw(shape, open);
    },
  };
}
