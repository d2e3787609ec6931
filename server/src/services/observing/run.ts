/** The parts of a run that every observation of a client needs. */

import { stringsIn } from './model/json-values.ts';
import type { RecordedRequest } from './model/server.ts';
import type { ListForm, ObservedClient, Place, Run } from './observed-client.ts';
import { runClient } from './process.ts';
import { type List, readList } from './read-list.ts';

/** The text that the person types. It has no relation to a skill. */
export const PROMPT = 'hello my friend';

/** Writes the settings of a client into the home of a run. Throws an Error with the client's output if that fails. */
export async function writeSettings(
  client: Pick<ObservedClient, 'configure' | 'setUp'>,
  run: Run,
  until?: AbortSignal,
): Promise<void> {
  client.configure?.(run);
  const setUp = client.setUp?.(run);
  if (!setUp) return;
  const { status, output } = await runClient(run, setUp, until);
  if (status !== 0) throw new Error(`The settings were not saved (status ${status ?? 'none'}):\n${output}`);
}

/** Returns the longest list in requests. */
export const listIn = (client: ListForm, requests: readonly RecordedRequest[], place: Place): List | undefined =>
  readList(
    client,
    requests.flatMap(({ body }) => stringsIn(body)),
    place,
  );

/** Returns the first request with tools in which this number of calls has results. */
export const requestAfter = (requests: readonly RecordedRequest[], results: number): RecordedRequest | undefined =>
  requests.find((one) => one.results === results && one.tools.length > 0);
