/** How long a request takes among many skills, and how much longer after an edit of one. */
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { cpuOf, idle, median, quantile } from '../process.ts';
import { type Target, withServer } from '../server.ts';
import { chooserOf, NOUNS, sentence, VERBS } from '../words.ts';

const WARM_UP = 20;

/** Requests in words of the generated skills, so that each word is found in many: in milliseconds. */
export function measureMatching(target: Target, path: string, times: number) {
  return withServer(target, async ({ connection, pid }) => {
    const choose = chooserOf(26);
    const match = async (): Promise<number> => {
      const request = `${choose.pick(VERBS)} the ${choose.pick(NOUNS)}: ${sentence(choose, choose.int(0, 8))}`;
      const began = performance.now();
      await connection.sendRequest('skill/match', { request });
      return performance.now() - began;
    };
    const uri = pathToFileURL(path).href;
    const text = readFileSync(path, 'utf8');
    const document = { uri, languageId: 'skillmd', version: 1, text };
    await connection.sendNotification('textDocument/didOpen', { textDocument: document });
    await idle(pid);
    for (let time = 0; time < WARM_UP; time++) await match();
    const before = cpuOf(pid);
    const requests: number[] = [];
    for (let time = 0; time < times; time++) requests.push(await match());
    const cpu = (cpuOf(pid) - before) / times;
    const edited: number[] = [];
    for (let version = 2; version < 2 + times; version++) {
      const changed = text.replace(/^description: /m, `description: Edit ${version} `);
      const params = { textDocument: { uri, version }, contentChanges: [{ text: changed }] };
      await connection.sendNotification('textDocument/didChange', params);
      edited.push(await match());
    }
    return { cpu, p95: quantile(requests, 0.95), median: median(requests), edited: median(edited) };
  });
}
