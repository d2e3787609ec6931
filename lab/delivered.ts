/** The predictions of the texts that reach a model when a skill is called, compared with the texts of an observation. */
import { fillArguments } from '../server/src/abilities/placeholders.ts';
import type { ArgumentRules } from '../server/src/clients/facts/client.ts';
import { findClient } from '../server/src/clients/facts/clients.ts';
import { type Call, type Delivered, deliver } from '../server/src/clients/pipeline/deliver.ts';
import { readFields } from '../server/src/clients/pipeline/fields.ts';
import { splitPath } from '../server/src/clients/pipeline/file.ts';
import type { Pipeline } from '../server/src/clients/pipeline/pipeline.ts';
import { readFile } from '../server/src/clients/pipeline/read.ts';
import { isStop } from '../server/src/clients/pipeline/reading.ts';
import { type Result, resultsOf } from '../server/src/clients/pipeline/setting.ts';
import { clientCalled } from './clients/index.ts';
import { ARGUMENTS } from './delivery.ts';
import type { Delivery, Observation, Seen } from './observation.ts';
import { pathOf } from './pipeline.ts';
import { SITUATIONS } from './situations/index.ts';
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
      const predicted = textsFor(pipeline, call, situation, observation, filling);
      return [...texts].map((text): DeliveryComparison => {
        const isRight = predicted.some(({ value }) => value && isSame(value, text));
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

const textOf = ({ before, content, after }: Delivered): string => before + content + after;

/** Returns whether a text was predicted. A list whose order is not known may have its lines in any order. */
function isSame(predicted: Delivered, seen: string): boolean {
  const { files } = predicted;
  if (!files || files.isExact) return textOf(predicted) === seen;
  const isFile = (line: string): boolean => files.lines.includes(line);
  const [own, other] = [textOf(predicted), seen].map((text) =>
    text
      .split('\n')
      .filter((line) => !isFile(line))
      .join('\n'),
  );
  return own === other && seen.split('\n').filter(isFile).length === files.shown;
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

/** Returns the texts that a client may deliver. */
function textsFor(
  { deliver: rules, open, parse, fields }: Pipeline,
  call: Call,
  { files }: Situation,
  { client }: Observation,
  filling: ArgumentRules | undefined,
): readonly Result<Delivered | undefined>[] {
  const { skills } = clientCalled(client);
  const [[first, content] = ['', '']] = Object.entries(files);
  if (!rules || typeof content !== 'string') return [];
  const path = pathOf(first, skills);
  const folder = `${splitPath(first).folder}/`;
  const others = Object.keys(files).flatMap((one) =>
    one !== first && one.startsWith(folder) ? [one.slice(folder.length)] : [],
  );
  const fill = filling && ((body: string) => filledIn(body, filling));
  return (
    resultsOf((ask) => {
      const reading = readFile(content, { open, parse }, ask);
      const { keys, bodyStart } = isStop(reading) ? { keys: new Map(), bodyStart: 0 } : reading;
      const body = content.slice(bodyStart);
      const named = readFields(fields, path, { keys, body, isBodyEmpty: body.trim() === '' }, ask);
      const { name, description } = 'code' in named ? { name: '', description: undefined } : named;
      const skill = {
        ...{ name, path, text: content, bodyStart, scope: 'project', files: others },
        ...(description !== undefined && { description }),
      };
      const place = { start: '{workspace}', repository: '{workspace}', home: '{home}' };
      return deliver(rules, call, skill, { text: ARGUMENTS, ...(fill && { fill }) }, place, ask);
    }) ?? []
  );
}

function filledIn(body: string, rules: ArgumentRules): { readonly text: string; readonly appended: string } {
  const { replacements, appended } = fillArguments(body, rules, { text: ARGUMENTS, names: [] });
  const text = [...replacements]
    .reverse()
    .reduce((text, { start, end, text: value }) => text.slice(0, start) + value + text.slice(end), body);
  return { text, appended };
}
