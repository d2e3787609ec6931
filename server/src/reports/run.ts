/** The output of `run`: a trace as text for people and as JSON for programs (docs/run.md, "The trace"). */
import type { Colors } from 'picocolors/types';
import type { FileSpan, InvocationRecord } from '../composer/composition.ts';
import type { Json } from '../languages/yaml/node.ts';
import { listed } from '../nearest.ts';
import { queryText } from '../protocol/run.ts';
import type {
  Question,
  RunEnd,
  RunEvent,
  RunResult,
  RunValues,
  ShownRun,
  ShownRunEvent,
  Trace,
  ValueSource,
} from '../protocol.ts';
import { showInvisible } from '../text.ts';
import type { CheckReport } from './check-report.ts';
import { printedJsonInPieces, shortJson, shortText } from './json.ts';
import { errorsToPretty, placeIn } from './pretty.ts';
import { columnsOf } from './tables.ts';

/** The request of a run, as reports show it. */
export interface RunHead {
  readonly skill: string;
  readonly file: string;
  readonly sample: string | undefined;
  readonly parameters: RunValues;
  /** The names of the parameters that were generated. */
  readonly generated: readonly string[];
  /** For JSON: the record of the invocation. */
  readonly invocationRecord?: InvocationRecord | undefined;
}

/** Returns the trace as JSON in pieces, with files and ranges instead of URIs and spans. Values are complete. */
export function traceToJson(
  head: RunHead,
  { events, end, path, interrupts, assertions }: Trace,
  placeOf: (at: FileSpan) => object,
): Iterable<string> {
  // Values of users are not searched for places.
  const located = (value: object): object => {
    const { uri, span, ...rest } = value as Partial<FileSpan>;
    return uri !== undefined && span !== undefined ? { ...rest, ...placeOf({ uri, span }) } : value;
  };
  return printedJsonInPieces({
    ...{ ok: true, ...head, sample: head.sample ?? null },
    events: events.map(located),
    end: end.kind === 'waiting' ? { ...end, question: located(end.question) } : located(end),
    ...{ path, interrupts, assertions },
  });
}

/** Returns the first lines of the text: the skill, its sample, and the generated parameters. */
export function headToPretty({ skill, file, sample, generated }: RunHead, { bold, dim }: Colors): string {
  const parts = [bold(showInvisible(skill)), ...(sample === undefined ? [] : [`sample ${showInvisible(sample)}`])];
  const made = generated.length > 0 ? [dim(`Generated parameters: ${showInvisible(listed(generated))}.`)] : [];
  return `${[`${parts.join('  ')}  ${dim(showInvisible(file))}`, ...made].join('\n')}\n\n`;
}

/**
 * Returns a function that returns the next events of a run as text, with at most one line for each event. Each part is
 * read once, however long the run is.
 */
export function eventsWriter(colors: Colors): (events: Trace['events']) => string {
  const read = traceReader(colors);
  const widths = new Map<number, number>();
  return (events) => {
    const lines = read(events);
    for (const { indent, name } of lines) {
      const width = columnsOf(name ?? '');
      if (width <= MAX_NAME) widths.set(indent, Math.max(width, widths.get(indent) ?? 0));
    }
    return lines
      .map(({ indent, mark, name, text }) => {
        const gap = ' '.repeat(Math.max(0, (widths.get(indent) ?? 0) - columnsOf(name ?? '')));
        const named = name === undefined ? '' : `${colors.bold(name)}${gap}  `;
        return `${`${'  '.repeat(indent)}${mark} ${named}${text}`.trimEnd()}\n`;
      })
      .join('');
  };
}

