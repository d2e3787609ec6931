/** The results of a client, as they are committed in `observations/ID.json`. */

/** A value that was the same in both runs, or each of the two. */
export type Seen<Value> = Value | { readonly varies: readonly [Value, Value] };

/** The results of one situation. */
export interface SituationObservation {
  /** The entries of the list that belong to the situation, as they were sent. Empty if it is not in the list. */
  readonly entries: Seen<readonly string[]>;
  /** Lines of the output that name the situation. */
  readonly messages?: Seen<readonly string[]>;
}

/** The list in the first request of a workspace. */
export interface ListObservation {
  /** The IDs of the situations in the workspace. */
  readonly situations: readonly string[];
  /** The path of the string in the request, for example `messages.0.content`; undefined without a list. */
  readonly place?: Seen<string>;
  /** The few characters before the first entry and after the last one. */
  readonly before?: Seen<string>;
  readonly after?: Seen<string>;
  /** The names in their order, with those that the client itself brings. */
  readonly order: Seen<readonly string[]>;
  /** The skills that the client itself brings, with the length of each entry. */
  readonly builtIn: Seen<readonly { readonly name: string; readonly characters: number }[]>;
}

/** The long list. */
export interface ManyObservation {
  readonly context: number;
  /**
   * How many characters of their descriptions the skills have in the list, -1 if the name is not in it: pairs of that
   * number and a number of skills, in the order of the skills' numbers.
   */
  readonly shown: Seen<readonly (readonly [characters: number, skills: number])[]>;
  /** The length of the string from the first entry to the last, in UTF-16 code units. */
  readonly characters: Seen<number>;
  /** The first entry of each form: whole, cut, name only. */
  readonly forms: Seen<readonly string[]>;
  readonly after?: Seen<string>;
}

/** The texts that reached the model when a skill was called. */
export interface Delivery {
  /** The texts with the body of the skill, each with its place in the request. */
  readonly delivered: readonly { readonly place: string; readonly text: string }[];
  /** Short texts that came instead: a refusal, or a message. */
  readonly instead?: readonly string[];
  /** The exit status, if it is not 0. */
  readonly status?: number | 'ended';
}

export interface Observation {
  readonly client: string;
  readonly package: string;
  readonly version: string;
  /** ISO date. */
  readonly observed: string;
  /** The platform and the version of Node.js. */
  readonly platform: string;
  readonly lists: readonly ListObservation[];
  readonly situations: Readonly<Record<string, SituationObservation>>;
  readonly many: readonly ManyObservation[];
  /** Calls by the model, with everything approved, by the ID of the situation. */
  readonly calledByModel: Readonly<Record<string, Seen<Delivery>>>;
  /** The same calls without any approval. */
  readonly calledUnapproved: Readonly<Record<string, Seen<Delivery>>>;
  readonly calledByPerson: Readonly<Record<string, Seen<Delivery>>>;
}

/** Returns what two runs have in common: their value, or that it varies. */
export const seenTwice = <Value>(first: Value, second: Value): Seen<Value> =>
  JSON.stringify(first) === JSON.stringify(second) ? first : { varies: [first, second] };
