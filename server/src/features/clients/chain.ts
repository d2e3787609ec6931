/** The chain “Will this skill be chosen?” as a list of steps, and the steps `found`, `loaded` and `chosen`. */

import type { Client } from '../../clients/facts/client.ts';
import { type Cell, type ClientRow, type Reason, reasonFrom, reasonOf } from '../../clients/matrix/cell.ts';
import { isObserved, stepsOf } from '../../clients/matrix/prediction.ts';
import type { ChainCase, ChainOutcome, ChainStep, ChainStepName, RequestRanking } from '../../protocol/chosen.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { reasonsOf } from './clients-view.ts';

/** A step before its reasons are located in the file. */
export interface Step {
  readonly name: ChainStepName;
  readonly outcome: Exclude<ChainOutcome, 'not-reached'>;
  readonly text: string;
  readonly reasons: readonly Reason[];
  readonly isPartial?: boolean;
  /** Set if the reasons do not decide it: true if the outcome rests on facts that are not verified. */
  readonly isGuess?: boolean;
  /** True if the client does not reach the later steps. */
  readonly isEnd?: boolean;
}

/** Returns the steps in order. */
export function chain(file: SkillFile, steps: readonly Step[]): readonly ChainStep[] {
  const end = steps.findIndex(({ isEnd }) => isEnd);
  return steps.map(({ name, outcome, text, reasons, isPartial, isGuess = isGuessed(reasons) }, at) =>
    end >= 0 && at > end
      ? { name, outcome: 'not-reached', text: NOT_REACHED, isUnverified: false, reasons: [] }
      : {
          ...{ name, outcome, text, isUnverified: isGuess, reasons: reasonsOf(file, reasons) },
          ...(isPartial && outcome === 'yes' && { isPartial }),
        },
  );
}

const NOT_REACHED = 'Not reached, because an earlier step fails.';

/** Returns whether no reason is verified. */
export const isGuessed = (reasons: readonly Reason[]): boolean =>
  reasons.length > 0 && reasons.every(({ certainty }) => certainty === 'unverified');

export const sentences = (reasons: readonly Reason[]): string =>
  [...new Set(reasons.map(({ text }) => text))].join(' ');

/** Returns the outcome of a cell, with `depends` for an outcome that also depends on other things. */
export const outcomeOf = ({ outcome, reasons }: Cell): Step['outcome'] =>
  reasons.some(({ isOpen }) => isOpen) ? 'depends' : outcome;

export function foundStep({ found }: ClientRow): Step {
  const { reasons } = found;
  const isEnd = found.outcome === 'no';
  return { name: 'found', outcome: outcomeOf(found), text: sentences(reasons), reasons, isEnd };
}

export function loadedStep({ client, loaded }: ClientRow): Step {
  const known = loaded.outcome === 'unknown' ? 'It is not known whether the client loads the file.' : loadsText(client);
  return {
    name: 'loaded',
    outcome: outcomeOf(loaded),
    text: sentences(loaded.reasons) || known,
    reasons: loaded.outcome === 'yes' && loaded.reasons.length === 0 ? [loadReason(client)] : loaded.reasons,
    isEnd: loaded.outcome === 'no',
  };
}

/** Returns the source of how a client reads a file. */
const loadReason = (client: Client): Reason => reasonFrom(stepsOf(client), 'parse', 'The client reads the frontmatter');

/** Returns that a client loads a file, and whether it was seen to do so. */
const loadsText = (client: Client): string =>
  isObserved(client) ? 'The client loads the file.' : 'By its sources, the client loads the file. It was not run.';

export function chosenStep(
  { client, chosen }: ClientRow,
  isListed: boolean,
  ranking: RequestRanking | undefined,
  cases: readonly ChainCase[],
): Step {
  const step = { name: 'chosen' as const, reasons: [...(isListed ? automaticReason(client) : []), ...chosen.reasons] };
  if (!isListed && chosen.outcome === 'model') return { ...step, outcome: 'depends', text: sentences(chosen.reasons) };
  if (!isListed || chosen.outcome === 'name' || chosen.outcome === 'nobody') {
    if (chosen.outcome === 'nobody') return { ...step, outcome: 'no', text: 'Nobody can choose it.', isEnd: true };
    return client.byName.value === 'yes'
      ? { ...step, outcome: 'no', text: 'Only people who type its name can choose it.' }
      : { ...step, outcome: 'unknown', text: 'The model does not see it. It is not known whether people can call it.' };
  }
  if (ranking) {
    const outcomes = { chosen: 'yes', tie: 'depends', rival: 'no', weak: 'depends', none: 'no' } as const;
    return { ...step, outcome: outcomes[ranking.outcome], text: ranking.text };
  }
  if (cases.length === 0) return { ...step, outcome: 'depends', text: NO_CASES };
  const held = cases.filter(({ holds }) => holds).length;
  const text = `${held} of ${cases.length} routing ${cases.length === 1 ? 'case holds' : 'cases hold'}.`;
  return { ...step, outcome: held === cases.length ? 'yes' : held === 0 ? 'no' : 'depends', text };
}

/** Returns the fact that the model loads skills itself, if it is known. */
export function automaticReason(client: Client): readonly Reason[] {
  const fact = client.facts['invocation.automatic'];
  return fact?.value === true ? [reasonOf(client, fact, 'The model can load the skill itself')] : [];
}

const NO_CASES = 'This depends on the request. The skill has no routing cases.';
