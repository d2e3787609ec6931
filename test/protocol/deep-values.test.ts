/** Values with very many levels in requests of an editor: each is refused with a message about the value. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ComposeReply, EditorToolsReply, SaveSampleReply, ShownRun } from '../../server/src/protocol.ts';
import { skill } from './cli.ts';
import { INITIALIZE, withRawServer } from './raw-server.ts';
import { withServer } from './server.ts';

const FILES = {
  'rd.skill.md': skill('rd', 'input_schema: {a: "object?"}', 'interrupts: [before_plan]'),
  'skills.config.yaml': 'tools: []\n',
};

const nested = (levels: number): object => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);

describe('a value with very many levels in a request', () => {
  for (const levels of [600, 3_000]) {
    it(`is refused with a message about the value (${levels} levels)`, async () => {
      await withServer(FILES, async ({ connection, uri, stderr, open, published }) => {
        await open('rd.skill.md');
        await published('rd.skill.md');
        const file = { uri: uri('rd.skill.md') };
        const parameters = { a: nested(levels) };
        const problem = 'The value of `a` has more than 500 levels.';
        const errorsOf = (reply: ShownRun | ComposeReply | null) => JSON.stringify(reply);
        const composed = await connection.sendRequest<ComposeReply>('skill/compose', {
          ...file,
          invocation: { parameters },
        });
        assert.ok(errorsOf(composed).includes(problem), errorsOf(composed));
        const ran = { ...file, invocation: { parameters }, answered: [] };
        assert.ok(errorsOf(await connection.sendRequest('skill/run', ran)).includes(problem));
        const answered = await connection.sendRequest<ShownRun>('skill/run', { ...file, answered: [nested(levels)] });
        assert.match(errorsOf(answered), /The answer to an interrupt has more than 500 levels\. Use fewer levels\./);
        const input = { skill: 'rd', parameters };
        const agent = await connection.sendRequest('skill/agentTool', { tool: 'compose', input, folders: [uri('')] });
        assert.ok(JSON.stringify(agent).includes(problem), JSON.stringify(agent));
        const saved = await connection.sendRequest<SaveSampleReply>('skill/saveSample', {
          ...{ ...file, name: 'one', invocation: { parameters } },
        });
        assert.match('problem' in saved ? saved.problem : '', /levels/);
        const tools = await connection.sendRequest<EditorToolsReply>('skill/editorTools', {
          ...{
            folder: uri('').replace(/\/$/, ''),
            tools: [{ name: 'x', description: '', inputSchema: nested(levels) }],
          },
        });
        assert.doesNotMatch(JSON.stringify(tools), /call stack/);
        assert.equal(stderr(), '');
      });
    });
  }

  it('is refused if no JavaScript client could write it (100,000 levels)', async () => {
    await withRawServer(async ({ send, write, answer }) => {
      const uri = 'file:///w/rd.skill.md';
      send(INITIALIZE, { method: 'initialized', params: {} });
      const textDocument = { uri, languageId: 'skillmd', version: 1, text: FILES['rd.skill.md'] };
      send({ method: 'textDocument/didOpen', params: { textDocument } });
      const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
      const requests: readonly (readonly [method: string, params: string, expected: RegExp])[] = [
        ['skill/compose', `"invocation": {"parameters": {"a": ${deep}}}`, /The value of `a` has more than 500 levels/],
        ['skill/run', `"answered": [${deep}]`, /The answer to an interrupt has more than 500 levels/],
        [
          'skill/saveSample',
          `"name": "one", "invocation": {"parameters": {"a": ${deep}}}`,
          /The value of `a` is nested more than 200 levels deep/,
        ],
      ];
      for (const [id, params, expected] of requests) {
        const body = `{"jsonrpc": "2.0", "id": "${id}", "method": "${id}", "params": {"uri": "${uri}", ${params}}}`;
        write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
        assert.match(JSON.stringify(await answer(id)), expected);
      }
      send({ id: 'shutdown', method: 'shutdown' });
      await answer('shutdown');
      send({ method: 'exit' });
    });
  });
});
