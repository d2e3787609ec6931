/** Anthropic Messages (`POST /v1/messages`). */
import { items, property, string } from './json-values.ts';
import { MODEL, type Protocol, type StreamEvent } from './protocol.ts';

const USAGE = { input_tokens: 10, output_tokens: 5 };

export const anthropic: Protocol = {
  name: 'anthropic',
  matches: (path) => /\/messages(?:\?|$)/.test(path),
  toolsOf: (body) => items(property(body, 'tools')).flatMap((tool) => string(property(tool, 'name')) ?? []),
  resultsOf: (body) =>
    items(property(body, 'messages')).flatMap((message, index) =>
      items(property(message, 'content')).flatMap((part, at) =>
        property(part, 'type') === 'tool_result' ? [`messages.${index}.content.${at}`] : [],
      ),
    ),
  reply({ body }, turn, number) {
    const isText = typeof turn === 'string';
    const content = isText
      ? { type: 'text', text: turn }
      : { type: 'tool_use', id: `toolu_${number}`, name: turn.tool, input: turn.input };
    const stop = isText ? 'end_turn' : 'tool_use';
    const message = {
      id: `msg_${number}`,
      type: 'message',
      role: 'assistant',
      model: string(property(body, 'model')) ?? MODEL,
      stop_sequence: null,
      usage: USAGE,
    };
    if (property(body, 'stream') !== true) {
      return { kind: 'json', body: { ...message, content: [content], stop_reason: stop } };
    }
    const start = isText ? { type: 'text', text: '' } : { ...content, input: {} };
    const delta = isText
      ? { type: 'text_delta', text: turn }
      : { type: 'input_json_delta', partial_json: JSON.stringify(turn.input) };
    return {
      kind: 'stream',
      events: [
        event('message_start', { message: { ...message, content: [], stop_reason: null } }),
        event('content_block_start', { index: 0, content_block: start }),
        event('content_block_delta', { index: 0, delta }),
        event('content_block_stop', { index: 0 }),
        event('message_delta', { delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 5 } }),
        event('message_stop', {}),
      ],
    };
  },
};

const event = (type: string, data: object): StreamEvent => ({ name: type, data: { type, ...data } });
