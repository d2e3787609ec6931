/**
 * Projects of `skill-composer export` as a new user runs them: installed from the registry into an empty folder, tested,
 * checked by TypeScript, and served by LangGraph's in-memory development server. `npm test` does not run this suite.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { npm, run as runProgram } from '../host/process.mjs';
import { folderWith, run } from '../protocol/cli.ts';

const CATALOG = `tools:
  - {name: read_page, description: Reads a page., input_schema: {slug: string}, operation: READ}
  - {name: save_draft, description: Saves text., input_schema: {text: string}, operation: WRITE}
`;

const JUDGE = `---
name: judge
description: Judges one page. Use it after a draft.
version: 1.0.0
level: 2
input_schema: {slug: string, depth: integer}
output_schema: {verdict: string}
exit: {on: output_schema}
tools: [read_page, save_draft]
interrupts: [{name: before_write, message: Save the verdict?}]
composes: [{skill: find, output_mapping: {found: verdict}}, {skill: count}, {skill: history}]
execution:
  - parallel: [{step: find, retry: {max_attempts: 3, backoff: none, retry_on: [BUSY]}}, {step: count}]
  - {step: history, condition: $input.depth > 1}
samples:
  gate: {request: Judge the gate., parameters: {slug: gate, depth: 2}, answers: {before_write: true}}
  inn: {parameters: {slug: inn, depth: 1}}
---

Judge the named page. Be brief.

## Approach: two passes

1. **Read** the page with #tool:read_page.
2. **Write** the verdict and save it with #tool:save_draft.
`;

const FIND = `name: find
description: Finds a page. Use it before a verdict.
version: 1.0.0
owner: team
level: 1
backing_service: {endpoint: pages.example:8443}
input_schema: {slug: string}
output_schema: {found: string}
exit: {on: output_schema}
errors: [{code: BUSY, description: Try again.}]
policy: {idempotent: true, timeout_ms: 2000, budget: {p95_ms: 1000, p99_ms: 2000, cost_usd: 0.01}}
`;

const part = (name: string, more = ''): string =>
  `---\nname: ${name}\ndescription: Returns the ${name} of one page.\nversion: 1.0.0\n${more}input_schema: {slug: string}\noutput_schema: {${name}: string}\nexit: {on: output_schema}\n---\n\nReturn the ${name} of the page.\n`;

const BOTH = `name: both
description: Saves the two sides of a page. Use it before a verdict.
version: 1.0.0
owner: team
level: 2
input_schema: {slug: string}
output_schema: {left: string, right: string}
exit: {on: output_schema}
composes: [left, right]
execution: [{parallel: [{step: left}, {step: right}]}]
`;

const SAVES = 'tools: [save_draft]\ninterrupts: [before_write]\n';

/** The functions that a user fills in. Each call appends a line to the file `log`. */
const FUNCTIONS = `
import { appendFileSync } from 'node:fs';

const log = (text: string) => appendFileSync(new URL('log', import.meta.url), \`\${text}\\n\`);

async function askModel(query: ModelQuery): Promise<ModelReply> {
  log(\`\${query.path}: \${query.prompt.includes('Judge it now.')}\`);
  const [tool] = query.tools;
  if (tool && !query.results.some((one) => one.tool === tool.name)) {
    return { call: tool.name, input: tool.name === 'read_page' ? { slug: 'gate' } : { text: 'It holds.' } };
  }
  const name = query.path.split('/')[0] ?? '';
  return { output: name.startsWith('plan') ? '\`\`\`json\\n{"verdict": "It holds."}\\n\`\`\`' : { [name]: 'known' } };
}

let busy = true;

async function callTool({ name }: ToolCall): Promise<Json> {
  log(name);
  switch (name) {
    case 'read_page':
      return { text: 'The gate held.' };
    case 'save_draft':
      return { saved: true };
    case 'find': {
      const isBusy = busy;
      busy = false;
      if (isBusy) throw Object.assign(new Error('Busy'), { code: 'BUSY' });
      return { found: 'gate' };
    }
  }
}
`;

const folder = folderWith({
  'skills/skills.config.yaml': CATALOG,
  'skills/judge.skill.md': JUDGE,
  'skills/find.skill.yaml': FIND,
  'skills/count.skill.md': part('count'),
  'skills/history.skill.md': part('history'),
  'skills/both.skill.yaml': BOTH,
  'skills/left.skill.md': part('left', SAVES),
  'skills/right.skill.md': part('right', SAVES),
});
const project = join(folder, 'judge');
const both = join(folder, 'both');

