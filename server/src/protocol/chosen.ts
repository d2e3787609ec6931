/** The answer to “Will this skill be chosen?” for one skill and one client (docs/clients.md, "Will it be chosen?"). */

import type { DecisiveWord, RankedSkill } from '../analysis/client-ranking.ts';
import type { Span } from '../text.ts';
import type { ClientReason, ListingBudget, ListingLine } from './clients-view.ts';
import type { OnWire } from './shapes.ts';

/** Formats a share from 0 to 1 in percent: `38 %`; a share that is not 0 is at least `1 %`. */
export const formatShare = (share: number): string => `${share > 0 ? Math.max(1, Math.round(share * 100)) : 0} %`;

/** Returns the title of a source without the date on which it was checked, because views write this date after it. */
export const withoutDate = ({ source, checked }: Pick<ClientReason, 'source' | 'checked'>): string =>
  source.replace(` (${checked})`, '');

export type ChainStepName = 'found' | 'loaded' | 'listed' | 'chosen' | 'delivered';

/**
 * `depends`: the outcome depends on something that the files do not say, such as a setting, the request or the
 * arguments. `not-reached`: an earlier step fails.
 */
export type ChainOutcome = 'yes' | 'no' | 'depends' | 'unknown' | 'not-reached';

export interface ChainStep {
  readonly name: ChainStepName;
  readonly outcome: ChainOutcome;
  /** One or more sentences. */
  readonly text: string;
  /** True if the model sees only a part of the skill's entry. */
  readonly isPartial?: true;
  /** True if the outcome rests on facts that are not verified. */
  readonly isUnverified: boolean;
  readonly reasons: readonly ClientReason[];
}

/** The ranking of the skills in a client's list for one request. */
export interface RequestRanking {
  readonly request: string;
  /** `chosen`: the skill ranks first. `tie`: the scores are too close to decide. `none`: no skill has a word of it. */
  readonly outcome: 'chosen' | 'tie' | 'rival' | 'weak' | 'none';
  /** The rank of the skill, from 1; undefined if it has no word of the request. */
  readonly place?: number;
  /** The first skills, best first. */
  readonly ranked: readonly RankedSkill[];
  readonly rival?: RankedSkill;
  readonly decisive: readonly DecisiveWord[];
  /** One or two sentences about the outcome. */
  readonly text: string;
}

/** A routing case of the skill, in its file or in `evals/`. */
export interface ChainCase extends RequestRanking {
  /** True if the request must choose the skill, false if it must not. */
  readonly should: boolean;
  readonly holds: boolean;
  readonly at: { readonly uri: string; readonly span: Span };
}

/** A placeholder, variable or command in the body, or text that a client takes for a placeholder. */
export interface DeliveredPart {
  /** `text`: text that the client takes for a placeholder, such as the amount `$10`. */
  readonly kind: 'argument' | 'text' | 'variable' | 'command';
  /** The text as written. */
  readonly written: string;
  /** `filled`: the client replaces or runs it. `kept`: the model reads it as it is written. */
  readonly outcome: 'filled' | 'kept' | 'unknown';
  /** True in a fence or a code span, where an author mostly means an example. */
  readonly isInCode: boolean;
  /** Set if the outcome is only that of a call by name. In the model's call, the part is kept. */
  readonly isByNameOnly?: true;
  readonly at: { readonly uri: string; readonly span: Span };
}

/** The body as the client delivers it to its model. Commands are shown and never run. */
export interface DeliveredBody {
  readonly text: string;
  /** The number of characters that `text` omits at its end. */
  readonly omitted: number;
  /** An estimate, of the whole body. */
  readonly tokens: number;
  /** The commands that the client replaces with their output, with offsets in `text`, in UTF-16 code units. */
  readonly commands: readonly { readonly start: number; readonly end: number }[];
}

/** The text that a client puts around the body, or sends without it, in some kinds of call. */
export interface DeliveredFrame {
  /** The model calls the skill, or a person calls it by its name. */
  readonly calls: readonly ('model' | 'person')[];
  /** The content between `before` and `after`: the body, the whole file, or none. */
  readonly gives: 'body' | 'file' | 'name' | 'nothing';
  readonly before: string;
  readonly after: string;
  /** False if a part of the text is not known exactly, such as the order of files. */
  readonly isExact: boolean;
}

export interface ChosenView {
  readonly uri: string;
  readonly client: {
    readonly id: string;
    readonly name: string;
    readonly asOf: string;
    /** False if the facts about the client were only read. */
    readonly isObserved: boolean;
  };
  /** The clients to choose from: the target clients first. */
  readonly clients: readonly { readonly id: string; readonly name: string; readonly isTarget: boolean }[];
  readonly steps: readonly ChainStep[];
  /** Undefined if the model does not see the skill. */
  readonly line?: ListingLine;
  /** Undefined if the client has no known limit. */
  readonly budget?: ListingBudget;
  /** True if the model sees the skill in the list, so that it can choose it. */
  readonly isChoosable: boolean;
  /** The ranking for the request of the user; undefined without a request. */
  readonly ranking?: RequestRanking;
  /** The first routing cases. */
  readonly cases: readonly ChainCase[];
  /** The number of routing cases that are not in `cases`. */
  readonly moreCases: number;
  /** The first placeholders, variables and commands. */
  readonly parts: readonly DeliveredPart[];
  /** Undefined if the file has no body, or the client does not load it. */
  readonly body?: DeliveredBody;
  /** Empty if the client adds no text, or its text is not known. */
  readonly frames: readonly DeliveredFrame[];
}

