/** The prediction of a client's list, step by step (docs/clients.md, "The steps of a client"). */
import { type Admitted, admit } from './admit.ts';
import { entryOf, type RootNames } from './entry.ts';
import { readFields } from './fields.ts';
import { type ClientFile, type ClientPlace, type ReadSkill, splitPath } from './file.ts';
import { findFile, type Root, rootsOf, type SkillFolders, skillFoldersOf } from './find.ts';
import type { Pipeline } from './pipeline.ts';
import type { Stop } from './reading.ts';
import { isUsed, type Loaded, labelIn } from './resolve.ts';
import { type Ask, isChoice, type Pick, type Result, resultsOf } from './setting.ts';

/** A skill that a client has loaded, as its model and people see it. */
export interface PredictedSkill {
  readonly name: string;
  readonly label?: string;
  readonly admitted: Admitted;
  /** The entry in the list, if it is in it; null if its form is not known. */
  readonly entry: string | null;
  /** True if the client repaired the frontmatter, or uses the body without it. */
  readonly isRepaired?: true;
}

/** A skill, or the reason why the client has none, with the offset of the cause for the steps `open` and `parse`. */
export type Prediction = PredictedSkill | Stop;

/** Returns whether a client has no skill. */
export const isLost = (prediction: Prediction): prediction is Stop => 'code' in prediction;

/** Returns whether a client shows a skill to its model, if these conditions hold. */
export const isListed = (prediction: Prediction, conditions: readonly string[] = []): boolean =>
  !isLost(prediction) && ['yes', ...conditions].includes(prediction.admitted.listed);

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
  return new Map(
    files.map((file) => {
      const results = resultsOf((ask) => predictOne(client, skills, file, place, ask));
      const isKnown = (one: Result<Prediction | undefined>): one is Result<Prediction> => one.value !== undefined;
      return [file.path, results?.every(isKnown) ? results.map((one) => skills.withSettings(one)) : undefined];
    }),
  );
}

/** Returns the prediction for one combination of settings; undefined if a file has too many readings. */
function predictOne(
  client: Pipeline,
  skills: Skills,
  file: ClientFile,
  place: ClientPlace,
  ask: Ask,
): Prediction | undefined {
  const skill = skills.load(file, ask);
  if (!skill || 'code' in skill) return skill;
  const others: Loaded[] = [];
  for (const other of skills.alike(file)) {
    const one = skills.load(other, ask);
    if (!one) return undefined;
    if (!('code' in one)) others.push(one);
  }
  if (!isUsed(client.resolve, skill, others, ask)) return { code: 'resolve/equal-name', key: 'name' };
  const label = labelIn(client.resolve, skill, others, ask);
  const admitted = admit(client.admit, skill.read, skill.found.folder.at === 'below', ask);
  const { label: _, ...named } = skill;
  const shown: Loaded = { ...named, ...(label !== undefined && { label }) };
  const entry = admitted.listed === 'no' ? null : entryOf(client.entry, shown, skill.read, place, skills, ask);
  const { isRepaired } = skill.read;
  return {
    name: skill.name,
    ...(label !== undefined && { label }),
    admitted,
    entry,
    ...(isRepaired && { isRepaired }),
  };
}

/** A skill after the step `fields`, which needs only its own file and the paths of the others. */
type LoadedSkill = Loaded & { readonly read: ReadSkill };

type Readings = ReturnType<ClientFile['readings']>;

/** The files of a client, each read and loaded once unless settings make a difference. */
class Skills implements RootNames {
  readonly #client: Pipeline;
  readonly #roots: readonly Root[];
  readonly #folders: SkillFolders;
  readonly #readings = new Map<string, Readings>();
  /** The files that every combination of settings loads equally. */
  readonly #sure = new Map<ClientFile, LoadedSkill | Stop | undefined>();
  /** The files by the names and second names that they may have, in lower case. */
  readonly #byWord = new Map<string, ClientFile[]>();
  readonly #words = new Map<ClientFile, ReadonlySet<string>>();
  /** The indexes of the skills folders that contain skills. */
  readonly #ranks: readonly number[];

