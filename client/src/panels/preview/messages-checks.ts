/** The checkers of `messages.ts`: what crosses between the host and the webview is data from outside, on either side. */

import {
  anything,
  boolean,
  type Check,
  count,
  either,
  isMessage,
  listOf,
  mapOf,
  nothing,
  number,
  oneOf,
  optional,
  place,
  range,
  record,
  shape,
  string,
} from '../kit/checks.ts';
import type { NamedInvocation, PageState, ToPage, ToPanel } from './messages.ts';

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
  fix: shape({ serial: count, error: count }),
  scrolled: shape({ place }),
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
  visible: shape({ place }),
  fixes: shape({ serial: count, fixes: listOf(shape({ error: count, title: string })) }),
  copied: anything,
  stale: anything,
  locked: shape({ locked: boolean }),
  notSkill: shape({ name: either(nothing, string) }),
  empty: anything,
  problem: shape({ text: string }),
  saveRefused: shape({ problem: string }),
  focus: shape({ what: either(tab, oneOf('find', 'form')) }),
};
