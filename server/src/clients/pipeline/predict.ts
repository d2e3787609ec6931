/** The prediction of a client's list, step by step (docs/clients.md, "The steps of a client"). */
import { type Admitted, admit } from './admit.ts';
import { type Cut, cutOf, type Entry, type EntryRules, entryOf, type Part, type RootNames } from './entry.ts';
import { type FieldRules, type Named, readFields } from './fields.ts';
import { type ClientFile, type ClientPlace, type FilePath, type NamedResults, splitPath } from './file.ts';
import { type Found, placeIn, rootsOf, type SkillsIn, skillsAmong } from './find.ts';
import type { Pipeline } from './pipeline.ts';
import { findSkill, namedWith } from './plugin.ts';
import type { PluginPlace } from './plugin-rules.ts';
import { type ReadSkill, type Stop, stepOf } from './reading.ts';
import { distinctName, type Loaded, LoadedSkills, labelIn, usedInstead } from './resolve.ts';
import {
  type Ask,
  type Choice,
  Decisions,
  followedBy,
  MOST_COMBINATIONS,
  NO_PICKS,
  type Pick,
  type Result,
  reasonsOf,
  resultsOf,
  sure,
  TOO_MANY,
} from './setting.ts';

/** A skill that a client has loaded, as its model and people see it. */
export interface PredictedSkill {
  readonly name: string;
  readonly label?: string;
  /** The plugin with which the client loads it. */
  readonly plugin?: PluginPlace;
  readonly admitted: Admitted;
  /** The entry in the list, if it is in it and was asked for; null if its form is not known. */
  readonly entry: string | null;
  /** The part of the description that the list leaves out, if there is one. */
  readonly cut?: Cut;
  /** The text in the list: the value of `description`, another text in its place, or nothing. */
  readonly shows: 'description' | 'other-text' | 'nothing';
  /** True if the client repaired the frontmatter, or uses the body without it. */
  readonly isRepaired?: true;
  /** True if the client uses the body without the frontmatter. */
  readonly isBodyOnly?: true;
}

/** A skill, or the reason why the client has none. */
export type Prediction = PredictedSkill | Stop;

/** Returns whether a client has no skill. */
export const isLost = (prediction: Prediction): prediction is Stop => 'code' in prediction;

/** The surroundings of a file: the folders of the client, and the other skills in them. */
export interface Surroundings extends RootNames {
  readonly place: ClientPlace;
  /** Returns the place of a file in a skills folder of the client; undefined if it is in none. */
  placeOf(file: FilePath): Found | undefined;
  readonly skillsIn: SkillsIn;
}

/** Options of a prediction. */
interface Wanted {
  /** False to leave out the entries. */
  readonly entries: boolean;
}

/**
 * Returns what a client does with each of the files: one result if all is known, several if settings that are unknown,
 * vary or can be chosen make a difference; undefined if these are too many. Pure; never throws; in any order of files.
 *
 * @param files all files that the client may find; their paths differ
 * @returns the results by path
 */
export function predict(
  client: Pipeline,
  files: readonly ClientFile[],
  place: ClientPlace,
): ReadonlyMap<string, readonly Result<Prediction>[] | undefined> {
  const skills = new Skills(client, files, place);
  return new Map(files.map((file) => [file.path, predictOne(skills.loader, file, skills.alike(file), ENTRIES)]));
}

const ENTRIES: Wanted = { entries: true };

/**
 * Returns what a client does with one file, like `predict`.
 *
 * @param files the file, and the others that may have the same name in the client, or the same second name; the same list
 *   for all of them, because they are loaded once for each list
 */
export function predictOne(
  loader: Loader,
  file: ClientFile,
  files: readonly ClientFile[],
  wanted: Wanted,
): readonly Result<Prediction>[] | undefined {
  if (files.length < 2) {
    return followedBy<LoadedSkill | Stop, Prediction>(loader.loadAlone(file), (skill) =>
      'code' in skill ? sure(skill) : resultsOf((ask) => shownOf(loader, skill, skill.label, wanted, ask)),
    );
  }
  const results = resultsOf((ask) => predictionOf(loader, file, files, wanted, ask));
  return results?.map((one) => loader.withSettings(one, files));
}

/** Returns the prediction for one combination of settings. */
function predictionOf(
  loader: Loader,
  file: ClientFile,
  files: readonly ClientFile[],
  wanted: Wanted,
  ask: Ask,
): Prediction | typeof TOO_MANY {
  const { client } = loader;
  const skill = loader.load(file, ask);
  if (!skill) return TOO_MANY;
  if ('code' in skill) return skill;
  const all = loader.loadAll(files, ask);
  // Each reading of one file is possible with each of another.
  const combinations = all.combinations / loader.countReadings(file);
  if (!all.isComplete || combinations > MOST_COMBINATIONS) return TOO_MANY;
  const instead = usedInstead(client.resolve, skill, all.skills, ask);
  if (instead) return { code: 'resolve/equal-name', key: 'name', by: instead.file.path };
  const name = distinctName(client.resolve, skill, all.skills);
  return shownOf(loader, { ...skill, name }, labelIn(client.resolve, skill, all.skills, ask), wanted, ask);
}

