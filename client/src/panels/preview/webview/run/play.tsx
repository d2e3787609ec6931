/**
 * Shows a run in the tab *Run* (docs/preview.md): the dry run that *Play* steps through, or the run of a debug session.
 * Both have a position in a trace, from which the status line and the marks of the graph follow.
 */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { Button, IconButton, WithCode } from '../../../kit/controls.tsx';
import { t } from '../../../kit/l10n.ts';
import type { ShownRun, ToPanel } from '../../messages.ts';
import { isOlder, type Model, stateOf, type ViewProps } from '../model.ts';
import { type DrawnShape, endText, eventText } from './text.ts';

type RunEvent = ShownRun['events'][number];
type Answers = Extract<ToPanel, { readonly type: 'run' }>['answered'];
type Json = Answers[number];

/** The time for which *Play* shows each box, in milliseconds. The first box is shown at once. */
const BOX_MILLISECONDS = 900;

/** The parts of the graph that a run has reached. Nodes are paths of node IDs; edges are written `FROM > TO`. */
export interface RunProgress {
  readonly current: string | undefined;
  readonly entered: ReadonlySet<string>;
  readonly passed: ReadonlySet<string>;
  /** The branches that the run has left along one of their edges. */
  readonly decided: ReadonlySet<string>;
  /** The interrupts that fired, each as its node and its name. */
  readonly fired: ReadonlySet<string>;
  /** The number of retries of each node. */
  readonly retries: ReadonlyMap<string, number>;
  readonly isOver: boolean;
}

/** A position in a run. */
export interface Position {
  readonly run: ShownRun | undefined;
  /** The number of shown events; the end counts as an event. */
  readonly at: number;
  /** The number of all events. */
  readonly last: number;
  /** The numbers of boxes that the run has reached and that it reaches. A box that it reaches twice counts twice. */
  readonly count: { readonly reached: number; readonly all: number };
  /** Undefined before the first event. */
  readonly marks: RunProgress | undefined;
  readonly line: string;
  /** The input and the output of the current box so far, as texts. */
  readonly values: BoxValues;
}

export interface BoxValues {
  readonly input?: string;
  readonly output?: string;
}

export interface Playing extends Position {
  readonly isPlaying: boolean;
  /** The reason why the skill cannot be run. */
  readonly obstacle: string | undefined;
  readonly toggle: () => void;
  readonly step: (by: 1 | -1) => void;
  readonly restart: () => void;
  readonly answer: (value: Json) => void;
}

/** Returns a position in a run. `isByBox` says that the line is about a whole box, and not about its last event. */
function usePosition(run: ShownRun | undefined, wanted: number, names: Names, boxes: Boxes, isByBox = false): Position {
  const lines = useMemo(() => run?.events.filter(isLine) ?? [], [run]);
  const last = lines.length + 1;
  const at = run ? Math.min(wanted, last) : 0;
  const marks = useMemo(
    () => (run && at > 0 && lines.length > 0 ? marksOf(run, at, at === last, names) : undefined),
    [run, at, names],
  );
  const { box, isOfBox = true } = boxes[at - 1] ?? {};
  const shown = lines[isByBox && box !== undefined && !isOfBox ? startOfBox(boxes, at) : at - 1];
  const values = shown ? valuesIn(lines, boxes, at) : {};
  const isOutputListed = values.output !== undefined;
  const line = shown ? eventText(shown, isOutputListed) : run && at > 0 ? endText(run.end) : '';
  const numbers = useMemo(() => numbersOf(boxes), [boxes]);
  const all = numbers.at(-1) ?? 0;
  const count = { reached: at === last ? all : (numbers[at - 1] ?? 0), all };
  return { run, at, last, count, marks, line, values };
}

/** The box at which *Play* shows an event. */
interface EventBox {
  /** The path of node IDs; undefined for an event whose node is not drawn. */
  readonly box: string | undefined;
  /** False for an event inside a composed skill of the box. */
  readonly isOfBox: boolean;
  /** True at a node that only connects others. *Play* passes it without a stop. */
  readonly isPassed: boolean;
}

/** The box of each event with a line. */
type Boxes = readonly EventBox[];

/** The nodes that do nothing but connect others. */
const CONNECTORS: ReadonlySet<string> = new Set(['parallel', 'speculate', 'join', 'check_exit']);

