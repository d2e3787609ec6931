/** Draws a graph with its layout. The style sheet sets the theme's colours through classes. */
import { Component, type JSX } from 'preact';
import { ARROW, LegendEntry } from '../../../kit/graph/canvas.tsx';
import { curvedPath, rounded, roundedPath } from '../../../kit/graph/view.ts';
import { t, tCount } from '../../../kit/l10n.ts';
import { BAR, type Box, CIRCLE, type Drawing, isFork, LINE, type Route } from './layout.ts';
import type { RunProgress } from './play.tsx';
import { edgeLabel, edgeText, untakenText } from './text.ts';

interface DrawnGraphProps {
  readonly drawing: Drawing;
  /** The path of the box that is the tab stop. */
  readonly focused: string | undefined;
  /** The parts that a run has reached; undefined without a run. */
  readonly marks: RunProgress | undefined;
  /** The path of the box at which the run is. */
  readonly current: string | undefined;
}

export function DrawnGraph({ drawing, focused, marks, current }: DrawnGraphProps) {
  const { boxes, routes } = drawing;
  const titles = new Map(boxes.map(({ path, title }) => [path, title]));
  const skipped = skippedIn(drawing, marks);
  const drawn = (box: Box) => (
    <DrawnBox
      key={box.path}
      box={box}
      isFocused={box.path === focused}
      isCurrent={box.path === current}
      isSkipped={skipped.has(box.path)}
      retries={marks?.retries.get(box.path) ?? 0}
    />
  );
  return (
    <>
      {boxes.filter(({ isExpanded }) => isExpanded).map(drawn)}
      {routes.map((route, at) => (
        <DrawnRoute
          key={at}
          route={route}
          target={titles.get(route.to) ?? ''}
          mark={marks && (skipped.has(route.from) ? 'skipped' : markOf(route, marks))}
        />
      ))}
      {routes.map((route, at) => (
        <Label key={at} route={route} />
      ))}
      {boxes.filter(({ isExpanded }) => !isExpanded).map(drawn)}
    </>
  );
}

/** Returns the ID of the node to which a path belongs. The ID of an interrupt is the ID of its node, a space and a number. */
const nodeOf = (path: string): string => /^[^ ]*/.exec(path)?.[0] ?? path;

const isReached = ({ path, node }: Box, { entered, fired }: RunProgress): boolean =>
  node.kind === 'interrupt' ? fired.has(`${nodeOf(path)} ${node.label}`) : entered.has(path);

/** Returns whether a run has followed an edge, or another edge of the same branch. */
function markOf(
  { from, to, edge }: Route,
  { current, entered, passed, decided, isOver }: RunProgress,
): 'passed' | 'skipped' | undefined {
  const [start, end] = [nodeOf(from), nodeOf(to)];
  // The edge between an interrupt and its node.
  if (start === end && from !== to) return to === end && entered.has(end) && current !== from ? 'passed' : undefined;
  if (passed.has(`${start} > ${end}`)) return 'passed';
  const isRefused = edge.kind === 'branch' && decided.has(start);
  return isRefused || (isOver && !entered.has(start)) ? 'skipped' : undefined;
}

/**
 * Returns the boxes that a run does not reach: those after branches that it did not take, and at its end all that it
 * has not reached.
 */
function skippedIn({ boxes, routes }: Drawing, marks: RunProgress | undefined): ReadonlySet<string> {
  const skipped = new Set<string>();
  if (!marks) return skipped;
  const ways = new Map<string, Route[]>();
  for (const route of routes) {
    if (route.edge.kind === 'loop' || route.edge.kind === 'cancel') continue;
    const known = ways.get(route.to);
    if (known) known.push(route);
    else ways.set(route.to, [route]);
  }
  // Outer boxes come before inner ones, and nodes after those that lead to them.
  for (const box of boxes) {
    const { path } = box;
    const own = ways.get(path) ?? [];
    const isCut = own.every((route) => skipped.has(route.from) || markOf(route, marks) === 'skipped');
    const isInside = skipped.has(path.slice(0, Math.max(0, path.lastIndexOf('/'))));
    if (!isReached(box, marks) && (marks.isOver || isInside || (own.length > 0 && isCut))) skipped.add(path);
  }
  return skipped;
}

