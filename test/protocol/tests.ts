/** Requests tests from a server like the Testing view of an editor. */
import {
  type RunTestsParams,
  type RunTestsReply,
  RunTestsRequest,
  type TestsReply,
  TestsRequest,
} from '../../server/src/protocol.ts';
import type { Server } from './server.ts';

export const greet = (...lines: readonly string[]): string =>
  [
    ...['---', 'name: greet', 'description: Greets a guest.', 'version: 1.0.0'],
    ...['input_schema: {guest: string}', 'framing: greeting', 'samples:', ...lines, '---', ''],
    ...['## PromptTemplate: greeting', '', 'Greet {{ guest }} warmly.', ''],
  ].join('\n');

export const PATH = 'greet.skill.md';
export const ADA = ['  ada:', '    parameters: {guest: Ada}'];
export const snapshot = '    expect: {snapshot: true}';

export const list = ({ connection, uri }: Server, path = PATH) =>
  connection.sendRequest<TestsReply | null>(TestsRequest.method, { uri: uri(path) });
export const runTests = ({ connection, uri }: Server, params: Partial<RunTestsParams> = {}) =>
  connection.sendRequest<RunTestsReply>(RunTestsRequest.method, { uri: uri(PATH), ...params });
