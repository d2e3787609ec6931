/** Finds out whether the files that skills link to are there, and keeps what was found out true. */
import type { SkillDocument } from '../skill/document.ts';
import { linkTargets } from '../workspace/links.ts';
import type { Affected, Workspace } from '../workspace/workspace.ts';
import type { Files } from './files.ts';

export interface LinksFoundOptions {
  readonly workspace: Workspace;
  readonly files: Files;
  readonly awaited: (work: Promise<void>) => Promise<void>;
  readonly mark: (affected: Affected) => void;
}

export interface LinksFound {
  /** Looks for what a document links to; known answers are kept unless `again`. */
  lookFor(document: SkillDocument | undefined, again: boolean): Promise<void>;
  /** Looks again for those of the files that somebody links to. */
  lookAgain(uris: Iterable<string>): Promise<void>;
  /** The files that a file links to, as far as they have been looked for. */
  of(uri: string): readonly string[];
  /** Takes in what a file linked to when it was looked at last. */
  recall(uri: string, targets: readonly string[]): void;
}

const AT_ONCE = 32;

export function createLinksFound({ workspace, files, awaited, mark }: LinksFoundOptions): LinksFound {
  const targetsOf = new Map<string, readonly string[]>();
  const recall = (uri: string, targets: readonly string[]): void => {
    if (targets.length > 0) targetsOf.set(uri, targets);
    else targetsOf.delete(uri);
  };
  /** Asks about files, and gives back those of which something else was known, and whether one is not there. */
  const ask = async (targets: readonly string[]): Promise<{ turned: ReadonlySet<string>; lacks: boolean }> => {
    const turned = new Set<string>();
    let lacks = false;
    const askOne = async (uri: string): Promise<void> => {
      const exists = await files.exists(uri);
      const before = workspace.index().exists.get(uri);
      if (before !== undefined && before !== exists) turned.add(uri);
      lacks ||= !exists;
      workspace.apply({ kind: 'exists', uri, exists });
    };
    for (let at = 0; at < targets.length; at += AT_ONCE) {
      await Promise.all(targets.slice(at, at + AT_ONCE).map(askOne));
    }
    return { turned, lacks };
  };
  const usersOf = (turned: ReadonlySet<string>): readonly string[] => {
    if (turned.size === 0) return [];
    const users = [...targetsOf].filter(([, targets]) => targets.some((target) => turned.has(target)));
    return users.map(([uri]) => uri);
  };
  const look = async (uri: string, targets: readonly string[]): Promise<void> => {
    const { turned, lacks } = await ask(targets);
    // Of a file that is there nothing is said, as of one of which nothing is known yet.
    mark(new Set(lacks ? [...usersOf(turned), uri] : usersOf(turned)));
  };
  /** The document that had links last: an edit seldom changes what it links to, and looking cost a tenth of the edit. */
  let last: SkillDocument | undefined;
  const linksAsBefore = (document: SkillDocument): boolean => {
    if (last?.uri !== document.uri || last.isSkill !== document.isSkill) return false;
    const [before, now] = [last.body?.links ?? [], document.body?.links ?? []];
    return before.length === now.length && now.every(({ url }, at) => url === before[at]?.url);
  };
  return {
    of: (uri) => targetsOf.get(uri) ?? [],
    recall,
    async lookFor(document, again) {
      if (!document || (!again && linksAsBefore(document))) return;
      const { uri, isSkill } = document;
      const targets = isSkill ? [...new Set(linkTargets(document).map((target) => target.uri))] : [];
      recall(uri, targets);
      last = targets.length > 0 ? document : undefined;
      const { exists } = workspace.index();
      const unknown = targets.filter((target) => again || !exists.has(target));
      if (unknown.length > 0) await awaited(look(uri, unknown));
    },
    async lookAgain(uris) {
      const { exists } = workspace.index();
      const { turned } = await ask([...uris].filter((uri) => exists.has(uri)));
      mark(new Set(usersOf(turned)));
    },
  };
}
