/** The predictions of the texts that reach a model when a skill is called, compared with the texts of an observation. */
import type { ArgumentRules } from '../server/src/clients/facts/client.ts';
import { findClient } from '../server/src/clients/facts/clients.ts';
import type { Call, Delivered } from '../server/src/clients/pipeline/deliver.ts';
import { splitPath } from '../server/src/clients/pipeline/file.ts';
import type { Pipeline } from '../server/src/clients/pipeline/pipeline.ts';
import type { Result } from '../server/src/clients/pipeline/setting.ts';
import { isSameText, textOf, textsFor } from '../server/src/services/observing/predicted-texts.ts';
import { clientCalled } from './clients/index.ts';
import { ARGUMENTS } from './delivery.ts';
import type { Delivery, Observation, Seen } from './observation.ts';
import { pathOf } from './pipeline.ts';
import { SITUATIONS } from './situations/index.ts';
import { withFoldedLines } from './situations/long.ts';
import type { Situation } from './situations/situation.ts';

/** A call of a skill whose text arrived, and whether it is the predicted one. */
export interface DeliveryComparison {
  /** The situation and the kind of call, for example `s15-crlf by the model`. */
  readonly call: string;
  /** `unknown`: the prediction has several texts because settings are not known, and one of them is right. */
  readonly verdict: 'right' | 'unknown' | 'wrong';
  readonly seen: string;
  readonly predicted: readonly string[];
}

/** Returns whether a text was predicted. The place of a cut depends on the length of the paths in the text. */
function isSeen(predicted: Delivered, seen: string): boolean {
  if (!predicted.cut) return isSameText(predicted, seen) || withFoldedLines(textOf(predicted)) === seen;
  const [own, other] = [withFoldedLines(textOf(predicted)), seen].map((text) => {
    const whole = text.replace(/^(?:Line \d.*|.*\.\.)\n/gm, '');
    return { words: whole.replace(NUMBER, '#'), numbers: (whole.match(NUMBER) ?? []).map(Number) };
  });
  const isNear = (number: number, at: number): boolean =>
    Math.abs(number - (other?.numbers[at] ?? 0)) <= (number < 10_000 ? OTHER_LINES : OTHER_BYTES);
  return own?.words === other?.words && own?.numbers.every(isNear) === true;
}

const NUMBER = /\b\d+\b/g;

/** The largest differences that longer paths of a run make. */
const OTHER_BYTES = 200;
const OTHER_LINES = 12;

/** The calls of an observation: the kind, its words, and what arrived by the ID of the situation. */
type Calls = readonly [Call, words: string, Readonly<Record<string, Seen<Delivery>>>];

/**
 * Compares the texts of an observation with those of a pipeline, character by character.
 *
 * @returns one comparison for each call after which the body arrived, and each different text; none without rules
 */
export function compareDeliveries(pipeline: Pipeline, observation: Observation): readonly DeliveryComparison[] {
  if (!pipeline.deliver) return [];
  const { facts = observation.client } = clientCalled(observation.client);
  const filling = (findClient(facts) ?? findClient(pipeline.extends ?? ''))?.arguments?.value ?? undefined;
  return callsOf(observation).flatMap(([call, words, deliveries]) =>
    Object.entries(deliveries).flatMap(([id, seen]) => {
      const situation = SITUATIONS.get(id);
      const texts = new Set(('varies' in seen ? seen.varies : [seen]).flatMap(textsOf));
      if (!situation || texts.size === 0) return [];
      const predicted = predictedFor(pipeline, call, situation, observation, filling);
      return [...texts].map((text): DeliveryComparison => {
        const isRight = predicted.some(({ value }) => value && isSeen(value, text));
        const verdict = !isRight ? 'wrong' : predicted.length > 1 ? 'unknown' : 'right';
        return {
          call: `${id} ${words}`,
          verdict,
          seen: text,
          predicted: predicted.map(({ value }) => (value ? textOf(value) : '')),
        };
      });
    }),
  );
}

function callsOf({ calledByModel, calledUnapproved, calledByPerson, atTerminal }: Observation): readonly Calls[] {
  const calls: readonly Calls[] = [
    ['model', 'by the model', calledByModel],
    ['model', 'without approval', calledUnapproved],
    ['person', 'by a person', calledByPerson],
  ];
  if (!atTerminal || typeof atTerminal === 'string') return calls;
  const sights = 'varies' in atTerminal ? atTerminal.varies : [atTerminal];
  return [
    ...calls,
    ...sights.flatMap((one): readonly Calls[] => [
      ['model', 'by the model at a terminal', one.calledByModel],
      ['person', 'by a person at a terminal', one.calledByPerson],
    ]),
  ];
}

const textsOf = ({ delivered }: Delivery): readonly string[] => delivered.slice(0, 1).map(({ text }) => text);

/** Returns the texts that a client may deliver for a situation. */
function predictedFor(
  pipeline: Pipeline,
  call: Call,
  { files }: Situation,
  { client }: Observation,
  filling: ArgumentRules | undefined,
): readonly Result<Delivered | undefined>[] {
  const [[first, text] = ['', '']] = Object.entries(files);
  if (typeof text !== 'string') return [];
  const folder = `${splitPath(first).folder}/`;
  const others = Object.keys(files).flatMap((one) =>
    one !== first && one.startsWith(folder) ? [one.slice(folder.length)] : [],
  );
  const path = pathOf(first, clientCalled(client).skills);
  return textsFor(pipeline, call, { path, text, files: others, arguments: ARGUMENTS }, PLACE, filling);
}

const PLACE = { start: '{workspace}', repository: '{workspace}', home: '{home}' };
