/** The results of a client, as they are committed in `observations/ID.json`. */

/** A value that was the same in all runs, or the different values, sorted by their JSON text. */
export type Seen<Value> = Value | { readonly varies: readonly Value[] };

/** The results of one situation. */
export interface SituationObservation {
  /** The digest of its files (`outdated.ts`); undefined in an older observation. */
  readonly files?: string;
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
  /** The paths of other strings in the requests that have a word of a situation. */
  readonly otherPlaces?: Seen<readonly string[]>;
  /** Reasons not to trust that a skill is absent: a failed run, or no request that offers tools. */
  readonly faults?: Seen<readonly string[]>;
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
  /** As in {@link ListObservation}. */
  readonly faults?: Seen<readonly string[]>;
}

/** The texts that reached the model when a skill was called. */
export interface Delivery {
  /** The texts with the body of the skill, each with its place in the request. */
  readonly delivered: readonly { readonly place: string; readonly text: string }[];
  /** The texts that came instead: the whole result of the call, a refusal, or a message, each cut with a mark. */
  readonly instead?: readonly string[];
  /** The reason if nothing came instead. */
  readonly reason?: string;
  /** The exit status, if it is not 0. */
  readonly status?: number | 'ended';
}

/** A skill that was written after the first request, while the client ran. */
export interface LaterObservation {
  /** Its entries in the next request, or the words around its name. Empty if the request does not name it. */
  readonly seen: readonly string[];
  /** The delivery after the model called it; undefined if the client has no tool for that. */
  readonly called?: Delivery;
}

/** The messages of a client about skills that it does not load. */
export interface DiagnosisObservation {
  /** The command. */
  readonly how: string;
  /** By the ID of the situation: the lines that name it, after `output: ` or `log: `. */
  readonly said: Readonly<Record<string, readonly string[]>>;
}

/** A call by the model with a person at the terminal. */
export interface TerminalCall extends Delivery {
  /** The lines of the screen that asked for permission; undefined if the client asked nothing. */
  readonly question?: readonly string[];
}

/** A session with a person at a terminal, without any approval before. */
export interface TerminalObservation {
  /** The questions at the start. */
  readonly asked: readonly string[];
  /** The lines of the first screen that name a skill that is not in the list, each with the line after it. */
  readonly said: Readonly<Record<string, readonly string[]>>;
  /** The place of the list in the first request; undefined without a list. */
  readonly place?: string;
  /** The entries of the skills that are called. */
  readonly entries: readonly string[];
  /** The entries of a skill that was written before the next prompt, in the request after that prompt. */
  readonly later: readonly string[];
  readonly laterCalled?: Delivery;
  readonly calledByPerson: Readonly<Record<string, Delivery>>;
  readonly calledByModel: Readonly<Record<string, TerminalCall>>;
}

export interface Observation {
  readonly client: string;
  readonly package: string;
  readonly version: string;
  /** ISO date. */
  readonly observed: string;
  /** The value of `FORMAT` (`outdated.ts`) at that time; 1 if undefined. */
  readonly format?: number;
  /** The platform, and the version of the Node.js in the `PATH`. */
  readonly platform: string;
  /** True if the order differed between runs in a workspace: no order of this client is a fact. */
  readonly orderVaries?: true;
  readonly lists: readonly ListObservation[];
  readonly situations: Readonly<Record<string, SituationObservation>>;
  readonly many: readonly ManyObservation[];
  /** Calls by the model, with everything approved, by the ID of the situation. */
  readonly calledByModel: Readonly<Record<string, Seen<Delivery>>>;
  /** The same calls without any approval. */
  readonly calledUnapproved: Readonly<Record<string, Seen<Delivery>>>;
  readonly calledByPerson: Readonly<Record<string, Seen<Delivery>>>;
  /** The last three are undefined in an observation that is older than the question. */
  readonly later?: Seen<LaterObservation> | NotAsked;
  readonly diagnosis?: Seen<DiagnosisObservation> | NotAsked;
  readonly atTerminal?: Seen<TerminalObservation> | NotAsked;
}

/** The lab does not know how to ask this client. */
export type NotAsked = 'not asked';

/** Returns what runs have in common: their value, or the different values as a sorted set. */
export function seenIn<Value>(values: readonly [Value, ...Value[]]): Seen<Value> {
  const different = new Map(values.map((value) => [JSON.stringify(value), value]));
  if (different.size === 1) return values[0];
  return { varies: [...different].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, value]) => value) };
}

/** Returns what two runs have in common. */
export const seenTwice = <Value>(first: Value, second: Value): Seen<Value> => seenIn([first, second]);