/** `open` has the paths of the boxes that show their content. */
function useBoxes(run: ShownRun | undefined, names: Names, open: readonly string[]): Boxes {
  return useMemo(() => {
    if (!run) return [];
    const places = placesOf(run);
    const connectors = new Set<string>();
    return run.events.flatMap((event, nth): Boxes => {
      if (!isLine(event)) return [];
      const path = places[nth]?.path ?? '';
      const isConnector = event.kind === 'enter' && CONNECTORS.has(event.node);
      if (isConnector) connectors.add(path);
      const place = event.kind === 'interrupt' ? interruptAt(path, event.name, names) : path;
      const box = visibleBox(place, names, open);
      const isOfBox = box !== undefined && place.split('/').length <= box.split('/').length + 1;
      return [{ box, isOfBox, isPassed: isConnector || box === undefined || connectors.has(box) }];
    });
  }, [run, names, open]);
}

/** Returns the innermost box at a path whose outer boxes are all open. */
function visibleBox(path: string, names: Names, open: readonly string[]): string | undefined {
  const parts = path.split('/');
  const closed = parts.findIndex((_, depth) => !open.includes(parts.slice(0, depth + 1).join('/')));
  const box = parts.slice(0, closed + 1).join('/');
  return names.has(box) ? box : undefined;
}

/** Returns the next position, after `at`, at which a box has ended; `last` after the last box. */
function endOfBox(boxes: Boxes, at: number, last: number): number {
  for (let position = at + 1; position < last; position++) {
    const here = boxes[position - 1];
    if (!here || here.isPassed) continue;
    const next = boxes.slice(position).find(({ isPassed }) => !isPassed);
    if (next?.box !== here.box) return position;
  }
  return last;
}

/** Returns the index of the first event of the box at a position. */
function startOfBox(boxes: Boxes, at: number): number {
  const box = boxes[at - 1]?.box;
  let start = at - 1;
  for (let index = start; index >= 0 && (boxes[index]?.box ?? box) === box; index--) {
    if (boxes[index]?.box === box) start = index;
  }
  return start;
}

/** Returns for each event the number of boxes that the run has reached. */
function numbersOf(boxes: Boxes): readonly number[] {
  let number = 0;
  let last: string | undefined;
  return boxes.map(({ box, isPassed }) => {
    if (!isPassed && box !== last) number++;
    if (!isPassed) last = box;
    return number;
  });
}

/**
 * Returns the values that the events of a box give up to a position. The outputs inside the composed
 * skills of a box are not outputs of the box.
 */
function valuesIn(lines: readonly RunEvent[], boxes: Boxes, at: number): BoxValues {
  if (boxes[at - 1]?.box === undefined) return {};
  const start = startOfBox(boxes, at);
  let input: string | undefined;
  let output: string | undefined;
  for (const [nth, event] of lines.slice(start, at).entries()) {
    if (!boxes[start + nth]?.isOfBox) continue;
    if (event.kind === 'enter') input ??= event.input;
    else if (event.kind === 'call') input ??= event.input;
    else if (event.kind === 'output' || event.kind === 'result') output = event.value;
    else if (event.kind === 'interrupt') output = event.answer;
  }
  return { ...(input !== undefined && { input }), ...(output !== undefined && { output }) };
}

const isLine = ({ kind }: RunEvent): boolean => kind !== 'leave';

/** Returns the position of the debug session of the shown skill; undefined without a session. */
export function useDebugging({ debug, page }: Model, names: Names): Position | undefined {
  const { events = [] } = debug?.run ?? {};
  const past = debug?.past ?? 0;
  const at = past > events.length ? events.length + 1 : events.slice(0, past).filter(isLine).length;
  const position = usePosition(debug?.run, at, names, useBoxes(debug?.run, names, page.open));
  return debug && position;
}