/** Returns the end of a run as text. A failure is shown with its line, like the findings of `check`. */
export function endToPretty(end: RunEnd, findFile: CheckReport['findFile'], colors: Colors): string {
  const { bold, green, red, yellow, dim } = colors;
  if (end.kind === 'met') {
    // The caller decides when such a skill ends, so that there is no condition to meet.
    const how = end.on === 'caller' ? 'ended' : `${end.on} met`;
    return `${green('■')} ${bold(how)}${outputOf(end.output)}\n`;
  }
  if (end.kind === 'unmet') {
    const output = end.output === null ? '' : `  → ${shortJson(end.output, ONE)}\n`;
    return `${red('■')} ${bold(`${end.on} not met`)}: ${showInvisible(end.message)}\n${output}`;
  }
  if (end.kind === 'waiting') {
    const { question } = end;
    const message = question.message === undefined ? '' : `: ${shortText(question.message, ONE)}`;
    const place = placeIn(findFile, question);
    const problem = question.problem === undefined ? '' : `  ${red(showInvisible(question.problem))}\n`;
    const where = place === '' ? '' : `  ${dim(place)}`;
    return `${yellow('?')} ${questionText(question)} waits for an answer${message}${where}\n${problem}`;
  }
  if (end.kind === 'asking') return `${yellow('?')} ${showInvisible(queryText(end.query))}\n`;
  const { code, message, path, uri, span } = end;
  const frame = errorsToPretty([{ kind: code, message, uri, span }], findFile, { colors });
  const place = path === '' ? '' : ` at ${shortText(path, ONE)}`;
  const unplaced = frame === '' ? `: ${showInvisible(`${code}. ${message}`)}` : '';
  return `${red('■')} ${bold(`failed${place}`)}${unplaced}\n${frame}`;
}

/** Returns a trace for a view in which each event is one line. */
export function shownRun(uri: string, result: RunResult): ShownRun {
  if (!result.ok) {
    return { uri, events: [], end: { kind: 'failed', message: result.errors.map(({ message }) => message).join(' ') } };
  }
  const { events, end } = result;
  return { uri, events: events.map(shownEvent), end: shownEnd(end) };
}

function shownEvent(event: RunEvent): ShownRunEvent {
  const { uri: _, span, state, replies, prompt, instructions, ...rest } = event as RunEvent & Partial<Of<'enter'>>;
  const texts = Object.entries(rest).map(([key, value]) =>
    key === 'input' || key === 'value' || key === 'answer'
      ? [key, shortJson((value ?? null) as Json, ONE)]
      : [key, value],
  );
  return Object.fromEntries(texts) as ShownRunEvent;
}

function shownEnd(end: RunEnd): ShownRun['end'] {
  switch (end.kind) {
    case 'met':
      return { kind: 'met', output: shortJson(end.output, ONE) };
    case 'unmet':
      return { kind: 'failed', message: end.message };
    case 'failed':
      return { kind: 'failed', message: end.message, path: end.path };
    case 'waiting': {
      const { uri: _, span, ...question } = end.question;
      return { kind: 'waiting', question };
    }
    case 'asking':
      return { kind: 'failed', message: queryText(end.query) };
  }
}

/** Returns the name of an interrupt with the path of the node at which it fires, for people. */
export const questionText = ({ name, path }: Pick<Question, 'name' | 'path'>): string =>
  `${shortText(name, ONE)} at ${shortText(path, ONE)}`;

const outputOf = (output: Json): string => (output === null ? '' : `: ${shortJson(output, ONE)}`);

// The lines of events.

export interface TraceLine {
  /** The index of the event. */
  readonly at: number;
  readonly indent: number;
  readonly mark: string;
  /** The name of a node; the texts after the names of neighbours are aligned. */
  readonly name?: string;
  readonly text: string;
}

/** The maximum lengths of values: of one value in a line, and of each of two values. */
const ONE = 100;
const TWO = 48;

/** The width of names up to which the texts after them are aligned. */
const MAX_NAME = 28;

/** Returns the lines of events, in the order of the events. */
export const traceLines = (events: readonly RunEvent[], colors: Colors): readonly TraceLine[] =>
  traceReader(colors)(events);

