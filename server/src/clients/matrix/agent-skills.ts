/** The immutable index of all `SKILL.md` files in a workspace, and how each client treats them. */
import { Map as PersistentMap, Set as PersistentSet } from 'immutable';
import type { AgentSkillFacts } from '../../skill/agent-skill-facts.ts';
import type { FileEntry } from '../../skill/skill-file.ts';
import { isEqualData, type SkillSummary } from '../../skill/summary.ts';
import { folderOf } from '../../vocabulary/dialect.ts';
import type { Client } from '../facts/client.ts';
import { clients } from '../facts/clients.ts';
import { Explainer } from '../pipeline/explain.ts';
import type { ClientRow, YesNo } from './cell.ts';
import { isInFolderItself, pathsOf, pathsOfClient, placeIn, skillsFolderOf } from './client-folders.ts';
import { isListed, isPlacedAnywhere, type OtherSkills, rowOf } from './matrix.ts';
import { type RivalFiles, Rivals } from './rivals.ts';
import {
  type FileLink,
  type FileSurroundings,
  type FindLink,
  findKey,
  folderName,
  pathOf,
  type Subject,
  subjectOf,
  textOf,
} from './subject.ts';

type Subjects = PersistentMap<string, Subject>;

/** The new state of one file. */
export interface SubjectChange extends FileSurroundings {
  readonly uri: string;
  /** Undefined for a file that was removed or is not a `SKILL.md`. */
  readonly facts: AgentSkillFacts | undefined;
  readonly link?: FileLink | undefined;
  /** True for a path that only clients read (`Facts.clientSkills`). It does not make its client a client of the workspace. */
  readonly isOnlyOfClients?: boolean;
}

/** The usual names of the file, of which a folder may have several. */
const FILE_NAMES = ['SKILL.md', 'skill.md', 'Skill.md'];

/** What else a row depends on. */
interface RowSurroundings {
  readonly roots?: readonly string[];
  readonly plugins?: readonly string[];
  readonly frameworks?: readonly Client[];
}

export class AgentSkills {
  readonly #byUri: Subjects;
  /** The files by their possible names: the name of the folder, and the value of `name` if it differs. */
  readonly #byWord: PersistentMap<string, readonly Subject[]>;
  /** The skills that have one of some words, sorted by URI, by these words. */
  readonly #similar = new Map<string, readonly Subject[]>();
  /** The number of files below each folder that a client reads, by the folder's path. */
  readonly #placed: PersistentMap<string, number>;
  /** The files that `#placed` counts. */
  readonly #counted: PersistentSet<string>;
  #owners: readonly Client[] | undefined;
  /** The URIs of the files in each folder of skills, sorted; undefined until the first use. */
  #byFolder: Map<string, readonly string[]> | undefined;
  /** The URIs of the files in the folders directly below a folder; undefined until the first use. */
  #byParent: ReadonlyMap<string, readonly string[]> | undefined;
  readonly #rivals = new Map<string, Rivals>();
  readonly #names = new Map<string, readonly string[]>();

  constructor(
    byUri: Subjects = PersistentMap(),
    byWord: PersistentMap<string, readonly Subject[]> = PersistentMap(),
    placed: PersistentMap<string, number> = PersistentMap(),
    counted: PersistentSet<string> = PersistentSet(),
  ) {
    this.#byUri = byUri;
    this.#byWord = byWord;
    this.#placed = placed;
    this.#counted = counted;
  }

  static of(skills: Iterable<{ readonly uri: string; readonly summary: SkillSummary }>): AgentSkills {
    return new AgentSkills().with([...skills].map(({ uri, summary }) => ({ uri, facts: summary.agentSkill })));
  }

