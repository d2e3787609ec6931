/**
 * A trace as a list of positions at which a debugger can stop, and the places in skill files at which it can set
 * breakpoints (docs/debugging.md). A step, forwards or backwards, is a move in this list.
 */
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { Evaluated, Evaluation } from '../../composer/compose.ts';
import type { FileSpan, NodeKind, SkillPackage } from '../../composer/composition.ts';
import { isTooDeep, MAX_NESTING, tooDeep } from '../../composer/json.ts';
import { UserError } from '../../io/user-error.ts';
import type { Json } from '../../languages/yaml/node.ts';
import type { Patch, Question, RunEvent, RunRequest, RunState, Trace } from '../../protocol.ts';
import type { PackageStep } from '../../skill/package.ts';
import { type LineStarts, type Position as Place, positionAt, showInvisible } from '../../text.ts';

type EnterEvent = Extract<RunEvent, { kind: 'enter' }>;

/** A skill in the call stack, at one of its nodes. */
export interface CallFrame {
  readonly label: string;
  readonly at: FileSpan;
  /** The names of the steps from the top, without the node; empty for the top skill. */
  readonly skill: readonly string[];
  /** Undefined if the run ended before its first node. */
  readonly enter: EnterEvent | undefined;
  readonly parent: CallFrame | undefined;
}

/** A place in the trace. `node` positions are the steps of the debugger. */
export interface TracePosition {
  readonly kind: 'node' | 'interrupt' | 'failure' | 'end';
  /** The number of events that are past. */
  readonly event: number;
  /** The number of nodes that were entered before; see `Patch`. */
  readonly entered: number;
  readonly frame: CallFrame;
  /** The node `plan` of the current loop, by the start of its span. */
  readonly stage: number | undefined;
  /** For `node`: the tools or the service that the node calls. For `interrupt`: the name. */
  readonly names: readonly string[];
  /** For `failure`, and for the `end` of a failed run. */
  readonly failure: { readonly code: string; readonly message: string } | undefined;
  /** For the `end` of a run that waits for an answer. */
  readonly question: Question | undefined;
}

/** Returns the positions of a trace in order. The last one is the end. */
export function positionsOf({ events, end }: Pick<Trace, 'events' | 'end'>): readonly TracePosition[] {
  const positions: TracePosition[] = [];
  /** The newest frame of each depth. */
  const newest: CallFrame[] = [];
  const stages: (number | undefined)[] = [];
  let frame: CallFrame = {
    label: '',
    at: { uri: '', span: { start: 0, end: 0 } },
    skill: [],
    enter: undefined,
    parent: undefined,
  };
  let entered = 0;
  const position = (kind: TracePosition['kind'], event: number, more: Partial<TracePosition> = {}): TracePosition => ({
    kind,
    event,
    entered: Math.max(0, kind === 'node' ? entered : entered - 1),
    frame,
    stage: stages[frame.skill.length],
    names: [],
    failure: undefined,
    question: undefined,
    ...more,
  });
  events.forEach((event, index) => {
    if (event.kind === 'enter') {
      const skill = event.path.split('/').slice(0, -1);
      const parent = skill.length === 0 ? undefined : newest[skill.length - 1];
      frame = { label: event.label, at: { uri: event.uri, span: event.span }, skill, enter: event, parent };
      newest[skill.length] = frame;
      if (event.node === 'plan') stages[skill.length] = event.span.start;
      else if (event.node === 'validate_input') stages[skill.length] = undefined;
      positions.push(position('node', index, { names: callsAfter(events, index) }));
      entered++;
    } else if (event.kind === 'interrupt') positions.push(position('interrupt', index, { names: [event.name] }));
    else if (event.kind === 'failure') {
      const { code } = event;
      positions.push(
        position('failure', index, { failure: { code, message: `\`${event.tool}\` failed with ${code}.` } }),
      );
    } else if (event.kind === 'retry') {
      const { code } = event;
      const message = `Attempt ${event.attempt} of ${event.of} follows after ${code}.`;
      positions.push(position('failure', index, { failure: { code, message } }));
    }
  });
  const at = end.kind === 'failed' ? end : end.kind === 'waiting' ? end.question : undefined;
  if (at) frame = { ...frame, at: { uri: at.uri, span: at.span }, label: frame.label || at.path };
  positions.push(
    position('end', events.length, {
      ...(end.kind === 'waiting' ? { question: end.question, names: [end.question.name] } : {}),
      ...(end.kind === 'failed' ? { failure: { code: end.code, message: end.message } } : {}),
    }),
  );
  return positions;
}