/** Returns a function that returns the lines of the next events of a run. */
function traceReader(colors: Colors): (events: readonly RunEvent[]) => readonly TraceLine[] {
  let first = 0;
  const names = new Map<string, string>();
  const groupsOf = groupCounter();
  /** The plan whose calls are shown below its line. */
  let plan = '';
  /** The newest value and prompt of each skill, which are not shown again, by the path of the skill. */
  const values = new Map<string, string>();
  const prompts = new Map<string, string>();
  const linesOf = (event: RunEvent, next: RunEvent | undefined, at: number): readonly TraceLine[] => {
    const skill = skillOf(event);
    if (event.kind === 'enter') {
      if (event.node === 'validate_input') values.set(skill, shortJson(event.input ?? {}, ONE));
      // A plan is entered again after each call.
      if (event.node === 'call_tools' || (event.node === 'plan' && plan === event.path)) return [];
      plan = event.node === 'plan' ? event.path : '';
      const { prompt } = event;
      const isKnown = prompt !== undefined && prompts.get(skill) === prompt.text;
      if (prompt !== undefined) prompts.set(skill, prompt.text);
      return nodeLine(at, event, isKnown ? undefined : prompt, colors);
    }
    if (event.kind === 'call') return [callLine(at, event, isEndOf(event, next) ? next : undefined, colors)];
    if (event.kind === 'condition')
      return eventLine(at, { ...event, to: names.get(skill + event.to) ?? event.to }, colors);
    if (event.kind !== 'output') return eventLine(at, event, colors);
    const text = shortJson(event.value, ONE);
    // The end of the run shows the output of the whole skill.
    const isShown = event.from !== 'flow' || (values.get(skill) !== text && event.path !== 'check_exit');
    values.set(skill, text);
    return isShown ? eventLine(at, event, colors) : [];
  };
  return (events) => {
    const lines: TraceLine[] = [];
    for (const one of events) if (one.kind === 'enter') names.set(one.path, nameOf(one));
    for (let index = 0; index < events.length; index++) {
      const event = events[index] as RunEvent;
      const next = events[index + 1];
      const groups = groupsOf(event);
      for (const line of linesOf(event, next, first + index)) lines.push({ ...line, indent: line.indent + groups });
      // The line of a call shows its end.
      if (event.kind === 'call' && isEndOf(event, next)) index++;
    }
    first += events.length;
    return lines;
  };
}

/**
 * Returns a function that returns the number of groups of parallel steps around the node of an event. It must receive all
 * events in order.
 */
function groupCounter(): (event: RunEvent) => number {
  /** The number of groups around each node, and around all nodes of each skill, by path. */
  const counts = new Map<string, number>();
  const openers = new Set<string>();
  return (event) => {
    const { path } = event;
    const skill = skillOf(event);
    const before = counts.get(path) ?? counts.get(skill) ?? 0;
    // A join is in its group for the nodes before it.
    const count = event.kind === 'enter' && event.node === 'join' ? before - 1 : before;
    if (event.kind === 'enter') {
      counts.set(path, count);
      if (event.node === 'skill') counts.set(`${skill}${event.step}/`, count);
      if (event.node === 'parallel' || event.node === 'speculate') openers.add(path);
    } else if (event.kind === 'leave') {
      for (const to of event.to) counts.set(skill + to, count + (openers.has(path) ? 1 : 0));
    }
    return count;
  };
}

type Of<Kind extends RunEvent['kind']> = Extract<RunEvent, { readonly kind: Kind }>;

const isEndOf = (call: Of<'call'>, next: RunEvent | undefined): next is Of<'result'> | Of<'failure'> =>
  (next?.kind === 'result' || next?.kind === 'failure') && next.tool === call.tool && next.path === call.path;

function nodeLine(
  at: number,
  event: Of<'enter'>,
  prompt: Of<'enter'>['prompt'],
  { cyan, dim }: Colors,
): readonly TraceLine[] {
  const { node, input, tools = [] } = event;
  // The line of a composed skill shows its input, and the next node shows the result of a branch.
  const isInner = node === 'validate_input' && depthOf(event) > 0;
  if (isInner || node === 'branch' || node === 'join' || node === 'check_exit') return [];
  const details = [
    ...(input === undefined ? [] : [shortJson(input, ONE)]),
    ...(prompt === undefined ? [] : [dim(`${prompt.tokens} tokens`)]),
    ...(tools.length === 0 ? [] : [dim(`tools: ${shortText(listed(tools), TWO)}`)]),
  ];
  return [
    { at, indent: depthOf(event), mark: cyan('›'), name: shortText(nameOf(event), ONE), text: details.join('  ') },
  ];
}

