/** The numbers of all skills of the workspace, for the entry in the status bar and for the first notification. */
import type { ListedSkill, ListsStatus, Status } from '../../../server/src/protocol.ts';

/**
 * The most important loss or kind of finding, with its number. `only-for`: some skills are only for some of the target
 * clients. `fine`: all skills are listed and have no findings, also no hints. `unchecked`: not all are known.
 */
export type Worst =
  | { readonly kind: 'only-for'; readonly groups: ListsStatus['onlyFor']; readonly warnings: number }
  | { readonly kind: 'not-listed' | 'errors' | 'warnings' | 'hints'; readonly count: number }
  | { readonly kind: 'cut'; readonly count: number; readonly isMinimum: boolean }
  | { readonly kind: 'fine' | 'unchecked' };

/** Returns the number of skills of the workspace in a list, and of those that a target client does not list. */
export function countListed(
  all: Iterable<Pick<ListedSkill, 'isInWorkspace' | 'notListedBy'>>,
): Pick<ListsStatus, 'skills' | 'notListed'> {
  let [skills, notListed] = [0, 0];
  for (const { isInWorkspace, notListedBy } of all) {
    if (!isInWorkspace) continue;
    skills++;
    if (notListedBy && notListedBy.length > 0) notListed++;
  }
  return { skills, notListed };
}

/** Returns the number of findings with the severities `info` and `hint`, which views call hints. */
export const hintsIn = ({ infos, hints }: NonNullable<Status['findings']>): number => infos + hints;

type Counted = Pick<ListsStatus, 'notListed' | 'cut' | 'isMinimum' | 'onlyFor'>;

export function worstOf({ notListed, cut, isMinimum, onlyFor }: Counted, findings: Status['findings']): Worst {
  if (notListed > 0) return { kind: 'not-listed', count: notListed };
  if (findings && findings.errors > 0) return { kind: 'errors', count: findings.errors };
  if (cut > 0) return { kind: 'cut', count: cut, isMinimum };
  if (onlyFor.length > 0) return { kind: 'only-for', groups: onlyFor, warnings: findings?.warnings ?? 0 };
  if (!findings) return { kind: 'unchecked' };
  if (findings.warnings > 0) return { kind: 'warnings', count: findings.warnings };
  const hints = hintsIn(findings);
  return hints > 0 ? { kind: 'hints', count: hints } : { kind: 'fine' };
}

/** Returns the number of skills that are only for some clients, and whether each of `skills` is for one client. */
export function countForSome(
  skills: number,
  groups: ListsStatus['onlyFor'],
): { readonly count: number; readonly isEachForOne: boolean } {
  const count = groups.reduce((sum, one) => sum + one.skills, 0);
  return { count, isEachForOne: count === skills && groups.every(({ clients }) => clients.length === 1) };
}

/** Returns true if a client cuts a skill or does not list it. */
export const hasLoss = ({ notListed, cut }: ListsStatus['clients'][number]): boolean => notListed + cut > 0;

/** Returns the names of the target clients that list every skill in full. */
export function withoutLoss({ clients, onlyFor }: Pick<ListsStatus, 'clients' | 'onlyFor'>): readonly string[] {
  const hasAll = (name: string): boolean => onlyFor.every((some) => some.clients.includes(name));
  return clients.filter((client) => !hasLoss(client) && hasAll(client.name)).map(({ name }) => name);
}

/** The conditions for the notification, besides the state of the workspace. */
export interface Circumstances {
  /** True if the user has seen the notification or has used a command, also one of the walkthrough. */
  readonly isKnown: boolean;
  readonly isTrusted: boolean;
  /** True if this window has shown another notification of the extension. */
  readonly hasNotified: boolean;
}

/**
 * Decides about the only notification that appears without a command. `later`: the workspace has not been read and
 * checked yet, or is not trusted yet.
 */
export function decideNotice(
  { ready, inWorkspace, lists, findings }: Status,
  { isKnown, isTrusted, hasNotified }: Circumstances,
): 'show' | 'never' | 'later' {
  if (isKnown || hasNotified) return 'never';
  if (!ready || !lists || !findings || !isTrusted) return 'later';
  return inWorkspace > 0 && (lists.notListed > 0 || findings.errors > 0) ? 'show' : 'never';
}

/** Groups the names of clients with the same losses, in the order of the clients. */
export function groupedByLoss<Client extends { readonly name: string }>(
  clients: readonly Client[],
  lossOf: (client: Client) => string,
): readonly { readonly loss: string; readonly names: readonly string[] }[] {
  const groups = new Map<string, string[]>();
  for (const client of clients) {
    const loss = lossOf(client);
    const names = groups.get(loss);
    if (names) names.push(client.name);
    else groups.set(loss, [client.name]);
  }
  return [...groups].map(([loss, names]) => ({ loss, names }));
}
