/** OpenAI Chat Completions (`POST /v1/chat/completions`). */
import { items, type Json, property, string } from './json-values.ts';
import { MODEL, type Protocol } from './protocol.ts';

const USAGE = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

export const chat: Protocol = {
  name: 'chat',
  matches: (path) => /\/chat\/completions(?:\?|$)/.test(path),
  toolsOf: (body) =>
    items(property(body, 'tools')).flatMap((tool) => string(property(property(tool, 'function'), 'name')) ?? []),
  resultsOf: (body) =>
    items(property(body, 'messages')).flatMap((one, index) =>
      property(one, 'role') === 'tool' ? [`messages.${index}`] : [],
    ),
  reply({ body }, turn, number) {
    const isText = typeof turn === 'string';
    const call = isText
      ? undefined
      : {
          index: 0,
          id: `call_${number}`,
          type: 'function',
          function: { name: turn.tool, arguments: JSON.stringify(turn.input) },
        };
    const message: Json = call
      ? { role: 'assistant', content: null, tool_calls: [call] }
      : { role: 'assistant', content: isText ? turn : '' };
    const finish = isText ? 'stop' : 'tool_calls';
    const base = { id: `chatcmpl-${number}`, created: 1, model: string(property(body, 'model')) ?? MODEL };
    if (property(body, 'stream') !== true) {
      const choices = [{ index: 0, message, finish_reason: finish }];
      return { kind: 'json', body: { ...base, object: 'chat.completion', choices, usage: USAGE } };
    }
    const chunk = { ...base, object: 'chat.completion.chunk' };
    return {
      kind: 'stream',
      events: [
        { data: { ...chunk, choices: [{ index: 0, delta: message, finish_reason: null }] } },
        { data: { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: finish }] } },
        { data: { ...chunk, choices: [], usage: USAGE } },
        { data: '[DONE]' },
      ],
    };
  },
};