const nameOf = ({ node, step, label }: Of<'enter'>): string => (node === 'validate_input' ? node : (step ?? label));

function callLine(
  at: number,
  { tool, input, path }: Of<'call'>,
  end: Of<'result'> | Of<'failure'> | undefined,
  { dim, red }: Colors,
): TraceLine {
  const call = `${shortText(tool, ONE)}(${shortJson(input, TWO)})`;
  const result =
    end === undefined
      ? ''
      : end.kind === 'result'
        ? ` → ${shortJson(end.value, TWO)}${sourceText(end.from, dim)}`
        : red(` ✗ ${shortText(end.code, ONE)}`);
  return { at, indent: depthOf({ path }) + 1, mark: dim('·'), text: call + result };
}

function eventLine(at: number, event: Exclude<RunEvent, Of<'enter'>>, colors: Colors): readonly TraceLine[] {
  const { bold, cyan, dim, magenta, red, yellow } = colors;
  const line = (mark: string, text: string, more = 0): readonly TraceLine[] => [
    { at, indent: depthOf(event) + more, mark, text },
  ];
  switch (event.kind) {
    case 'call':
      return [callLine(at, event, undefined, colors)];
    case 'result': {
      const { tool, value, from } = event;
      return line(dim('·'), `${shortText(tool, ONE)} → ${shortJson(value, ONE)}${sourceText(from, dim)}`, 1);
    }
    case 'failure':
      return line(dim('·'), `${shortText(event.tool, ONE)}${red(` ✗ ${shortText(event.code, ONE)}`)}`, 1);
    case 'output':
      return line('→', `${shortJson(event.value, ONE)}${sourceText(event.from, dim)}`, 1);
    case 'condition': {
      const to = event.holds ? `, goes to ${shortText(event.to, ONE)}` : '';
      return line(cyan('◇'), `${shortText(event.condition, ONE)} is ${bold(String(event.holds))}${to}`);
    }
    case 'retry':
      return line(yellow('↻'), `attempt ${event.attempt} of ${event.of} after ${shortText(event.code, ONE)}`, 1);
    case 'interrupt':
      return line(yellow('?'), interruptText(event), 1);
    case 'budget':
      return line(dim('·'), dim(`${event.used} of ${event.of} tool calls used`), 1);
    case 'cancel':
      return line(dim('×'), `${shortText(event.step, ONE)} is cancelled; its results are dropped`);
    case 'patch':
      return line(magenta('±'), `${event.scope}.${shortText(event.name, ONE)} = ${shortJson(event.value, ONE)}`);
    case 'warning':
      return line(yellow('!'), showInvisible(event.message), 1);
    case 'leave':
      return [];
  }
}

function interruptText({ name, path, message, answer, ends }: Of<'interrupt'>): string {
  const said = message === undefined ? '' : `: ${shortText(message, ONE)}`;
  const reply = ends ? '  ends the run' : answer === undefined ? '' : `  answer: ${shortJson(answer, TWO)}`;
  return `${questionText({ name, path: lastOf(path) })}${said}${reply}`;
}

/** The composed skills around a node. */
const depthOf = ({ path }: Pick<RunEvent, 'path'>): number => path.split('/').length - 1;

/** Returns the path of the skill of a node, which is a prefix of the paths of its nodes. */
const skillOf = ({ path }: Pick<RunEvent, 'path'>): string => path.slice(0, -lastOf(path).length);

const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Returns the origin of a value; a value that flows from other nodes has no mark. */
const sourceText = (source: ValueSource, dim: Colors['dim']): string => (source === 'flow' ? '' : dim(`  (${source})`));
