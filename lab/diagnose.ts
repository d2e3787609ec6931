/** Messages about skills that a client does not load, from its documented command or log. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Place } from '../server/src/services/observing/observed-client.ts';
import { runClient } from '../server/src/services/observing/process.ts';
import { tidied } from '../server/src/services/observing/read-list.ts';
import { messagesOf } from './messages.ts';
import type { DiagnosisObservation } from './observation.ts';
import type { Runner } from './runner.ts';
import { READING } from './situations/index.ts';

/**
 * Returns the lines that name a skill that is not in the list, and the lines about a fault of one that is.
 *
 * @param listed the IDs of the situations with an entry in the list
 * @returns undefined if no way of asking is known
 */
export async function diagnose(runner: Runner, listed: ReadonlySet<string>): Promise<DiagnosisObservation | undefined> {
  const { diagnose: how } = runner.client;
  if (!how) return undefined;
  const place = runner.write(READING);
  const run = await runner.prepare(place);
  runner.model.follow([]);
  const { output } = await runClient(run, how.start(run));
  const texts = [{ where: 'output', text: output }, ...(how.logs ? logsIn(place, how.logs) : [])];
  const said: Record<string, readonly string[]> = {};
  for (const situation of READING) {
    const lines = texts.flatMap(({ where, text }) =>
      messagesOf(tidied(text, place), situation)
        .filter((line) => line.length <= MAX_LINE && (!listed.has(situation.id) || FAULT.test(line)))
        .map((line) => `${where}: ${line}`),
    );
    if (lines.length > 0) said[situation.id] = [...new Set(lines)].slice(0, MAX_LINES);
  }
  runner.print(`${how.name}: ${Object.keys(said).length} skills are named`);
  return { how: how.name, said };
}

/** A program that prints its list names the other skills as well. */
const FAULT = /warn|error|invalid|fail|ignor|omit|conflict|exceed|too long|must/i;
/** Longer lines contain a request. */
const MAX_LINE = 500;
const MAX_LINES = 4;

/** Returns the files of the home whose path matches. */
function logsIn({ home }: Place, pattern: RegExp): readonly { readonly where: string; readonly text: string }[] {
  return readdirSync(home, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    if (!entry.isFile()) return [];
    const path = join(entry.parentPath, entry.name);
    const where = relative(home, path).replaceAll('\\', '/');
    return pattern.test(where) ? [{ where: 'log', text: readFileSync(path, 'utf8') }] : [];
  });
}
