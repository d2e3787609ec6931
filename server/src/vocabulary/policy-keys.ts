/** The policy layer of a contract, allowed in any skill (skill-format.md, section 6). */
import { any, bool, count, either, type KeyTable, listOf, mapOf, oneOf, recordOf, type Shape, text } from './shape.ts';

const milliseconds: Shape = { kind: 'number', min: 0 };
const ratio: Shape = { kind: 'number', min: 0, max: 1 };
const rule = 'invalid-policy';

const retry: Shape = mapOf(
  { name: 'attempts', shape: count, docs: 'How often a failed call is tried again.', section: '6', rule },
  { name: 'max_attempts', shape: count, docs: 'How often the call is tried in all.', section: '6', rule },
  {
    name: 'backoff',
    shape: oneOf({
      none: 'No pause.',
      fixed: 'The same pause each time.',
      linear: 'A pause that grows evenly.',
      exponential: 'A pause that doubles.',
    }),
    docs: 'How the pause between tries grows.',
    section: '6',
    rule,
  },
  { name: 'retry_on', shape: listOf(text), docs: 'The error codes that a retry may mend.', section: '6', rule },
);

const circuitBreaker: Shape = mapOf(
  {
    name: 'error_rate_threshold',
    shape: ratio,
    docs: 'The share of failures, 0 to 1, above which calls stop.',
    section: '6',
    rule,
  },
  {
    name: 'window_sec',
    shape: { kind: 'number', min: 0 },
    docs: 'Over how many seconds the share is taken.',
    section: '6',
    rule,
  },
  {
    name: 'cooldown_sec',
    shape: { kind: 'number', min: 0 },
    docs: 'After how many seconds a call is let through again.',
    section: '6',
    rule,
  },
);

const budget: Shape = mapOf(
  { name: 'p95_ms', shape: milliseconds, docs: '95 of 100 calls end within so many milliseconds.', section: '6', rule },
  { name: 'p99_ms', shape: milliseconds, docs: '99 of 100 calls end within so many milliseconds.', section: '6', rule },
  {
    name: 'cost_usd',
    shape: { kind: 'number', min: 0 },
    docs: 'What a call costs, in US dollars.',
    section: '6',
    rule,
  },
);

const policy: Shape = mapOf(
  { name: 'idempotent', shape: bool, docs: 'Calling twice does no more than calling once.', section: '6', rule },
  {
    name: 'idempotency_key',
    shape: text,
    docs: 'A key template over the inputs, `{title_id}:{locale}`, by which repeats are recognised.',
    section: '6',
    rule,
  },
  {
    name: 'rate_limit',
    shape: recordOf({ kind: 'number', min: 0 }),
    docs: 'Calls allowed, by limit: `per_user_per_min`, `global_per_sec`.',
    section: '6',
    rule,
  },
  {
    name: 'timeout_ms',
    shape: milliseconds,
    docs: 'After so many milliseconds a call is given up.',
    section: '6',
    rule,
  },
  { name: 'retry', shape: retry, docs: 'How failed calls are tried again.', section: '6', rule },
  {
    name: 'circuit_breaker',
    shape: circuitBreaker,
    docs: 'When calls stop because too many fail.',
    section: '6',
    rule,
  },
  { name: 'budget', shape: budget, docs: 'What a call may take: latency and cost.', section: '6', rule },
);

const backingService: Shape = mapOf(
  { name: 'endpoint', shape: text, mandatory: true, docs: 'Where the service answers.', section: '6' },
  { name: 'health_check', shape: text, docs: 'The path of its health check.', section: '6' },
);

export const policyKeys: KeyTable = [
  {
    name: 'policy',
    shape: policy,
    docs: 'What the gateway enforces: idempotency, limits, retries, budget.',
    section: '6',
    rule,
  },
  {
    name: 'capabilities_required',
    shape: listOf(either(text, recordOf(any))),
    docs: 'Flags and tiers that the caller must have.',
    section: '6',
    example: '[{feature_flag: cross_title_link_enabled}]',
  },
  {
    name: 'backing_service',
    shape: backingService,
    docs: 'The service behind a contract; makes it a tool of the catalog, under its name.',
    section: '6',
  },
];
