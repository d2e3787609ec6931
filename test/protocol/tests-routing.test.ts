/** Routing cases and evals as tests in an editor, and requests that are saved as routing cases or evals. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import {
  type KeepPromptReply,
  KeepRoutingCaseRequest,
  type TestsReply,
  TestsRequest,
} from '../../server/src/protocol.ts';
import { type Server, withServer } from './server.ts';
import { ADA, greet, list, PATH, runTests } from './tests.ts';

const keepCase = ({ connection, uri }: Server, path: string, request: string, should = true) =>
  connection.sendRequest<KeepPromptReply>(KeepRoutingCaseRequest.method, { uri: uri(path), request, should });

test('saves a request as a routing case of a skill, or as an eval of a SKILL.md', async () => {
  const tidy = '---\nname: tidy\ndescription: Tidies notes.\n---\n';
  const evals = '[{"query": "tidy up", "should_trigger": true}]';
  const files = { [PATH]: greet(...ADA), 'tidy/SKILL.md': tidy, 'tidy/evals/asked.json': evals };
  await withServer(files, async (server) => {
    await server.connection.sendRequest(TestsRequest.method, { uri: server.uri(PATH) });
    const kept = await keepCase(server, PATH, '  welcome\nthe guest ');
    assert.ok('edits' in kept && kept.kept === null);
    assert.match(kept.edits.map(({ newText }) => newText).join(), /should:\n +- welcome the guest/);
    assert.deepEqual(await keepCase(server, 'tidy/SKILL.md', 'sort my notes', false), {
      version: null,
      edits: [],
      kept: {
        uri: server.uri('tidy/evals/asked.json'),
        text: '[{"query": "tidy up", "should_trigger": true}, {"query": "sort my notes", "should_trigger": false}]',
      },
    });
  });
});

test('reports why a request cannot be saved as a routing case', async () => {
  await withServer({ [PATH]: greet(...ADA), 'skills.config.yaml': 'tools: []\n' }, async (server) => {
    await server.connection.sendRequest(TestsRequest.method, { uri: server.uri(PATH) });
    const problem = async (path: string, request: string): Promise<string> => {
      const reply = await keepCase(server, path, request);
      return 'problem' in reply ? reply.problem : 'none';
    };
    assert.match(await problem(PATH, ' \n '), /request is empty/);
    assert.match(await problem(PATH, 'x'.repeat(100_000)), /the limit is 300/);
    assert.match(await problem('skills.config.yaml', 'plan'), /not a skill/);
    assert.match(await problem('gone.skill.md', 'plan'), /not a skill/);
  });
});

/** A second skill besides `greet`, so that a request can match the wrong skill. */
const WRITE = '---\nname: write-letter\ndescription: Writes a letter to a guest.\nversion: 1.0.0\n---\n';

test('runs a routing case as a separate test, and reports the first skill and the deciding words', async () => {
  const routing = 'routing: {should: [write a letter to Ada], should_not: []}';
  const text = greet(...ADA).replace('samples:', `${routing}\nsamples:`);
  await withServer({ [PATH]: text, 'write-letter.skill.md': WRITE }, async (server) => {
    const { tests } = (await list(server)) as TestsReply;
    const [, routed] = tests ?? [];
    assert.deepEqual(
      [routed?.kind, routed?.name, routed?.range.start],
      ['routing', 'should: write a letter to Ada', { line: 6, character: 19 }],
    );
    const { results } = await runTests(server, { only: ['should: write a letter to Ada'] });
    assert.deepEqual(
      results?.map(({ kind, of, status }) => [kind, of, status]),
      [['routing', 'should: write a letter to Ada', 'failed']],
    );
    assert.match(results?.[0]?.message ?? '', /chooses `write-letter` because of the words .*“letter”/);
  });
});

test('lists the evals of a `SKILL.md` as tests with locations in the file of the evals', async () => {
  const evals = { evals: [{ id: 7, prompt: 'Greet.', files: ['gone.txt'], assertions: ['Is polite'] }] };
  const triggers = '[{"query": "write a letter", "should_trigger": true}]';
  const files = {
    'greet/SKILL.md': '---\nname: greet\ndescription: Greets a guest.\n---\nGreet.\n',
    'greet/evals/evals.json': JSON.stringify(evals, undefined, 1),
    'greet/evals/triggers.json': triggers,
    'write-letter.skill.md': WRITE,
  };
  await withServer(files, async (server) => {
    const uri = server.uri('greet/SKILL.md');
    const { tests } = (await list(server, 'greet/SKILL.md')) as TestsReply;
    assert.deepEqual(
      tests?.map(({ kind, name, uri, range, semantic }) => [kind, name, uri, range.start.line, semantic.length]),
      [
        ['evals', 'case 7', server.uri('greet/evals/evals.json'), 3, 1],
        ['routing', 'should: write a letter', server.uri('greet/evals/triggers.json'), 0, 0],
      ],
    );
    const { results } = await runTests(server, { uri });
    assert.deepEqual(
      results?.map(({ kind, name, status, uri, range }) => [kind, name, status, uri, range.start.line]),
      [
        ['evals', 'case 7', 'passed', server.uri('greet/evals/evals.json'), 3],
        ['evals', 'case 7 › Is polite', 'skipped', server.uri('greet/evals/evals.json'), 9],
        ['evals', 'case 7 › gone.txt', 'failed', server.uri('greet/evals/evals.json'), 6],
        ['routing', 'should: write a letter', 'failed', server.uri('greet/evals/triggers.json'), 0],
      ],
    );
    const one = await runTests(server, { uri, only: ['should: write a letter'] });
    assert.deepEqual(
      one.results?.map(({ kind }) => kind),
      ['routing'],
    );
  });
});
