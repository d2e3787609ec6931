/** Finds the facts on disk that rules need: whether linked files exist, and the files in the folder of a `SKILL.md`. */
import { mayCall, networkCalls } from '../../abilities/network.ts';
import { findMovedSkill } from '../../analysis/moved-skill.ts';
import type { Change, Workspace } from '../../analysis/workspace.ts';
import { type Existence, existenceCheck, serverFiles } from '../../io/check-existence.ts';
import type { Files, LinkScope } from '../../io/files.ts';
import type { FolderReadings } from '../../io/read-folder.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import {
  isServerFile,
  needsNetworkScan,
  urisToProbe,
  walkReferencedFiles,
} from '../../skill-folder/referenced-files.ts';
import { SkillFolder } from '../../skill-folder/skill-folder.ts';
import { folderOf } from '../../vocabulary/dialect.ts';
import type { Effects } from './effects.ts';
import type { TaskResult } from './messages.ts';
import type { Clock } from './pacing.ts';
import { inSlices } from './pacing.ts';

type Of<Kind extends TaskResult['kind']> = Extract<TaskResult, { kind: Kind }>;

interface Options {
  readonly workspace: Workspace;
  readonly files: Files;
  readonly folderReadings: FolderReadings;
  readonly clock: Clock;
  apply(change: Change): void;
  /** Returns the effects of the current message. */
  effects(): Effects;
  isOpen(uri: string): boolean;
  scope(): LinkScope;
  /** Returns whether the file is a symbolic link. The base of relative links in such a file is unknown. */
  isLink(uri: string): boolean;
}