/** `null` if the file is not a `SKILL.md`. */
export type ChosenReply = OnWire<ChosenView>;

// A model's choice among the skills in a client's list (docs/clients.md, "A model's choice").

/** A name that the list of a client contains. Several skills have the same name if the client lists both. */
export interface ListedName {
  readonly name: string;
  readonly uris: readonly string[];
}

/** A question that a model answers with one name of the list. */
export interface ChoiceQuestion {
  readonly request: string;
  /** The complete text that is sent to the model. */
  readonly text: string;
  /** An estimate. */
  readonly tokens: number;
}

export interface ChoiceReply {
  readonly uri: string;
  readonly client: { readonly id: string; readonly name: string };
  /** One question for each request, in the same order. */
  readonly questions: readonly ChoiceQuestion[];
  readonly names: readonly ListedName[];
  /** The answer for “no skill”: `none`, or a similar word if a skill has this name. */
  readonly none: string;
  /** False if the form, the order or the cuts of the client's list are not known exactly. */
  readonly isExact: boolean;
}

/** The answer of a model. `unclear`: it names no skill of the list, or more than one; `said` is the start of its text. */
export type ModelChoice =
  | ({ readonly kind: 'skill' } & ListedName)
  | { readonly kind: 'none' }
  | { readonly kind: 'unclear'; readonly said: string };

/** The maximum number of UTF-16 code units of an answer that is read. A longer answer is not a name. */
const MAX_ANSWER = 4_000;

/**
 * Returns the choice in a model's answer (docs/clients.md, "A model's choice"): the answer is a name of the list or the
 * word for “no skill”, also in quotes or backticks, with a period, or in other letter case; or its text contains only one
 * of them. Never throws.
 */
export function readChoice(answer: string, { names, none }: Pick<ChoiceReply, 'names' | 'none'>): ModelChoice {
  const byName = new Map(names.map((listed): [string, ModelChoice] => [listed.name, { kind: 'skill', ...listed }]));
  const choices = new Map<string, ModelChoice>([...byName, [none, { kind: 'none' }]]);
  const found = answer.length > MAX_ANSWER ? [] : optionsIn(answer, [...choices.keys()]);
  const [only] = found;
  const choice = found.length === 1 && only !== undefined ? choices.get(only) : undefined;
  return choice ?? { kind: 'unclear', said: shortened(answer) };
}

/** Returns the options that an answer is, or else contains. */
function optionsIn(answer: string, options: readonly string[]): readonly string[] {
  const known = new Set(options);
  const forms = formsOf(answer);
  const exact = forms.find((form) => known.has(form));
  if (exact !== undefined) return [exact];
  const folded = new Set(forms.map((form) => form.toLowerCase()));
  const similar = options.filter((option) => folded.has(option.toLowerCase()));
  return similar.length > 0 ? similar : optionsWithin(answer, options);
}

const PAIRS: readonly string[] = ['``', '""', "''", '**', '__', '“”', '‘’', '„“', '«»', '()', '[]', '<>'];

/** Returns an answer, and the same answer without the marks around it, one mark after the other. */
function formsOf(answer: string): readonly string[] {
  const forms = [answer.trim()];
  for (let form = forms[0] ?? ''; ; forms.push(form)) {
    const isMarked = form.length > 1 && PAIRS.includes(`${form[0]}${form.at(-1)}`);
    const inner = isMarked ? form.slice(1, -1) : /[.!]$/.test(form) ? form.slice(0, -1) : form;
    if (inner === form) return forms;
    form = inner.trim();
  }
}

/** Returns the options that a text contains as whole words. A part of a longer option does not count. */
function optionsWithin(text: string, options: readonly string[]): readonly string[] {
  const found = new Set<string>();
  const covered = new Uint8Array(text.length);
  for (const option of [...options].sort((a, b) => b.length - a.length)) {
    for (let at = text.indexOf(option); option !== '' && at >= 0; at = text.indexOf(option, at + 1)) {
      const end = at + option.length;
      if (
        covered[at] === 1 ||
        isWordPart([...text.slice(Math.max(0, at - 2), at)].at(-1)) ||
        isWordPart([...text.slice(end, end + 2)][0])
      )
        continue;
      covered.fill(1, at, end);
      found.add(option);
    }
  }
  return [...found];
}

const isWordPart = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}_-]/u.test(character);

const MAX_SAID = 200;

/** Returns the start of a text on one line, without control characters. */
function shortened(text: string): string {
  // The start is cut first, because an answer may be very long.
  const line = text
    .slice(0, 4 * MAX_SAID)
    .replace(/[\s\p{Cc}\p{Bidi_Control}]+/gu, ' ')
    .trim();
  const characters = [...line];
  const isCut = characters.length > MAX_SAID || text.length > 4 * MAX_SAID;
  return `${characters.slice(0, MAX_SAID).join('')}${isCut ? '…' : ''}`;
}
