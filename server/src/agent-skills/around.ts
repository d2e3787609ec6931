/** All `SKILL.md` files of a workspace as clients see them beside each other. */
import { lengthOf } from '../skill/agent-skill-facts.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import type { SkillSummary } from '../skill/summary.ts';
import type { Client } from '../vocabulary/client.ts';
import { clients } from '../vocabulary/clients.ts';
import { folderOf } from '../vocabulary/dialect.ts';
import type { ClientRow } from './cell.ts';
import type { Listing } from './listing.ts';
import { rowOf } from './matrix.ts';
import { placeIn } from './placed.ts';
import { folderName, type Subject, subjectOf, textOf } from './subject.ts';

/** The lists of the target clients under one catalog. */
export interface ListsBeside {
  readonly listings: readonly Listing[];
  /** The file with the longest description. */
  readonly longest: string | undefined;
}

export class AgentSkills {
  readonly subjects: readonly Subject[];
  readonly #byUri: ReadonlyMap<string, Subject>;
  readonly #byWord = new Map<string, Subject[]>();
  #owners: readonly Client[] | undefined;
  readonly #listings = new Map<string, ListsBeside>();

  constructor(skills: Iterable<{ readonly uri: string; readonly summary: SkillSummary }>) {
    const subjects: Subject[] = [];
    for (const { uri, summary } of skills) {
      if (!summary.agentSkill) continue;
      const subject = subjectOf(uri, summary.agentSkill);
      subjects.push(subject);
      for (const word of wordsOf(subject)) {
        const known = this.#byWord.get(word);
        if (known) known.push(subject);
        else this.#byWord.set(word, [subject]);
      }
    }
    this.subjects = subjects;
    this.#byUri = new Map(subjects.map((subject) => [subject.uri, subject]));
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
    return this.#like(subject).some((other) => folderName(other) === folderName(subject) && isOne(other));
  }

  rowsOf(file: SkillFile, asked: readonly Client[]): readonly ClientRow[] {
    const { agentSkill } = file.summary;
    if (!agentSkill) return [];
    const { text, frontmatter } = file;
    const isEmpty = text.slice(frontmatter.bodyStart).trim() === '';
    return this.#rows(subjectOf(file.uri, agentSkill, { bytes: lengthOf(text).bytes, isEmpty }), asked);
  }

  rowOf(subject: Subject, client: Client): ClientRow {
    return rowOf(client, subject, this.#like(subject));
  }

  /** The lists under a catalog, made once. */
  listingsUnder(catalog: string, make: () => ListsBeside): ListsBeside {
    const known = this.#listings.get(catalog) ?? make();
    this.#listings.set(catalog, known);
    return known;
  }

  /** The clients whose own folders the workspace has; where it has only folders that are nobody's, all that read those. */
  get owners(): readonly Client[] {
    if (this.#owners) return this.#owners;
    const inFolders = clients.filter((client) => this.subjects.some((subject) => placeIn(client, subject)));
    const owners = inFolders.filter(({ ownFolders }) =>
      this.subjects.some(({ folders }) => ownFolders.some((own) => hasFolders(folders, own))),
    );
    const isNobodys = this.subjects.some(({ folders }) => hasFolders(folders, '.agents/skills'));
    this.#owners = owners.length > 0 || !isNobodys ? owners : inFolders;
    return this.#owners;
  }

  #rows(subject: Subject, asked: readonly Client[]): readonly ClientRow[] {
    const like = this.#like(subject);
    return asked.map((client) => rowOf(client, subject, like));
  }

  /** The others that may have the same name for some client. */
  #like(subject: Subject): readonly Subject[] {
    const found = wordsOf(subject).flatMap((word) => this.#byWord.get(word) ?? []);
    return [...new Set(found)].filter(({ uri }) => uri !== subject.uri);
  }
}

const wordsOf = (subject: Subject): readonly string[] => [
  ...new Set([folderName(subject), textOf(subject, 'name')?.text.trim() ?? '']),
];

function hasFolders(folders: readonly string[], path: string): boolean {
  const joined = `/${folders.join('/')}/`;
  return path.endsWith('*') ? joined.includes(`/${path.slice(0, -1)}`) : joined.includes(`/${path}/`);
}
