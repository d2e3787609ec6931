/** What rules ask of the disk about a file: whether what it links to is there, and what is in the folder of a `SKILL.md`. */
import { mayCall, networkCalls } from '../../abilities/network.ts';
import type { Change, Workspace } from '../../analysis/workspace.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { folderOf } from '../../vocabulary/dialect.ts';
import { asksForCalls, lookedFor } from '../../workspace/looked-for.ts';
import type { Files } from '../disk/files.ts';
import { readFolder } from '../disk/read-folder.ts';
import type { Effects } from './effects.ts';
import { LinkTargets } from './link-targets.ts';
import type { TaskResult } from './messages.ts';

type Of<Kind extends TaskResult['kind']> = Extract<TaskResult, { kind: Kind }>;

interface Options {
  readonly workspace: Workspace;
  readonly files: Files;
  apply(change: Change, effects: Effects): void;
  isOpen(uri: string): boolean;
  /** Whether the file is a symbolic link: nobody knows what its own links are relative to. */
  isLink(uri: string): boolean;
}

export class Surroundings {
  readonly #options: Options;
  readonly #links = new LinkTargets();
  /** The `SKILL.md` files whose folders are being read; true where one is to be read once more. */
  readonly #reading = new Map<string, boolean>();

  constructor(options: Options) {
    this.#options = options;
  }

  /** Looks for what nobody has looked for; for all `again` where what is known may be old. */
  look(file: SkillFile | undefined, again: boolean, effects: Effects): void {
    if (!file || this.#options.isLink(file.uri)) return;
    this.#lookForLinks(file, again, effects);
    if (again) this.#readFolder(file, effects);
    else this.#lookForCalls(file, effects);
  }

  leave(uri: string, effects: Effects): void {
    this.#options.apply({ kind: 'folder', uri, files: undefined }, effects);
  }

  /** These files came, changed or went. */
  watched(uris: readonly string[], effects: Effects): void {
    const { analysis, index } = this.#options.workspace;
    const { exists, folders, networkCalls: known } = index.facts;
    // What is being asked about now may be answered as it was before.
    const linked = this.#links.all();
    this.#askFor(
      uris.filter((uri) => exists.has(uri) || linked.has(uri)),
      effects,
    );
    for (const skill of new Set([...folders.keys(), ...known.keys(), ...this.#reading.keys()])) {
      const folder = `${folderOf(skill)}/`;
      const file = analysis.file(skill);
      if (file && uris.some((uri) => uri !== skill && uri.startsWith(folder))) this.#readFolder(file, effects);
    }
  }

  setExistence({ targets }: Of<'exists'>, effects: Effects): void {
    const { workspace, apply } = this.#options;
    const { exists } = workspace.index.facts;
    // Nothing is found about a file that is there, as about one that nobody has looked for.
    const turned = new Set(targets.flatMap(([uri, isThere]) => ((exists.get(uri) ?? true) === isThere ? [] : [uri])));
    for (const [uri, isThere] of targets) apply({ kind: 'exists', uri, exists: isThere }, effects);
    for (const uri of this.#links.usersOf(turned)) {
      effects.check.add(uri);
      this.look(workspace.analysis.file(uri), false, effects);
    }
  }

  setFolder({ uri, files }: Of<'folder'>, effects: Effects): void {
    const { workspace, apply, isOpen } = this.#options;
    const isOutdated = this.#reading.get(uri) === true;
    this.#reading.delete(uri);
    const file = workspace.analysis.file(uri);
    if (!file) return;
    if (isOutdated) {
      this.#readFolder(file, effects);
      return;
    }
    if (isOpen(uri)) apply({ kind: 'folder', uri, files }, effects);
    if (asksForCalls(file)) apply({ kind: 'network-calls', uri, calls: networkCalls(files) }, effects);
    this.#lookForLinks(file, false, effects);
  }

  #lookForLinks(file: SkillFile, again: boolean, effects: Effects): void {
    const { analysis, index } = this.#options.workspace;
    const { exists } = index.facts;
    const targets = lookedFor(file, exists, analysis.folder(file.uri));
    this.#links.set(file.uri, targets);
    this.#askFor(again ? targets : targets.filter((uri) => !exists.has(uri)), effects);
  }

  #askFor(uris: readonly string[], effects: Effects): void {
    if (uris.length === 0) return;
    const { files } = this.#options;
    const ask = async (uri: string) => [uri, await files.exists(uri)] as const;
    effects.tasks.push(async () => ({ kind: 'exists', targets: await Promise.all(uris.map(ask)) }));
  }

  #lookForCalls(file: SkillFile, effects: Effects): void {
    const { uri } = file;
    const { workspace, apply } = this.#options;
    const isAsked = asksForCalls(file);
    if (isAsked === workspace.index.facts.networkCalls.has(uri)) return;
    const folder = workspace.analysis.folder(uri);
    if (!isAsked) apply({ kind: 'network-calls', uri, calls: undefined }, effects);
    else if (folder) apply({ kind: 'network-calls', uri, calls: networkCalls(folder.files) }, effects);
    else if (!this.#reading.has(uri)) this.#readFolder(file, effects);
  }

  /** Of a file that is closed only the scripts, where what they call matters. What changes meanwhile is read once more. */
  #readFolder(file: SkillFile, effects: Effects): void {
    const { uri } = file;
    const { files, isOpen } = this.#options;
    const isWhole = isOpen(uri) && file.dialect === 'agent-skill' && !uri.startsWith('untitled:');
    if (!isWhole && !asksForCalls(file)) return;
    const isReading = this.#reading.has(uri);
    this.#reading.set(uri, isReading);
    if (isReading) return;
    const isWanted = isWhole ? undefined : mayCall;
    effects.tasks.push(async () => ({ kind: 'folder', uri, files: await readFolder(files, folderOf(uri), isWanted) }));
  }
}
