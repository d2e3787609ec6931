/** A mutable workspace: applies changes, and provides the analysis of the newest index. */

import { hasSameWords } from '../clients/matrix/agent-skills.ts';
import { isReadFlat } from '../clients/matrix/client-folders.ts';
import type { Subject } from '../clients/matrix/subject.ts';
import { SkillFile } from '../skill/skill-file.ts';
import { isEqualData } from '../skill/summary.ts';
import { dialectOf, fileNameOf, folderOf, isAgentSkillName, isOpenAiFile } from '../vocabulary/dialect.ts';
import { BASELINE_NAME } from '../workspace/baseline.ts';
import { SNAPSHOT_NAME } from '../workspace/tool-snapshot.ts';
import type { Unreadable } from '../workspace/unreadable.ts';
import { type Affected, affectedBy, type Change as IndexChange, update } from '../workspace/update.ts';
import { EMPTY_INDEX, type Index } from '../workspace/workspace-index.ts';
import { Analysis } from './analysis.ts';
import { isListedCommand } from './listings.ts';
import { firstsBeside } from './unread-folders.ts';

export type { Affected } from '../workspace/update.ts';

/** The reason to keep a file parsed: an editor has it open, or it will be requested soon. */
interface Retention {
  readonly isOpen?: boolean;
  readonly isAwaited?: boolean;
}

export type Change =
  | Exclude<IndexChange, { kind: 'file' | 'snapshot' | 'known' }>
  /** The text of a new or changed file. */
  | ({ readonly kind: 'text'; readonly uri: string; readonly text: string } & Retention)
  /** An existing file that cannot be read. `replaced` is its text as clients read it, if its bytes are not UTF-8. */
  | {
      readonly kind: 'unreadable';
      readonly uri: string;
      readonly reason: Unreadable;
      readonly replaced?: string | undefined;
    };

/** The current index of a workspace with its analysis. */
export class Workspace {
  #analysis: Analysis;
  #index: Index;
  /** The files that have changed since the analysis was made. */
  #changed = new Set<string>();

  /** Creates a workspace with the files of an index. Does not change the index. */
  constructor(index: Index = EMPTY_INDEX) {
    this.#index = index;
    this.#analysis = new Analysis(index);
  }

  get index(): Index {
    return this.#index;
  }

  /** The analysis of the current index, which is the same object until the next change. */
  get analysis(): Analysis {
    if (this.#analysis.index !== this.#index) {
      this.#analysis = new Analysis(this.#index, { analysis: this.#analysis, changed: this.#changed });
      this.#changed = new Set();
    }
    return this.#analysis;
  }

  /** Applies a change and returns the files whose findings it may change. */
  apply(change: Change): Affected {
    const isContent = change.kind === 'text' || change.kind === 'delete' || change.kind === 'unreadable';
    if (isContent && fileNameOf(change.uri) === SNAPSHOT_NAME) return this.#setSnapshot(change);
    if (isContent && fileNameOf(change.uri) === BASELINE_NAME) {
      return this.#update({ kind: 'known', uri: change.uri, text: change.kind === 'text' ? change.text : undefined });
    }
    if (!isContent) return this.#update(change);
    const affected = this.#setContent(change);
    const { uri } = change;
    const isFlat = isReadFlat(uri);
    // An editor shows text. Only the disk says whether its bytes are UTF-8.
    if (change.kind === 'text' && change.isOpen && !isFlat) return affected;
    const replaced = change.kind === 'unreadable' ? change.replaced : isFlat ? this.#flatText(uri) : undefined;
    const isRead = replaced !== undefined && (isFlat || isAgentSkillName(fileNameOf(uri)));
    const file = isRead ? new SkillFile(uri, replaced, 'agent-skill') : undefined;
    if (!file && !this.#index.facts.clientSkills.has(uri)) return affected;
    return joined(affected, this.#update({ kind: 'client-skill', uri, file }));
  }

  /** Returns the text of a file that only some clients read as a skill; undefined for another Markdown file. */
  #flatText(uri: string): string | undefined {
    const entry = this.#index.files.get(uri);
    return entry?.isSkill ? entry.text : undefined;
  }

  #setContent(change: Extract<Change, { kind: 'text' | 'delete' | 'unreadable' }>): Affected {
    if (change.kind === 'text') return this.#setText(change.uri, change.text, change);
    if (change.kind === 'unreadable') return this.#setText(change.uri, '', {}, change.reason);
    this.#analysis.files.close(change.uri);
    return this.#update(change);
  }

