/** The tab of what will run: the steps of the skill, as a drawing or a list. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Button, IconButton, Popover } from '../../../kit/controls.tsx';
import { ArrowTip } from '../../../kit/graph/arrow-tip.tsx';
import { Canvas, type CanvasHandle, zoomActions } from '../../../kit/graph/canvas.tsx';
import { createMeasure } from '../../../kit/graph/measure-text.ts';
import { Icon } from '../../../kit/icons.tsx';
import { directionOf } from '../../../kit/keys.ts';
import { t } from '../../../kit/l10n.ts';
import type { ShownNode, ShownShape } from '../../messages.ts';
import type { ViewProps } from '../model.ts';
import { nextBox } from './arrow-keys.ts';
import { withoutEmptyCheck } from './checked-input.ts';
import { DrawnGraph } from './drawing.tsx';
import { exportPng, exportSvg } from './export.ts';
import { type Box, type Drawing, layoutShape } from './layout.ts';
import { Legend } from './legend.tsx';
import { ShapeList } from './list.tsx';

export function Run({ model, actions }: ViewProps) {
  const { runAsList, open } = model.page;
  const whole = model.composition?.subgraph;
  const shape = useMemo(() => whole && withoutEmptyCheck(whole), [whole]);
  const canvas = useRef<CanvasHandle>(null);
  const panel = useRef<HTMLDivElement>(null);
  const drawing = useDrawing(shape, open);
  const save = async (format: 'svg' | 'png'): Promise<void> => {
    const frame = panel.current?.querySelector<SVGSVGElement>('.canvas-frame');
    if (!frame || !drawing) return;
    const text = exportSvg(frame, drawing);
    actions.post({ type: 'exportImage', format, data: format === 'svg' ? text : await exportPng(text, drawing) });
  };
  return (
    <div ref={panel} class={`run${model.errors.length > 0 ? ' dimmed' : ''}`}>
      <div class="graph-bar" role="toolbar" aria-label={t('Graph')}>
        <IconButton
          icon="list"
          label={t('Show as a list')}
          pressed={runAsList}
          onClick={() => actions.setPage({ runAsList: !runAsList })}
        />
        {!runAsList && (
          <>
            {zoomActions(canvas).map((one) => (
              <IconButton key={one.icon} {...one} />
            ))}
            <span class="end" />
            <Button onClick={() => void save('svg')}>SVG</Button>
            <Button onClick={() => void save('png')}>PNG</Button>
            <Popover label={t('What the shapes mean')} class="icon-button" face={<Icon name="help" />}>
              <Legend />
            </Popover>
          </>
        )}
      </div>
      {shape?.delegated && (
        <p class="quiet graph-note">
          {t('A model chooses the shape when it runs; this is the loop that stands there meanwhile.')}
        </p>
      )}
      {!shape && <p class="quiet graph-note">{t('Nothing can run while the skill is broken.')}</p>}
      {shape && runAsList && (
        <div class="graph-list">
          <ShapeList shape={shape} reveal={actions.reveal} />
        </div>
      )}
      {shape && drawing && !runAsList && <RunGraph model={model} actions={actions} drawing={drawing} canvas={canvas} />}
    </div>
  );
}

interface RunGraphProps extends ViewProps {
  readonly drawing: Drawing;
  readonly canvas: RefObject<CanvasHandle | null>;
}

function RunGraph({ model, actions, drawing, canvas }: RunGraphProps) {
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
  // What the drawing shows may be older than the source; its nodes have the places of now.
  const reveal = ({ path, node }: Box, takesFocus: boolean): void =>
    actions.reveal(nodeAt(model.composition?.subgraph, path) ?? node, takesFocus);
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
  const drawn = useMemo(() => <DrawnGraph drawing={drawing} focused={focused?.path} />, [drawing, focused?.path]);
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

/** The layout of a shape, made again when something that is drawn has changed. */
function useDrawing(shape: ShownShape | undefined, open: readonly string[]): Drawing | undefined {
  // Ranges of nodes change with every keystroke and need no new drawing.
  const key = shape && JSON.stringify([shape, open], (name, value) => (name === 'range' ? undefined : value));
  return useMemo(() => shape && layoutShape(shape, new Set(open), createMeasure()), [key]);
}

/** Calls back when the chosen box was opened or closed, with where it was and is. */
function useAfterToggle(drawing: Drawing, chosen: string | undefined, then: (before: Box, after: Box) => void): void {
  const last = useRef(drawing);
  useLayoutEffect(() => {
    const chosenIn = ({ boxes }: Drawing): Box | undefined => boxes.find(({ path }) => path === chosen);
    const [before, after] = [chosenIn(last.current), chosenIn(drawing)];
    last.current = drawing;
    if (before && after && before.isExpanded !== after.isExpanded) then(before, after);
  });
}

function nodeAt(shape: ShownShape | undefined, path: string): ShownNode | undefined {
  const [id, ...rest] = path.split('/');
  const node = shape?.nodes.find((one) => one.id === id);
  return rest.length === 0 ? node : nodeAt(node?.subgraph, rest.join('/'));
}