/** Returns the names that the node calls which is entered at `index`. */
function callsAfter(events: readonly RunEvent[], index: number): readonly string[] {
  const names: string[] = [];
  const enter = events[index];
  if (enter?.kind === 'enter' && enter.state?.wanted && enter.node === 'call_tools') return [enter.state.wanted.tool];
  for (let at = index + 1; at < events.length; at++) {
    const event = events[at] as RunEvent;
    if (event.kind === 'enter') break;
    if (event.kind === 'call') names.push(event.tool);
  }
  return names;
}

const depthOf = ({ frame }: TracePosition): number => frame.skill.length;

export type Motion = 'continue' | 'next' | 'stepIn' | 'stepOut' | 'stepBack' | 'reverseContinue';

/** Returns whether a motion that began at `from` ends at a node, even without a breakpoint. */
export function isTarget(motion: Motion, from: TracePosition | undefined, { kind, frame }: TracePosition): boolean {
  if (kind !== 'node') return false;
  const depth = from ? depthOf(from) : 0;
  if (motion === 'stepIn') return true;
  if (motion === 'next' || motion === 'stepBack') return frame.skill.length <= depth;
  return motion === 'stepOut' && frame.skill.length < depth;
}

/**
 * Returns the request of the run in which values are changed before the node of a position. What follows is another
 * run: later changes, answers and replies belong to the old one.
 */
export function withChanges(
  request: RunRequest,
  events: readonly RunEvent[],
  { event, entered, frame }: TracePosition,
  changes: readonly Pick<Patch, 'scope' | 'path'>[],
  value: Json,
): RunRequest {
  const { patches, answers, answered, replies } = request;
  const answeredBefore = events
    .slice(0, event)
    .filter((one) => one.kind === 'interrupt' && !one.ends && !answers.some(({ name }) => name === one.name));
  return {
    ...request,
    patches: [
      ...patches.filter((one) => one.entered <= entered),
      ...changes.map((one) => ({ entered, ...one, value })),
    ],
    answered: answered.slice(0, answeredBefore.length),
    ...(replies && { replies: replies.slice(0, frame.enter?.replies) }),
  };
}

// Failures.

const MISMATCHES: readonly string[] = ['INPUT_MISMATCH', 'OUTPUT_MISMATCH'];

export const EXCEPTION_FILTERS: readonly DebugProtocol.ExceptionBreakpointsFilter[] = [
  {
    filter: 'mismatch',
    label: 'Failed Validation',
    description: 'An input or an output does not match its schema.',
    default: true,
  },
  {
    filter: 'denied',
    label: 'Denied Tool',
    description: 'A tool is called that the skill may not use.',
    default: true,
  },
  {
    filter: 'failed',
    label: 'Failed Run',
    description: 'The run ends with another failure, for example after the last retry.',
    default: true,
  },
  {
    filter: 'call',
    label: 'Failed Call',
    description: 'A tool, a service or a step fails, even if it is retried.',
    default: false,
  },
];

/** Returns the filter of a failure at a position; undefined if the position has none, or the user declined. */
export function exceptionFilterOf({ kind, failure }: TracePosition): string | undefined {
  if (!failure || failure.code === 'DECLINED') return undefined;
  if (MISMATCHES.includes(failure.code)) return 'mismatch';
  if (failure.code === 'CAPABILITY_DENIED') return 'denied';
  return kind === 'end' ? 'failed' : 'call';
}

// The state of a run, as a debugger shows it.

