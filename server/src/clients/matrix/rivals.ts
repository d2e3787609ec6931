/** Predicts skills of equal names: each of these skills is read only once for all others. */
import type { Client } from '../facts/client.ts';
import { loaderFor, nameInClient, predictionsFor, type SkillNamesIn } from './prediction.ts';
import type { Subject } from './subject.ts';

/** The skills of equal names in a client. An index of skills owns them. */
export class Rivals {
  readonly #client: Client;
  readonly #namesIn: SkillNamesIn;
  #loader: ReturnType<typeof loaderFor> | undefined;
  readonly #names = new WeakMap<Subject, string>();

  constructor(client: Client, namesIn: SkillNamesIn) {
    this.#client = client;
    this.#namesIn = namesIn;
  }

  /** Returns what the client does with a skill that has rivals. */
  predictionsFor(subject: Subject, rivals: readonly Subject[]): ReturnType<typeof predictionsFor> {
    this.#loader ??= loaderFor(this.#client, this.#namesIn, new WeakMap());
    return predictionsFor(this.#loader, subject, rivals);
  }

  /** Returns the name of one of the skills in the client. */
  readonly nameOf = (subject: Subject): string => {
    const name = this.#names.get(subject) ?? nameInClient(this.#client, subject);
    this.#names.set(subject, name);
    return name;
  };
}
