/** The answers of a client's pipeline to the question who may call a skill, compared with the calls of an observation. */
import type { AdmitAnswer, Answers } from '../server/src/clients/pipeline/admit.ts';
import type { Pipeline } from '../server/src/clients/pipeline/pipeline.ts';
import { isLost, predict } from '../server/src/clients/pipeline/predict.ts';
import { isChoice, type Setting } from '../server/src/clients/pipeline/setting.ts';
import { clientCalled } from './clients/index.ts';
import type { Delivery, Observation, Seen } from './observation.ts';
import { CONDITIONS, pathOf, type WrittenSituations, workspacesOf } from './pipeline.ts';

/** A call of a skill, and whether the answer is the observed one. */
export interface CallComparison {
  /** The situation and the kind of call, for example `s13-no-model called by the model`. */
  readonly call: string;
  readonly isRight: boolean;
}

/** The calls of situations whose body has no secret, or whose name is not the one with which the lab calls them. */
const LEFT_OUT = new Set(['s35-empty-body', 's05-title-name', 's169-spaces']);

type Calls = 'calledByModel' | 'calledUnapproved' | 'calledByPerson';

/** For each kind of call its words, and whether the answers of a client allow it. */
const KINDS: Readonly<Record<Calls, readonly [words: string, isAllowed: (answers: Answers) => readonly boolean[]]>> = {
  calledByModel: ['by the model', ({ model }) => may(model, CONDITIONS)],
  calledUnapproved: [
    'without approval',
    // Some clients ask before the model loads a skill, and take no answer for a refusal.
    ({ model, permission }) =>
      may(model, CONDITIONS).flatMap((can) => may(permission, ['if-approved']).map((asks) => can && !asks)),
  ],
  calledByPerson: ['by a person', ({ person }) => may(person, CONDITIONS)],
};

/** Returns the possible answers: true for yes, if these conditions hold. */
const may = (answer: Setting<AdmitAnswer>, conditions: readonly AdmitAnswer[]): readonly boolean[] =>
  (isChoice(answer) ? answer.oneOf : [answer]).map((one) => one === 'yes' || conditions.includes(one));

/**
 * Compares the calls of an observation with the predicted answers. A call of a skill that the client has dropped is not
 * compared: where the model reads files, it can read that one, too. Nor are calls of a tool that returns no text.
 */
export function compareCalls(
  pipeline: Pipeline,
  observation: Observation,
  workspaces: readonly WrittenSituations[] = workspacesOf(observation),
): readonly CallComparison[] {
  const { skills } = clientCalled(observation.client);
  const isText = Object.values(observation.calledByModel).some((seen) => deliveries(seen).includes(true));
  const isKnown = (kind: string): boolean => kind !== 'calledByModel' || isText;
  return workspaces.flatMap(({ situations, files, place }) => {
    const called = situations.filter(
      ({ id }) => !LEFT_OUT.has(id) && Object.keys(KINDS).some((kind) => observation[kind as Calls][id]),
    );
    if (called.length === 0) return [];
    const predictions = predict(pipeline, files, place);
    return called.flatMap(({ id, files: own }) => {
      const [first = ''] = Object.keys(own);
      const answers = (predictions.get(pathOf(first, skills)) ?? []).flatMap(({ value }) =>
        isLost(value) ? [] : [value.admitted],
      );
      if (answers.length === 0) return [];
      return Object.entries(KINDS).flatMap(([kind, [words, isAllowed]]) => {
        const seen = observation[kind as Calls][id];
        if (!seen || !isKnown(kind)) return [];
        const allowed = answers.flatMap(isAllowed);
        return [{ call: `${id} called ${words}`, isRight: deliveries(seen).every((one) => allowed.includes(one)) }];
      });
    });
  });
}

/** Returns for each run whether the body arrived. */
const deliveries = (seen: Seen<Delivery>): readonly boolean[] =>
  ('varies' in seen ? seen.varies : [seen]).map(({ delivered }) => delivered.length > 0);