/** A value with its name, and with the place at which `setVariable` changes it. */
export interface ShownValue {
  readonly name: string;
  readonly value: Json;
  readonly patch: Pick<Patch, 'scope' | 'path'> | undefined;
}

export interface Scope {
  readonly name: 'Input' | 'State' | 'Prompt' | 'Tools' | 'Budget' | 'Interrupts';
  readonly content: readonly ShownValue[];
}

/** Returns the fields of an object or the items of a list, each with its own place. */
function childrenOf({ value, patch }: Pick<ShownValue, 'value' | 'patch'>): readonly ShownValue[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value as Readonly<Record<string, Json>>).map(([name, child]) => ({
    name,
    value: child,
    patch: patch && { scope: patch.scope, path: [...patch.path, name] },
  }));
}

const EMPTY: RunState = { input: {}, flow: {}, outputs: {}, results: [], output: null };

/** Returns the state before the node of a frame. */
const stateOf = ({ enter }: CallFrame): RunState => enter?.state ?? { ...EMPTY, input: enter?.input ?? {} };

/**
 * Returns the same value in the flow, from which later steps read inputs and outputs: empty if the flow has no value of
 * this name, or another one.
 */
export function alsoInFlow(
  root: SkillPackage,
  { at, enter }: CallFrame,
  { scope, path }: Pick<Patch, 'scope' | 'path'>,
) {
  const { input, flow, outputs } = enter?.state ?? EMPTY;
  const [first = '', ...rest] = path;
  const entry = packagesOf(root)
    .get(at.uri)
    ?.composes.find(({ step }) => step === first);
  const own = scope === 'input' ? { name: first, rest, value: input[first] } : undefined;
  const [field = '', ...inside] = rest;
  const output = scope === 'outputs' && field !== '' ? (outputs[first] as Readonly<Record<string, Json>>) : undefined;
  const name = new Map(Object.entries(entry?.outputMapping ?? {})).get(field) ?? field;
  const found = own ?? (output && { name, rest: inside, value: output[field] });
  if (!found || !Object.hasOwn(flow, found.name)) return [];
  const isSame = JSON.stringify(flow[found.name]) === JSON.stringify(found.value);
  return isSame ? [{ scope: 'flow' as const, path: [found.name, ...found.rest] }] : [];
}

/** Returns the variables of a frame at a position. Only values that a run can still use have a place. */
function scopesOf({ events, maxSteps, position }: Moment, frame: CallFrame): readonly Scope[] {
  const state = stateOf(frame);
  const past = events.slice(0, position.event + 1);
  const own = past.filter(({ path }) => path.split('/').slice(0, -1).join('/') === frame.skill.join('/'));
  const planned = own.findLast((event) => event.kind === 'enter' && event.prompt !== undefined);
  const prompt = planned?.kind === 'enter' ? planned.prompt : undefined;
  const available = own.findLast((event) => event.kind === 'enter' && event.tools !== undefined);
  const budget = own.findLast((event) => event.kind === 'budget');
  // A value of a composed skill's caller is already used.
  const isTop = frame === position.frame;
  const editable = (shown: ShownValue): ShownValue => (isTop ? shown : { ...shown, patch: undefined });
  const of = (scope: Patch['scope'], value: Json): readonly ShownValue[] =>
    childrenOf({ value, patch: { scope, path: [] } }).map(editable);
  const fixed = (name: string, value: Json | undefined): readonly ShownValue[] =>
    value === undefined ? [] : [{ name, value, patch: undefined }];
  return [
    { name: 'Input', content: of('input', state.input) },
    {
      name: 'State',
      content: [
        editable({ name: 'flow', value: state.flow, patch: { scope: 'flow', path: [] } }),
        editable({ name: 'outputs', value: state.outputs, patch: { scope: 'outputs', path: [] } }),
        ...fixed('output', state.output),
      ],
    },
    {
      name: 'Prompt',
      content: [
        ...fixed('text', prompt?.text),
        ...fixed('tokens', prompt?.tokens),
        ...fixed('instructions', frame.enter?.instructions),
      ],
    },
    {
      name: 'Tools',
      content: [
        ...fixed('available', available?.kind === 'enter' ? available.tools : undefined),
        ...fixed('wanted', state.wanted && { tool: state.wanted.tool, input: state.wanted.input }),
        editable({
          name: 'results',
          value: state.results.map(({ tool, input, result }) => ({ tool, input, result })),
          patch: { scope: 'results', path: [] },
        }),
      ],
    },
    {
      name: 'Budget',
      content: [
        ...(budget?.kind === 'budget'
          ? [...fixed('tool calls', budget.used), ...fixed('most tool calls', budget.of)]
          : []),
        ...fixed('nodes', position.entered + (position.kind === 'node' ? 0 : 1)),
        ...fixed('most nodes', maxSteps),
      ],
    },
    {
      name: 'Interrupts',
      content: [
        ...past.flatMap((event) =>
          event.kind === 'interrupt' && event !== events[position.event] ? [interruptShown(event, event.answer)] : [],
        ),
        ...(position.question ? [interruptShown(position.question, undefined)] : []),
      ],
    },
  ];
}

