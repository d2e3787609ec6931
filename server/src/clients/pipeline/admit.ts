/** The step `admit` of a client (docs/clients.md, "The steps of a client"): who may see and call a skill. */
import { typeOf } from './fields.ts';
import type { Field, Keys, Stop } from './reading.ts';
import { type Ask, resultWith, type Setting } from './setting.ts';

export interface AdmitRules {
  /** The answers for a skill for which no rule holds. */
  readonly usually: Answers;
  /** In their order: a later rule replaces the answers of an earlier one. */
  readonly rules: readonly AdmitRule[];
  /** True if a key in `agents/openai.yaml` can remove a skill from the list (`openai-yaml.ts`). */
  readonly openAi?: true;
  /** The words that are true or false, in any letter case, beside the values `true` and `false`. */
  readonly words: Setting<Words>;
}

/**
 * Only the booleans of YAML; the texts `true` and `false`; or also `yes`, `on`, `1` and their opposites. `exact`: only these
 * two texts, in lower case, so that `True` is neither.
 */
export type Words = 'boolean' | 'true-false' | 'yes-no' | 'exact';

export interface AdmitRule {
  readonly key: string;
  readonly when: KeyCondition;
  readonly answers: Partial<Answers>;
}

/** The value of the key: a true or false one, any, one that is not empty, no text, or no text that is not empty. */
export type KeyCondition = 'true' | 'false' | 'written' | 'not-empty' | 'missing' | 'no-text';

/** The answers to four questions: is a skill shown to the model, loaded for it, loaded for a person, only with permission? */
export interface Answers {
  readonly listed: Setting<AdmitAnswer>;
  readonly model: Setting<AdmitAnswer>;
  readonly person: Setting<AdmitAnswer>;
  readonly permission: Setting<AdmitAnswer>;
}

/**
 * Yes, no, or if a condition holds: the user trusts the folder; the user approves calls in advance; the client has read a
 * file that `paths` of the skill matches, or a file in the folder that contains the skills folder.
 */
export type AdmitAnswer = 'yes' | 'no' | 'if-trusted' | 'if-approved' | 'if-file-matches' | 'if-file-below';

/** The answers of a client for one skill. Only the first one has an effect on other steps, so it has one value. */
export interface Admitted extends Omit<Answers, 'listed'> {
  readonly listed: AdmitAnswer;
  /** The key because of which the skill is not in the list, or only under a condition. */
  readonly hidden?: Stop;
}

const TRUE: Readonly<Record<Words, readonly string[]>> = {
  boolean: [],
  'true-false': ['true'],
  exact: [],
  'yes-no': ['true', 'yes', 'on', '1'],
};
const FALSE: Readonly<Record<Words, readonly string[]>> = {
  boolean: [],
  'true-false': ['false'],
  exact: [],
  'yes-no': ['false', 'no', 'off', '0'],
};

const CONDITIONS: Readonly<Record<KeyCondition, (field: Field | undefined, words: Words) => boolean>> = {
  true: (field, words) => isBoolean(field, true, words) || isWord(field, TRUE[words]),
  false: (field, words) => isBoolean(field, false, words) || isWord(field, FALSE[words]),
  written: (field) => field !== undefined && field.value !== null,
  'not-empty': (field) => field !== undefined && field.value !== null && !isEmpty(field),
  missing: (field) => field === undefined || typeOf(field) !== 'string',
  'no-text': (field) => field === undefined || typeOf(field) !== 'string' || field.value === '',
};

const isBoolean = (field: Field | undefined, value: boolean, words: Words): boolean =>
  words === 'exact' ? (field?.text ?? String(field?.value)) === String(value) : field?.value === value;

const isWord = (field: Field | undefined, words: readonly string[]): boolean =>
  field !== undefined && words.includes((field.text ?? '').toLowerCase());

const isEmpty = ({ value }: Field): boolean => (Array.isArray(value) ? value.length === 0 : value === '');

/**
 * Returns the answers of a client for a skill. Asks for a setting only if the keys make it matter.
 *
 * @param isBelow true if the client finds the skill only after it has read a file near it
 */
export function admit(
  { usually, rules, words }: AdmitRules,
  { keys }: Pick<Keys, 'keys'>,
  isBelow: boolean,
  ask: Ask,
): Admitted {
  let all = usually;
  let hidden: Stop | undefined;
  for (const { key, when, answers } of rules) {
    const holds = (one: Words): boolean => CONDITIONS[when](keys.get(key), one);
    if (!resultWith(ask, 'admit.words', words, holds)) continue;
    all = { ...all, ...answers };
    if (answers.listed !== undefined)
      hidden = { code: when === 'missing' || when === 'no-text' ? 'admit/missing' : 'admit/key', key };
  }
  const listed = ask('admit.listed', all.listed);
  return {
    ...all,
    listed: isBelow && listed === 'yes' ? 'if-file-below' : listed,
    ...(hidden && { hidden }),
  };
}

/**
 * Returns the keys of a skill because of which a client answers a question differently than usual.
 *
 * @returns the keys in the order of the rules; empty if the answer is the usual one
 */
export function keysBehind(
  { rules, words }: AdmitRules,
  { keys }: Pick<Keys, 'keys'>,
  question: keyof Answers,
  ask: Ask,
): readonly string[] {
  const holding = rules.filter(
    ({ key, when, answers }) =>
      answers[question] !== undefined &&
      resultWith(ask, 'admit.words', words, (one) => CONDITIONS[when](keys.get(key), one)),
  );
  return holding.map(({ key }) => key);
}
