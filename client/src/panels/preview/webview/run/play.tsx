/** Plays the dry run of the shown sample in the tab *Run* (docs/run.md): the position, the controls, and the marks. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { Button, IconButton } from '../../../kit/controls.tsx';
import { t } from '../../../kit/l10n.ts';
import type { ShownRun, ToPanel } from '../../messages.ts';
import { isOlder, stateOf, type ViewProps } from '../model.ts';
import { endText, eventText } from './text.ts';

type RunEvent = ShownRun['events'][number];
type Answers = Extract<ToPanel, { readonly type: 'run' }>['answered'];
type Json = Answers[number];

/** The time for which each event is shown, in milliseconds. */
const EVENT_MILLISECONDS = 700;

/** The parts of the graph that a run has reached. Nodes are paths of node IDs; edges are written `FROM > TO`. */
export interface Marks {
  readonly current: string | undefined;
  readonly entered: ReadonlySet<string>;
  readonly passed: ReadonlySet<string>;
  /** The edges of branches that were not followed. */
  readonly skipped: ReadonlySet<string>;
  /** The interrupts that fired, each as its node and its name. */
  readonly fired: ReadonlySet<string>;
  /** The number of retries of each node. */
  readonly retries: ReadonlyMap<string, number>;
  readonly isOver: boolean;
}

export interface Playing {
  readonly run: ShownRun | undefined;
  /** The number of shown events; the end counts as an event. */
  readonly at: number;
  /** The number of all events. */
  readonly last: number;
  readonly isPlaying: boolean;
  /** Undefined before the first event. */
  readonly marks: Marks | undefined;
  readonly line: string;
  /** The reason why the skill cannot be run. */
  readonly obstacle: string | undefined;
  readonly toggle: () => void;
  readonly step: (by: 1 | -1) => void;
  readonly restart: () => void;
  readonly answer: (value: Json) => void;
}

export function usePlaying({ model, actions }: ViewProps): Playing {
  const { run } = model;
  const [wanted, setAt] = useState(0);
  const [isPlaying, setPlaying] = useState(false);
  const [answers, setAnswers] = useState<Answers>([]);
  const lines = useMemo(() => (run?.events ?? []).filter(({ kind }) => kind !== 'leave'), [run]);
  const last = lines.length + 1;
  const at = run ? Math.min(wanted, last) : 0;
  const isReset = run === undefined;
  useEffect(() => {
    if (!isReset) return;
    setAt(0);
    setPlaying(false);
    setAnswers([]);
  }, [isReset]);
  useEffect(() => {
    if (!isPlaying || !run || at >= last) return;
    const timer = setTimeout(() => {
      setAt(at + 1);
      if (at + 1 === last) setPlaying(false);
    }, EVENT_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [isPlaying, run, at]);
  const marks = useMemo(
    () => (run && at > 0 ? marksOf(run.events, at, at === last && run.end.kind !== 'waiting') : undefined),
    [run, at],
  );
  const ask = (answered: Answers): void => {
    setAnswers(answered);
    actions.post({ type: 'run', answered });
  };
  const restart = (): void => {
    setAt(0);
    if (!run || answers.length > 0) ask([]);
  };
  const shown = lines[at - 1];
  return {
    ...{ run, at, last, isPlaying, marks },
    line: shown ? eventText(shown) : run && at > 0 ? endText(run.end) : '',
    obstacle: model.composition && !isOlder(model) && model.errors.length === 0 ? undefined : stateOf(model).why,
    toggle: () => {
      if (!isPlaying && (!run || (at === last && run.end.kind !== 'waiting'))) restart();
      setPlaying(!isPlaying);
    },
    step: (by) => {
      if (!run) ask([]);
      setPlaying(false);
      setAt(Math.max(0, at + by));
    },
    restart: () => {
      setPlaying(false);
      restart();
    },
    answer: (value) => {
      setPlaying(true);
      ask([...answers, value]);
    },
  };
}

/** Returns the marks of the first `count` events. `leave` events are not counted. */
function marksOf(events: readonly RunEvent[], count: number, isOver: boolean): Marks {
  const entered = new Set<string>();
  const passed = new Set<string>();
  const skipped = new Set<string>();
  const fired = new Set<string>();
  const retries = new Map<string, number>();
  /** The targets of conditions that were not true, by the path of their branch. */
  const refused = new Map<string, string[]>();
  /** The path of node IDs of each running skill; the paths of events contain the names of steps instead. */
  const prefixes = new Map([['', '']]);
  let current: string | undefined;
  let left = count;
  for (const event of events) {
    if (event.kind !== 'leave' && left-- === 0) break;
    const above = event.path.slice(0, event.path.lastIndexOf('/') + 1);
    const prefix = prefixes.get(above) ?? above;
    const path = prefix + event.path.slice(above.length);
    current = path;
    if (event.kind === 'enter') {
      entered.add(path);
      refused.delete(path);
      if (event.node === 'skill') prefixes.set(`${above}${event.step ?? event.label}/`, `${path}/`);
    } else if (event.kind === 'leave') {
      for (const to of event.to) passed.add(`${path} > ${prefix}${to}`);
      for (const to of refused.get(path) ?? []) if (!event.to.includes(to)) skipped.add(`${path} > ${prefix}${to}`);
    } else if (event.kind === 'condition' && !event.holds) {
      refused.set(path, [...(refused.get(path) ?? []), event.to]);
    } else if (event.kind === 'interrupt') fired.add(`${path} ${event.name}`);
    else if (event.kind === 'retry') retries.set(path, (retries.get(path) ?? 0) + 1);
  }
  return { current, entered, passed, skipped, fired, retries, isOver };
}

interface PlayingProps {
  readonly playing: Playing;
}

/** The controls of a run. */
export function PlayButtons({ playing: { run, at, last, isPlaying, obstacle, toggle, step, restart } }: PlayingProps) {
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
      {at > 0 && (
        <span class="quiet" aria-hidden="true">
          {at}/{last}
        </span>
      )}
    </fieldset>
  );
}

/** The current event of a run, and the question of an interrupt. */
export function PlayStatus({ playing: { run, at, last, line, answer } }: PlayingProps) {
  const question = run?.end.kind === 'waiting' && at === last ? run.end.question : undefined;
  return (
    <div class="play">
      <p class="play-line" role="status">
        {line}
      </p>
      {question && (
        <QuestionForm key={`${question.path} ${at} ${question.problem}`} question={question} answer={answer} />
      )}
    </div>
  );
}

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