/** Returns a skill that the client uses, as its model and people see it. */
function shownOf(
  { client, around }: Loader,
  skill: LoadedSkill,
  label: string | undefined,
  wanted: Wanted,
  ask: Ask,
): PredictedSkill {
  const { read, found, isDescribed } = skill;
  const admitted = admittedIn(client, skill, admit(client.admit, read, found.folder.at === 'below', ask), ask);
  const isShown = admitted.listed !== 'no';
  const { label: _, ...named } = skill;
  const shown: Loaded = { ...named, ...(label !== undefined && { label }) };
  const isWanted = isShown && wanted.entries;
  const entry = isWanted ? entryOf(client.entry, shown, read, around.place, around, ask).line : null;
  const cut = isShown ? cutOf(client.entry, skill, read, ask) : undefined;
  return {
    name: skill.name,
    ...(label !== undefined && { label }),
    ...(found.plugin && { plugin: found.plugin }),
    admitted,
    entry,
    ...(cut && { cut }),
    shows: isDescribed ? 'description' : skill.description?.trim() ? 'other-text' : 'nothing',
    ...(read.isRepaired && { isRepaired: true }),
    ...(read.isRepaired && read.keys.size === 0 && { isBodyOnly: true }),
  };
}

/** Returns the answers for a skill, which may be hidden by a file beside it, or by a plugin without a description. */
function admittedIn(
  { plugins, admit: { openAi } }: Pipeline,
  { file, found, isDescribed }: LoadedSkill,
  admitted: Admitted,
  ask: Ask,
): Admitted {
  if (openAi && file.openAi)
    return { ...admitted, listed: 'no', model: 'no', hidden: { code: 'admit/side-file', key: file.openAi.key } };
  if (!plugins || !found.plugin || isDescribed || admitted.listed === 'no') return admitted;
  if (ask('plugins.undescribed', plugins.undescribed)) return admitted;
  return { ...admitted, listed: 'no', hidden: { code: 'admit/missing', key: 'description' } };
}

/** Returns the plugin with which a client finds a file, also if it does not load it; undefined if it finds it otherwise. */
export function pluginOf(loader: Loader, file: ClientFile): PluginPlace | undefined {
  const [first] = file.plugins ? (loader.findAlone(file) ?? []) : [];
  return first && !('code' in first.value) ? first.value.plugin : undefined;
}

/** Returns the names that a client may give to a skill; empty if it does not load it. */
export function namesOf(loader: Loader, file: ClientFile): readonly string[] {
  const results = loader.loadAlone(file) ?? [];
  return [...new Set(results.flatMap(({ value }) => ('code' in value ? [] : value.name)))];
}

/**
 * Returns the entries that a client may write for a skill, if it is in the list; empty if the client does not load it, or
 * if its settings have too many combinations.
 *
 * @param rules the form of the entries, for example only their names
 * @param files the file, and the others that may have the same name or second name in the client
 */
export function entriesOf(
  loader: Loader,
  rules: EntryRules,
  file: ClientFile,
  part: Part,
  files: readonly ClientFile[] = [],
): readonly (Entry & { readonly hasLabel: boolean })[] {
  const { client, around } = loader;
  const alone = loader.loadAlone(file);
  const isLabelled = alone?.some(({ value }) => !('code' in value) && value.label !== undefined);
  const entryFor = (
    skill: LoadedSkill,
    label: string | undefined,
    ask: Ask,
  ): Entry & { readonly hasLabel: boolean } => {
    const { read, label: _, ...loaded } = skill;
    const named = { ...loaded, ...(label !== undefined && { label }) };
    return { ...entryOf(rules, named, read, around.place, around, ask, part), hasLabel: label !== undefined };
  };
  const results =
    files.length < 2 || !isLabelled
      ? followedBy<LoadedSkill | Stop, ReturnType<typeof entryFor> | undefined>(alone, (skill) =>
          'code' in skill ? sure(undefined) : resultsOf((ask) => entryFor(skill, skill.label, ask)),
        )
      : resultsOf((ask) => {
          const skill = loader.load(file, ask);
          if (!skill || 'code' in skill) return undefined;
          return entryFor(skill, labelIn(client.resolve, skill, loader.loadAll(files, ask).skills, ask), ask);
        });
  return results?.flatMap(({ value }) => value ?? []) ?? [];
}

