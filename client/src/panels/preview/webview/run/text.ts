/** The labels of boxes and edges of the graph, for the drawing, the list and screen readers. */
import { duration, t, tCount } from '../../../kit/l10n.ts';
import type { ExitCondition, GraphEdge, ShownInterrupt, ShownNode, ShownRun, ShownSubgraph } from '../../messages.ts';

/** A subgraph as it is drawn: each interrupt is a node. */
export interface DrawnShape extends Omit<ShownSubgraph, 'nodes' | 'edges'> {
  readonly nodes: readonly DrawnNode[];
  readonly edges: readonly DrawnEdge[];
}

type Optional<Of> = { readonly [Key in keyof Of]?: Of[Key] | undefined };
type RequiredKey = 'id' | 'label' | 'uri' | 'range';

export interface DrawnNode
  extends Pick<ShownNode, RequiredKey>,
    Optional<Omit<ShownNode, RequiredKey | 'kind' | 'subgraph'>> {
  readonly kind: ShownNode['kind'] | 'interrupt';
  readonly subgraph?: DrawnShape | undefined;
  /** For `interrupt`. */
  readonly interrupt?: ShownInterrupt | undefined;
  /** True if the run does not reach this node with the shown parameters. */
  readonly isUntaken: boolean;
}

export interface DrawnEdge
  extends Pick<GraphEdge, 'from' | 'to'>,
    Optional<Omit<GraphEdge, 'from' | 'to' | 'kind' | 'untaken'>> {
  /** `ask` leads from a node to an interrupt that may fire while the node runs. */
  readonly kind: GraphEdge['kind'] | 'ask';
  readonly isUntaken: boolean;
}

/**
 * Returns the subgraph with its interrupts as nodes, and without an input check that checks nothing. `taken` says which
 * nodes the run may reach: those along edges that are not `untaken`, all, or none.
 */
export function drawnShape(shape: ShownSubgraph, taken: 'reached' | 'all' | 'none'): DrawnShape {
  // A `SKILL.md` never has an input schema.
  const idle = shape.nodes.find(checksNothing);
  const reached = taken === 'reached' ? reachedIn(shape) : new Set<string>();
  const isUntaken = (id: string): boolean => taken !== 'all' && !reached.has(id);
  const nodes = shape.nodes
    .filter((node) => node !== idle)
    .map(({ subgraph, ...node }): DrawnNode => {
      const inside = isUntaken(node.id) ? 'none' : taken;
      return { ...node, isUntaken: inside === 'none', subgraph: subgraph && drawnShape(subgraph, inside) };
    });
  const edges = shape.edges
    .filter(({ from }) => from !== idle?.id)
    .map(({ untaken, ...edge }) => ({ ...edge, isUntaken: isUntaken(edge.from) || (taken !== 'all' && !!untaken) }));
  return shape.interrupts.reduce(withInterrupt, { ...shape, nodes, edges });
}

/** Returns the IDs of the nodes that a run may reach. */
function reachedIn({ nodes, edges }: ShownSubgraph): ReadonlySet<string> {
  const reached = new Set(nodes.slice(0, 1).map(({ id }) => id));
  // A set also visits the items that are added during the loop.
  for (const id of reached) {
    for (const { from, to, kind, untaken } of edges) {
      if (from === id && kind !== 'cancel' && !untaken) reached.add(to);
    }
  }
  return reached;
}

const checksNothing = ({ kind, schema, interrupts }: ShownNode): boolean =>
  kind === 'validate_input' && interrupts.length === 0 && (schema === undefined || isOfNoInput(schema));

/** Returns true for the schema that the server generates for a skill without an input schema. */
const isOfNoInput = (schema: ShownNode['schema']): boolean =>
  JSON.stringify(schema) === JSON.stringify({ type: 'object', properties: {} });

/**
 * Adds an interrupt as a node: before its node if its name begins with `before_`, otherwise beside the next node, because
 * it may fire while its node runs.
 */
function withInterrupt(shape: DrawnShape, interrupt: ShownInterrupt, nth: number): DrawnShape {
  const at = shape.nodes.findIndex(({ id }) => id === interrupt.node);
  const { name, node: target, uri, range } = interrupt;
  const isUntaken = shape.nodes[at]?.isUntaken;
  if (isUntaken === undefined) return shape;
  const id = `${target} ${nth}`;
  const node: DrawnNode = { id, kind: 'interrupt', label: name, interrupt, uri, range, isUntaken };
  if (!name.startsWith('before_')) {
    const nodes = shape.nodes.toSpliced(at + 1, 0, node);
    return { ...shape, nodes, edges: [...shape.edges, { from: target, to: id, kind: 'ask', isUntaken }] };
  }
  const edges = shape.edges.map((edge) =>
    edge.to === target && (edge.kind === 'next' || edge.kind === 'branch') ? { ...edge, to: id } : edge,
  );
  return {
    ...shape,
    nodes: shape.nodes.toSpliced(at, 0, node),
    edges: [...edges, { from: id, to: target, kind: 'next', isUntaken }],
  };
}

