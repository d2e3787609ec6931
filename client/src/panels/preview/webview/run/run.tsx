/** The tab *Run*: the steps of the skill, as a drawing or a list. */
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Button, Icon, IconButton, Link, Popover } from '../../../kit/controls.tsx';
import { ArrowTip, Canvas, type CanvasHandle, zoomActions } from '../../../kit/graph/canvas.tsx';
import { createMeasure } from '../../../kit/graph/layered.ts';
import { middleOf, type Size } from '../../../kit/graph/view.ts';
import { type Direction, directionOf } from '../../../kit/keys.ts';
import { t } from '../../../kit/l10n.ts';
import { type Actions, deniedOf, isOlder, stateOf, type ViewProps } from '../model.ts';
import { DrawnGraph, Legend, retriesText } from './drawing.tsx';
import { type Box, type Drawing, layoutShape } from './layout.ts';
import {
  FollowedSession,
  namesIn,
  PlayButtons,
  PlayStatus,
  type RunProgress,
  useDebugging,
  usePlaying,
} from './play.tsx';
import { type DrawnNode, type DrawnShape, drawnShape, edgeText, nodeText, untakenText } from './text.ts';

export function Run({ model, actions }: ViewProps) {
  const { runAsList, open } = model.page;
  const { debug } = model;
  const whole = model.composition?.subgraph;
  // Made-up values rule nothing out, and a debug session can have other values.
  const isOpen = (model.show?.reply.madeUp.length ?? 0) > 0 || debug !== undefined;
  const shape = useMemo(() => whole && drawnShape(whole, isOpen ? 'all' : 'reached'), [whole, isOpen]);
  const canvas = useRef<CanvasHandle>(null);
  const panel = useRef<HTMLDivElement>(null);
  const denied = deniedOf(model);
  const drawing = useDrawing(shape, open, denied);
  const names = useMemo(() => namesIn(shape), [shape]);
  const playing = usePlaying({ model, actions }, names);
  const debugging = useDebugging(model, names);
  const position = debugging ?? playing;
  const canPlay = shape !== undefined && debug === undefined;
  useEffect(() => {
    if (canPlay) actions.post({ type: 'prepareRun' });
  }, [canPlay]);
  const save = async (format: 'svg' | 'png'): Promise<void> => {
    const frame = panel.current?.querySelector<SVGSVGElement>('.canvas-frame');
    if (!frame || !drawing) return;
    const text = exportSvg(frame, drawing);
    actions.post({ type: 'exportImage', format, data: format === 'svg' ? text : await exportPng(text, drawing) });
  };
  return (
    <div ref={panel} class={`run${model.errors.length > 0 || isOlder(model) ? ' dimmed' : ''}`}>
      <div class="graph-bar" role="toolbar" aria-label={t('Graph')}>
        <IconButton
          icon="list"
          label={t('Show as a list')}
          pressed={runAsList}
          onClick={() => actions.setPage({ runAsList: !runAsList })}
        />
        {!runAsList && zoomActions(canvas).map((one) => <IconButton key={one.icon} {...one} />)}
        {canPlay && <PlayButtons playing={playing} />}
        {!runAsList && (
          <span class="end">
            <Button onClick={() => void save('svg')}>SVG</Button>
            <Button onClick={() => void save('png')}>PNG</Button>
            <Popover label={t('Legend')} class="icon-button" face={<Icon name="help" />}>
              <Legend />
            </Popover>
          </span>
        )}
      </div>
      {debug && <FollowedSession sample={debug.sample} />}
      {(shape || debug) && <PlayStatus position={position} answer={debug ? undefined : playing.answer} />}
      {shape?.delegated && (
        <p class="quiet graph-note">
          {t('A model chooses the graph at run time. Until then, this loop is the default.')}
        </p>
      )}
      {!shape && <p class="quiet graph-note">{t('There is no graph yet: {0}', stateOf(model).why)}</p>}
      {shape && runAsList && (
        <div class="graph-list">
          <ShapeList shape={shape} denied={denied} reveal={actions.reveal} marks={position.marks} above="" />
        </div>
      )}
      {shape && drawing && !runAsList && (
        <RunGraph
          model={model}
          actions={actions}
          shape={shape}
          drawing={drawing}
          canvas={canvas}
          marks={position.marks}
        />
      )}
    </div>
  );
}

interface RunGraphProps extends ViewProps {
  readonly shape: DrawnShape;
  readonly drawing: Drawing;
  readonly canvas: RefObject<CanvasHandle | null>;
  readonly marks: RunProgress | undefined;
}