/** A skill after the step `fields`, which needs only its own file and the paths of the others. */
type LoadedSkill = Loaded & { readonly read: ReadSkill };

const loadedWith = (
  { plugins }: Pipeline,
  named: Named,
  file: ClientFile,
  found: Found,
  read: ReadSkill,
): LoadedSkill => ({ ...(file.plugins ? namedWith(plugins, named, file, found, read) : named), file, found, read });

type Readings = ReturnType<ClientFile['readings']>;

/** A file in the folders of a client, with what loading it led to. */
interface KnownFile {
  readonly place: Found | undefined;
  /** The results of the step `find`; undefined before other files are loaded, too. */
  found?: Decisions<Found | Stop>;
  /** Undefined before the client has read the file. */
  readings?: Readings;
  /** The choice between several readings. */
  choice?: Choice<number>;
  /** All results of loading the file. */
  alone?: readonly Result<LoadedSkill | Stop>[] | undefined;
  /** The results for settings that are the same for several files. */
  loaded?: Decisions<LoadedSkill | Stop | undefined>;
}

/** Files that may have equal names, as a client loads them. */
interface LoadedFiles {
  readonly skills: LoadedSkills;
  /** The number of combinations of their readings. */
  readonly combinations: number;
  /** False if one of the files has too many readings, or if there are too many combinations. */
  readonly isComplete: boolean;
}

/** The memory of loaders of one client, by file and by list of files. */
export class KnownFiles {
  readonly files = new WeakMap<ClientFile, KnownFile>();
  readonly lists = new WeakMap<readonly ClientFile[], Decisions<LoadedFiles>>();
}

/** Returns the names and descriptions of a file, like `readFields`. */
function namedOf(rules: FieldRules, { path, named }: ClientFile, read: ReadSkill): NamedResults {
  const known = named.get(read) ?? new Map<FieldRules, NamedResults>();
  named.set(read, known);
  if (!known.has(rules))
    known.set(
      rules,
      resultsOf((ask) => readFields(rules, path, read, ask)),
    );
  return known.get(rules);
}

/** Loads files, each once for each combination of the settings that make a difference. */
export class Loader {
  readonly client: Pipeline;
  readonly around: Surroundings;
  readonly #known: KnownFiles;

  /** @param known shared by loaders for the same client with the same `placeOf` and `skillsIn` */
  constructor(client: Pipeline, around: Surroundings, known = new KnownFiles()) {
    this.client = client;
    this.around = around;
    this.#known = known;
  }

  /** Returns a skill as the client loads it; undefined if its file has too many readings. */
  load(file: ClientFile, ask: Ask): LoadedSkill | Stop | undefined {
    const own = this.#find(file);
    own.loaded ??= new Decisions();
    return own.loaded.get(ask, (asked) => this.#loadWith(file, own, asked));
  }

  /** Returns files that may have equal names as the client loads them. Each list is loaded once. */
  loadAll(files: readonly ClientFile[], ask: Ask): LoadedFiles {
    const known = this.#known.lists.get(files) ?? new Decisions<LoadedFiles>();
    this.#known.lists.set(files, known);
    return known.get(ask, (asked) => this.#loadAllWith(files, asked));
  }

  #loadAllWith(files: readonly ClientFile[], ask: Ask): LoadedFiles {
    const loaded: Loaded[] = [];
    let [combinations, most, isComplete] = [1, 1, true];
    for (const file of files) {
      const one = this.load(file, ask);
      const count = one && 'code' in one && stepOf(one) === 'find' ? 1 : this.countReadings(file);
      [combinations, most] = [combinations * count, Math.max(most, count)];
      isComplete &&= one !== undefined && combinations / most <= MOST_COMBINATIONS;
      if (combinations / most > MOST_COMBINATIONS) break;
      if (one && !('code' in one)) loaded.push(one);
    }
    return { skills: new LoadedSkills(loaded), combinations, isComplete };
  }

  /** Returns all results of the step `find` for a file; undefined if there are too many. */
  findAlone(file: ClientFile): readonly Result<Found | Stop>[] | undefined {
    const { place } = this.#find(file);
    return resultsOf((ask) => findSkill(this.client, file, place, this.around.skillsIn, ask));
  }

  /** Returns all results of loading a file; undefined if it has too many. */
  loadAlone(file: ClientFile): readonly Result<LoadedSkill | Stop>[] | undefined {
    const own = this.#find(file);
    const { client } = this;
    own.alone ??= followedBy<Found | Stop, LoadedSkill | Stop>(this.findAlone(file), (found) => {
      if ('code' in found) return sure(found);
      const readings = this.#readingsOf(file, own);
      const isSure = readings?.length === 1;
      const choices = readings?.map(({ value, picks }) => ({ value, picks: isSure ? NO_PICKS : picks.slice(0, 1) }));
      return followedBy<ReadSkill | Stop, LoadedSkill | Stop>(choices, (read) =>
        'code' in read
          ? sure(read)
          : followedBy<Named | Stop, LoadedSkill | Stop>(namedOf(client.fields, file, read), (named) =>
              sure('code' in named ? named : loadedWith(client, named, file, found, read)),
            ),
      );
    });
    return own.alone;
  }

  #find(file: ClientFile): KnownFile {
    const known = this.#known.files.get(file);
    if (known) return known;
    const made: KnownFile = { place: this.around.placeOf(file) };
    this.#known.files.set(file, made);
    return made;
  }