/** Exports a skill to a folder beside the skills. */
async function exportSkill(file: string, made: string): Promise<void> {
  const { status, stderr } = await run(folder, ['export', file, '--to', 'langgraph', '--out', made]);
  assert.deepEqual([status, stderr], [0, '']);
}

/** Writes the functions into a new project. */
function fillIn(cwd: string): void {
  const text = readFileSync(join(cwd, 'graph.ts'), 'utf8');
  const begin = text.indexOf('/**\n * Asks');
  const end = text.indexOf('/** Makes');
  assert.ok(begin > 0 && end > begin);
  writeFileSync(join(cwd, 'graph.ts'), text.slice(0, begin) + FUNCTIONS + text.slice(end));
}

before(async () => {
  await exportSkill('skills/judge.skill.md', 'judge');
  await npm(['install', '--no-audit', '--no-fund'], { cwd: project });
});

/** Runs a script of a project's package.json. */
async function script(cwd: string, name: string): Promise<void> {
  const program = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const { code, output } = await runProgram(program, ['run', name], { cwd });
  assert.equal(code, 0, output);
}

describe('an exported project', () => {
  it('passes its own tests and type check after `npm install`', async () => {
    await script(project, 'test');
    await script(project, 'types');
  });

  it('of each kind of sample passes its own tests', async () => {
    const samples = join(folder, 'samples');
    cpSync('samples', samples, { recursive: true });
    const paths = [
      'skills/scenes/prepare-scene.skill.md',
      'skills/timeline/build-chronology.skill.md',
      'contracts/search-canon.skill.yaml',
      'agent-skills/continuity-notes/SKILL.md',
    ];
    for (const [at, path] of paths.entries()) {
      const made = join(folder, `sample-${at}`);
      const { status, stderr } = await run(samples, ['export', path, '--to', 'langgraph', '--out', made, '--quiet']);
      assert.deepEqual([status, stderr], [0, ''], path);
      symlinkSync(join(project, 'node_modules'), join(made, 'node_modules'));
      await script(made, 'test');
    }
  });

  it('runs on the development server: pauses at an interrupt, continues, and ends with the output', async () => {
    fillIn(project);
    await script(project, 'types');
    const { post, get } = await serve(project);
    const { thread_id: thread } = await post('threads', {});
    const input = { input: { slug: 'gate', depth: 2 }, request: 'Judge it now.' };
    const paused = await post(`threads/${thread}/runs/wait`, { assistant_id: 'judge', input });
    assert.deepEqual(
      paused.__interrupt__.map(({ value }: { value: object }) => value),
      [
        {
          ...{ name: 'before_write', path: 'call_tools_2', message: 'Save the verdict?' },
          call: { tool: 'save_draft', input: { text: 'It holds.' } },
        },
      ],
    );
    const log = () => readFileSync(join(project, 'log'), 'utf8').trim().split('\n');
    assert.ok(!log().includes('save_draft'));
    const questions = questionsOf(await get(`threads/${thread}/state`));
    const command = { resume: Object.fromEntries(questions.map(({ id }) => [id, true])) };
    const { output, outputs, calls } = await post(`threads/${thread}/runs/wait`, { assistant_id: 'judge', command });
    assert.deepEqual(output, { value: { verdict: 'It holds.' } });
    assert.deepEqual(outputs, { find: { found: 'gate' }, count: { count: 'known' }, history: { history: 'known' } });
    assert.equal(calls, 2);
    // The service is called again after its failure, and the request is in the prompts of the skill only.
    assert.equal(log().filter((line) => line === 'find').length, 2);
    assert.ok(log().includes('plan_1: true'));
    assert.ok(log().includes('count/plan: false'));
    const failed = await post('runs/wait', { assistant_id: 'judge', input: { input: { slug: 7 } } });
    assert.equal(JSON.parse(failed.__error__.message).error, 'INPUT_MISMATCH');
  });

  it('asks parallel questions, which only answers with their IDs reach', async () => {
    await exportSkill('skills/both.skill.yaml', 'both');
    symlinkSync(join(project, 'node_modules'), join(both, 'node_modules'));
    const example = /```ts\n([^`]*new Client[^`]*)```/.exec(readFileSync(join(both, 'README.md'), 'utf8'))?.[1] ?? '';
    writeFileSync(
      join(both, 'client.ts'),
      `${example}declare const parameters: Record<string, unknown>;\ndeclare function answerTo(value: unknown): Promise<unknown>;\n`,
    );
    await script(both, 'types');
    fillIn(both);
    const { post, get, address } = await serve(both);
    const saved = () => (readFileSync(join(both, 'log'), 'utf8').match(/^save_draft$/gm) ?? []).length;
    const start = async () => {
      const { thread_id: thread } = await post('threads', {});
      const wait = (body: object) => post(`threads/${thread}/runs/wait`, { assistant_id: 'both', ...body });
      const questions = async () => questionsOf(await get(`threads/${thread}/state`));
      const input = { input: { slug: 'gate' } };
      await wait({ input });
      assert.deepEqual((await questions()).map(({ value }) => value.path).sort(), [
        'left/call_tools',
        'right/call_tools',
      ]);
      return { thread, wait, questions, input };
    };
    const codeOf = (reply: { __error__?: { message: string } }) => JSON.parse(reply.__error__?.message ?? '{}').error;

    const { wait, questions, input } = await start();
    const asked = await questions();
    const first = asked[0]?.id ?? '';
    for (const resume of [true, false, null, {}, { left: true }, { [first]: true, ['0'.repeat(32)]: true }]) {
      assert.equal(codeOf(await wait({ command: { resume } })), 'WRONG_ANSWER', JSON.stringify(resume));
      assert.deepEqual(await questions(), asked);
    }
    await wait({ command: { resume: { [first]: true } } });
    assert.equal(saved(), 1);
    assert.deepEqual(
      (await questions()).map(({ id }) => id),
      asked.slice(1).map(({ id }) => id),
    );
    assert.equal(codeOf(await wait({ command: { resume: { [first]: true } } })), 'WRONG_ANSWER');
    await wait({ input });
    const late = Object.fromEntries(asked.map(({ id }) => [id, true]));
    assert.equal(codeOf(await wait({ command: { resume: late } })), 'WRONG_ANSWER');
    assert.equal(saved(), 1);

    // A new input is not an answer.
    const { thread, questions: others } = await start();
    const before = await others();
    const params = { assistant_id: 'both', input };
    const { result } = await post(`threads/${thread}/commands`, { id: 1, method: 'run.start', params });
    await get(`threads/${thread}/runs/${result.run_id}/join`);
    assert.deepEqual([saved(), await others()], [1, before]);

    const code = `const parameters = { slug: 'gate' };
const answerTo = async ({ path }) => path === 'left/call_tools';
${example.replace('http://localhost:2024', address).replace('(values)', '(JSON.stringify(values.output))')}`;
    writeFileSync(join(both, 'client.mjs'), code);
    const { code: status, output } = await runProgram(process.execPath, ['client.mjs'], { cwd: both });
    assert.deepEqual([status, output], [0, '{"value":{"left":"known","right":"known"}}\n']);
    assert.equal(saved(), 2);
  });
});

