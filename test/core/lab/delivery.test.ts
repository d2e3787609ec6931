/** The texts that reach the model when a skill is called (lab/delivery.ts). */
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { deliveryOf, invocationOf } from '../../../lab/delivery.ts';
import { SITUATIONS } from '../../../lab/situations/index.ts';
import type { Situation } from '../../../lab/situations/situation.ts';
import type { RecordedRequest } from '../../../server/src/services/observing/model/server.ts';
import { PROTOCOLS } from '../../../server/src/services/observing/model/server.ts';

const PLACE = { workspace: '/runs/work', start: '/runs/work', home: '/runs/home' };
const ENDED = { status: 0, output: '' };
const PLAIN = SITUATIONS.get('s01-plain') as Situation;

function recorded(name: RecordedRequest['protocol'], body: object): RecordedRequest {
  const protocol = PROTOCOLS.find((one) => one.name === name);
  assert.ok(protocol);
  const resultPaths = protocol.resultsOf(body as never);
  return { protocol: name, path: '', body: body as never, tools: ['skill'], results: resultPaths.length, resultPaths };
}

const chat = (...results: readonly string[]): RecordedRequest =>
  recorded('chat', {
    messages: [
      { role: 'user', content: 'hello' },
      ...results.map((content, index) => ({ role: 'tool', tool_call_id: `call_${index}`, content })),
    ],
  });

const instead = (request: RecordedRequest, before = chat()) => deliveryOf(PLAIN, request, before, PLACE, ENDED).instead;

describe('the result of a call without the body', () => {
  it('is kept, whatever its form', () => {
    assert.deepEqual(instead(chat('{"status":"loaded"}')), ['{"status":"loaded"}']);
    assert.deepEqual(instead(chat('Nope')), ['Nope']);
  });

  it('is kept if an earlier call had the same one', () => {
    assert.deepEqual(instead(chat('Nope', 'Nope'), chat('Nope')), ['Nope']);
  });

  it('is kept in every protocol, without IDs and names of tools', () => {
    const response = { id: 'call_1', name: 'skill', response: { error: 'Nope', name: 's01' } };
    const contents = [{ role: 'user', parts: [{ functionResponse: response }] }];
    assert.deepEqual(instead(recorded('gemini', { contents })), ['Nope', 's01']);
    const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: 'Nope' }] };
    const messages = [{ role: 'user', content: [result] }];
    assert.deepEqual(instead(recorded('anthropic', { messages }), recorded('anthropic', { messages: [] })), ['Nope']);
    const input = [{ type: 'function_call_output', call_id: 'call_1', output: 'Nope' }];
    assert.deepEqual(instead(recorded('responses', { input }), recorded('responses', { input: [] })), ['Nope']);
  });

  it('is cut with a mark', () => {
    const [text = ''] = instead(chat('x'.repeat(1_000))) ?? [];
    assert.equal(text, `${'x'.repeat(600)}… (1000 characters)`);
  });

  it('has a reason if it is empty', () => {
    assert.deepEqual(deliveryOf(PLAIN, chat(''), chat(), PLACE, ENDED), {
      delivered: [],
      instead: [],
      reason: 'the result has no text',
    });
    assert.equal(deliveryOf(PLAIN, undefined, chat(), PLACE, ENDED).reason, 'no request followed');
    assert.equal(invocationOf(PLAIN, '/s01-plain red', [], PLACE, ENDED).reason, 'no request followed');
  });
});

it('the body is delivered with its place', () => {
  const text = `# A title\n${PLAIN.secret}`;
  assert.deepEqual(deliveryOf(PLAIN, chat(text), chat(), PLACE, ENDED), {
    delivered: [{ place: 'messages.1.content', text }],
  });
});