  #setSnapshot(change: Extract<Change, { kind: 'text' | 'delete' | 'unreadable' }>): Affected {
    const text = change.kind === 'text' ? change.text : undefined;
    const reason = change.kind === 'unreadable' ? { unreadable: change.reason } : {};
    return this.#update({ kind: 'snapshot', uri: change.uri, text, ...reason });
  }

  #setText(uri: string, text: string, { isOpen, isAwaited }: Retention, unreadable?: Unreadable): Affected {
    if (dialectOf(uri) === undefined) return new Set();
    const { files } = this.#analysis;
    const known = this.#index.files.get(uri);
    // Do not parse the old state of the file only to reuse parts of it.
    const last = files.last(uri);
    const before = last?.text === (known?.text ?? '') ? last : undefined;
    const file = known?.text === text && before ? before : (before?.edited(text) ?? new SkillFile(uri, text));
    if (isOpen) files.keepOpen(file);
    else files.close(uri);
    if (isAwaited) files.keepAwaited(file);
    if (known?.text === text && this.#index.facts.unreadable.get(uri) === unreadable) return new Set();
    const sameHead = before !== undefined && file.hasHeadOf(before);
    return this.#update({ kind: 'file', file, sameHead, ...(unreadable && { unreadable }) });
  }

  #update(change: IndexChange): Affected {
    const before = this.#index;
    const isFile = change.kind === 'file' || change.kind === 'delete';
    const uri = change.kind === 'file' ? change.file.uri : 'uri' in change ? change.uri : undefined;
    // While files are being read, ignore the effects on other files, because all files are checked afterwards.
    const isRead = isFile || change.kind === 'client-skill';
    const isOfClients =
      isRead && uri !== undefined && (change.kind === 'client-skill' || isAgentSkillName(fileNameOf(uri)));
    const isCompared = (isOfClients || !before.origins.isEmpty()) && !before.partial;
    const analysis = isCompared ? this.analysis : undefined;
    this.#index = update(before, change);
    if (uri !== undefined && (isRead || change.kind === 'link')) this.#changed.add(uri);
    if (uri !== undefined && isOpenAiFile(uri)) this.#changed.add(`${folderOf(folderOf(uri))}/SKILL.md`);
    const affected = affectedBy(change, before, this.#index);
    // A link in a skills folder may be a copy of any skill. Links come many at a time, so they are not compared one by one.
    if (change.kind === 'link' && !this.#index.files.has(change.uri) && before !== this.#index) return 'all';
    if (uri === undefined || !isRead) return affected;
    const overlapping = isFile ? this.#analysis.overlapOfEdited(uri, before, this.#index) : [];
    if (affected === 'all') return affected;
    const { facts, graph } = this.#index;
    const isSame = before.graph === graph && before.facts.clientSkills === facts.clientSkills;
    const converted =
      analysis && isFile ? [analysis, this.analysis].flatMap((one) => one.convertedFrom.get(uri) ?? []) : [];
    const beside = analysis && isOfClients && !isSame ? affectedByAgentSkill(analysis, this.analysis, uri) : [];
    const lists = isListedCommand(uri) && !before.partial ? listOfCommand(this.analysis, uri) : [];
    return new Set([...affected, ...overlapping, ...converted, ...beside, ...lists]);
  }
}

/** Returns the file with the findings about the list that contains a command. */
function listOfCommand(analysis: Analysis, uri: string): readonly string[] {
  const file = analysis.findCatalog(uri)?.uri ?? analysis.listings.longestBeside(uri);
  return file === undefined ? [] : [file];
}

const joined = (a: Affected, b: Affected): Affected => (a === 'all' || b === 'all' ? 'all' : new Set([...a, ...b]));

// Finds the other files whose findings may change when a `SKILL.md` changes, because clients load these files together.

/**
 * Yields the URIs of these files. Every change may affect how full the clients' lists are. A new name, an addition or a
 * removal also affects skills with the same name.
 */
function* affectedByAgentSkill(before: Analysis, after: Analysis, uri: string): Iterable<string> {
  const [old, now] = [before.agentSkills.find(uri), after.agentSkills.find(uri)];
  if (old === now) return;
  if (!isEqualData(before.agentSkills.owners, after.agentSkills.owners)) {
    for (const { uri: other } of after.agentSkills.subjects) yield other;
    for (const { uri: catalog } of after.index.catalogs.values()) yield catalog;
    return;
  }
  const catalog = after.findCatalog(uri)?.uri;
  if (catalog !== undefined) yield catalog;
  else {
    for (const { listings } of [before, after]) {
      const longest = listings.longestBeside(uri);
      if (longest !== undefined) yield longest;
    }
  }
  if (old && now && hasSameWords(old, now)) return;
  const others = [
    ...(old ? before.agentSkills.withSimilarName(old) : []),
    ...(now ? after.agentSkills.withSimilarName(now) : []),
  ];
  for (const { uri: other } of others) yield other;
  // A finding of the first skill in a folder may be about all of them.
  for (const analysis of [before, after]) yield* firstsOf(analysis, [old ?? now, ...others]);
  if (old && now) return;
  yield* skillsAbove(after, uri);
  // Files below the folder of a skill belong to that skill.
  const folder = `${folderOf(uri)}/`;
  for (const { uri: other } of after.agentSkills.subjects) if (other.startsWith(folder)) yield other;
}

/** Yields the skills in the folders above a skill of a plugin, which it may hide, or they hide it. */
function* skillsAbove({ agentSkills, plugins }: Analysis, uri: string): Iterable<string> {
  const roots = plugins.all.map(({ root }) => root).filter((root) => uri.startsWith(`${root}/`));
  const shortest = Math.min(...roots.map(({ length }) => length));
  for (let folder = folderOf(folderOf(uri)); folder.length >= shortest; folder = folderOf(folder)) {
    const above = `${folder}/SKILL.md`;
    if (agentSkills.find(above)) yield above;
  }
}

/** Yields the skills with findings about the folders of these skills. */
function* firstsOf(analysis: Analysis, subjects: readonly (Subject | undefined)[]): Iterable<string> {
  const folders = new Map(subjects.flatMap((one) => (one ? [[folderOf(folderOf(one.uri)), one] as const] : [])));
  for (const one of folders.values()) yield* firstsBeside(analysis, one);
}
