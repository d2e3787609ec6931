/** Shapes that several vocabularies share. */
import { oneOf, type Shape } from './shape.ts';

export const text: Shape = { kind: 'string' };
export const prose: Shape = { kind: 'string', prose: true };
/** A string that is not empty. */
export const filled: Shape = { kind: 'string', minLength: 1 };
export const flagName: Shape = { kind: 'string', minLength: 1, offers: 'feature flags' };
export const tierName: Shape = { kind: 'string', minLength: 1, offers: 'tiers' };
export const bool: Shape = { kind: 'boolean' };
export const any: Shape = { kind: 'any' };
export const schema: Shape = { kind: 'schema' };
export const condition: Shape = { kind: 'string', format: 'condition' };
export const amount: Shape = { kind: 'number', min: 0 };
export const positiveAmount: Shape = { kind: 'number', positive: true };
export const count: Shape = { kind: 'number', integer: true, min: 0 };
export const positiveCount: Shape = { kind: 'number', integer: true, min: 1 };

export const backoff: Shape = oneOf({
  none: 'No pause.',
  fixed: 'The same pause each time.',
  linear: 'A pause that grows by the same amount each time.',
  exponential: 'A pause that doubles each time.',
});

export const contexts: Shape = oneOf({
  channel: 'A conversation.',
  workspace: 'No channel.',
  scheduled: 'A scheduled task.',
  autonomous: 'An agent that runs without a user.',
});

export const operation: Shape = oneOf({
  TRANSFORM: 'Works only on its input.',
  READ: 'Reads external data.',
  WRITE: 'Changes external data.',
});

/** A scope in its own declaration, which is not looked up. */
export const newScope = {
  kind: 'string',
  pattern: /^[^\s:]+:[^\s:]+(:[^\s:]+)*$/,
  expected: '`verb:resource`, such as `read:pages`',
} as const satisfies Shape;

export const exitOn: Shape = oneOf({
  output_schema: 'The output matches the output schema.',
  tool_budget: 'The maximum number of tool calls is reached.',
  interrupt: 'An interrupt has fired.',
  caller: 'The caller decides.',
});