/**
 * Returns the title of a box and the smaller lines below the title, without wrapping them. `denied` contains the tools
 * that the caller may not use.
 */
export function nodeText(
  node: DrawnNode,
  shape: DrawnShape,
  denied: readonly string[],
): { title: string; lines: readonly string[] } {
  if (node.interrupt) return { title: node.label, lines: interruptLines(node.interrupt) };
  if (node.kind === 'check_exit') return { title: exitText(shape.exitCondition), lines: detailsOf(node, '') };
  const title = node.kind === 'plan' && node.stage ? node.stage.name : labelOf(node);
  const obstacles = obstaclesOf(node, denied);
  return {
    title,
    lines: [
      ...detailsOf(node, title),
      ...(obstacles.length === 0 ? [] : [t('not allowed: {0}', obstacles.join(', '))]),
    ],
  };
}

/** Returns the denied tools without which a node, or a node of its composed skill, cannot run. */
const obstaclesOf = ({ tools = [], subgraph }: DrawnNode, denied: readonly string[]): readonly string[] => {
  const inside = subgraph?.nodes.flatMap((node) => obstaclesOf(node, denied)) ?? [];
  return [...new Set([...tools.filter((name) => denied.includes(name)), ...inside])];
};

/** Returns false for a node that needs a denied tool, or a skill that is not in the workspace. */
export const canRun = (node: DrawnNode, denied: readonly string[]): boolean =>
  obstaclesOf(node, denied).length === 0 && (node.kind !== 'skill' || node.subgraph !== undefined);

/** The labels that the composer generates. Other labels are names from the author, and are not translated. */
const labels: ReadonlyMap<string, string> = new Map([
  ['Validate input', t('Validate input')],
  ['Ask the model', t('Ask the model')],
  ['Call tools', t('Call tools')],
  ['Call the service', t('Call the service')],
  ['In parallel', t('In parallel')],
  ['Branch', t('Branch')],
  ['Join', t('Join')],
  ['Check exit', t('Check exit')],
  ['a tool is called', t('a tool is called')],
]);

const labelOf = ({ kind, label }: DrawnNode): string => (kind === 'skill' ? label : edgeLabel(label));

export const edgeLabel = (label: string): string => labels.get(label) ?? label;

function detailsOf(
  { kind, stage, instructions, guidance, tools, skill, subgraph, retry, timeoutMs }: DrawnNode,
  title: string,
): string[] {
  const lines: string[] = [];
  if (kind === 'plan') lines.push(stage ? t('stage {0}', stage.index) : t('with the prompt of this skill'));
  if (instructions ?? guidance) lines.push(firstLine(instructions ?? guidance ?? '', title));
  if (tools) lines.push(tools.length === 0 ? t('no tools') : tools.join(', '));
  if (skill) {
    const version = skill.version === undefined ? '' : ` ${skill.version}`;
    const named = skill.name === title ? version.trim() : `${skill.name}${version}`;
    if (named !== '') lines.push(named);
    if (subgraph === undefined) lines.push(t('not in this workspace'));
  }
  if (retry) lines.push(tCount(retry.maxAttempts, 'up to 1 attempt', 'up to {0} attempts'));
  if (timeoutMs !== undefined) lines.push(t('at most {0}', duration(timeoutMs)));
  return lines;
}

/** Returns the first line of a stage's text. The text often begins with the title in bold, which is removed. */
const firstLine = (text: string, title: string): string => {
  const words = text.trim().replaceAll('**', '');
  const rest = words.startsWith(title) ? words.slice(title.length).replace(/^[\s.:,]+/, '') : words;
  const line = rest.split('\n', 1)[0] ?? '';
  return line.length > 72 ? `${line.slice(0, 71)}…` : line;
};

/** Returns the text of the condition that ends the skill. */
function exitText(exit: ExitCondition): string {
  if (exit.on === 'tool_budget')
    return tCount(exit.maxToolCalls, 'Done after 1 tool call', 'Done after {0} tool calls');
  const done = doneText(exit);
  if (exit.maxToolCalls === undefined) return done;
  return `${done}, ${tCount(exit.maxToolCalls, 'at most 1 tool call', 'at most {0} tool calls')}`;
}

function doneText(exit: Exclude<ExitCondition, { on: 'tool_budget' }>): string {
  if (exit.on === 'output_schema') return t('Done when the output matches its schema');
  if (exit.on === 'interrupt') return t('Done when {0} fires', exit.name);
  return t('Done when the caller decides');
}

/** Returns the call and the condition that an interrupt waits for, and its question. */
function interruptLines({ when, message, tools = [] }: ShownInterrupt): readonly string[] {
  return [
    ...(tools.length > 0 ? [t('before {0}', tools.join(', '))] : []),
    ...(when === undefined ? [] : [t('if {0}', when)]),
    ...(message === undefined ? [] : [message]),
  ];
}

