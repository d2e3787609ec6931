/** The only mutable class of the core: takes changes in, gives immutable snapshots out, says whom a change concerns. */

import { isStored, type Known, parseSkill, type ReadText, type SkillDocument, stored } from '../skill/document.ts';
import { sameFromAfar, sameSummary } from '../skill/summary.ts';
import { dialectOf, fileNameOf, folderOf } from '../vocabulary/dialect.ts';
import { parseCatalog, SNAPSHOT_NAME, type SnapshotTool } from './catalog.ts';
import { dependentsOf, usersOfMissing, usersOfPredecessors } from './composing.ts';
import { keepHeads, sameHead } from './heads.ts';
import { EMPTY_INDEX, type SampleFailure, type WorkspaceIndex, withAccount, withSummary } from './workspace-index.ts';

export type Change =
  /**
   * A file's text, new or changed; from the editor's buffer where one is open, else from the disk. With `again`, which
   * reads it anew, the text is not kept.
   */
  | { readonly kind: 'text'; readonly uri: string; readonly text: string; readonly again?: ReadText | undefined }
  /** A file as a host remembers it, unread. */
  | ({ readonly kind: 'stored'; readonly again: ReadText } & Known)
  | { readonly kind: 'delete'; readonly uri: string }
  /** Whether a file that a skill links to is there. */
  | { readonly kind: 'exists'; readonly uri: string; readonly exists: boolean }
  /** The text of a file as it was when its version was given out; undefined where that is not known. */
  | { readonly kind: 'baseline'; readonly uri: string; readonly text: string | undefined }
  /** What composing the samples of a file came to: all that failed. */
  | { readonly kind: 'samples'; readonly uri: string; readonly failures: readonly SampleFailure[] }
  /** The user's severities by rule. */
  | { readonly kind: 'severities'; readonly severities: Readonly<Record<string, string>> }
  /** Severities by rule that win over every catalog and setting. */
  | { readonly kind: 'overrides'; readonly severities: Readonly<Record<string, string>> }
  /** The folders of the account scope, as URIs without a trailing slash. */
  | { readonly kind: 'account'; readonly folders: readonly string[] }
  /**
   * Whether files are still being read. `onTop`: all that is here was judged as it stands, and what comes are edits to it;
   * else everything is to be judged afterwards.
   */
  | { readonly kind: 'partial'; readonly partial: boolean; readonly onTop?: boolean };

/** The files whose findings may have changed; `all` where a catalog or a setting did. */
export type Affected = ReadonlySet<string> | 'all';

export class Workspace {
  #index: WorkspaceIndex = EMPTY_INDEX;
  #isOnTop = false;
  readonly #snapshots = new Map<string, readonly SnapshotTool[]>();

  /** The workspace as it is now. The same object comes back until something changes. */
  index(): WorkspaceIndex {
    return this.#index;
  }

  apply(change: Change): Affected {
    if (change.kind === 'exists') return this.#setExists(change.uri, change.exists);
    if (change.kind === 'samples') return this.#setSamples(change.uri, change.failures);
    if (change.kind === 'baseline') return this.#setBaseline(change.uri, change.text);
    if (change.kind === 'severities') {
      this.#index = { ...this.#index, severities: this.#index.severities.clear().merge(change.severities) };
      return 'all';
    }
    if (change.kind === 'overrides') {
      this.#index = { ...this.#index, overrides: this.#index.overrides.clear().merge(change.severities) };
      return 'all';
    }
    if (change.kind === 'account') {
      this.#index = { ...this.#index, graph: withAccount(this.#index.graph, change.folders) };
      return 'all';
    }
    if (change.kind === 'partial') {
      this.#index = { ...this.#index, partial: change.partial };
      this.#isOnTop = change.partial && (change.onTop ?? this.#isOnTop);
      return 'all';
    }
    if (change.kind === 'stored') return this.#put(change.uri, stored(change, change.again));
    const { text, again } = change.kind === 'text' ? change : {};
    if (fileNameOf(change.uri) === SNAPSHOT_NAME) return this.#setSnapshot(change.uri, text);
    if (dialectOf(change.uri) === undefined) return new Set();
    return this.#setDocument(change.uri, text, again);
  }

  #setDocument(uri: string, text: string | undefined, again: ReadText | undefined): Affected {
    const known = this.#index.documents.get(uri);
    if (!known && text === undefined) return new Set();
    // What is on the disk by now need not be what the workspace knows, so nothing is concluded from it.
    const before = known && !isStored(known) ? known : undefined;
    if (text !== undefined && before?.text === text && !again) return new Set();
    const document = text === undefined ? undefined : parseSkill(uri, text, again ? undefined : before, again);
    const { documents } = this.#index;
    const affected = this.#put(uri, document);
    if (before && document && !again && sameHead(before, document)) keepHeads(documents, this.#index.documents);
    return affected;
  }

