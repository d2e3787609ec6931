/**
 * Measures the time that a request takes in a workspace with many skills, and the additional time after an edit to one
 * skill.
 */
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { cpuOf, idle, median, quantile } from '../process.ts';
import { type Target, withServer } from '../server.ts';
import { chooserOf, NOUNS, sentence, VERBS } from '../words.ts';

const WARM_UP = 20;

/** Misspelt versions of words in the generated skills. */
const MISSPELT = Array.from(
  { length: 200 },
  (_, at) => `${(NOUNS[at % NOUNS.length] ?? '').replace(/[aeiou]/, 'q')}${String.fromCharCode(97 + (at % 26))}`,
).join(' ');

/**
 * Measures how long requests take, in milliseconds. The requests use words of the generated skills, so that many skills
 * contain each word.
 */
export function measureMatching(target: Target, path: string, times: number) {
  return withServer(target, async ({ connection, pid }) => {
    const choose = chooserOf(26);
    const uri = pathToFileURL(path).href;
    const text = readFileSync(path, 'utf8');
    let version = 1;
    const usual = (): string =>
      `${choose.pick(VERBS)} the ${choose.pick(NOUNS)}: ${sentence(choose, choose.int(0, 8))}`;
    const match = async (request: string): Promise<void> => {
      await connection.sendRequest('skill/match', { request });
    };
    const edit = async (): Promise<void> => {
      version++;
      const changed = text.replace(/^description: /m, `description: Quokka ${version} `);
      const params = { textDocument: { uri, version }, contentChanges: [{ text: changed }] };
      await connection.sendNotification('textDocument/didChange', params);
    };
    const measure = async (work: () => Promise<void>): Promise<{ readonly wall: number[]; readonly cpu: number[] }> => {
      const [wall, cpu]: [number[], number[]] = [[], []];
      for (let time = -WARM_UP; time < times; time++) {
        const [began, used] = [performance.now(), cpuOf(pid)];
        await work();
        if (time < 0) continue;
        wall.push(performance.now() - began);
        cpu.push(cpuOf(pid) - used);
      }
      return { wall, cpu };
    };
    const textDocument = { uri, languageId: 'skillmd', version, text };
    await connection.sendNotification('textDocument/didOpen', { textDocument });
    await idle(pid);
    const requests = await measure(() => match(usual()));
    const long = await measure(() => match(MISSPELT));
    const edited = await measure(() => edit().then(() => match(usual())));
    // Only the edited skill contains `quokka`, so ranking takes almost no time.
    const updates = await measure(() => edit().then(() => match('quokka')));
    return {
      p95: quantile(requests.wall, 0.95),
      cpu: median(requests.cpu),
      cpu95: quantile(requests.cpu, 0.95),
      long: quantile(long.cpu, 0.95),
      edited: median(edited.cpu),
      update: median(updates.cpu),
    };
  });
}