export class NearbyFiles {
  readonly #options: Options;
  readonly #links = new LinkTargets();
  /** The `SKILL.md` files whose folders are being read. The value is true if the folder must be read again. */
  readonly #reading = new Map<string, boolean>();
  /** The number of the newest question for each file whose existence is being checked. */
  readonly #newest = new Map<string, number>();
  #serial = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Finds the unknown facts about a file. With `again`, also updates the known facts, which may be out of date. */
  findFacts(file: SkillFile | undefined, again: boolean): void {
    if (file && again) this.#askForLink(file);
    if (!file || this.#options.isLink(file.uri)) return;
    this.#lookForLinks(file, again);
    if (again) this.#readFolder(file);
    else this.#lookForCalls(file);
  }

  leave(uri: string): void {
    this.#options.apply({ kind: 'folder', uri, folder: undefined });
  }

  /** Updates the facts about files that were created, changed or deleted. */
  watched(uris: readonly string[]): void {
    const { analysis, index } = this.#options.workspace;
    const { exists, folders, networkCalls: known } = index.facts;
    // Requests in progress may still return the old state.
    const linked = this.#links.all();
    this.#askFor(uris.filter((uri) => exists.has(uri) || linked.has(uri)));
    for (const skill of new Set([...folders.keys(), ...known.keys(), ...this.#reading.keys()])) {
      const folder = `${folderOf(skill)}/`;
      const file = analysis.file(skill);
      if (file && uris.some((uri) => uri !== skill && uri.startsWith(folder))) this.#readFolder(file);
    }
  }

  /** Updates the facts about the files that a comparison with the disk covers. */
  compared(isCovered: (uri: string) => boolean): void {
    const { analysis, index } = this.#options.workspace;
    const { exists, folders, networkCalls: known } = index.facts;
    this.#askFor([...new Set([...exists.keys(), ...this.#links.all()].filter(isCovered))]);
    for (const skill of new Set([...folders.keys(), ...known.keys(), ...this.#reading.keys()])) {
      const file = isCovered(skill) ? analysis.file(skill) : undefined;
      if (file) this.#readFolder(file);
    }
  }

  /** Removes a deleted file. */
  forget(uri: string): void {
    this.#links.set(uri, []);
  }

  setExistence({ targets }: Of<'exists'>): void {
    const { workspace, apply } = this.#options;
    const { exists, servers, absences } = workspace.index.facts;
    for (const target of targets) apply(target);
    const now = workspace.index.facts;
    // Rules report nothing about a file that exists or whose existence was not checked.
    const isSame = ({ uri, exists: isThere }: Existence) =>
      (exists.get(uri) ?? true) === isThere &&
      servers.get(uri) === now.servers.get(uri) &&
      absences.get(uri) === now.absences.get(uri);
    const changed = new Set(targets.flatMap((target) => (isSame(target) ? [] : [target.uri])));
    for (const uri of this.#links.usersOf(changed)) {
      this.#options.effects().check.add(uri);
      this.findFacts(workspace.analysis.file(uri), false);
    }
  }

  setFolder({ uri, folder }: Of<'folder'>): void {
    const { workspace, apply, isOpen } = this.#options;
    const isOutdated = this.#reading.get(uri) === true;
    this.#reading.delete(uri);
    const file = workspace.analysis.file(uri);
    if (!file) return;
    if (isOutdated) {
      this.#readFolder(file);
      return;
    }
    if (isOpen(uri)) apply({ kind: 'folder', uri, folder });
    if (needsNetworkScan(file)) apply({ kind: 'network-calls', uri, calls: networkCalls(folder.files) });
    this.#lookForLinks(file, false);
  }

  #askForLink({ uri, dialect }: SkillFile): void {
    const { files, scope, isOpen } = this.#options;
    if (dialect !== 'agent-skill' || !isOpen(uri) || !files.linkOf) return;
    this.#options.effects().tasks.push(async () => ({ kind: 'link', uri, link: await files.linkOf?.(uri, scope()) }));
  }

  #lookForLinks(file: SkillFile, again: boolean): void {
    const { analysis, index } = this.#options.workspace;
    const { exists } = index.facts;
    const findMoved = (missing: string) => findMovedSkill(analysis, file, missing)?.uri;
    const targets = urisToProbe(file, exists, analysis.folder(file.uri), index.graph.roots, findMoved);
    this.#links.set(file.uri, targets);
    this.#askFor(again ? targets : targets.filter((uri) => !exists.has(uri)));
  }

  #askFor(uris: readonly string[]): void {
    if (uris.length === 0) return;
    const { files, workspace } = this.#options;
    const { analysis } = workspace;
    const ofServers = serverFiles([...analysis.index.catalogs.values()].map(({ uri }) => analysis.file(uri)));
    const { roots } = analysis.index.graph;
    const ask = existenceCheck(files, (uri) => ofServers.has(uri) || isServerFile(uri, roots));
    const serial = ++this.#serial;
    for (const uri of uris) this.#newest.set(uri, serial);
    this.#options.effects().tasks.push(async () => {
      const found = await Promise.all(uris.map(ask));
      // A question that was asked later has a newer answer, even if it comes first.
      const targets = found.filter(({ uri }) => this.#newest.get(uri) === serial);
      for (const { uri } of targets) this.#newest.delete(uri);
      return { kind: 'exists', targets };
    });
  }

  #lookForCalls(file: SkillFile): void {
    const { uri } = file;
    const { workspace, apply } = this.#options;
    const isAsked = needsNetworkScan(file);
    if (isAsked === workspace.index.facts.networkCalls.has(uri)) return;
    const folder = workspace.analysis.folder(uri);
    if (!isAsked) apply({ kind: 'network-calls', uri, calls: undefined });
    else if (folder) apply({ kind: 'network-calls', uri, calls: networkCalls(folder.files) });
    else if (!this.#reading.has(uri)) this.#readFolder(file);
  }

  /**
   * Reads the folder of a `SKILL.md`. If the file is closed, reads only the scripts, and only if a rule needs their
   * calls. Reads the folder again if it changes in the meantime.
   */
  #readFolder(file: SkillFile): void {
    const { uri } = file;
    const { workspace, files, folderReadings, clock, isOpen } = this.#options;
    const isWhole = isOpen(uri) && file.dialect === 'agent-skill' && !uri.startsWith('untitled:');
    if (!isWhole && !needsNetworkScan(file)) return;
    const isReading = this.#reading.has(uri);
    this.#reading.set(uri, isReading);
    if (isReading) return;
    const read = () =>
      folderReadings.read(folderOf(uri), isWhole ? undefined : mayCall, async (found) => {
        const all = isWhole && files.withModes ? await files.withModes(folderOf(uri), found) : found;
        const folder = new SkillFolder(folderOf(uri), all, workspace.analysis.folder(uri));
        if (isWhole) await inSlices(walkReferencedFiles(file, folder), clock);
        return { kind: 'folder', uri, folder } as const;
      });
    this.#options.effects().tasks.push(() =>
      read().catch((error: unknown) => {
        // The folder can be read again after the next change.
        this.#reading.delete(uri);
        throw error;
      }),
    );
  }
}

/** The targets of the links in each file. A change to a target updates the files that link to it. */
class LinkTargets {
  readonly #targets = new Map<string, readonly string[]>();

  set(uri: string, targets: readonly string[]): void {
    if (targets.length > 0) this.#targets.set(uri, targets);
    else this.#targets.delete(uri);
  }

  /** Returns all link targets. */
  all(): ReadonlySet<string> {
    return new Set([...this.#targets.values()].flat());
  }

  /** Returns the files that link to any of the targets. */
  usersOf(targets: ReadonlySet<string>): readonly string[] {
    if (targets.size === 0) return [];
    return [...this.#targets].flatMap(([uri, own]) => (own.some((target) => targets.has(target)) ? [uri] : []));
  }
}
