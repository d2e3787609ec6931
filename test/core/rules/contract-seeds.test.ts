/** Contracts and packages as their first documents write them (docs/format.md, section 6; docs/exchange.md). */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sliceOf } from '../../../server/src/text.ts';
import { findingsOf } from './findings.ts';

const LINKS = `name: cross-title-link
version: 0.9
description: |
  Given a manga title, return semantically and behaviorally related titles
  using a Neptune graph + OpenSearch hybrid retrieval.
owner: team-discovery@example.com
input:
  title_id: { type: string, required: true, regex: "^[A-Z]{4}_[0-9]{3,6}$" }
  locale: { type: string, required: true, enum: [en-US, ja-JP, ko-KR] }
  k: { type: integer, default: 10, min: 1, max: 50 }
output:
  recommendations:
    type: array
    items:
      title_id: string
      similarity: float # [0, 1]
      reason: string # human-readable, NOT model-generated
errors:
  - code: TITLE_NOT_FOUND # 4xx, do not retry
  - code: GRAPH_TIMEOUT # 5xx, retry once
  - code: LOCALE_NOT_SUPPORTED # 4xx, fallback to en-US
policy:
  idempotent: true
  idempotency_key: "{title_id}:{locale}:{k}"
  rate_limit: { per_user_per_min: 60, global_per_sec: 5000 }
  timeout_ms: 800
  retry: { attempts: 1, backoff: exponential }
  circuit_breaker: { error_rate_threshold: 0.05, window_sec: 30 }
  budget: { p95_ms: 510, cost_usd: 0.0014 }
capabilities_required:
  - feature_flag: cross_title_link_enabled
  - tier: any # available to all user tiers
backing_service:
  endpoint: cross-title.mcp.internal:8443
  health_check: /healthz
`;

describe('the contract of the first document', () => {
  const told = (text: string) =>
    findingsOf('cross-title-link.skill.yaml', text).map(({ rule, severity, message }) => [rule, severity, message]);

  it('has only the findings that the document itself demands', () => {
    assert.deepEqual(told(LINKS), [
      [
        'incomplete-contract',
        'warning',
        'A skill with a `backing_service` must declare `policy.budget.p99_ms`. Add it.',
      ],
      ['invalid-value', 'hint', '`0.9` is read as `0.9.0`. Write three numbers.'],
    ]);
  });

  it('is complete with both', () => {
    assert.deepEqual(told(LINKS.replace('p95_ms: 510', 'p95_ms: 510, p99_ms: 700').replace('0.9\n', '0.9.0\n')), []);
  });
});

it('the state of a module may be JSON or base64', () => {
  const told = (state: string) => {
    const artifact = { kind: 'dspy_module', name: 'Checker', content: '{"template_id": "chain_of_thought"}' };
    const rest = { metadata: { fallback_artifact: 'Check' }, state_blob: state };
    const text = JSON.stringify({
      name: 'Checker',
      description: 'Finds contradictions.',
      version: '1.0.0',
      artifacts: [
        { kind: 'prompt_template', name: 'Check', content: 'Check it.' },
        { ...artifact, ...rest },
      ],
    });
    return findingsOf('checker.skill.json', text).flatMap(({ rule, severity, span }) =>
      rule === 'invalid-package' ? [`${severity} ${sliceOf(text, span)}`] : [],
    );
  };
  assert.deepEqual(told('{"demos": []}'), []);
  assert.deepEqual(told('eyJkZW1vcyI6IFtdfQ=='), []);
  assert.deepEqual(told('a state'), ['warning "a state"']);
});
