/** Predicts the skills of a client. Each one of several with equal names is read only once for all others. */
import type { Client } from '../facts/client.ts';
import type { PluginPlace } from '../pipeline/plugin-rules.ts';
import { Loader, pluginOf, type Surroundings } from '../pipeline/predict.ts';
import { nameInClient, predictionsFor, type SkillNamesIn, stepsOf, surroundingsOf } from './prediction.ts';
import type { Subject } from './subject.ts';

/** The skills of a client. An index of skills owns them. */
export class Rivals {
  readonly #client: Client;
  readonly #around: Surroundings;
  /** Remembers the loaded rivals. */
  #loader: Loader | undefined;
  readonly #names = new WeakMap<Subject, string>();

  constructor(client: Client, namesIn: SkillNamesIn) {
    this.#client = client;
    this.#around = surroundingsOf(client, undefined, namesIn);
  }

  /** Returns what the client does with a skill. */
  predictionsFor(subject: Subject, rivals: readonly Subject[]): ReturnType<typeof predictionsFor> {
    const steps = stepsOf(this.#client);
    if (rivals.length === 0) return predictionsFor(new Loader(steps, this.#around), subject, rivals);
    this.#loader ??= new Loader(steps, this.#around, new WeakMap());
    return predictionsFor(this.#loader, subject, rivals);
  }

  /** Returns the plugin with which the client finds a skill, also if it does not load it. */
  pluginOf({ file }: Subject): PluginPlace | undefined {
    return pluginOf(new Loader(stepsOf(this.#client), this.#around), file);
  }

  /** Returns the name of one of the skills in the client. */
  readonly nameOf = (subject: Subject): string => {
    const name = this.#names.get(subject) ?? nameInClient(this.#client, subject);
    this.#names.set(subject, name);
    return name;
  };
}
