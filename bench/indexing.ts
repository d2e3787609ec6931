/** Measures the cost of starting a server, reading a workspace and keeping the workspace in memory. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Status } from '../server/src/protocol.ts';
import { cpuOf, idle, median } from './process.ts';
import { type Server, type Target, withServer } from './server.ts';

/**
 * Measures the time from starting each server to its response to `initialize`, and the time of a complete run of `node
 * -e 0`, in milliseconds. `mcp` is the script of the MCP server. `cpu` is the CPU time of the server until then.
 */
export async function measureStart(target: Target, mcp: string, times: number) {
  const node: number[] = [];
  const server: number[] = [];
  const cpu: number[] = [];
  const agents: number[] = [];
  for (let time = 0; time < times; time++) {
    const began = performance.now();
    spawnSync(process.execPath, ['-e', '0']);
    node.push(performance.now() - began);
    await withServer(target, async ({ startTime, pid }) => {
      cpu.push(cpuOf(pid));
      server.push(startTime);
    });
    agents.push(await startOfAgents(mcp, target.folder));
  }
  return { node: median(node), server: median(server), cpu: median(cpu), agents: median(agents) };
}

const INITIALIZE = {
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
};

/** Returns the start time of the MCP server, in milliseconds. */
async function startOfAgents(mcp: string, cwd: string): Promise<number> {
  const began = performance.now();
  const child = spawn(process.execPath, [mcp, 'mcp'], { cwd, stdio: ['pipe', 'pipe', 'ignore'] });
  child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
  await once(child.stdout, 'data');
  const took = performance.now() - began;
  child.stdin.end();
  await once(child, 'close');
  return took;
}

/**
 * Measures the CPU time in milliseconds until every file is read, and until the diagnostics of every file are computed.
 */
export function measureIndex(target: Target) {
  return withServer(target, async (server) => {
    await idle(server.pid);
    const index = cpuOf(server.pid);
    await diagnoseAll(server);
    return { index, withDiagnostics: cpuOf(server.pid) };
  });
}

/**
 * Measures the time in milliseconds from `initialized` until the server knows how many skills the target clients list,
 * and then the time from opening a `SKILL.md` to the reply to the first request about its clients.
 */
export function measureCount(target: Target, path: string) {
  return withServer(target, async ({ connection }) => {
    const began = performance.now();
    const count = new Promise<number>((resolve) => {
      const ask = async (): Promise<void> => {
        const { lists } = await connection.sendRequest<Status>('skill/about', {});
        if (lists) resolve(performance.now() - began);
      };
      connection.onNotification('skill/status', ask);
      void ask();
    });
    await count;
    const opened = performance.now();
    const uri = pathToFileURL(path).href;
    const textDocument = { uri, languageId: 'markdown', version: 1, text: readFileSync(path, 'utf8') };
    await connection.sendNotification('textDocument/didOpen', { textDocument });
    await connection.sendRequest('skill/clients', { uri });
    return { count: await count, clients: performance.now() - opened };
  });
}

/**
 * Waits until a server has computed the diagnostics of all files. Requests the diagnostics from a server that does not
 * send them by itself.
 */
async function diagnoseAll(server: Server): Promise<void> {
  if (server.pull) await server.connection.sendRequest('workspace/diagnostic', { previousResultIds: [] });
  await idle(server.pid);
}

/** A script that, on the signal SIGUSR2, writes the number of heap and buffer bytes in use to standard error. */
const REPORT_HEAP = `process.on('SIGUSR2', async () => {
  for (let time = 0; time < 3; time++) {
    await new Promise(setImmediate);
    gc();
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  process.stderr.write('heap ' + (heapUsed + arrayBuffers) + '\\n');
})`;

/**
 * Measures the heap and buffer bytes in use after the diagnostics of every file are computed. The command of `target`
 * must begin with Node.
 */
export function measureHeap(target: Target): Promise<number> {
  const [node = '', ...script] = target.command;
  const report = `data:text/javascript,${encodeURIComponent(REPORT_HEAP)}`;
  const command = [node, '--expose-gc', '--import', report, ...script];
  return withServer({ ...target, command }, async (server) => {
    await idle(server.pid);
    await diagnoseAll(server);
    process.kill(server.pid, 'SIGUSR2');
    for (;;) {
      const bytes = /^heap (\d+)\n/m.exec(server.output())?.[1];
      if (bytes !== undefined) return Number(bytes);
      await sleep(20);
    }
  });
}