/** Returns the questions in the state of a thread, as the README reads them. */
const questionsOf = ({ tasks }: { tasks: readonly Task[] }) =>
  tasks.filter(({ result }) => !result).flatMap(({ interrupts }) => interrupts);

interface Task {
  readonly result?: object;
  readonly interrupts: readonly { readonly id: string; readonly value: { readonly path: string } }[];
}

const servers: ChildProcess[] = [];

/** Starts the development server. Returns its address, and functions that send a request to it and return the reply. */
async function serve(cwd: string) {
  const port = await freePort();
  const command = join(cwd, 'node_modules/@langchain/langgraph-cli/dist/cli/cli.mjs');
  const server = spawn(process.execPath, [command, 'dev', '--no-browser', '--no-reload', '--port', `${port}`], {
    cwd,
    env: { ...process.env, LANGGRAPH_CLI_NO_ANALYTICS: '1', LANGSMITH_TRACING: 'false', BROWSER: 'none' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  servers.push(server);
  let output = '';
  for (const stream of [server.stdout, server.stderr]) stream?.on('data', (part) => (output += part));
  const address = `http://localhost:${port}`;
  for (let tries = 0; ; tries++) {
    const isReady = await fetch(`${address}/ok`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) break;
    assert.ok(tries < 600 && server.exitCode === null, output);
    await pause(200);
  }
  const send = async (path: string, init?: RequestInit) => {
    const reply = await fetch(`${address}/${path}`, init);
    return JSON.parse(await reply.text());
  };
  const headers = { 'content-type': 'application/json' };
  const post = (path: string, body: object) => send(path, { method: 'POST', headers, body: JSON.stringify(body) });
  return { address, post, get: (path: string) => send(path) };
}

// The command starts the server as another process of its group.
after(() => {
  for (const { pid } of servers) if (pid !== undefined) process.kill(-pid, 'SIGKILL');
});

async function freePort(): Promise<number> {
  const listening = createServer().listen(0, 'localhost');
  await new Promise((done) => listening.once('listening', done));
  const { port } = listening.address() as { readonly port: number };
  await new Promise((done) => listening.close(done));
  return port;
}