const interruptShown = (
  { name, path, message }: { readonly name: string; readonly path: string; readonly message?: string },
  answer: Json | undefined,
): ShownValue => ({
  name,
  value: { path, ...(message === undefined ? {} : { message }), ...(answer === undefined ? {} : { answer }) },
  patch: undefined,
});

/**
 * Returns the variables of expressions (docs/debugging.md, "Expressions"): the inputs by name, and the parts of the
 * state, which hide inputs with the same name.
 */
export function variablesOf(frame: CallFrame): Readonly<Record<string, Json>> {
  const { input, flow, outputs, output, results, wanted } = stateOf(frame);
  const calls = results.map(({ tool, input: given, result }) => ({ tool, input: given, result }));
  const next = wanted ? { wanted: { tool: wanted.tool, input: wanted.input } } : {};
  return { ...input, ...flow, parameters: input, input, flow, outputs, output, results: calls, ...next };
}

/** Returns the frames at a position, innermost first. */
export function framesOf({ frame }: TracePosition): readonly CallFrame[] {
  const frames = [];
  for (let one: CallFrame | undefined = frame; one; one = one.parent) frames.push(one);
  return frames;
}

/** A scope or a value in a frame, which has other values in a changed run, or the result of an expression. */
type Container =
  | { readonly frame: number; readonly scope: string; readonly path: readonly string[] }
  | { readonly result: Json };

/** The maximum length of a value in a view, in UTF-16 code units. */
const LONGEST = 1_000;
/** The maximum number of variables in a response without a range. */
const MOST_VARIABLES = 1_000;

/** The trace and the position that the variables belong to. */
export interface Moment {
  readonly events: readonly RunEvent[];
  readonly maxSteps: number;
  readonly position: TracePosition;
}

interface Content {
  readonly container: Container;
  readonly content: readonly ShownValue[];
  readonly isList: boolean;
}

/** The frames and the variables of a stopped run by the IDs that a client uses. No ID is used twice. */
export class Variables {
  #nextId = 1;
  /** The indexes of frames, from the innermost. */
  readonly #frames = new Map<number, number>();
  readonly #containers = new Map<number, Container>();

  /** Forgets all IDs, because the run continues. */
  clear(): void {
    this.#frames.clear();
    this.#containers.clear();
  }

