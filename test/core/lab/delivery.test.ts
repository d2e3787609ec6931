/** The texts that reach the model when a skill is called (lab/delivery.ts). */
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { deliveryOf, invocationOf } from '../../../lab/delivery.ts';
import { LONG, SITUATIONS } from '../../../lab/situations/index.ts';
import { withFoldedLines } from '../../../lab/situations/long.ts';
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

describe('numbered lines of a long body', () => {
  const long = LONG[0] as Situation;
  const [text = ''] = Object.values(long.files) as readonly string[];
  const lines = text.split('\n').filter((line) => line.startsWith('Line '));

  it('are shown as one, with a line that was cut', () => {
    const [first = '', second = '', third = ''] = lines;
    assert.equal(lines.length, 520);
    assert.equal(
      withFoldedLines(`a\n${lines.join('\n')}\nb\n${first}\n${third}\n${second.slice(0, 20)}`),
      `a\n{lines 1 to 520}\nb\n{lines 1 to 1}\n{lines 3 to 3}\n${second.slice(0, 20)}`,
    );
    assert.equal(withFoldedLines(lines.map((line, at) => `   ${at}\t${line}`).join('\n')), '{lines 1 to 520}');
  });

  it('are shown without the random names of files beside them', () => {
    const saved = 'a/31d0ab67d96c/skill_abe042e9b906.output and tool_22cf7b668001ayzVx8YIzLnZpb and call_13.txt\n';
    const shown = 'a/{id}/skill_{id}.output and tool_{id} and {id}.txt\n';
    assert.equal(withFoldedLines(saved + lines.join('\n')), `${shown}{lines 1 to 520}`);
  });

  it('are folded in what was delivered', () => {
    const [delivered] = deliveryOf(long, chat(text), chat(), PLACE, ENDED).delivered;
    assert.ok(delivered?.text.endsWith('\n{lines 1 to 520}\n'), delivered?.text);
  });

  it('are not folded if the text is another one', () => {
    assert.equal(withFoldedLines('Line 0001 of a file\n'), 'Line 0001 of a file\n');
    assert.equal(withFoldedLines('tool_22cf7b668001ayzVx8YIzLnZpb'), 'tool_22cf7b668001ayzVx8YIzLnZpb');
  });
});
