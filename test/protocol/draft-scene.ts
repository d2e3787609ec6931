/** A skill with a template that a test defines, and requests to compose the skill. */
import type { ComposeParams, ComposeReply } from '../../server/src/protocol.ts';
import type { Server } from './server.ts';

/** Returns a skill with a template as framing, and with these additional keys. */
export const skillWithFraming = (template: string, ...lines: string[]): string =>
  [
    '---',
    'name: draft-scene',
    'description: Drafts a scene.',
    'version: 1.2.0',
    ...lines,
    'framing: main',
    '---',
    '',
    '## PromptTemplate: main',
    '',
    template,
    '',
  ].join('\n');

/** Returns a skill with a template, parameters and a sample. */
export const skill = (template: string, ...lines: string[]): string =>
  skillWithFraming(
    template,
    'input_schema: {place: string, tone: "string?"}',
    ...lines,
    'samples:',
    '  storm: {request: Draft it, parameters: {place: the pass}}',
  );

export const PATH = 'draft-scene.skill.md';
export const files = { [PATH]: skill('Draft a scene at {{ place }}.') };

export const compose = (
  { connection, uri }: Server,
  params: Partial<ComposeParams> = {},
): Promise<ComposeReply | null> =>
  connection.sendRequest('skill/compose', { uri: uri(PATH), sample: 'storm', ...params });

export const change = ({ connection, uri }: Server, version: number, text: string) =>
  connection.sendNotification('textDocument/didChange', {
    textDocument: { uri: uri(PATH), version },
    contentChanges: [{ text }],
  });

export const promptOf = (reply: ComposeReply | null): string =>
  reply?.result.ok ? reply.result.composition.prompt : '';
