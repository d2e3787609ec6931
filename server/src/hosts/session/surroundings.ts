/** What rules ask of the disk about a file: whether what it links to is there, and what the scripts beside it call. */
import { mayCall, type NetworkCall, networkCalls } from '../../abilities/network.ts';
import type { Change, Workspace } from '../../analysis/workspace.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { folderOf } from '../../vocabulary/dialect.ts';
import { asksForCalls, lookedFor } from '../../workspace/looked-for.ts';
import type { Files } from '../disk/files.ts';
import { readFolder } from '../disk/read-folder.ts';
import type { Effects } from './effects.ts';
import { LinkTargets } from './link-targets.ts';

interface Follow {
  readonly apply: (change: Change, effects: Effects) => void;
  /** Looks again about a file, which may have gone. */
  readonly look: (uri: string, again: boolean, effects: Effects) => void;
}

export class Surroundings {
  readonly #files: Files;
  readonly #workspace: Workspace;
  readonly #follow: Follow;
  readonly #links = new LinkTargets();
  /** The skills whose folders are being read. */
  readonly #reading = new Set<string>();

  constructor(files: Files, workspace: Workspace, follow: Follow) {
    this.#files = files;
    this.#workspace = workspace;
    this.#follow = follow;
  }

  look(file: SkillFile, again: boolean, effects: Effects): void {
    const { exists } = this.#workspace.index.facts;
    const targets = lookedFor(file, exists);
    this.#links.set(file.uri, targets);
    this.#askFor(again ? targets : targets.filter((uri) => !exists.has(uri)), effects);
    this.#askForCalls(file, again, effects);
  }

  /** These files came, changed or went. */
  watched(uris: readonly string[], effects: Effects): void {
    const { exists, networkCalls: known } = this.#workspace.index.facts;
    // What is being asked about now may be answered as it was before.
    const linked = this.#links.all();
    this.#askFor(
      uris.filter((uri) => exists.has(uri) || linked.has(uri)),
      effects,
    );
    for (const skill of new Set([...known.keys(), ...this.#reading])) {
      const folder = `${folderOf(skill)}/`;
      if (uris.some((uri) => uri.startsWith(folder))) this.#follow.look(skill, true, effects);
    }
  }

  setExistence(targets: readonly (readonly [uri: string, isThere: boolean])[], effects: Effects): void {
    const { exists } = this.#workspace.index.facts;
    // Nothing is found about a file that is there, as about one that nobody has looked for.
    const turned = new Set(targets.flatMap(([uri, isThere]) => ((exists.get(uri) ?? true) === isThere ? [] : [uri])));
    for (const [uri, isThere] of targets) this.#follow.apply({ kind: 'exists', uri, exists: isThere }, effects);
    for (const uri of this.#links.usersOf(turned)) {
      effects.check.add(uri);
      this.#follow.look(uri, false, effects);
    }
  }

  setCalls(uri: string, calls: readonly NetworkCall[], effects: Effects): void {
    this.#reading.delete(uri);
    this.#follow.apply({ kind: 'network-calls', uri, calls }, effects);
  }

  #askFor(uris: readonly string[], effects: Effects): void {
    if (uris.length === 0) return;
    const ask = async (uri: string) => [uri, await this.#files.exists(uri)] as const;
    effects.tasks.push(async () => ({ kind: 'exists', targets: await Promise.all(uris.map(ask)) }));
  }

  #askForCalls(file: SkillFile, again: boolean, effects: Effects): void {
    const { uri } = file;
    const isKnown = this.#workspace.index.facts.networkCalls.has(uri);
    if (!asksForCalls(file)) {
      if (isKnown) this.#follow.apply({ kind: 'network-calls', uri, calls: undefined }, effects);
      return;
    }
    if (!again && (isKnown || this.#reading.has(uri))) return;
    this.#reading.add(uri);
    effects.tasks.push(async () => {
      const inFolder = await readFolder(this.#files, folderOf(uri), mayCall);
      return { kind: 'network-calls', uri, calls: networkCalls(inFolder) };
    });
  }
}
