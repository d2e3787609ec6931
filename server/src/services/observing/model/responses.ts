/** OpenAI Responses (`POST /v1/responses`). */
import { items, type Json, property, string } from './json-values.ts';
import { MODEL, type Protocol } from './protocol.ts';

const USAGE = {
  input_tokens: 10,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 15,
};

export const responses: Protocol = {
  name: 'responses',
  matches: (path) => /\/responses(?:\?|$)/.test(path),
  toolsOf: (body) => items(property(body, 'tools')).flatMap((tool) => string(property(tool, 'name')) ?? []),
  resultsOf: (body) =>
    items(property(body, 'input')).flatMap((one, index) =>
      /_call_output$/.test(string(property(one, 'type')) ?? '') ? [`input.${index}`] : [],
    ),
  reply({ body }, turn, number) {
    const isText = typeof turn === 'string';
    const text = { type: 'output_text', text: isText ? turn : '', annotations: [] };
    const item = isText
      ? { type: 'message', id: `msg_${number}`, role: 'assistant', status: 'completed', content: [text] }
      : {
          type: 'function_call',
          id: `fc_${number}`,
          call_id: `call_${number}`,
          name: turn.tool,
          arguments: JSON.stringify(turn.input),
          status: 'completed',
        };
    const response = (status: string, output: readonly Json[]): Json => ({
      id: `resp_${number}`,
      object: 'response',
      created_at: 1,
      status,
      model: string(property(body, 'model')) ?? MODEL,
      output,
      parallel_tool_calls: true,
      tools: [],
      usage: USAGE,
    });
    if (property(body, 'stream') !== true) return { kind: 'json', body: response('completed', [item]) };
    const at = { item_id: item.id, output_index: 0 };
    const events: { readonly type: string; readonly [key: string]: Json }[] = [
      { type: 'response.created', response: response('in_progress', []) },
    ];
    if (isText) {
      events.push(
        { type: 'response.output_item.added', output_index: 0, item: { ...item, content: [], status: 'in_progress' } },
        { type: 'response.content_part.added', ...at, content_index: 0, part: { ...text, text: '' } },
        { type: 'response.output_text.delta', ...at, content_index: 0, delta: turn },
        { type: 'response.output_text.done', ...at, content_index: 0, text: turn },
        { type: 'response.content_part.done', ...at, content_index: 0, part: text },
      );
    } else {
      const args = JSON.stringify(turn.input);
      events.push(
        {
          type: 'response.output_item.added',
          output_index: 0,
          item: { ...item, arguments: '', status: 'in_progress' },
        },
        { type: 'response.function_call_arguments.delta', ...at, delta: args },
        { type: 'response.function_call_arguments.done', ...at, arguments: args },
      );
    }
    events.push(
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: response('completed', [item]) },
    );
    return {
      kind: 'stream',
      events: events.map((one, at) => ({ name: one.type, data: { ...one, sequence_number: at } })),
    };
  },
};
