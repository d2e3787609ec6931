/** All `SKILL.md` files of a workspace as clients see them beside each other; another one for each change. */
import { Map as PersistentMap } from 'immutable';
import { type AgentSkillFacts, lengthOf } from '../skill/agent-skill-facts.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { type SkillSummary, same } from '../skill/summary.ts';
import type { Client } from '../vocabulary/client.ts';
import { clients } from '../vocabulary/clients.ts';
import { folderOf } from '../vocabulary/dialect.ts';
import type { ClientRow } from './cell.ts';
import { isListed, rowOf } from './matrix.ts';
import { CLIENT_PATHS, pathsOf } from './placed.ts';
import { type FindLink, folderName, type Subject, subjectOf, textOf } from './subject.ts';

type Subjects = PersistentMap<string, Subject>;

export class AgentSkills {
  readonly #byUri: Subjects;
  /** By the words that may be their names. */
  readonly #byWord: PersistentMap<string, readonly Subject[]>;
  /** How many lie below a folder that some client reads, by its path. */
  readonly #placed: PersistentMap<string, number>;
  #owners: readonly Client[] | undefined;

  constructor(
    byUri: Subjects = PersistentMap(),
    byWord: PersistentMap<string, readonly Subject[]> = PersistentMap(),
    placed: PersistentMap<string, number> = PersistentMap(),
  ) {
    this.#byUri = byUri;
    this.#byWord = byWord;
    this.#placed = placed;
  }

  static of(skills: Iterable<{ readonly uri: string; readonly summary: SkillSummary }>): AgentSkills {
    return new AgentSkills().with([...skills].map(({ uri, summary }) => [uri, summary.agentSkill]));
  }

  /** With these facts of files; undefined for one that is gone, or is no `SKILL.md`. */
  with(changes: readonly (readonly [uri: string, facts: AgentSkillFacts | undefined])[]): AgentSkills {
    const changed = changes.filter(([uri, facts]) => !same(this.#byUri.get(uri)?.facts, facts));
    if (changed.length === 0) return this;
    const [byUri, byWord] = [this.#byUri.asMutable(), this.#byWord.asMutable()];
    const placed = this.#placed.asMutable();
    const count = (subject: Subject, difference: 1 | -1): void => {
      for (const path of pathsOf(subject)) placed.set(path, placed.get(path, 0) + difference);
    };
    for (const [uri, facts] of changed) {
      const before = byUri.get(uri);
      if (before) {
        for (const word of wordsOf(before)) {
          const others = (byWord.get(word) ?? []).filter((other) => other !== before);
          if (others.length === 0) byWord.delete(word);
          else byWord.set(word, others);
        }
        if (!facts) count(before, -1);
        byUri.delete(uri);
      }
      if (facts) {
        const subject = subjectOf(uri, facts);
        for (const word of wordsOf(subject)) byWord.set(word, [...(byWord.get(word) ?? []), subject]);
        if (!before) count(subject, 1);
        byUri.set(uri, subject);
      }
    }
    const next = new AgentSkills(byUri.asImmutable(), byWord.asImmutable(), placed.asImmutable());
    // They follow from where the files lie.
    if (next.#placed.equals(this.#placed)) next.#owners = this.#owners;
    return next;
  }

  get subjects(): Iterable<Subject> {
    return this.#byUri.values();
  }

  find(uri: string): Subject | undefined {
    return this.#byUri.get(uri);
  }

  /** Whether the file lies below the folder of another skill, and so belongs to that one. */
  isWithinSkill({ uri }: Subject): boolean {
    for (let folder = folderOf(folderOf(uri)); folder.includes('/'); folder = folderOf(folder)) {
      if (this.#byUri.has(`${folder}/SKILL.md`)) return true;
    }
    return false;
  }

  /** Whether another skill of the same folder's name is one of these. */
  hasCopy(subject: Subject, isOne: (other: Subject) => boolean): boolean {
    return this.like(subject).some((other) => folderName(other) === folderName(subject) && isOne(other));
  }

  /** A link and the file that it leads to are one skill. */
  rowsOf(file: SkillFile, asked: readonly Client[], findLink: FindLink = () => undefined): readonly ClientRow[] {
    const { agentSkill } = file.summary;
    if (!agentSkill) return [];
    const { text, frontmatter } = file;
    const isEmpty = text.slice(frontmatter.bodyStart).trim() === '';
    const link = findLink(file.uri);
    const subject = subjectOf(file.uri, agentSkill, { bytes: lengthOf(text).bytes, isEmpty }, link);
    const realOf = (uri: string): string => findLink(uri)?.target ?? uri;
    const like = this.like(subject).filter(({ uri }) => realOf(uri) !== realOf(file.uri));
    return asked.map((client) => rowOf(client, subject, like));
  }

  /** Whether the model may see the skill in the list of the client. */
  isListed(subject: Subject, client: Client): boolean {
    return isListed(client, subject, this.like(subject));
  }

  /** The clients whose own folders the workspace has; where it has only folders that are nobody's, all that read those. */
  get owners(): readonly Client[] {
    this.#owners ??= this.#findOwners();
    return this.#owners;
  }

  /** The others that may have the same name for some client, in the order of their URIs. */
  like(subject: Subject): readonly Subject[] {
    const known = wordsOf(subject).flatMap((word) => this.#byWord.get(word) ?? []);
    const others = known.filter(({ uri }) => uri !== subject.uri);
    return [...new Set(others)].sort((a, b) => (a.uri < b.uri ? -1 : 1));
  }

  #findOwners(): readonly Client[] {
    const hasOne = (path: string): boolean => this.#placed.get(path, 0) > 0;
    const inFolders = clients.filter((client) => CLIENT_PATHS.get(client)?.some(hasOne));
    const owners = inFolders.filter(({ ownFolders }) => ownFolders.some(hasOne));
    return owners.length > 0 || !hasOne('.agents/skills') ? owners : inFolders;
  }
}

/** Whether two states of a file go by the same names. */
export const hasSameWords = (a: Subject, b: Subject): boolean => same(wordsOf(a), wordsOf(b));

function wordsOf(subject: Subject): readonly string[] {
  const [folder, name] = [folderName(subject), textOf(subject, 'name')?.text.trim() ?? ''];
  return folder === name ? [name] : [folder, name];
}
