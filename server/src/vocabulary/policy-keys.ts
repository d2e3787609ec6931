/** The policy keys of a contract, allowed in every skill (docs/format.md, section 6). */
import { amount, bool, flagName, positiveAmount, text, tierName } from './common-shapes.ts';
import { retry } from './composition-keys.ts';
import { either, type KeyTable, key, keysOf, listOf, mapOf, recordOf, type Shape } from './shape.ts';

const ratio: Shape = { kind: 'number', min: 0, max: 1 };

const circuitBreaker: Shape = mapOf(
  '6',
  key('error_rate_threshold', ratio, 'The share of failed calls, from 0 to 1, at which calls are stopped.'),
  key('window_sec', positiveAmount, 'The period in seconds over which the share is measured.'),
  key('cooldown_sec', amount, 'The time in seconds until a call is allowed again.'),
);

const budget: Shape = mapOf(
  '6',
  key('p95_ms', positiveAmount, 'The time in milliseconds within which 95 of 100 calls end.'),
  key('p99_ms', positiveAmount, 'The time in milliseconds within which 99 of 100 calls end.'),
  key('cost_usd', amount, 'The cost of a call in US dollars.'),
);

const CALLERS = { global: 'all callers together', per_user: 'each user', per_tenant: 'each tenant' };
const TIMES = { sec: 'second', min: 'minute', hour: 'hour', day: 'day' };

const rateLimit: Shape = mapOf(
  '6',
  ...Object.entries(CALLERS).flatMap(([caller, who]) =>
    Object.entries(TIMES).map(([time, period]) =>
      key(`${caller}_per_${time}`, positiveAmount, `The maximum number of calls from ${who} per ${period}.`),
    ),
  ),
);

/** The parts of a scope that gateways know. */
export const SCOPE_PARTS: ReadonlyMap<string, string> = new Map([
  ['user_id', 'The user.'],
  ['session_id', 'The session.'],
  ['tenant_id', 'The tenant.'],
  ['channel_id', 'The channel.'],
  ['thread_id', 'The thread.'],
  ['day', 'The day of the call.'],
]);

const scopeParts: Shape = {
  kind: 'list',
  items: {
    kind: 'choice',
    choices: [...SCOPE_PARTS].map(([value, docs]) => ({ value, docs })),
    pattern: /^[A-Za-z_][\w.-]*$/,
    expected: 'a name, such as `user_id`',
  },
  filled: true,
};

const policy: Shape = mapOf(
  '6',
  key('idempotent', bool, 'Whether repeating a call has no further effect.'),
  key(
    'idempotency_key',
    { kind: 'string', offers: 'inputs in braces' },
    'A template that identifies repeated calls by their inputs, such as `{title_id}:{locale}`.',
  ),
  key(
    'idempotency_scope',
    either(scopeParts, recordOf(scopeParts, 'surface')),
    'What the gateway adds to the idempotency key, so that equal keys in different scopes do not collide: for all surfaces, or for each surface.',
    { example: '{chat: [user_id, session_id]}' },
  ),
  key('rate_limit', rateLimit, 'The maximum number of calls, by caller and period.', {
    offers: 'usual limits',
    example: '{per_user_per_min: 60, global_per_sec: 500}',
  }),
  key('timeout_ms', positiveAmount, 'The timeout of a call in milliseconds.'),
  key('retry', retry, 'The older spelling of the top-level `retry`.'),
  key('circuit_breaker', circuitBreaker, 'Stops calls if too many of them fail.'),
  key('budget', budget, 'The limits for the latency and the cost of a call.'),
);

const backingService: Shape = mapOf(
  '6',
  key(
    'endpoint',
    { kind: 'string', format: 'address' },
    'The address of the service: a URL, or a host with its port.',
    {
      mandatory: true,
      example: 'https://titles.example.com/v1',
    },
  ),
  key('health_check', text, "The path of the service's health check."),
);

/** The rule `invalid-value` checks that an entry has one of the keys: an entry without them would admit all callers. */
export const capabilityKeys: KeyTable = keysOf(
  '6',
  key('feature_flag', flagName, 'A feature flag that must be on for the caller.', {
    example: 'cross_title_link_enabled',
    elsewhere: ['flag', 'feature'],
  }),
  key('tier', tierName, 'The tier that the caller must have; `any` accepts every tier.', { example: 'adult' }),
);

export const policyKeys: KeyTable = keysOf(
  '6',
  key('policy', policy, 'The policy that the gateway enforces: idempotency, limits, retries, budget.', {
    rule: 'invalid-policy',
  }),
  key(
    'capabilities_required',
    listOf({ kind: 'map', keys: capabilityKeys, unknownKeys: 'invalid-value' }),
    'Flags and tiers that the caller must have.',
    {
      example: '[{feature_flag: cross_title_link_enabled}]',
    },
  ),
  key(
    'backing_service',
    backingService,
    'The service that implements the contract. The contract becomes a tool in the catalog, under its own name.',
  ),
);

/** The facts that a service must declare, each with the paths of the keys that may declare it. */
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