  /** Returns an index with the new state of some files. */
  with(changes: readonly SubjectChange[]): AgentSkills {
    const changed = changes.filter(({ uri, facts, link, plugins, openAi, isOnlyOfClients = false }) => {
      const known = this.#byUri.get(uri);
      if (!isEqualData(known?.facts, facts) || known?.file.plugins !== plugins) return true;
      if (known?.file.openAi !== openAi) return true;
      const isCounted = !isOnlyOfClients;
      return facts !== undefined && (!isEqualData(known?.link, link) || this.#counted.has(uri) !== isCounted);
    });
    if (changed.length === 0) return this;
    const [byUri, byWord] = [this.#byUri.asMutable(), this.#byWord.asMutable()];
    const [placed, counted] = [this.#placed.asMutable(), this.#counted.asMutable()];
    const count = (subject: Subject, difference: 1 | -1): void => {
      for (const path of pathsOf(subject)) placed.set(path, placed.get(path, 0) + difference);
    };
    for (const { uri, facts, link, plugins, openAi, isOnlyOfClients = false } of changed) {
      const before = byUri.get(uri);
      if (before) {
        for (const word of wordsOf(before)) {
          const others = (byWord.get(word) ?? []).filter((other) => other !== before);
          if (others.length === 0) byWord.delete(word);
          else byWord.set(word, others);
        }
        if (this.#counted.has(uri)) count(before, -1);
        counted.delete(uri);
        byUri.delete(uri);
      }
      if (facts) {
        const subject = subjectOf(uri, facts, link, { plugins, openAi });
        for (const word of wordsOf(subject)) byWord.set(word, [...(byWord.get(word) ?? []), subject]);
        if (!isOnlyOfClients) {
          count(subject, 1);
          counted.add(uri);
        }
        byUri.set(uri, subject);
      }
    }
    const next = new AgentSkills(
      byUri.asImmutable(),
      byWord.asImmutable(),
      placed.asImmutable(),
      counted.asImmutable(),
    );
    // The owners depend only on the folders.
    if (next.#placed.equals(this.#placed)) next.#owners = this.#owners;
    const isSameSet = changed.every(({ uri, facts }) => this.#byUri.has(uri) === (facts !== undefined));
    if (isSameSet) {
      next.#byFolder = this.#byFolder;
      next.#byParent = this.#byParent;
    }
    return next;
  }

  get uris(): Iterable<string> {
    return this.#byUri.keys();
  }

  get subjects(): Iterable<Subject> {
    return this.#byUri.values();
  }

  /** Returns whether a skill has this name, or is in a folder with this name. */
  isNamed(word: string): boolean {
    return this.named(word).some((subject) => wordsIn(subject).includes(word));
  }

  find(uri: string): Subject | undefined {
    return this.#byUri.get(uri);
  }

  /** Returns false for a path that only clients read (`Facts.clientSkills`). */
  isOfWorkspace({ uri }: Subject): boolean {
    return this.#counted.has(uri);
  }

  /**
   * Returns true if the file is in the folder of another skill, and therefore belongs to that skill.
   *
   * @param isOne false for a skill whose folder has other skills, too
   */
  isWithinSkill({ uri }: Subject, isOne: (above: Subject) => boolean = () => true): boolean {
    for (let folder = folderOf(folderOf(uri)); folder.includes('/'); folder = folderOf(folder)) {
      const above = this.#byUri.get(`${folder}/SKILL.md`);
      if (above && !isInFolderItself(above) && isOne(above)) return true;
    }
    return false;
  }

  /** Returns the files in a folder of skills, sorted by URI. */
  inFolder(folder: string): readonly Subject[] {
    this.#byFolder ??= this.#findFolders();
    const known = this.#byFolder.get(folder) ?? this.#below(folder);
    this.#byFolder.set(folder, known);
    return known.flatMap((uri) => this.#byUri.get(uri) ?? []);
  }

  /** Returns the files in the folders directly below a folder, sorted by URI. */
  directlyBelow(folder: string): readonly Subject[] {
    this.#byParent ??= this.#findParents();
    return (this.#byParent.get(folder) ?? []).flatMap((uri) => this.#byUri.get(uri) ?? []);
  }

  #findParents(): Map<string, readonly string[]> {
    const found = new Map<string, string[]>();
    for (const uri of [...this.#byUri.keys()].sort()) {
      const parent = folderOf(folderOf(uri));
      const known = found.get(parent);
      if (known) known.push(uri);
      else found.set(parent, [uri]);
    }
    return found;
  }

  /** Returns the URIs of the files below a folder that only a framework reads, sorted. */
  #below(folder: string): readonly string[] {
    return [...this.#byUri.keys()].filter((uri) => uri.startsWith(`${folder}/`)).sort();
  }

  #findFolders(): Map<string, readonly string[]> {
    const found = new Map<string, string[]>();
    for (const subject of this.#byUri.values()) {
      const folder = skillsFolderOf(subject)?.uri;
      if (folder === undefined) continue;
      const known = found.get(folder);
      if (known) known.push(subject.uri);
      else found.set(folder, [subject.uri]);
    }
    for (const uris of found.values()) uris.sort();
    return found;
  }

  /** Returns the skills that have this name, or are in a folder with this name, in any letter case. */
  named(word: string): readonly Subject[] {
    return this.#byWord.get(word.toLowerCase()) ?? [];
  }

  /** Returns true if another skill with the same folder name matches `isOne`. */
  hasCopy(subject: Subject, isOne: (other: Subject) => boolean): boolean {
    return this.withSimilarName(subject).some((other) => folderName(other) === folderName(subject) && isOne(other));
  }

  /**
   * Returns a row for each client in `asked`. A link and its target count as one skill.
   *
   * @param around the URIs of the workspace folders, the names of the plugins that contain the file, and further
   *   frameworks, such as those among the target clients, whose folders are folders of skills
   */
  rowsOf(
    file: Pick<FileEntry, 'uri' | 'text' | 'summary'>,
    asked: readonly Client[],
    findLink: FindLink = () => undefined,
    { roots = [], plugins = [], frameworks = [] }: RowSurroundings = {},
  ): readonly ClientRow[] {
    const { uri, text } = file;
    const { agentSkill } = file.summary;
    if (!agentSkill) return [];
    const link = findLink(uri);
    const known = this.#byUri.get(uri);
    const subject = known?.facts === agentSkill && !link ? known : subjectOf(uri, agentSkill, link, known?.file);
    const realOf = (other: string): string => findLink(other)?.target ?? other;
    const all = this.alike(subject);
    const isOther = (other: Subject): boolean => other === subject || realOf(other.uri) !== realOf(uri);
    const alike = all.every(isOther) ? all : all.filter(isOther);
    const isOfFramework = [...asked, ...frameworks].some((client) => client.framework && placeIn(client, subject));
    const found = this.#othersOf(subject, alike);
    const others = {
      ...found,
      // Other clients load the skills of a plugin with the plugin.
      isPlaced: found.isPlaced || (isOfFramework && plugins.length === 0),
      roots: roots.map(pathOf),
      plugins,
    };
    const explainer = new Explainer(text);
    return asked.map((client) => rowOf(client, subject, text, others, explainer));
  }

  /** Returns whether the model sees the skill in the client's list, at this path of it. */
  isListed(subject: Subject, client: Client): YesNo {
    return isListed(client, subject, this.#othersOf(subject, this.alike(subject)));
  }

  #othersOf(subject: Subject, alike: readonly Subject[]): Omit<OtherSkills, 'roots' | 'plugins'> {
    return { alike, namesIn: this.#namesIn, rivalsIn: this.#rivalsIn, isPlaced: isPlacedAnywhere(subject) };
  }

  readonly #rivalsIn = (client: Client): Rivals => {
    const known = this.#rivals.get(client.id) ?? new Rivals(client, this.#namesIn);
    this.#rivals.set(client.id, known);
    return known;
  };

  /** Returns the names of the skill files in a folder. Each client asks for the same folders above a skill. */
  readonly #namesIn = (folder: string): readonly string[] => {
    const known = this.#names.get(folder) ?? this.#findNames(folder);
    this.#names.set(folder, known);
    return known;
  };

  #findNames(folder: string): readonly string[] {
    if (!folder.endsWith('/*')) return FILE_NAMES.filter((name) => this.#byUri.has(`${folder}/${name}`));
    const below = folder.slice(0, -1);
    for (const { uri, fileName } of this.#byUri.values()) if (uri.startsWith(below)) return [fileName];
    return [];
  }

  /**
   * The clients whose own folders the workspace contains. If the workspace contains only the shared folder
   * `.agents/skills`, these are all clients that read a folder in the workspace, except clients whose development ended,
   * and clients that read it only with a setting.
   */
  get owners(): readonly Client[] {
    this.#owners ??= this.#findOwners();
    return this.#owners;
  }

  /** Returns the other skills that can have the same name in a client, sorted by URI. */
  withSimilarName(subject: Subject): readonly Subject[] {
    return this.alike(subject).filter(({ uri }) => uri !== subject.uri);
  }

  /**
   * Returns a skill and the others that can have the same name in a client, sorted by URI. The list is the same object for
   * all skills with the same names, if possible.
   */
  alike(subject: Subject): readonly Subject[] {
    const words = wordsOf(subject);
    const key = words.join('\n');
    const known = this.#similar.get(key) ?? this.#findSimilar(words);
    this.#similar.set(key, known);
    if (this.#byUri.get(subject.uri) === subject) return known;
    return [...known.filter(({ uri }) => uri !== subject.uri), subject].sort(inUriOrder);
  }

  /** Returns the skills that a client may find together with a skill, including it; an empty list without others. */
  rivalsOf(client: Client, subject: Subject): RivalFiles {
    return this.#rivalsIn(client).groupOf(subject, this.alike(subject)) ?? { files: [] };
  }

  #findSimilar(words: readonly string[]): readonly Subject[] {
    const [longest = '', ...others] = [...words].sort((a, b) => this.#with(b).length - this.#with(a).length);
    const all = new Set(this.#with(longest));
    const isWhole = others.every((word) => this.#with(word).every((one) => all.has(one)));
    // Skills with one name in different folders have one list.
    if (isWhole && words.length > 1) return this.#similar.get(longest) ?? this.#keepSimilar(longest);
    return [...new Set(words.flatMap((word) => this.#with(word)))].sort(inUriOrder);
  }

  #keepSimilar(word: string): readonly Subject[] {
    const found = [...this.#with(word)].sort(inUriOrder);
    this.#similar.set(word, found);
    return found;
  }

  #with(word: string): readonly Subject[] {
    return this.#byWord.get(word) ?? [];
  }

  #findOwners(): readonly Client[] {
    const hasOne = (path: string): boolean => this.#placed.get(path, 0) > 0;
    const inFolders = clients.filter((client) => pathsOfClient(client).some(hasOne));
    const owners = inFolders.filter(({ ownFolders }) => ownFolders.some(hasOne));
    if (owners.length > 0 || !hasOne('.agents/skills')) return owners;
    const readsOne = ({ dirs }: Client): boolean => dirs.value.some((dir) => !dir.conditional && hasOne(dir.path));
    return inFolders.filter((client) => !client.archived && readsOne(client));
  }
}

const inUriOrder = (a: Subject, b: Subject): number => (a.uri < b.uri ? -1 : 1);

/** Returns true if clients can give the same names to two versions of a file. */
export const hasSameWords = (a: Subject, b: Subject): boolean => isEqualData(wordsOf(a), wordsOf(b));

/** Returns the possible names in small letters, because some clients ignore letter case. */
const wordsOf = (subject: Subject): readonly string[] => [
  ...new Set(wordsIn(subject).map((word) => word.toLowerCase())),
];

function wordsIn(subject: Subject): readonly string[] {
  const name = findKey(subject, 'name');
  const words = [
    folderName(subject),
    textOf(subject, 'name')?.text.trim() ?? '',
    ...(name?.last ? [name.last.text.trim()] : []),
  ];
  return [...new Set(words)];
}