  idOfFrame(index: number): number {
    const known = [...this.#frames].find(([, one]) => one === index)?.[0];
    if (known !== undefined) return known;
    this.#frames.set(this.#nextId, index);
    return this.#nextId++;
  }

  /** Returns the frame with an ID; the innermost frame for undefined. Throws a `UserError` for an unknown ID. */
  frame(id: number | undefined, { position }: Moment): CallFrame {
    const index = id === undefined ? 0 : this.#frames.get(id);
    const frame = index === undefined ? undefined : framesOf(position)[index];
    if (!frame) throw new UserError(`Unknown frame ${id}.`);
    return frame;
  }

  scopes(frameId: number, moment: Moment): DebugProtocol.Scope[] {
    const frame = this.frame(frameId, moment);
    return scopesOf(moment, frame).map(({ name, content }) => ({
      name,
      ...(name === 'Input'
        ? { presentationHint: 'arguments' }
        : name === 'State'
          ? { presentationHint: 'locals' }
          : {}),
      variablesReference: this.#reference({ frame: framesOf(moment.position).indexOf(frame), scope: name, path: [] }),
      namedVariables: content.length,
      expensive: false,
    }));
  }

  /** Returns a page of the variables in a container. Throws a `UserError` for an unknown reference. */
  page(reference: number, moment: Moment, filter: string | undefined, start: number, count: number) {
    const { content, container, isList } = this.content(reference, moment);
    if ((filter === 'indexed' && !isList) || (filter === 'named' && isList)) return [];
    const first = Math.max(0, start);
    return content.slice(first, first + (count > 0 ? count : MOST_VARIABLES)).map((shown): DebugProtocol.Variable => {
      const hint = shown.patch ? {} : { presentationHint: { attributes: ['readOnly'] } };
      return { name: showInvisible(shown.name), ...this.described(shown, container), ...hint };
    });
  }

  /** Returns all variables in a container, as they are now. Throws a `UserError` for an unknown reference. */
  content(reference: number, moment: Moment): Content {
    const container = this.#containers.get(reference);
    if (!container) throw new UserError(`Unknown variables reference ${reference}.`);
    if ('result' in container) {
      const { result: value } = container;
      return { container, content: childrenOf({ value, patch: undefined }), isList: Array.isArray(value) };
    }
    const frame = framesOf(moment.position)[container.frame];
    const scope = frame && scopesOf(moment, frame).find(({ name }) => name === container.scope);
    let content = scope?.content ?? [];
    let isList = false;
    for (const name of container.path) {
      const child = content.find((one) => one.name === name);
      content = child ? childrenOf(child) : [];
      isList = Array.isArray(child?.value);
    }
    return { container, content, isList };
  }

  /** Describes a value in a container, or the result of an expression. */
  described({ name, value }: Pick<ShownValue, 'name' | 'value'>, container?: Container, longest = LONGEST) {
    const size = typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
    const own =
      container && !('result' in container) ? { ...container, path: [...container.path, name] } : { result: value };
    return {
      value: shownValue(value, longest),
      type: typeOf(value),
      variablesReference: size > 0 ? this.#reference(own) : 0,
      ...(size > 0 && (Array.isArray(value) ? { indexedVariables: size } : { namedVariables: size })),
    };
  }

  #reference(container: Container): number {
    this.#containers.set(this.#nextId, container);
    return this.#nextId++;
  }
}

const typeOf = (value: Json): string =>
  value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value === 'object' ? 'map' : typeof value;

