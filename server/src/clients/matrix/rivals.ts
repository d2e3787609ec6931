/** Predicts the skills of a client. Each one of several with equal names is read only once for all others. */
import { groupBy } from '../../skill/mentions.ts';
import type { Client } from '../facts/client.ts';
import type { ClientFile } from '../pipeline/file.ts';
import type { PluginFolder, PluginPlace } from '../pipeline/plugin-rules.ts';
import { KnownFiles, Loader, pluginOf, type Surroundings } from '../pipeline/predict.ts';
import { placeIn } from './client-folders.ts';
import { nameInClient, predictionsFor, type SkillNamesIn, stepsOf, surroundingsOf } from './prediction.ts';
import type { Subject } from './subject.ts';

/** The skills that a client may find together, as files, and the memory of loaders that find all of them in place. */
export interface RivalFiles {
  readonly files: readonly ClientFile[];
  readonly known?: KnownFiles;
}

/** The skills that a client may find together. */
export class RivalGroup implements RivalFiles {
  readonly files: readonly ClientFile[];
  readonly known: KnownFiles;
  readonly #subjects: readonly Subject[];
  readonly #nameOf: (subject: Subject) => string;
  #byName: ReadonlyMap<string, readonly Subject[]> | undefined;

  constructor(subjects: readonly Subject[], known: KnownFiles, nameOf: (subject: Subject) => string) {
    this.known = known;
    this.files = subjects.map(({ file }) => file);
    this.#subjects = subjects;
    this.#nameOf = nameOf;
  }

  /** Returns the skills with this name in the client, in any letter case. */
  named(name: string): readonly Subject[] {
    this.#byName ??= groupBy(this.#subjects, (one) => this.#nameOf(one).toLowerCase());
    return this.#byName.get(name.toLowerCase()) ?? [];
  }
}

/** The skills of a client. An index of skills owns them. */
export class Rivals {
  readonly #client: Client;
  readonly #around: Surroundings;
  /** Remembers the loaded rivals. */
  #loader: Loader | undefined;
  /** The memory of loaders that find every skill (`loaderInPlace`). */
  readonly #inPlace = new KnownFiles();
  readonly #names = new WeakMap<Subject, string>();
  /** The skills of each list that the client may find in one project, by the kind and the project of its folder. */
  readonly #groups = new WeakMap<readonly Subject[], Map<string, RivalGroup | undefined>>();
  /** The skills of each list by the kind of the client's folder, and then by its project. */
  readonly #places = new WeakMap<readonly Subject[], Places>();

  constructor(client: Client, namesIn: SkillNamesIn) {
    this.#client = client;
    this.#around = surroundingsOf(client, undefined, namesIn);
  }

  /** Returns what the client does with a skill. */
  predictionsFor(subject: Subject, group: RivalGroup | undefined): ReturnType<typeof predictionsFor> {
    const steps = stepsOf(this.#client);
    if (!group) return predictionsFor(new Loader(steps, this.#around), subject);
    this.#loader ??= new Loader(steps, this.#around);
    return predictionsFor(this.#loader, subject, group.files);
  }

  /**
   * Returns a skill and the others that the client may find together with it; undefined without others. The group is the
   * same object for all skills in it.
   *
   * @param alike the skill and the others that can have the same name (`AgentSkills.alike`)
   */
  groupOf(subject: Subject, alike: readonly Subject[]): RivalGroup | undefined {
    if (alike.length < 2) return undefined;
    const place = this.#placeOf(subject);
    if (place === undefined) return undefined;
    const groups = this.#groups.get(alike) ?? new Map<string, RivalGroup | undefined>();
    this.#groups.set(alike, groups);
    const key = 'plugin' in place ? place.plugin.path : `${place.rank} ${place.base}`;
    if (!groups.has(key)) groups.set(key, this.#makeGroup(place, alike));
    return groups.get(key);
  }

  #makeGroup(place: Place, alike: readonly Subject[]): RivalGroup | undefined {
    const subjects =
      'plugin' in place ? alike.filter(({ file }) => file.plugins?.[0] === place.plugin) : this.#beside(place, alike);
    return subjects.length < 2 ? undefined : new RivalGroup(subjects, this.#inPlace, this.nameOf);
  }

  /** Folders of the same kind with different parents belong to different projects. */
  #beside({ rank, base }: FolderPlace, alike: readonly Subject[]): readonly Subject[] {
    const places = this.#places.get(alike) ?? this.#placesOf(alike);
    this.#places.set(alike, places);
    return [...places].flatMap(([other, byBase]) =>
      other === rank ? (byBase.get(base) ?? []) : [...byBase.values()].flat(),
    );
  }

  #placesOf(alike: readonly Subject[]): Places {
    const found = new Map<number, Map<string, Subject[]>>();
    for (const subject of alike) {
      const placed = placeIn(this.#client, subject);
      if (!placed || placed.dir.conditional) continue;
      const byBase = found.get(placed.rank) ?? new Map<string, Subject[]>();
      found.set(placed.rank, byBase);
      const base = placed.base.join('/');
      const known = byBase.get(base);
      if (known) known.push(subject);
      else byBase.set(base, [subject]);
    }
    return found;
  }

  /** Returns the place that a skill shares with its rivals; undefined if it has no rivals there. */
  #placeOf(subject: Subject): Place | undefined {
    const placed = placeIn(this.#client, subject);
    const [plugin] = subject.file.plugins ?? [];
    // The skills of a plugin are loaded together.
    if (!placed && plugin && stepsOf(this.#client).plugins) return { plugin };
    return placed && !placed.dir.conditional ? { rank: placed.rank, base: placed.base.join('/') } : undefined;
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

/** The kind of a client's folder, and its project; or the plugin of a skill in no such folder. */
type Place = FolderPlace | { readonly plugin: PluginFolder };

interface FolderPlace {
  readonly rank: number;
  readonly base: string;
}

type Places = ReadonlyMap<number, ReadonlyMap<string, readonly Subject[]>>;