function RunGraph({ model, actions, shape, drawing, canvas, marks }: RunGraphProps) {
  const content = useRef<SVGGElement>(null);
  const [chosen, setChosen] = useState<string>();
  const { boxes } = drawing;
  const focused = boxes.find(({ path }) => path === chosen) ?? boxes[0];
  const focusNode = (path: string): void => {
    const nodes = content.current?.querySelectorAll<SVGGElement>('.node') ?? [];
    [...nodes].find(({ dataset }) => dataset.path === path)?.focus({ preventScroll: true });
  };
  useAfterToggle(drawing, chosen, (before, after) => {
    canvas.current?.follow(before, after);
    focusNode(after.path);
  });

  const focus = (box: Box): void => {
    setChosen(box.path);
    canvas.current?.scrollTo(box);
    focusNode(box.path);
  };
  const toggle = ({ path, isExpandable, isExpanded }: Box): void => {
    const { open } = model.page;
    if (isExpandable) actions.setPage({ open: isExpanded ? open.filter((one) => one !== path) : [...open, path] });
  };
  // The drawing can be older than the source, so the locations come from the current subgraph.
  const reveal = ({ path, node }: Box, takesFocus: boolean): void =>
    actions.reveal(nodeAt(shape, path) ?? node, takesFocus);
  const boxAt = (event: Event): Box | undefined => {
    const node = event.target instanceof Element ? event.target.closest<SVGGElement>('.node') : null;
    return boxes.find(({ path }) => path === node?.dataset.path);
  };
  const onClick = (event: MouseEvent): void => {
    const box = boxAt(event);
    if (!box) return;
    focus(box);
    if (event.target instanceof Element && event.target.closest('.sign')) toggle(box);
    else reveal(box, false);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const box = boxAt(event);
    if (!box || event.ctrlKey || event.metaKey || event.altKey) return;
    const direction = directionOf(event);
    if (direction) focus(nextBox(drawing, box, direction) ?? box);
    else if (event.key === 'Enter') reveal(box, true);
    else if (event.key === ' ') toggle(box);
    else return;
    event.preventDefault();
  };
  const current = shownBox(boxes, marks?.current);
  useEffect(() => {
    if (current) canvas.current?.scrollTo(current);
  }, [current?.path]);
  const drawn = useMemo(
    () => <DrawnGraph drawing={drawing} focused={focused?.path} marks={marks} current={current?.path} />,
    [drawing, focused?.path, marks],
  );
  return (
    <Canvas label={t('Graph')} drawing={drawing} start={boxes[0]} boxes={boxes} handle={canvas}>
      <ArrowTip />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the nodes within are buttons; they share these listeners */}
      <g ref={content} class="drawing" onClick={onClick} onKeyDown={onKeyDown}>
        {drawn}
      </g>
    </Canvas>
  );
}

/** Returns the box of a node, or of the closest composed skill around it that is drawn. */
function shownBox(boxes: readonly Box[], path: string | undefined): Box | undefined {
  if (path === undefined) return undefined;
  const own = boxes.find((box) => box.path === path);
  return own ?? (path === '' ? undefined : shownBox(boxes, parentOf(path)));
}

/** Returns the layout of a subgraph, computed again when the drawn data changes. */
function useDrawing(
  shape: DrawnShape | undefined,
  open: readonly string[],
  denied: readonly string[],
): Drawing | undefined {
  // Ranges of nodes change with every keystroke and need no new drawing.
  const key = useMemo(
    () => shape && JSON.stringify([shape, open, denied], (name, value) => (name === 'range' ? undefined : value)),
    [shape, open, denied],
  );
  return useMemo(
    () => shape && layoutShape(shape, { expanded: new Set(open), denied, measure: createMeasure() }),
    [key],
  );
}

/** Calls `then` with the old and new box when the chosen box has been expanded or collapsed. */
function useAfterToggle(drawing: Drawing, chosen: string | undefined, then: (before: Box, after: Box) => void): void {
  const last = useRef(drawing);
  useLayoutEffect(() => {
    const chosenIn = ({ boxes }: Drawing): Box | undefined => boxes.find(({ path }) => path === chosen);
    const [before, after] = [chosenIn(last.current), chosenIn(drawing)];
    last.current = drawing;
    if (before && after && before.isExpanded !== after.isExpanded) then(before, after);
  });
}

function nodeAt(shape: DrawnShape | undefined, path: string): DrawnNode | undefined {
  const [id, ...rest] = path.split('/');
  const node = shape?.nodes.find((one) => one.id === id);
  return rest.length === 0 ? node : nodeAt(node?.subgraph, rest.join('/'));
}

/**
 * Returns the box to which an arrow key moves: up and down along edges, left and right among boxes at the same height.
 */