  #put(uri: string, document: SkillDocument | undefined): Affected {
    const documents = document ? this.#index.documents.set(uri, document) : this.#index.documents.delete(uri);
    this.#index = { ...this.#index, documents };
    // While a file changes, what its samples came to stands until somebody knows better.
    if (!document) this.#setSamples(uri, undefined);
    if (dialectOf(uri) === 'catalog') return this.#setCatalog(uri, document);
    return this.#setSummary(uri, document);
  }

  #setSummary(uri: string, document: SkillDocument | undefined): Affected {
    const affected = new Set([uri]);
    const { graph } = this.#index;
    const before = graph.skills.get(uri)?.summary;
    const after = document?.isSkill ? document.summary : undefined;
    if (before === after || (before && after && sameSummary(before, after))) return affected;
    const next = withSummary(graph, uri, after);
    this.#index = { ...this.#index, graph: next };
    // A contract that becomes or ceases to be a tool changes what every skill may name.
    if (!graph.tools.equals(next.tools)) return 'all';
    const names = [before?.name, after?.name].filter((name) => name !== undefined);
    for (const name of names) {
      for (const set of [graph.byName, graph.mentionedBy, next.byName]) {
        for (const other of set.get(name) ?? []) affected.add(other);
      }
      for (const other of usersOfPredecessors(next, name)) affected.add(other);
    }
    // While files are still being read nothing is said about closures, and afterwards everything is looked at once.
    const isLookedAtAnyway = this.#index.partial && !this.#isOnTop;
    if (isLookedAtAnyway) return affected;
    const cameOrWent = names.filter((name) => graph.byName.has(name) !== next.byName.has(name));
    for (const other of usersOfMissing(next, cameOrWent)) affected.add(other);
    if (before && after && sameFromAfar(before, after)) return affected;
    for (const other of dependentsOf(next, names)) affected.add(other);
    return affected;
  }

  #setCatalog(uri: string, document: SkillDocument | undefined): Affected {
    const folder = folderOf(uri);
    const { catalogs } = this.#index;
    const catalog = document && parseCatalog(document, this.#snapshots.get(folder));
    this.#index = { ...this.#index, catalogs: catalog ? catalogs.set(folder, catalog) : catalogs.delete(folder) };
    return 'all';
  }

  #setSnapshot(uri: string, text: string | undefined): Affected {
    const folder = folderOf(uri);
    const tools = text === undefined ? undefined : parseSnapshot(text);
    // Whoever opens a file looks for all that may govern it, and mostly there is no such thing.
    if (JSON.stringify(tools) === JSON.stringify(this.#snapshots.get(folder))) return new Set();
    if (tools) this.#snapshots.set(folder, tools);
    else this.#snapshots.delete(folder);
    const catalog = this.#index.documents.get(`${folder}/skills.config.yaml`);
    return catalog ? this.#setCatalog(catalog.uri, catalog) : new Set();
  }

  /** Undefined where nothing is known any more. */
  #setSamples(uri: string, failures: readonly SampleFailure[] | undefined): Affected {
    const { sampleFailures, documents } = this.#index;
    const before = sampleFailures.get(uri);
    if (JSON.stringify(before) === JSON.stringify(failures)) return new Set();
    const after = failures ? sampleFailures.set(uri, failures) : sampleFailures.delete(uri);
    this.#index = { ...this.#index, sampleFailures: after };
    // That nothing failed is news only for a comment that would have silenced it.
    const isNews = before?.length || failures?.length || documents.get(uri)?.text.includes('skill-disable-next-line');
    return new Set(isNews ? [uri] : []);
  }

  #setBaseline(uri: string, text: string | undefined): Affected {
    const { baselines } = this.#index;
    const after = text === undefined ? baselines.delete(uri) : baselines.set(uri, parseSkill(uri, text));
    this.#index = { ...this.#index, baselines: after };
    return new Set([uri]);
  }

  #setExists(uri: string, exists: boolean): Affected {
    if (this.#index.exists.get(uri) === exists) return new Set();
    this.#index = { ...this.#index, exists: this.#index.exists.set(uri, exists) };
    return new Set();
  }
}

/** The tools of a snapshot file `{"tools": [{name, description, inputSchema, server}]}`; undefined if it is not one. */
export function parseSnapshot(text: string): readonly SnapshotTool[] | undefined {
  try {
    const { tools } = JSON.parse(text) as { tools?: unknown };
    if (!Array.isArray(tools)) return undefined;
    return tools.filter((tool): tool is SnapshotTool => typeof tool?.name === 'string');
  } catch {
    return undefined;
  }
}