/** Returns a value on one line, shortened. */
export function shownValue(value: Json, longest: number): string {
  if (typeof value === 'string') {
    const isCut = value.length > longest;
    return showInvisible(JSON.stringify(isCut ? `${value.slice(0, longest)}…` : value));
  }
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.length}]`;
  const names = Object.keys(value);
  const few = names.slice(0, 5).map((name) => showInvisible(name.slice(0, 40)));
  return `{${[...few, ...(names.length > 5 ? ['…'] : [])].join(', ')}}`;
}

export function parsedJson(word: string): { readonly value: Json } | undefined {
  try {
    return { value: JSON.parse(word) as Json };
  } catch {
    return undefined;
  }
}

/** Throws a `UserError` for a value from the client with too many levels. */
export function assertShallow(value: Json): void {
  if (isTooDeep(value, MAX_NESTING)) throw new UserError(tooDeep('The value').join(' '));
}

/** Returns the value that a user typed: JSON, or for a string also text without quotes. */
export function typedValue(word: string, before: Json): Json {
  const json = parsedJson(word);
  if (json) return json.value;
  if (typeof before === 'string' && !word.trim().startsWith('"')) return word;
  throw new UserError('The value is not valid JSON. Write strings in double quotes.');
}

// Breakpoints.

/** A place in a skill file at which a run can stop. */
export interface StopPlace extends Place {
  readonly uri: string;
  readonly stopsAt: (position: TracePosition) => boolean;
}

/** Returns the packages of a skill and of its composed skills, by the URIs of their files. */
export function packagesOf(root: SkillPackage): ReadonlyMap<string, SkillPackage> {
  const found = new Map([[root.uri, root]]);
  // A loop over a map also visits entries that are added during the loop.
  for (const [, one] of found) {
    for (const { package: part } of one.composes) if (typeof part !== 'string') found.set(part.uri, part);
  }
  return found;
}

/** Returns the places at which a run can stop in a skill file, in the order of the file. */
export function stopPlaces(skillPackage: SkillPackage, lines: LineStarts): readonly StopPlace[] {
  const { uri, composes, execution = [], interrupts, tools, artifacts, proseReferences } = skillPackage;
  const place = ({ start }: { readonly start: number }, stopsAt: StopPlace['stopsAt']): StopPlace => ({
    uri,
    ...positionAt(lines, start),
    stopsAt: (position) => position.frame.at.uri === uri && stopsAt(position),
  });
  const entering =
    (kinds: readonly NodeKind[], isIt: (enter: EnterEvent) => boolean): StopPlace['stopsAt'] =>
    ({ kind, frame: { enter } }) =>
      kind === 'node' && enter !== undefined && kinds.includes(enter.node) && isIt(enter);
  const calling =
    (tool: string, stage?: number): StopPlace['stopsAt'] =>
    (position) =>
      position.kind === 'node' &&
      position.names.includes(tool) &&
      (stage === undefined || position.stage === undefined || position.stage === stage);
  const at = (start: number) => (enter: EnterEvent) => enter.span.start === start;
  const approaches = artifacts.filter(({ kind }) => kind === 'Approach');
  const stages = approaches.flatMap((approach) => approach.stages);
  const stageOf = (offset: number) => stages.find(({ span }) => span.start <= offset && offset < span.end)?.span.start;
  const references = [...proseReferences, ...artifacts.flatMap((artifact) => artifact.references)];
  const found = [
    ...composes.map(({ step, span }) =>
      place(
        span,
        entering(['skill'], (enter) => enter.step === step),
      ),
    ),
    ...execution.flatMap(function placesIn(step: PackageStep): readonly StopPlace[] {
      const { start } = step.span;
      if (step.kind === 'step') return [place(step.span, entering(['skill'], at(start)))];
      const group = place(step.span, entering(['parallel', 'branch', 'speculate'], at(start)));
      const inside = step.kind === 'branch' ? step.arms.flatMap(({ steps }) => steps) : step.steps;
      const until = step.kind === 'speculate' && step.until ? [step.until] : [];
      return [group, ...[...inside, ...until].flatMap(placesIn)];
    }),
    ...approaches.flatMap(({ headingSpan, stages: own }) =>
      own.length > 0 ? [] : [place(headingSpan, entering(['plan'], at(headingSpan.start)))],
    ),
    ...stages.map(({ span }) => place(span, entering(['plan'], at(span.start)))),
    ...interrupts.map(({ name, span }) =>
      place(span, ({ kind, names }) => (kind === 'interrupt' || kind === 'end') && names.includes(name)),
    ),
    ...tools.map(({ name, span }) => place(span, calling(name))),
    ...references
      .filter(({ kind }) => kind === 'tool')
      .map(({ name, span }) => place(span, calling(name, stageOf(span.start)))),
  ];
  return found.sort((a, b) => a.line - b.line || a.character - b.character);
}

/**
 * Returns the places of a breakpoint: those on its line, or else on the next line that has one. With a column, only the
 * first place on the line that does not precede it.
 */
export function placesFor(
  places: readonly StopPlace[],
  line: number,
  character: number | undefined,
): readonly StopPlace[] {
  const first = places.find((place) => place.line >= line);
  const onLine = first ? places.filter((place) => place.line === first.line) : [];
  if (character === undefined || first?.line !== line) return onLine;
  const found = onLine.find((place) => place.character >= character) ?? onLine.at(-1);
  return found ? [found] : [];
}

/** A breakpoint as the client set it. */
export interface PlacedBreakpoint {
  readonly id: number;
  readonly places: readonly StopPlace[];
  readonly given: {
    readonly condition?: string | undefined;
    readonly hitCondition?: string | undefined;
    readonly logMessage?: string | undefined;
  };
}

/** What happens at a position of the trace: the IDs of the breakpoints that stop, and the lines of log points. */
export interface Hit {
  readonly ids: number[];
  readonly logs: string[];
}

/**
 * Returns the hits of breakpoints by the index of the position. A condition that fails does not hold, because a value
 * may be missing before its step; `failures` contains the conditions that fail everywhere. Rejects like `ask`.
 */
export async function findHits(
  positions: readonly TracePosition[],
  breakpoints: readonly PlacedBreakpoint[],
  ask: (questions: readonly Evaluation[]) => Promise<readonly Evaluated[]>,
) {
  const hits = new Map<number, Hit>();
  const failures: { readonly place: StopPlace; readonly message: string }[] = [];
  const answersAt = async (kind: Evaluation['kind'], source: string, at: readonly number[]) =>
    at.length === 0
      ? []
      : ask(
          at.map((one) => {
            const context = variablesOf((positions[one] as TracePosition).frame);
            // Strict mode, so that a misspelt name in a condition is reported.
            return { kind, source, context, ...(kind === 'condition' && { isStrict: true }) };
          }),
        );
  for (const { id, given, places } of breakpoints) {
    const { condition, hitCondition, logMessage } = given;
    const reached = positions.flatMap((position, at) => (places.some(({ stopsAt }) => stopsAt(position)) ? [at] : []));
    const answers = condition ? await answersAt('condition', condition, reached) : [];
    const [first] = answers;
    const [place] = places;
    if (place && first && !first.ok && answers.every(({ ok }) => !ok)) {
      failures.push({ place, message: `The condition \`${condition}\` cannot be evaluated: ${first.message}` });
    }
    const holding = condition ? reached.filter((_, index) => isTrue(answers[index])) : reached;
    const counted = hitTest(hitCondition ?? '');
    const hitting = counted ? holding.filter((_, count) => counted(count + 1)) : holding;
    const logs = logMessage ? await answersAt('template', templateOf(logMessage), hitting) : [];
    hitting.forEach((at, index) => {
      const hit = hits.get(at) ?? { ids: [], logs: [] };
      const log = logs[index];
      if (log) hit.logs.push(log.ok ? String(log.value) : log.message);
      else hit.ids.push(id);
      hits.set(at, hit);
    });
  }
  return { hits, failures };
}

const isTrue = (answer: Evaluated | undefined): boolean => answer?.ok === true && answer.value === true;

/** Returns the test of a hit count; undefined if the count is invalid. */
export function hitTest(hitCondition: string): ((count: number) => boolean) | undefined {
  const [, operator = '', digits] = /^\s*(>=|<=|>|<|==?|%)?\s*(\d{1,9})\s*$/.exec(hitCondition) ?? [];
  if (digits === undefined) return undefined;
  const wanted = Number(digits);
  switch (operator) {
    case '>=':
      return (count) => count >= wanted;
    case '<=':
      return (count) => count <= wanted;
    case '>':
      return (count) => count > wanted;
    case '<':
      return (count) => count < wanted;
    case '%':
      return (count) => wanted > 0 && count % wanted === 0;
    default:
      return (count) => count === wanted;
  }
}

/** Returns a log message as a template. `{name}` is an expression, as in other debuggers. */
const templateOf = (message: string): string =>
  /\{[{%#]/.test(message) ? message : message.replaceAll(/\{([^{}]*)\}/g, '{{ $1 }}');
