/** Gemini (`POST /v1beta/models/NAME:generateContent` and `:streamGenerateContent`). */
import { items, property, string } from './json-values.ts';
import { MODEL, type Protocol } from './protocol.ts';

const USAGE = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 };

export const gemini: Protocol = {
  name: 'gemini',
  matches: (path) => /:(?:streamG|g)enerateContent(?:\?|$)/.test(path),
  toolsOf: (body) =>
    items(property(body, 'tools'))
      .flatMap((tool) => [
        ...items(property(tool, 'functionDeclarations')),
        ...items(property(tool, 'function_declarations')),
      ])
      .flatMap((tool) => string(property(tool, 'name')) ?? []),
  resultsOf: (body) =>
    items(property(body, 'contents')).flatMap((content, index) =>
      items(property(content, 'parts')).flatMap((part, at) =>
        property(part, 'functionResponse') === undefined ? [] : [`contents.${index}.parts.${at}.functionResponse`],
      ),
    ),
  reply({ path }, turn) {
    const part = typeof turn === 'string' ? { text: turn } : { functionCall: { name: turn.tool, args: turn.input } };
    const body = {
      candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
      usageMetadata: USAGE,
      modelVersion: MODEL,
    };
    return path.includes('streamGenerateContent')
      ? { kind: 'stream', events: [{ data: body }] }
      : { kind: 'json', body };
  },
};
