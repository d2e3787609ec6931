/** The policy layer of a contract, allowed in any skill (docs/format.md, section 6). */
import { amount, backoff, bool, count, filled, positiveAmount, positiveCount, text } from './common-shapes.ts';
import { type KeyTable, key, keysOf, listOf, mapOf, type Shape } from './shape.ts';

const ratio: Shape = { kind: 'number', min: 0, max: 1 };

const retry: Shape = mapOf(
  '6',
  key('attempts', count, 'How often a failed call is tried again.'),
  key('max_attempts', positiveCount, 'How often the call is tried in all.'),
  key('backoff', backoff, 'How the pause between tries grows.'),
  key('retry_on', listOf({ kind: 'string', offers: 'error codes' }), 'The error codes that a retry may fix.'),
);

const circuitBreaker: Shape = mapOf(
  '6',
  key('error_rate_threshold', ratio, 'The share of failures, 0 to 1, above which calls stop.'),
  key('window_sec', positiveAmount, 'Over how many seconds the share is taken.'),
  key('cooldown_sec', amount, 'After how many seconds a call is let through again.'),
);

const budget: Shape = mapOf(
  '6',
  key('p95_ms', positiveAmount, '95 of 100 calls end within so many milliseconds.'),
  key('p99_ms', positiveAmount, '99 of 100 calls end within so many milliseconds.'),
  key('cost_usd', amount, 'What a call costs, in US dollars.'),
);

const CALLERS = { global: 'All callers together', per_user: 'Each user', per_tenant: 'Each tenant' };
const TIMES = { sec: 'second', min: 'minute', hour: 'hour', day: 'day' };

const rateLimit: Shape = mapOf(
  '6',
  ...Object.entries(CALLERS).flatMap(([caller, who]) =>
    Object.entries(TIMES).map(([time, period]) =>
      key(`${caller}_per_${time}`, positiveAmount, `${who} may call so often in a ${period}.`),
    ),
  ),
);

const policy: Shape = mapOf(
  '6',
  key('idempotent', bool, 'Calling twice does no more than calling once.'),
  key(
    'idempotency_key',
    text,
    'A key template over the inputs, `{title_id}:{locale}`, by which repeats are recognised.',
  ),
  key('rate_limit', rateLimit, 'Calls allowed, by who calls and in what time.', {
    offers: 'usual limits',
    example: '{per_user_per_min: 60, global_per_sec: 500}',
  }),
  key('timeout_ms', positiveAmount, 'After so many milliseconds a call is given up.'),
  key('retry', retry, 'The older spelling of the top-level `retry`: how failed calls are tried again.'),
  key('circuit_breaker', circuitBreaker, 'When calls stop because too many fail.'),
  key('budget', budget, 'What a call may take: latency and cost.'),
);

const backingService: Shape = mapOf(
  '6',
  key('endpoint', { kind: 'string', format: 'address' }, 'Where the service answers: a URL, or a host with its port.', {
    mandatory: true,
    example: 'https://titles.example.com/v1',
  }),
  key('health_check', text, 'The path of its health check.'),
);

const capability: Shape = mapOf(
  '6',
  key('feature_flag', filled, 'A feature flag that must be on for the caller.', {
    example: 'cross_title_link_enabled',
  }),
  key('tier', filled, 'The tier that the caller must have; `any` asks for nothing.', { example: 'adult' }),
);

export const policyKeys: KeyTable = keysOf(
  '6',
  key('policy', policy, 'What the gateway enforces: idempotency, limits, retries, budget.', { rule: 'invalid-policy' }),
  key('capabilities_required', listOf(capability), 'Flags and tiers that the caller must have.', {
    example: '[{feature_flag: cross_title_link_enabled}]',
  }),
  key(
    'backing_service',
    backingService,
    'The service behind a contract; makes it a tool of the catalog, under its name.',
  ),
);

/** What a service must say of itself before others may rely on it, each with the places where it may be said. */
export const SERVICE_PROMISES: readonly { readonly what: string; readonly paths: readonly (readonly string[])[] }[] = [
  { what: 'owner', paths: [['owner']] },
  { what: 'errors', paths: [['errors']] },
  {
    what: 'policy.idempotent',
    paths: [
      ['policy', 'idempotent'],
      ['policy', 'idempotency_key'],
    ],
  },
  { what: 'policy.timeout_ms', paths: [['policy', 'timeout_ms']] },
  { what: 'policy.budget.p95_ms', paths: [['policy', 'budget', 'p95_ms']] },
  { what: 'policy.budget.p99_ms', paths: [['policy', 'budget', 'p99_ms']] },
  { what: 'policy.budget.cost_usd', paths: [['policy', 'budget', 'cost_usd']] },
];
