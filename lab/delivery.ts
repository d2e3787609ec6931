/** Calls of skills by the model and by a person, and the texts that arrive. */
import { join } from 'node:path';
import type { RecordedRequest } from '../server/src/services/observing/model/server.ts';
import type { CalledSkill, Place } from '../server/src/services/observing/observed-client.ts';
import type { Ended } from '../server/src/services/observing/process.ts';
import { newResults, newStrings, tidied } from '../server/src/services/observing/read-list.ts';
import { requestAfter } from '../server/src/services/observing/run.ts';
import type { LabClient } from './client.ts';
import { isAnswer, messagesOf, shortened } from './messages.ts';
import type { Delivery } from './observation.ts';
import type { Runner } from './runner.ts';
import { LONG, READING } from './situations/index.ts';
import { withFoldedLines } from './situations/long.ts';
import type { Situation } from './situations/situation.ts';

/** The situations whose skills are called by the model. */
export const CALLED: readonly string[] = [
  's01-plain',
  's03-folder',
  's04-no-description',
  's05-title-name',
  's13-no-model',
  's14-no-user',
  's15-crlf',
  's20-blank-first',
  's25-tools',
  's27-dots',
  's35-empty-body',
  's39-body-rule',
  's101-no-model-yes',
  's104-nobody',
  's169-spaces',
  's181-disallowed',
  's182-hooks',
  's195-body-space',
  's196-many-files',
];

/** The situations whose skills are called by the model in a workspace and a run of their own. */
export const LONG_CALLED: readonly string[] = LONG.map(({ id }) => id);

/** Those that are called without approval, too: each may need a permission. */
export const UNAPPROVED: readonly string[] = ['s01-plain', 's25-tools', 's181-disallowed', 's182-hooks'];

/** Those that are called by a person, each in a run of its own. */
export const INVOKED: readonly string[] = [
  's01-plain',
  's03-folder',
  's13-no-model',
  's14-no-user',
  's25-tools',
  's195-body-space',
  's196-many-files',
];

export const ARGUMENTS = 'red blue';

/** The situations of the workspace in which skills are called. */
export const calledGroup = (): readonly Situation[] =>
  CALLED.flatMap((id) => READING.find((one) => one.id === id) ?? []);

/** Returns what arrives after the model calls the skills of situations, with everything approved. */
export async function callByModel(runner: Runner, ids: readonly string[]): Promise<Readonly<Record<string, Delivery>>> {
  const called = calledGroup().filter(({ id }) => ids.includes(id));
  let results = called.length === 0 ? {} : await callInOneRun(runner, called, true);
  for (const situation of LONG.filter(({ id }) => ids.includes(id))) {
    results = { ...results, ...(await callInOneRun(runner, [situation], true, [situation])) };
  }
  return results;
}

/** Returns the same without approval. A client may end at the first refusal, so that each call has a run of its own. */
export async function callUnapproved(
  runner: Runner,
  ids: readonly string[],
): Promise<Readonly<Record<string, Delivery>>> {
  let results: Readonly<Record<string, Delivery>> = {};
  for (const situation of calledGroup().filter(({ id }) => ids.includes(id))) {
    results = { ...results, ...(await callInOneRun(runner, [situation], false)) };
  }
  return results;
}

async function callInOneRun(
  runner: Runner,
  called: readonly Situation[],
  isApproved: boolean,
  group = calledGroup(),
): Promise<Readonly<Record<string, Delivery>>> {
  const { client } = runner;
  if (!client.load) return {};
  const place = runner.write(group);
  const calls = called.flatMap((one) => client.load?.(skillOf(one, place, client), ARGUMENTS) ?? []);
  const { requests, ended } = await runner.run(place, { calls, isApproved });
  runner.print(`${isApproved ? 'called by the model' : 'without approval'}: ${called.map(({ id }) => id).join(', ')}`);
  return Object.fromEntries(
    called.map((situation, index) => [
      situation.id,
      deliveryOf(situation, requestAfter(requests, index + 1), requestAfter(requests, index), place, ended),
    ]),
  );
}

/** Returns what arrives if a person types the client's form of a call. */
export async function callByPerson(
  runner: Runner,
  ids: readonly string[],
): Promise<Readonly<Record<string, Delivery>>> {
  const { client } = runner;
  if (!client.invoke) return {};
  const results: Record<string, Delivery> = {};
  for (const situation of calledGroup().filter(({ id }) => ids.includes(id))) {
    const place = runner.write(calledGroup());
    const prompt = client.invoke(skillOf(situation, place, client), ARGUMENTS);
    const { requests, ended } = await runner.run(place, { prompt });
    results[situation.id] = invocationOf(situation, prompt, requests, place, ended);
    runner.print(`called by a person: ${situation.id}`);
  }
  return results;
}

/** Returns what reached the model after a person typed a call. */
export function invocationOf(
  situation: Situation,
  prompt: string,
  requests: readonly RecordedRequest[],
  place: Place,
  ended: Ended,
): Delivery {
  const request = requests.find(({ tools }) => tools.length > 0) ?? requests[0];
  const delivered = request ? deliveredIn(newStrings(request, undefined, place), situation) : [];
  const isUnchanged = request && newStrings(request, undefined, place).some(({ text }) => text.includes(prompt));
  const instead = isUnchanged ? [prompt] : messagesOf(tidied(ended.output, place), situation).map(shortened);
  const reason = request ? 'the first request has neither the body nor the typed text' : NO_REQUEST;
  return { ...endOf(ended), ...contentOf(delivered, instead, reason) };
}

/**
 * Returns what reached the model in a request: texts with the situation's secret, else everything in the results of its
 * calls and short texts beside them.
 */
export function deliveryOf(
  situation: Situation,
  request: RecordedRequest | undefined,
  before: RecordedRequest | undefined,
  place: Place,
  ended: Ended,
): Delivery {
  if (!request) {
    const instead = messagesOf(tidied(ended.output, place), situation).map(shortened);
    return { ...contentOf([], instead, NO_REQUEST), ...endOf(ended) };
  }
  const texts = newStrings(request, before, place);
  const answers = texts.flatMap(({ text }) => (isAnswer(text, situation) ? [text] : []));
  const instead = [...new Set([...newResults(request, before, place), ...answers].map(shortened))];
  return { ...contentOf(deliveredIn(texts, situation), instead, 'the result has no text'), ...endOf(ended) };
}

const NO_REQUEST = 'no request followed';

const deliveredIn = (texts: ReturnType<typeof newStrings>, { secret }: Situation): Delivery['delivered'] =>
  texts.filter(({ text }) => text.includes(secret)).map(({ place, text }) => ({ place, text: withFoldedLines(text) }));

const contentOf = (delivered: Delivery['delivered'], instead: readonly string[], reason: string): Delivery => ({
  delivered,
  ...(delivered.length === 0 && (instead.length > 0 ? { instead } : { instead, reason })),
});

const endOf = ({ status }: Ended): Pick<Delivery, 'status'> =>
  status === 0 ? {} : { status: status ?? ('ended' as const) };

/** Returns the skill of a situation as the model or a person names it. */
export function skillOf({ id, files }: Situation, { workspace }: Place, { skills }: LabClient): CalledSkill {
  const [path = '', content] = Object.entries(files)[0] ?? [];
  const name = /^name: (.*)$/m.exec(String(content))?.[1] ?? id;
  return { name, path: join(workspace, skills.project, path), workspace };
}