function nextBox({ boxes, routes }: Drawing, from: Box, direction: Direction): Box | undefined {
  const byPath = new Map(boxes.map((box) => [box.path, box]));
  if (direction === 'Left' || direction === 'Right') return beside(boxes, from, direction === 'Right' ? 1 : -1);
  const forward = routes.filter(({ edge }) => edge.kind !== 'loop' && edge.kind !== 'cancel');
  const inside = boxes.find(({ path }) => parentOf(path) === from.path);
  // The Down key moves into an expanded composed skill at its first node, and out of it after its last node.
  if (direction === 'Down' && inside) return inside;
  const adjacent = forward.filter((route) => (direction === 'Down' ? route.from : route.to) === from.path);
  const targets = adjacent.flatMap((route) => byPath.get(direction === 'Down' ? route.to : route.from) ?? []);
  const straight = closest(targets, from);
  if (straight) return straight;
  const parent = byPath.get(parentOf(from.path));
  if (!parent) return undefined;
  if (direction === 'Up') return parent;
  const out = forward.filter((route) => route.from === parent.path).flatMap((route) => byPath.get(route.to) ?? []);
  return closest(out, from);
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

const closest = (boxes: readonly Box[], from: Box): Box | undefined =>
  [...boxes].sort((a, b) => Math.abs(middleOf(a) - middleOf(from)) - Math.abs(middleOf(b) - middleOf(from)))[0];

function beside(boxes: readonly Box[], from: Box, by: 1 | -1): Box | undefined {
  const level = boxes.filter(
    (box) =>
      box.path !== from.path &&
      parentOf(box.path) === parentOf(from.path) &&
      box.y < from.y + from.height &&
      from.y < box.y + box.height &&
      (middleOf(box) - middleOf(from)) * by > 0,
  );
  return closest(level, from);
}

// Exports the graph as an image, with the computed styles as attributes.

const INLINED = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'opacity',
  'paint-order',
  'font-family',
  'font-size',
  'font-weight',
];

const PAGE_ONLY = /^(class|style|role|tabindex|aria-.*|data-.*)$/;

/** Returns the whole drawing of a frame as SVG text, at scale 1, with the computed styles of the page. */
function exportSvg(frame: SVGSVGElement, { width, height }: Size): string {
  const copy = frame.cloneNode(true) as SVGSVGElement;
  inlineStyles(frame, copy);
  copy.querySelector('g')?.removeAttribute('transform');
  const background = document.createElementNS(copy.namespaceURI, 'rect');
  const attributes = { width, height, fill: getComputedStyle(document.body).backgroundColor };
  for (const [name, value] of Object.entries(attributes)) background.setAttribute(name, String(value));
  copy.prepend(background);
  for (const { name } of [...copy.attributes]) copy.removeAttribute(name);
  for (const [name, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` })) {
    copy.setAttribute(name, String(value));
  }
  return new XMLSerializer().serializeToString(copy).replace(NOT_IN_XML, '\ufffd');
}

/** The characters that XML does not allow, not even as references. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are replaced
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

/** Returns a PNG of the SVG at twice its size, in base64. */
async function exportPng(text: string, { width, height }: Size): Promise<string> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = width * 2;
  canvas.height = height * 2;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL('image/png').replace(/^data:image\/png;base64,/, '');
}

/** Writes the computed styles of a tree to the attributes of its copy. */
function inlineStyles(original: Element, copy: Element): void {
  const style = getComputedStyle(original);
  for (const name of INLINED) copy.setAttribute(name, style.getPropertyValue(name));
  for (const { name } of [...copy.attributes]) if (PAGE_ONLY.test(name)) copy.removeAttribute(name);
  const copies = [...copy.children];
  for (const [at, child] of [...original.children].entries()) {
    const other = copies[at];
    if (other && child.tagName !== 'title') inlineStyles(child, other);
  }
}

// The graph as a nested list, with the same nodes, edges and conditions.

interface SubgraphListProps {
  readonly shape: DrawnShape;
  readonly denied: readonly string[];
  readonly reveal: Actions['reveal'];
  readonly marks: RunProgress | undefined;
  /** The path of the composed skill, with a slash at its end; empty at the top. */
  readonly above: string;
}

function ShapeList({ shape, denied, reveal, marks, above }: SubgraphListProps) {
  const titles = new Map(shape.nodes.map((node) => [node.id, nodeText(node, shape, denied).title]));
  return (
    <ol class="shape-list">
      {shape.nodes.map((node) => {
        const { title, lines } = nodeText(node, shape, denied);
        const retries = marks?.retries.get(above + node.id) ?? 0;
        const details = [...lines, ...untakenText(node), ...(retries > 0 ? [retriesText(retries)] : [])];
        return (
          <li key={node.id} aria-current={marks?.current === above + node.id ? 'step' : undefined}>
            <Link title={t('Go to the source')} onClick={() => reveal(node, true)}>
              {title}
            </Link>
            {details.length > 0 && <span class="detail"> {details.join(' · ')}</span>}
            {node.subgraph && (
              <ShapeList
                shape={node.subgraph}
                denied={denied}
                reveal={reveal}
                marks={marks}
                above={`${above}${node.id}/`}
              />
            )}
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