interface DrawnBoxProps {
  readonly box: Box;
  readonly isFocused: boolean;
  readonly isCurrent: boolean;
  /** True if the run does not reach this node. */
  readonly isSkipped: boolean;
  readonly retries: number;
}

const DrawnBox = memo(({ box, isFocused, isCurrent, isSkipped, retries }: DrawnBoxProps) => {
  const { path, node, x, y, isExpanded, isExpandable, canRun } = box;
  const description = [
    box.description,
    ...(retries > 0 ? [retriesText(retries)] : []),
    ...(isSkipped ? [t('not reached')] : []),
  ].join('; ');
  return (
    <g
      class={`node ${node.kind}${isExpanded ? ' open' : ''}${canRun ? '' : ' blocked'}${node.isUntaken || isSkipped ? ' untaken' : ''}${isCurrent ? ' current' : ''}`}
      transform={`translate(${rounded(x)} ${rounded(y)})`}
      role="button"
      tabindex={isFocused ? 0 : -1}
      aria-label={description}
      aria-expanded={isExpandable ? isExpanded : undefined}
      aria-current={isCurrent ? 'step' : undefined}
      data-path={path}
    >
      <title>
        {[description, node.instructions ?? node.guidance].filter((text) => text !== undefined).join('\n\n')}
      </title>
      <Outline box={box} />
      <Lines box={box} />
      {isExpandable && (
        <g class="sign" transform="translate(8 8)">
          <rect class="hit" x={-4} y={-4} width={20} height={20} />
          <path d={isExpanded ? 'M2 4L6 8L10 4' : 'M4 2L8 6L4 10'} />
        </g>
      )}
      {retries > 0 && (
        <text class="small retries" x={box.width - 4} y={-4} text-anchor="end">
          {retriesText(retries)}
        </text>
      )}
      {node.kind === 'interrupt' && <path class="flag" d="M8 20V8H17L14.5 11L17 14H8" />}
    </g>
  );
});

/** Returns a component that renders again only if one of its properties is another one. */
function memo<Props extends object>(view: (props: Props) => JSX.Element | null) {
  return class extends Component<Props> {
    override shouldComponentUpdate(next: Props): boolean {
      const { props } = this;
      return (Object.keys(next) as (keyof Props)[]).some((name) => next[name] !== (props as Props)[name]);
    }
    override render() {
      return view(this.props);
    }
  };
}

/** Returns the number of retries of a node, as a text. */
export const retriesText = (count: number): string => tCount(count, '1 retry', '{0} retries');

function Lines({ box }: { readonly box: Box }) {
  const { node, width, isExpanded, isExpandable, lines } = box;
  const isCentred = !isExpanded && !isFork(node.kind);
  const hasSign = isExpandable || node.kind === 'interrupt';
  const left = isExpanded ? 28 : isCentred ? (hasSign ? width + 12 : width) / 2 : 0;
  let at = textTop(box);
  return (
    <>
      {lines.map(({ text, large }, nth) => {
        at += large ? LINE.large : LINE.small;
        return (
          <text
            key={nth}
            x={left}
            y={at - 4}
            class={large ? 'large' : 'small'}
            text-anchor={isCentred ? 'middle' : 'start'}
          >
            {/* Without the space, screen readers join the lines. */}
            {`${text} `}
          </text>
        );
      })}
    </>
  );
}

function Outline({ box: { node, width, height } }: { readonly box: Box }): JSX.Element {
  switch (node.kind) {
    case 'branch':
      return (
        <path class="outline" d={`M${width / 2} 0L${width} ${height / 2}L${width / 2} ${height}L0 ${height / 2}Z`} />
      );
    case 'join':
      return <rect class="beam" width={width} height={BAR} rx={2} />;
    case 'parallel':
    case 'speculate':
      return <rect class="beam" y={height - BAR} width={width} height={BAR} rx={2} />;
    case 'check_exit':
      return (
        <>
          <circle class="outline" cx={width / 2} cy={CIRCLE} r={CIRCLE - 1} />
          <circle class="exit" cx={width / 2} cy={CIRCLE} r={CIRCLE - 5} />
        </>
      );
    default:
      return <rect class="outline" width={width} height={height} rx={4} />;
  }
}

