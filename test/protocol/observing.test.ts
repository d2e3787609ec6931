/** The requests with which an editor runs a client (docs/observing.md, "In VS Code"). */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { CancellationTokenSource } from 'vscode-languageserver-protocol/node';
import { toPath } from '../../server/src/io/paths.ts';
import {
  type Message,
  ObservableRequest,
  type ObserveReply,
  ObserveRequest,
  type ParamsOf,
  PlanObservingRequest,
} from '../../server/src/protocol.ts';
import { temporaryFolder } from '../temporary.mjs';
import { FAITHFUL, installed, installedShell, pathWith, plainSkill, processesWith } from './fake-client.ts';
import { runInProcess } from './in-process.ts';
import { SERVER, type Server, withServer } from './server.ts';

const FILES = {
  '.claude/skills/pdf/SKILL.md': plainSkill('pdf', 'Merges PDF files.'),
  '.claude/skills/notes/SKILL.md': plainSkill('notes', 'Sorts notes.'),
  '.claude/agents/a.md': '---\nname: a\n---\n',
  '.claude/agents/b.md': '---\nname: b\nhooks: {}\n---\n',
};

/** Runs a server in a trusted workspace. `PATH` begins with a folder, which `folderOf` may find in the workspace. */
const withPath = (
  folderOf: (cwd: string) => string,
  body: (server: Server) => Promise<void>,
  { trusted = true, files = FILES }: { readonly trusted?: boolean; readonly files?: typeof FILES } = {},
) =>
  withServer(files, body, { initializationOptions: { trusted } }, (cwd) =>
    runInProcess(SERVER, ['--stdio'], { cwd, env: { ...process.env, PATH: pathWith(folderOf(cwd)) } }),
  );

const rootOf = (server: Server): string => server.uri('').replace(/\/$/, '');

/** Sends a request, and fails if its reply is a problem. */
async function done<Params, Reply>({ connection }: Server, request: Message<Params, Reply>, params: Params) {
  const reply = await connection.sendRequest<Reply>(request.method, params);
  if (typeof reply === 'object' && reply !== null && 'problem' in reply) assert.fail(String(reply.problem));
  return reply as Exclude<Reply, { readonly problem: string }>;
}

/** Returns the problem in the reply to a request. */
async function problemOf<Params, Reply>({ connection }: Server, request: Message<Params, Reply>, params: Params) {
  const reply = await connection.sendRequest<Reply>(request.method, params);
  assert.ok(typeof reply === 'object' && reply !== null && 'problem' in reply, JSON.stringify(reply));
  return String(reply.problem);
}

const planOf = (server: Server, others: ParamsOf<typeof PlanObservingRequest>['others'] = []) => ({
  ...{ folder: rootOf(server), client: 'claude-code', others },
});
const plan = (server: Server, others: ParamsOf<typeof PlanObservingRequest>['others'] = []) =>
  done(server, PlanObservingRequest, planOf(server, others));

const windows = process.platform === 'win32';

