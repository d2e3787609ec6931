/** A skill that is written while the client runs: is it in the next request, and can the model call it? */
import { setTimeout as sleep } from 'node:timers/promises';
import { stringsIn } from '../server/src/services/observing/model/json-values.ts';
import type { RecordedRequest } from '../server/src/services/observing/model/server.ts';
import type { Place } from '../server/src/services/observing/observed-client.ts';
import { readList, tidied } from '../server/src/services/observing/read-list.ts';
import { requestAfter } from '../server/src/services/observing/run.ts';
import { ARGUMENTS, deliveryOf, skillOf } from './delivery.ts';
import { belongsTo } from './messages.ts';
import type { LaterObservation } from './observation.ts';
import type { Runner } from './runner.ts';
import { LATER, READING } from './situations/index.ts';
import { writeFiles } from './workspace.ts';

/** A client that watches its folders gets this time to notice a change. */
const NOTICE = 4_000;
/** The characters that are kept before and after the name in a text without an entry. */
const AROUND = 100;

const plain = READING.filter(({ id }) => id === 's01-plain');

/**
 * Writes the skill before the model's first answer, which is a call of a harmless tool. The second answer is a call of
 * the new skill.
 *
 * @returns undefined if no harmless tool of the client is known
 */
export async function askLater(runner: Runner): Promise<LaterObservation | undefined> {
  const { client } = runner;
  const place = runner.write(plain);
  const [first] = plain;
  const harmless = client.listWith ?? (first && client.load?.(skillOf(first, place, client), '')) ?? client.harmless;
  if (!harmless || client.source === 'output') return undefined;
  const load = client.load?.(skillOf(LATER, place, client), ARGUMENTS);
  const listing = client.listWith ? [harmless, harmless] : [harmless];
  let isWritten = false;
  const { requests, ended } = await runner.run(place, {
    calls: [...listing, ...(load ? [load] : [])],
    async meanwhile() {
      if (isWritten) return;
      isWritten = true;
      await writeLater(runner, place);
    },
  });
  runner.print(LATER.id);
  const after = requestAfter(requests, listing.length);
  return {
    seen: after ? laterIn(runner, after, place) : [],
    ...(load && { called: deliveryOf(LATER, requestAfter(requests, listing.length + 1), after, place, ended) }),
  };
}

/** Writes the skill, and waits. */
export async function writeLater({ client }: Runner, place: Place): Promise<void> {
  writeFiles(LATER, place, client.skills);
  await sleep(NOTICE);
}

/** Returns what a request says about the skill: its entry, or the words around its name. */
export function laterIn({ client }: Runner, { body }: RecordedRequest, place: Place): readonly string[] {
  const texts = stringsIn(body).flatMap((one) => {
    const list = readList(client, [one], place);
    const entries = (list?.entries ?? []).filter(({ name, text }) => belongsTo(`${name} ${text}`, LATER));
    if (entries.length > 0) return entries.map(({ text }) => text);
    const at = one.text.indexOf(LATER.id);
    return at < 0 ? [] : [tidied(one.text.slice(Math.max(0, at - AROUND), at + LATER.id.length + AROUND), place)];
  });
  return [...new Set(texts)];
}