const kindNames: Readonly<Record<string, string>> = {
  skill: t('skill'),
  branch: t('branch'),
  parallel: t('in parallel'),
  join: t('waits for all'),
  speculate: t('in parallel; cancels unneeded steps'),
  call_service: t('service'),
  interrupt: t('asks a person'),
};

/** Returns the description of a node for screen readers: the text or title of its box, and its kind. */
export function descriptionOf(node: DrawnNode, shape: DrawnShape, shown: string): string {
  const kind = kindNames[node.kind];
  const text = shown === '' ? nodeText(node, shape, []).title : shown;
  return [text, ...(kind ? [kind] : []), ...untakenText(node)].join('; ');
}

/** Returns the words for a node or an edge that the shown parameters rule out. */
export const untakenText = ({ isUntaken }: Pick<DrawnNode, 'isUntaken'>): readonly string[] =>
  isUntaken ? [t('not taken with this sample')] : [];

/** Returns for example `then Write`, `if input.deep: Search; not taken with this sample`, or `else Write`. */
export const edgeText = (edge: DrawnEdge, target: string): string =>
  [edgePhrase(edge, target), ...untakenText(edge)].join('; ');

/** Returns for example `then Write`, `if input.deep: Search`, `else Write`, or `cancels Search unless input.deep`. */
function edgePhrase({ kind, condition, unless, label }: DrawnEdge, target: string): string {
  const named = label === undefined ? target : `${target} (${edgeLabel(label)})`;
  if (condition !== undefined) return t('if {0}: {1}', condition, named);
  if (kind === 'branch' && label !== undefined) return t('if {0}: {1}', edgeLabel(label), target);
  if (kind === 'cancel')
    return unless === undefined ? t('cancels {0}', named) : t('cancels {0} unless {1}', named, unless);
  if (kind === 'ask') return t('may ask {0}', named);
  if (kind === 'loop') return t('back to {0}', named);
  return kind === 'branch' ? t('else {0}', named) : t('then {0}', named);
}

const sources: Readonly<Record<string, string>> = {
  recorded: t('recorded'),
  stub: t('stub'),
  generated: t('generated'),
  answer: t('answer'),
  fallback: t('fallback'),
};

/** Returns a value with its origin, if it does not come from another node. */
const valueText = (value: string, from: string): string => {
  const source = sources[from];
  return source === undefined ? value : `${value} (${source})`;
};

type RunEvent = ShownRun['events'][number];

/** Returns the names of the composed skills above a node. */
const skillsAbove = (path: string): readonly string[] => path.split('/').slice(0, -1);

/**
 * Returns an event of a run as a line, after the names of the composed skills in which it happens. If `isOutputListed`,
 * the line leaves out the value of an output, which is shown below.
 */
export function eventText(event: RunEvent, isOutputListed = false): string {
  return [...skillsAbove(event.path), ownEventText(event, isOutputListed)].join(' › ');
}

function ownEventText(event: RunEvent, isOutputListed: boolean): string {
  switch (event.kind) {
    case 'enter':
      return event.node === 'skill' ? t('Run {0} with {1}', event.label, event.input ?? '') : edgeLabel(event.label);
    case 'call':
      return t('Call {0} with {1}', event.tool, event.input);
    case 'result':
      return t('{0} returns {1}', event.tool, valueText(event.value, event.from));
    case 'failure':
      return t('{0} fails with {1}', event.tool, event.code);
    case 'output':
      return isOutputListed ? valueText(t('Output'), event.from) : t('Output: {0}', valueText(event.value, event.from));
    case 'condition':
      return event.holds ? t('{0} is true', event.condition) : t('{0} is false', event.condition);
    case 'retry':
      return t('Attempt {0} of {1} after {2}', event.attempt, event.of, event.code);
    case 'interrupt':
      return event.ends
        ? t('{0} ends the run', event.name)
        : t('{0} is answered with {1}', event.name, event.answer ?? '');
    case 'budget':
      return t('{0} of {1} tool calls are used', event.used, event.of);
    case 'cancel':
      return t('{0} is cancelled', event.step);
    case 'warning':
      return event.message;
    default:
      return '';
  }
}

/** Returns the end of a run as a line, which names the composed skill that failed. */
export function endText(end: ShownRun['end']): string {
  if (end.kind === 'met') return t('The run is complete: {0}', end.output);
  if (end.kind === 'failed') {
    const place = skillsAbove(end.path ?? '').join(' › ');
    return place === '' ? t('The run failed: {0}', end.message) : t('The run failed in {0}: {1}', place, end.message);
  }
  const { name, message } = end.question;
  return message === undefined ? t('{0} asks for an answer', name) : `${name}: ${message}`;
}