export function usePlaying({ model, actions }: ViewProps, names: Names): Playing {
  const { run, debug } = model;
  const [wanted, setAt] = useState(0);
  const [isStarted, setStarted] = useState(false);
  /** True from a request until its reply, a run, arrives. */
  const [isWaiting, setWaiting] = useState(false);
  const [answers, setAnswers] = useState<Answers>([]);
  const [isByBox, setByBox] = useState(true);
  const boxes = useBoxes(run, names, model.page.open);
  const position = usePosition(run, wanted, names, boxes, isByBox);
  const { at, last } = position;
  const isAtEnd = run !== undefined && at === last && !isWaiting;
  const isPlaying = isStarted && !isAtEnd;
  const isReset = run === undefined;
  useEffect(() => {
    if (!isReset) return;
    setAt(0);
    setStarted(false);
    setAnswers([]);
  }, [isReset]);
  useEffect(() => setWaiting(false), [run]);
  const isDebugged = debug !== undefined;
  useEffect(() => setStarted(false), [isDebugged]);
  useEffect(() => {
    if (!isPlaying || !run || isWaiting) return;
    const timer = setTimeout(() => setAt(endOfBox(boxes, at, last)), at === 0 ? 0 : BOX_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [isPlaying, run, at, last, boxes, isWaiting]);
  const ask = (answered: Answers): void => {
    setAnswers(answered);
    setWaiting(true);
    actions.post({ type: 'run', answered });
  };
  const restart = (): void => {
    setAt(0);
    // A run without events was refused or got no reply, so it is tried again.
    if (!run || run.events.length === 0 || answers.length > 0) ask([]);
  };
  return {
    ...position,
    isPlaying,
    obstacle: model.composition && !isOlder(model) && model.errors.length === 0 ? undefined : stateOf(model).why,
    toggle: () => {
      if (!isPlaying && (!run || (isAtEnd && run.end.kind !== 'waiting'))) restart();
      setStarted(!isPlaying);
      if (!isPlaying) setByBox(true);
    },
    step: (by) => {
      if (!run) ask([]);
      setStarted(false);
      setByBox(false);
      setAt(Math.max(0, at + by));
    },
    restart: () => {
      setStarted(false);
      restart();
    },
    answer: (value) => {
      setStarted(true);
      ask([...answers, value]);
    },
  };
}

/** The name of the step, the stage or the node at each path of node IDs. */
type Names = ReadonlyMap<string, string>;

export function namesIn(shape: DrawnShape | undefined, above = ''): Names {
  const nodes = shape?.nodes ?? [];
  return new Map(
    nodes.flatMap(({ id, label, skill, stage, subgraph }) => [
      [above + id, skill?.step ?? stage?.name ?? label] as const,
      ...namesIn(subgraph, `${above}${id}/`),
    ]),
  );
}

/**
 * Returns the marks of the first `count` events, or with `isEnd` also of the end. `leave` events are not counted. If
 * the file has changed since the run, its nodes with other names get no marks.
 */
function marksOf(run: ShownRun, count: number, isEnd: boolean, names: Names): RunProgress {
  const { events, end } = run;
  const entered = new Set<string>();
  const passed = new Set<string>();
  const decided = new Set<string>();
  const fired = new Set<string>();
  const retries = new Map<string, number>();
  /** The paths at which the file now has another node. */
  const replaced = new Set<string>();
  const branches = new Set<string>();
  const question = isEnd && end.kind === 'waiting' ? end.question : undefined;
  const places = placesOf(run);
  let current: string | undefined;
  let left = count;
  for (const [nth, event] of events.entries()) {
    if (left === 0) break;
    if (isLine(event)) left--;
    const { prefix, path } = places[nth] as Place;
    if (event.kind === 'enter') {
      const { node, label, step = label } = event;
      if ((names.get(path) ?? step) === step) entered.add(path);
      else replaced.add(path);
      decided.delete(path);
      if (node === 'branch') branches.add(path);
    } else if (event.kind === 'leave') {
      for (const to of event.to) passed.add(`${path} > ${prefix}${to}`);
      if (branches.has(path) && !replaced.has(path)) decided.add(path);
    } else if (event.kind === 'interrupt') fired.add(`${path} ${event.name}`);
    else if (event.kind === 'retry' && !replaced.has(path)) retries.set(path, (retries.get(path) ?? 0) + 1);
    const place = event.kind === 'interrupt' ? interruptAt(path, event.name, names) : path;
    current = replaced.has(path) ? prefix.slice(0, -1) : place;
  }
  if (question) current = interruptAt(places.at(-1)?.path ?? '', question.name, names);
  for (const edge of passed) if (edge.split(' > ').some((path) => replaced.has(path))) passed.delete(edge);
  return { current, entered, passed, decided, fired, retries, isOver: isEnd && !question };
}

/** The path of node IDs of an event or a question, and the part of it above the node. */
interface Place {
  readonly prefix: string;
  readonly path: string;
}

/** Returns the place of each event, and then the place of the question. Paths of events have names of steps. */
function placesOf({ events, end }: ShownRun): readonly Place[] {
  /** The path of node IDs of each running skill. */
  const prefixes = new Map([['', '']]);
  const placeOf = (at: string): Place & { readonly above: string } => {
    const above = at.slice(0, at.lastIndexOf('/') + 1);
    const prefix = prefixes.get(above) ?? above;
    return { above, prefix, path: prefix + at.slice(above.length) };
  };
  const places = events.map((event) => {
    const place = placeOf(event.path);
    if (event.kind === 'enter' && event.node === 'skill')
      prefixes.set(`${place.above}${event.step ?? event.label}/`, `${place.path}/`);
    return place;
  });
  return end.kind === 'waiting' ? [...places, placeOf(end.question.path)] : places;
}

/** Returns the path of the interrupt of a node, or of the node if it has no such interrupt. */
const interruptAt = (path: string, name: string, names: Names): string =>
  [...names].find(([at, label]) => label === name && at.startsWith(`${path} `))?.[0] ?? path;

interface PlayingProps {
  readonly playing: Playing;
}

/** The controls of a dry run. */
export function PlayButtons({ playing }: PlayingProps) {
  const { run, at, isPlaying, obstacle, count, toggle, step, restart } = playing;
  return (
    <fieldset class="play-buttons" aria-label={t('Dry run')}>
      <Button
        onClick={toggle}
        disabled={obstacle}
        title={t('Plays the run with the values of the sample. Nothing is sent or called.')}
      >
        {isPlaying ? t('Pause') : t('Play')}
      </Button>
      {obstacle === undefined && (
        <>
          <IconButton icon="stepBack" label={t('Step back')} onClick={() => step(-1)} />
          <IconButton icon="step" label={t('Step')} onClick={() => step(1)} />
          {run && <IconButton icon="restart" label={t('Restart')} onClick={restart} />}
        </>
      )}
      {at > 0 && count.all > 0 && (
        <span
          class="quiet count"
          style={{ minWidth: `${2 * String(count.all).length + 1}ch` }}
          title={t('Box {0} of {1}', count.reached, count.all)}
          aria-hidden="true"
        >
          {count.reached}/{count.all}
        </span>
      )}
    </fieldset>
  );
}

/** The line in place of the controls while the tab follows a debug session. */
export const FollowedSession = ({ sample }: { readonly sample: string | undefined }) => (
  <p class="quiet followed">
    {sample === undefined ? t('Follows the debugger') : t('Follows the debugger: sample “{0}”', sample)}
  </p>
);

interface PlayStatusProps {
  readonly position: Position;
  /** Answers the question of an interrupt; undefined if the debugger asks it. */
  readonly answer: Playing['answer'] | undefined;
}

/** The current event of a run, and the question of an interrupt. */
export function PlayStatus({ position: { run, at, last, line, values }, answer }: PlayStatusProps) {
  const question = run?.end.kind === 'waiting' && at === last ? run.end.question : undefined;
  return (
    <div class={at > 0 ? 'play started' : 'play'}>
      <p class="play-line" role="status">
        <WithCode text={line} />
      </p>
      {(values.input !== undefined || values.output !== undefined) && (
        <dl class="play-values">
          {values.input !== undefined && <Value name={t('Input')} text={values.input} />}
          {values.output !== undefined && <Value name={t('Output')} text={values.output} />}
        </dl>
      )}
      {question && answer && (
        <QuestionForm key={`${question.path} ${at} ${question.problem}`} question={question} answer={answer} />
      )}
    </div>
  );
}

const Value = ({ name, text }: { readonly name: string; readonly text: string }) => (
  <>
    <dt class="quiet">{name}</dt>
    <dd>{text}</dd>
  </>
);

type Question = Extract<ShownRun['end'], { readonly kind: 'waiting' }>['question'];

interface QuestionFormProps {
  readonly question: Question;
  readonly answer: Playing['answer'];
}

function QuestionForm({ question: { name, schema, problem }, answer }: QuestionFormProps) {
  const [text, setText] = useState(() => startOf(schema));
  const [isWrong, setWrong] = useState(false);
  if (name.startsWith('before_') && schema === undefined) {
    return (
      <div class="play-question">
        <Button primary onClick={() => answer(true)}>
          {t('Yes')}
        </Button>
        <Button onClick={() => answer(false)}>{t('No')}</Button>
      </div>
    );
  }
  const send = (): void => {
    // Without a schema, an answer may be any text.
    const value = parsed(text) ?? (schema === undefined ? text : undefined);
    setWrong(value === undefined);
    if (value !== undefined) answer(value);
  };
  const shownProblem = isWrong ? t('This is not JSON.') : problem;
  return (
    <div class="play-question">
      <textarea
        class="input"
        rows={3}
        aria-label={schema === undefined ? t('Answer as text or JSON') : t('Answer as JSON')}
        aria-invalid={shownProblem === undefined ? undefined : 'true'}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Button primary onClick={send}>
        {t('Answer')}
      </Button>
      {shownProblem !== undefined && (
        <p class="problem" role="status">
          {shownProblem}
        </p>
      )}
    </div>
  );
}

/** Returns the first text of an answer: the fields of its schema, without values; empty without a schema. */
function startOf(schema: Json | undefined): string {
  if (schema === undefined) return '';
  const properties = (schema as { readonly properties?: Readonly<Record<string, Json>> } | undefined)?.properties;
  const fields = Object.keys(properties ?? {}).map((name) => [name, null] as const);
  return JSON.stringify(Object.fromEntries(fields), undefined, 2);
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