describe('an editor that runs a client', { skip: windows && 'not on Windows' }, () => {
  it('gets the clients, what a run starts and copies, and both sides of the result', async () => {
    const program = installed(
      FAITHFUL.replace('names.map(entry)', "['- notes: Sorts no', ...names.slice(1).map(entry)]"),
    );
    await withPath(
      () => program,
      async (server) => {
        const { clients } = await done(server, ObservableRequest, { folder: rootOf(server) });
        const claude = clients.find(({ id }) => id === 'claude-code');
        assert.ok(claude && 'program' in claude && claude.program === join(program, 'claude'));
        assert.ok(clients.some((one) => 'reason' in one));

        const planned = await plan(server);
        assert.deepEqual(
          [planned.name, planned.version, planned.skills, planned.others, planned.leftOut, planned.missing],
          ['Claude Code', '2.1.332', 2, { agents: 2, commands: 0, plugins: 0 }, '', null],
        );

        const again = await plan(server, ['agents']);
        assert.equal(again.leftOut, '.claude/agents/b.md (it names hooks, servers or dependencies)');
        assert.match(
          await problemOf(server, ObserveRequest, { plan: planned.plan }),
          /plan of this run is out of date/,
        );

        const run = { plan: (await plan(server, ['agents'])).plan };
        const { predicted, sent, differences, unknown, texts, report } = await done(server, ObserveRequest, run);
        assert.deepEqual([differences, unknown, texts], [1, 0, 4]);
        const [before, after] = [predicted, sent].map((text) => text.split('\n')) as [string[], string[]];
        const changed = before.flatMap((line, at) => (line === after[at] ? [] : [[line, after[at]]]));
        assert.deepEqual(changed, [['- notes: Sorts notes.', '- notes: Sorts no']]);
        assert.match(sent, /^Not copied: \.claude\/agents\/b\.md \(it names hooks/m);
        assert.match(sent, /^≠ \.claude\/skills\/notes\/SKILL\.md: different$/m);
        assert.match(sent, /^= \.claude\/skills\/pdf\/SKILL\.md: as predicted\n\n- pdf: Merges PDF files\.$/m);
        assert.match(report, /^# Claude Code: what it sent\n/);
        assert.ok(![sent, predicted, report].some((text) => text.includes(toPath(rootOf(server)))));

        assert.match(await problemOf(server, ObserveRequest, run), /plan of this run is out of date/);
      },
    );
  });

  it('gets the message of a client that cannot be run, is not installed, or is in the workspace', async () => {
    await withPath(
      (cwd) => {
        chmodSync(join(cwd, 'bin/claude'), 0o755);
        return join(cwd, 'bin');
      },
      async (server) => {
        const folder = rootOf(server);
        const problem = (client: string) => problemOf(server, PlanObservingRequest, { folder, client, others: [] });
        assert.match(await problem('vscode'), /^`observe` cannot run `vscode`: VS Code is an editor/);
        assert.match(await problem('claude-code'), /^Claude Code was not found: `PATH` has no program `claude`/);
        const { clients } = await done(server, ObservableRequest, { folder });
        assert.ok(clients.some((one) => one.id === 'claude-code' && 'program' in one && one.program === null));
        const outside = server.uri('../elsewhere');
        assert.match(await problemOf(server, ObservableRequest, { folder: outside }), /elsewhere/);
      },
      { files: { ...FILES, 'bin/claude': '#!/bin/sh\necho RAN\n' } as typeof FILES },
    );
  });

  it('starts no other program than the one in the plan', async () => {
    const folder = installedShell('echo RAN');
    await withPath(
      () => [join(folder, 'first'), folder].join(delimiter),
      async (server) => {
        const { plan: id, program } = await plan(server);
        mkdirSync(join(folder, 'first'));
        symlinkSync(join(folder, 'claude'), join(folder, 'first', 'claude'));
        const problem = await problemOf(server, ObserveRequest, { plan: id });
        assert.ok(problem.startsWith(`\`PATH\` has the program \`${join(folder, 'first', 'claude')}\``), problem);
        assert.ok(problem.includes(program) && /Nothing was started/.test(problem), problem);
      },
    );
  });

  it('starts no program of a workspace folder that a link from elsewhere leads to', async () => {
    const elsewhere = temporaryFolder({ 'bin/x.txt': '' });
    await withPath(
      (cwd) => {
        chmodSync(join(cwd, 'sub/bin/claude'), 0o755);
        symlinkSync(join(cwd, 'sub/bin/claude'), join(elsewhere, 'bin/claude'));
        symlinkSync(join(cwd, 'sub/bin'), join(elsewhere, 'linked'));
        return [join(elsewhere, 'linked'), join(elsewhere, 'bin')].join(delimiter);
      },
      async (server) => {
        // The folder of the run is another one than that of the program.
        const folder = server.uri('other');
        const plan = { ...planOf(server), folder };
        const { clients } = await done(server, ObservableRequest, { folder });
        const claude = clients.find(({ id }) => id === 'claude-code');
        assert.ok(
          claude && 'reason' in claude && /is in a workspace folder/.test(claude.reason),
          JSON.stringify(claude),
        );
        assert.match(
          await problemOf(server, PlanObservingRequest, plan),
          /bin\/claude` is in a workspace folder\. A program/,
        );
      },
      {
        files: {
          'other/.claude/skills/a/SKILL.md': plainSkill('a', 'Sorts.'),
          'sub/bin/claude': '#!/bin/sh\necho RAN\n',
        } as unknown as typeof FILES,
      },
    );
  });

  it('gets an error for the name of a client that is an option', async () => {
    await withPath(
      () => installedShell('echo RAN'),
      async (server) => {
        for (const client of ['--yes', '-h', '', 'a b', '../x']) {
          const params = { ...planOf(server), client };
          await assert.rejects(server.connection.sendRequest(PlanObservingRequest.method, params), /client/);
        }
      },
    );
  });

  it('ends the client with its processes if the user cancels', async () => {
    const mark = `observe-cancelled-${process.pid}`;
    await withPath(
      () => installedShell(`setsid sh -c 'sleep 600; : ${mark}' & sleep 600`),
      async (server) => {
        const { plan: id } = await plan(server);
        const { cancel, token } = withCancel();
        const run = { plan: id };
        const reply = server.connection.sendRequest<ObserveReply>(ObserveRequest.method, run, token);
        while (process.platform === 'linux' && processesWith(mark).length === 0) await sleep(20);
        cancel();
        const answer = await reply;
        assert.ok('problem' in answer && /was cancelled/.test(answer.problem), JSON.stringify(answer));
        if (process.platform === 'linux') assert.deepEqual(processesWith(mark), []);
      },
    );
  });

  it('starts nothing in an untrusted workspace', async () => {
    await withPath(
      () => installedShell('echo RAN'),
      async (server) => {
        const folder = rootOf(server);
        for (const problem of [
          await problemOf(server, ObservableRequest, { folder }),
          await problemOf(server, PlanObservingRequest, planOf(server)),
          await problemOf(server, ObserveRequest, { plan: 1 }),
        ]) {
          assert.match(problem, /only run in a trusted workspace/);
        }
      },
      { trusted: false },
    );
  });
});

function withCancel() {
  const source = new CancellationTokenSource();
  return { cancel: () => source.cancel(), token: source.token };
}