  constructor(client: Pipeline, files: readonly ClientFile[], place: ClientPlace) {
    this.#client = client;
    this.#roots = rootsOf(client.find, place);
    this.#folders = skillFoldersOf(files);
    const ranks = new Set(this.#roots.filter(({ folder }) => folder.scope === 'system').map(({ rank }) => rank));
    for (const file of files) {
      const words = new Set<string>();
      const results = resultsOf((ask) => {
        const skill = this.load(file, ask);
        if (!skill) return undefined;
        if (!('code' in skill)) ranks.add(skill.found.rank);
        return 'code' in skill ? [] : [skill.name, skill.label ?? skill.name];
      });
      for (const value of results?.map((one) => one.value) ?? [undefined]) {
        for (const word of value ?? [splitPath(splitPath(file.path).folder).name]) words.add(word.toLowerCase());
      }
      this.#words.set(file, words);
      for (const word of words) {
        const known = this.#byWord.get(word);
        if (known) known.push(file);
        else this.#byWord.set(word, [file]);
      }
    }
    this.#ranks = [...ranks].sort((a, b) => a - b);
  }

  /** Returns a skill as the client loads it; undefined if its file has too many readings. */
  load(file: ClientFile, ask: Ask): LoadedSkill | Stop | undefined {
    if (this.#sure.has(file)) return this.#sure.get(file);
    let isSure = true;
    const loaded = this.#loadWith(file, (setting, value) => {
      isSure &&= !isChoice(value);
      return ask(setting, value);
    });
    if (isSure) this.#sure.set(file, loaded);
    return loaded;
  }

  #loadWith(file: ClientFile, ask: Ask): LoadedSkill | Stop | undefined {
    const found = findFile(this.#client.find, file, this.#roots, this.#folders, ask);
    if ('code' in found) return found;
    const read = this.#read(file, ask);
    if (!read || 'code' in read) return read;
    const named = readFields(this.#client.fields, file.path, read, ask);
    return 'code' in named ? named : { ...named, file, found, read };
  }

  /** Returns one of the readings of a file. Which one is a choice like a setting. */
  #read(file: ClientFile, ask: Ask): ReadSkill | Stop | undefined {
    if (!this.#readings.has(file.path)) this.#readings.set(file.path, file.readings(this.#client));
    const readings = this.#readings.get(file.path);
    if (!readings || readings.length === 1) return readings?.[0]?.value;
    const reasons = new Set(readings.flatMap(({ picks }) => picks.flat().map(({ because }) => because)));
    const because = reasons.has('unknown') ? 'unknown' : ([...reasons][0] ?? 'unknown');
    return readings[ask(READING + file.path, { oneOf: readings.map((_, at) => at), because })]?.value;
  }

  /** Returns a result with the settings that lead to its readings: one combination for each. */
  withSettings({ value, picks }: Result<Prediction>): Result<Prediction> {
    const settings = (pick: Pick): readonly Pick[] => {
      if (!pick.setting.startsWith(READING)) return [pick];
      return this.#readings.get(pick.setting.slice(READING.length))?.[pick.value as number]?.picks[0] ?? [];
    };
    return { value, picks: picks.map((one) => one.flatMap(settings)) };
  }

  /** Returns the other files that may have the same name or second name. */
  alike(file: ClientFile): readonly ClientFile[] {
    const files = new Set<ClientFile>();
    for (const word of this.#words.get(file) ?? []) for (const other of this.#byWord.get(word) ?? []) files.add(other);
    files.delete(file);
    return [...files];
  }

  nameOfRoot(rank: number): string {
    return `r${this.#ranks.indexOf(rank)}`;
  }
}

/** The start of the name of a choice between the readings of a file. */
const READING = 'reading of ';