  #loadWith(file: ClientFile, own: KnownFile, ask: Ask): LoadedSkill | Stop | undefined {
    own.found ??= new Decisions();
    const found = own.found.get(ask, (asked) => findSkill(this.client, file, own.place, this.around.skillsIn, asked));
    if ('code' in found) return found;
    const read = this.#read(file, own, ask);
    if (!read || 'code' in read) return read;
    const named = readFields(this.client.fields, file.path, read, ask);
    return 'code' in named ? named : loadedWith(this.client, named, file, found, read);
  }

  /** Returns one of the readings of a file. Which one is a choice like a setting. */
  #read(file: ClientFile, own: KnownFile, ask: Ask): ReadSkill | Stop | undefined {
    const readings = this.#readingsOf(file, own);
    if (readings && readings.length > 1) own.choice ??= choiceOf(readings);
    return readings?.[own.choice ? ask(READING + file.path, own.choice) : 0]?.value;
  }

  #readingsOf(file: ClientFile, own: KnownFile): Readings {
    if (!('readings' in own)) own.readings = file.readings(this.client);
    return own.readings;
  }

  /** Returns the number of readings of a file that the client has read. */
  countReadings(file: ClientFile): number {
    return this.#known.files.get(file)?.readings?.length ?? 1;
  }

  /** Returns a result with the settings that lead to the readings of files: one combination for each. */
  withSettings({ value, picks }: Result<Prediction>, files: readonly ClientFile[]): Result<Prediction> {
    const settings = (pick: Pick): readonly Pick[] => {
      if (!pick.setting.startsWith(READING)) return [pick];
      const path = pick.setting.slice(READING.length);
      const file = files.find((one) => one.path === path);
      return (file && this.#known.files.get(file)?.readings?.[pick.value as number]?.picks[0]) ?? [];
    };
    return { value, picks: picks.map((one) => one.flatMap(settings)) };
  }
}

function choiceOf(readings: NonNullable<Readings>): Choice<number> {
  const reasons = reasonsOf(readings);
  const because = reasons.has('unknown') ? 'unknown' : ([...reasons][0] ?? 'unknown');
  return { oneOf: readings.map((_, at) => at), because };
}

/** The start of the name of a choice between the readings of a file. */
const READING = 'reading of ';

/** The files of a client in its folders at one place. */
class Skills {
  readonly loader: Loader;
  /** The files by the names and second names that they may have, in lower case. */
  readonly #byWord = new Map<string, ClientFile[]>();
  readonly #words = new Map<ClientFile, ReadonlySet<string>>();

  constructor(client: Pipeline, files: readonly ClientFile[], place: ClientPlace) {
    const roots = rootsOf(client.find, place);
    const ranks = new Set(roots.filter(({ folder }) => folder.scope === 'system').map(({ rank }) => rank));
    this.loader = new Loader(client, {
      place,
      placeOf: ({ path }) => placeIn(path, roots),
      skillsIn: skillsAmong(files),
      nameOfRoot: (rank) => `r${[...ranks].filter((one) => one < rank).length}`,
    });
    for (const file of files) {
      const words = new Set<string>();
      const results = resultsOf((ask) => {
        const skill = this.loader.load(file, ask);
        if (!skill) return undefined;
        if (!('code' in skill)) ranks.add(skill.found.rank);
        return 'code' in skill ? [] : [skill.name, skill.label ?? skill.name];
      });
      for (const value of results?.map((one) => one.value) ?? [undefined]) {
        for (const word of value ?? [splitPath(splitPath(file.path).folder).name]) words.add(word.toLowerCase());
      }
      // Several paths of one file may count as one skill, also with different names.
      words.add(`file ${file.link?.target ?? file.path}`);
      this.#words.set(file, words);
      for (const word of words) {
        const known = this.#byWord.get(word);
        if (known) known.push(file);
        else this.#byWord.set(word, [file]);
      }
    }
  }

  /** Returns the file and the others that may have the same name or second name. */
  alike(file: ClientFile): readonly ClientFile[] {
    const words = [...(this.#words.get(file) ?? [])];
    return [...new Set(words.flatMap((word) => this.#byWord.get(word) ?? []))];
  }
}
