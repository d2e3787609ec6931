/** The checkers of `messages.ts`: what crosses between the host and the webview is data from outside, on either side. */
import type { NamedInvocation, PageState, ToPage, ToPanel } from './messages.ts';

type Check = (value: unknown) => boolean;

/** True for what a page may send. */
export function isToPanel(value: unknown): value is ToPanel {
  return isMessage(value, toPanel);
}

/** True for what a panel may send. What a page reads of a message is checked down to the leaf; the rest is left alone. */
export function isToPage(value: unknown): value is ToPage {
  return isMessage(value, toPage);
}

/** True for a state that this version wrote; what another version wrote is not worth a failure. */
export function isPageState(value: unknown): value is PageState {
  return pageState(value);
}

const string: Check = (value) => typeof value === 'string';
const boolean: Check = (value) => typeof value === 'boolean';
const number: Check = (value) => typeof value === 'number' && Number.isFinite(value);
const count: Check = (value) => number(value) && Number.isInteger(value) && (value as number) >= 0;
const anything: Check = () => true;
const nothing: Check = (value) => value === null;
const record: Check = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

const oneOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);
const either =
  (...checks: readonly Check[]): Check =>
  (value) =>
    checks.some((check) => check(value));
const optional = (check: Check): Check => either((value) => value === undefined, check);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const mapOf =
  (check: Check): Check =>
  (value) =>
    record(value) && Object.values(value as object).every(check);

/** An object that has these keys; others may stand beside them. */
const shape =
  (keys: Readonly<Record<string, Check>>): Check =>
  (value) =>
    record(value) && Object.entries(keys).every(([key, check]) => check((value as Record<string, unknown>)[key]));

/** As `shape`, for each kind of message. */
function isMessage(value: unknown, kinds: Readonly<Record<string, Check>>): boolean {
  const type = record(value) ? (value as { type?: unknown }).type : undefined;
  return typeof type === 'string' && Object.hasOwn(kinds, type) && (kinds[type]?.(value) ?? false);
}

const position = shape({ line: count, character: count });
const range = shape({ start: position, end: position });
const place = shape({ uri: string, range });
const source = oneOf('explicit', 'agent-selected', 'scheduled', 'authoring');
const optionalString = optional(string);
const invocation = shape({
  request: optionalString,
  parameters: optional(record),
  source: optional(source),
  channel: optionalString,
  profile: optionalString,
  model: optionalString,
});
const asked = shape({
  sample: optionalString,
  invocation: optional(invocation),
  origin: optionalString,
  without: listOf(string),
});
const tab = oneOf('prompt', 'graph', 'why', 'compare');
const pageState = shape({
  uri: optionalString,
  locked: boolean,
  asked,
  tab,
  scroll: mapOf(number),
  formOpen: boolean,
  wrap: boolean,
  graphAsList: boolean,
  open: listOf(string),
});

const toPanel: Readonly<Record<ToPanel['type'], Check>> = {
  ready: anything,
  compose: shape({ asked }),
  reveal: shape({ place, focus: boolean }),
  saveSample: shape({ name: string, invocation }),
  openJson: anything,
  compare: shape({
    with: either(shape({ kind: oneOf('saved', 'head') }), shape({ kind: oneOf('sample'), name: string })),
  }),
  copyPrompt: anything,
  lock: shape({ locked: boolean }),
  newSkill: anything,
  exportImage: shape({ format: oneOf('svg', 'png'), data: string }),
  painted: shape({ serial: count }),
};

const decision = shape({
  uri: string,
  range,
  subject: oneOf('artifact', 'tool', 'interrupt', 'approach', 'skill'),
  name: string,
  taken: boolean,
  reason: string,
});
const segment = shape({
  start: count,
  end: count,
  part: oneOf('framing', 'context', 'examples', 'request'),
  kind: oneOf('authored', 'value', 'fixed'),
  source: either(optional(place), nothing),
  tokens: number,
});
const exitCondition = shape({
  on: oneOf('output_schema', 'tool_budget', 'caller'),
  maxToolCalls: optional(number),
});
const graphNode = shape({
  uri: string,
  range,
  id: string,
  kind: string,
  label: string,
  stage: optional(shape({ index: number, name: string })),
  instructions: optionalString,
  guidance: optionalString,
  tools: optional(listOf(string)),
  retry: optional(shape({ maxAttempts: number })),
  timeoutMs: optional(number),
  skill: optional(shape({ name: string, step: string })),
  // A shape within a shape: the name is bound when it is first called.
  subgraph: optional((value) => subgraph(value)),
  interrupts: listOf(string),
});
const subgraph: Check = shape({
  nodes: listOf(graphNode),
  edges: listOf(
    shape({
      from: string,
      to: string,
      kind: oneOf('next', 'loop', 'branch'),
      condition: optionalString,
      label: optionalString,
    }),
  ),
  interrupts: listOf(
    shape({
      uri: string,
      range,
      name: string,
      node: string,
      when: optionalString,
      message: optionalString,
      tools: optional(listOf(string)),
    }),
  ),
  exitCondition,
});
const composition = shape({
  prompt: string,
  segments: listOf(segment),
  subgraph,
  decisions: listOf(decision),
  tokens: shape({ tokenizer: string, total: number, budget: number }),
  engine: shape({ name: string, version: string }),
});
const composeError = shape({
  uri: string,
  range,
  kind: string,
  message: string,
  suggestion: string,
  subject: string,
  trimming: optional(shape({ without: listOf(string), tokens: number })),
});
const result = either(
  shape({ ok: oneOf(true), composition }),
  shape({ ok: oneOf(false), errors: listOf(composeError), decisions: listOf(decision) }),
);
const named: Readonly<Record<keyof NamedInvocation, Check>> = { name: string, range, invocation };

const toPage: Readonly<Record<ToPage['type'], Check>> = {
  show: shape({
    serial: count,
    reply: shape({
      uri: string,
      name: string,
      skillVersion: string,
      result,
      gates: listOf(shape({ uri: string, range, reason: string, closed: boolean })),
      invocation,
      milliseconds: number,
      toolsKnown: boolean,
    }),
    samples: shape({
      samples: listOf(shape(named)),
      examples: listOf(shape(named)),
      profiles: listOf(string),
      models: listOf(string),
    }),
    asked,
    locked: boolean,
    lastGood: optional(composition),
  }),
  cursor: shape({ place: either(nothing, place), scroll: boolean }),
  stale: anything,
  locked: shape({ locked: boolean }),
  notSkill: shape({ name: either(nothing, string) }),
  empty: anything,
  problem: shape({ text: string }),
  saveRefused: shape({ problem: string }),
  focus: shape({ what: either(tab, oneOf('find', 'form')) }),
};