const textTop = ({ node }: Box): number => {
  if (node.kind === 'check_exit') return CIRCLE * 2 + 4;
  return isFork(node.kind) ? 0 : 6;
};

interface DrawnRouteProps {
  readonly route: Route;
  readonly target: string;
  readonly mark: 'passed' | 'skipped' | undefined;
}

const DrawnRoute = memo(({ route, target, mark }: DrawnRouteProps) => {
  const { points, edge, from, to } = route;
  return (
    <path
      class={`edge ${edge.kind}${edge.isUntaken || mark === 'skipped' ? ' untaken' : ''}${mark === 'passed' ? ' passed' : ''}`}
      d={from === to || edge.kind === 'cancel' ? roundedPath(points) : curvedPath(points)}
      marker-end={`url(#${ARROW})`}
      data-from={from}
      data-to={to}
    >
      <title>{edgeText(edge, target)}</title>
    </path>
  );
});

const Label = memo(({ route: { label, edge } }: { readonly route: Route }) => {
  if (!label) return null;
  const { x, y, width, height } = label.box;
  return (
    <g class={edge.isUntaken ? 'label untaken' : 'label'}>
      <title>
        {[
          edge.condition ?? (edge.label === undefined ? t('otherwise') : edgeLabel(edge.label)),
          ...untakenText(edge),
        ].join('; ')}
      </title>
      <rect class="label-ground" x={rounded(x)} y={rounded(y)} width={width} height={height} />
      {label.lines.map((text, at) => (
        <text key={at} x={rounded(x + width / 2)} y={rounded(y + (at + 1) * LINE.small - 4)} text-anchor="middle">
          {`${text} `}
        </text>
      ))}
    </g>
  );
});

/** The legend of the shapes of the graph. */
export const Legend = () => (
  <div class="legend">
    <LegendEntry class="plan" meaning={t('A step of the model')}>
      <rect class="outline" width="40" height="20" rx="4" />
    </LegendEntry>
    <LegendEntry class="call_tools" meaning={t('Tools are called')}>
      <rect class="outline" width="40" height="20" rx="4" />
    </LegendEntry>
    <LegendEntry class="skill" meaning={t('Runs another skill; the arrow expands it')}>
      <rect class="outline" width="40" height="20" rx="4" />
      <path class="sign-path" d="M8 6L12 10L8 14" />
    </LegendEntry>
    <LegendEntry class="branch" meaning={t('One branch is taken')}>
      <path class="outline" d="M20 0L34 10L20 20L6 10Z" />
    </LegendEntry>
    <LegendEntry class="parallel" meaning={t('Runs branches in parallel; the second bar waits for all of them')}>
      <rect class="beam" y="8" width="40" height="4" rx="2" />
    </LegendEntry>
    <LegendEntry class="call_tools blocked" meaning={t('Cannot run: a tool is not allowed, or a skill is missing')}>
      <rect class="outline" width="40" height="20" rx="4" />
    </LegendEntry>
    <LegendEntry class="untaken" meaning={t('Not taken with this sample')}>
      <rect class="outline" width="40" height="20" rx="4" />
    </LegendEntry>
    <LegendEntry class="current plan" meaning={t('The run is here')}>
      <rect class="outline" x="2" y="2" width="36" height="16" rx="4" />
    </LegendEntry>
    <LegendEntry class="" meaning={t('The run took this way')}>
      <path class="edge passed" d="M0 10H40" marker-end={`url(#${ARROW})`} />
    </LegendEntry>
    <LegendEntry class="check_exit" meaning={t('End')}>
      <circle class="outline" cx="20" cy="10" r="9" />
      <circle class="exit" cx="20" cy="10" r="5" />
    </LegendEntry>
    <LegendEntry class="" meaning={t('A loop or a cancellation')}>
      <path class="edge loop" d="M0 10H40" marker-end={`url(#${ARROW})`} />
    </LegendEntry>
    <LegendEntry class="interrupt" meaning={t('Asks a person')}>
      <rect class="outline" width="40" height="20" rx="4" />
      <path class="flag" d="M16 16V4H25L22.5 7L25 10H16" />
    </LegendEntry>
  </div>
);
