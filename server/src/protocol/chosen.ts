/** The answer to “Will this skill be chosen?” for one skill and one client (docs/clients.md, "Will it be chosen?"). */
import type { Span } from '../text.ts';
import type { ClientReason, ListingBudget, ListingLine } from './clients-view.ts';
import type { OnWire } from './tests.ts';

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

/** A skill in the ranking for a request. */
export interface RankedSkill {
  readonly uri: string;
  readonly name: string;
  /** From 0 to 1. */
  readonly score: number;
  /** The words of the request that the client's list contains for the skill, in lower case. */
  readonly words: readonly string[];
}

/**
 * A word that decides between the first skill and the other one. `missing`: only the first skill has it. `cut`: the other
 * skill has it only in the part that the client cuts. `name`: only the first skill has it in its name. `weight`: both have
 * it, but the text of the first skill is shorter or repeats it.
 */
export interface DecisiveWord {
  readonly word: string;
  readonly why: 'missing' | 'cut' | 'name' | 'weight';
}

/** The ranking of the skills in a client's list for one request. */
export interface RequestRanking {
  readonly request: string;
  /** `chosen`: the skill ranks first. `tie`: the scores are too close to decide. `none`: no skill has a word of it. */
  readonly outcome: 'chosen' | 'tie' | 'rival' | 'none';
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

/** A placeholder, variable or command in the body. */
export interface DeliveredPart {
  readonly kind: 'argument' | 'variable' | 'command';
  /** The text as written. */
  readonly written: string;
  /** `filled`: the client replaces or runs it. `kept`: the model reads it as it is written. */
  readonly outcome: 'filled' | 'kept' | 'unknown';
  /** True in a fence or a code span, where an author mostly means an example. */
  readonly isInCode: boolean;
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

export interface ChosenView {
  readonly uri: string;
  readonly client: { readonly id: string; readonly name: string; readonly asOf: string };
  /** The clients to choose from: the target clients first. */
  readonly clients: readonly { readonly id: string; readonly name: string; readonly isTarget: boolean }[];
  readonly steps: readonly ChainStep[];
  /** Undefined if the model does not see the skill, or if the form of the list is not known. */
  readonly line?: ListingLine;
  /** Undefined if the client has no known limit. */
  readonly budget?: ListingBudget;
  /** The ranking for the request of the user; undefined without a request. */
  readonly ranking?: RequestRanking;
  readonly cases: readonly ChainCase[];
  readonly parts: readonly DeliveredPart[];
  /** Undefined if the file has no body, or the client does not load it. */
  readonly body?: DeliveredBody;
}

/** `null` if the file is not a `SKILL.md`. */
export type ChosenReply = OnWire<ChosenView>;
