/**
 * The findings that have one cause in many files. A closed file does not show a finding that another file shows for all,
 * and an open file shows it as a hint (docs/ci.md, "One cause, one finding").
 */
import type { Finding } from '../../finding.ts';
import {
  causeKey,
  fixForAll,
  groupsOf,
  mayBeShared,
  mergedFinding,
  type SharedGroup,
} from '../../rules/engine/shared-causes.ts';

/** The largest number of other places of a finding. Editors show each one in a list. */
const MAX_PLACES = 20;

/** A group without its findings, which change with each edit of a file. */
interface Group {
  readonly cause: string;
  /** The files, first the one that shows the finding about all. */
  readonly uris: readonly string[];
}

export class SharedFindings {
  readonly #checked = new Set<string>();
  /** All findings of the files with a finding that may be shared. */
  readonly #found = new Map<string, readonly Finding[]>();
  #groups: ReadonlyMap<string, Group> = new Map();
  /** The groups of a file. */
  #ofFile: ReadonlyMap<string, readonly Group[]> = new Map();
  /** The closed files with findings that are held back until it is known whether other files share them. */
  readonly #waiting = new Set<string>();
  #isOutdated = false;

  /** True if `update` may change the findings that files show. */
  get isOutdated(): boolean {
    return this.#isOutdated;
  }

  /**
   * Stores the findings of a checked file; undefined for a deleted file. Returns the other files whose findings show a
   * place or a name of these findings that changed.
   */
  set(uri: string, findings: readonly Finding[] | undefined): readonly string[] {
    const before = this.#found.get(uri);
    // Another number of files changes the share of those with a cause.
    const isOther = this.#found.size > 0 && this.#checked.has(uri) !== (findings !== undefined);
    if (isOther || keysOf(before) !== keysOf(findings)) this.#isOutdated = true;
    if (findings) this.#checked.add(uri);
    else this.#checked.delete(uri);
    if (findings?.some(mayBeShared)) this.#found.set(uri, findings);
    else this.#found.delete(uri);
    if (detailsOf(before) === detailsOf(findings)) return [];
    const firsts = (this.#ofFile.get(uri) ?? []).flatMap(({ uris }) => uris.slice(0, 1));
    return firsts.filter((first) => first !== uri);
  }

  /**
   * Groups the findings again, and returns the files that show other findings now, with all their findings. `all` are the
   * files of the workspace, also those that are not checked.
   */
  update(all: Iterable<string>): ReadonlyMap<string, readonly Finding[]> {
    const files = [...this.#found].map(([uri, findings]) => ({ uri, findings }));
    const before = this.#groups;
    this.#groups = new Map(
      groupsOf(files, all).map(({ key, members }) => {
        const uris = [...new Set(members.map(({ uri }) => uri))];
        return [key, { cause: causeKey(members[0].finding), uris }];
      }),
    );
    const ofFile = new Map<string, Group[]>();
    for (const group of this.#groups.values())
      for (const uri of group.uris) ofFile.set(uri, [...(ofFile.get(uri) ?? []), group]);
    this.#ofFile = ofFile;
    const changed = new Set(this.#waiting);
    for (const key of new Set([...before.keys(), ...this.#groups.keys()]))
      for (const uri of changedFiles(before.get(key)?.uris ?? [], this.#groups.get(key)?.uris ?? [])) changed.add(uri);
    this.#waiting.clear();
    this.#isOutdated = false;
    // A file that left its groups already shows its findings.
    return new Map([...this.#found].filter(([uri]) => changed.has(uri)));
  }

  /** Returns the findings that a file shows. */
  shown(uri: string, findings: readonly Finding[], isOpen: boolean): readonly Finding[] {
    const done = new Set<Group>();
    return findings.flatMap((finding): readonly Finding[] => {
      if (!mayBeShared(finding)) return [finding];
      const group = this.#groupOf(uri, finding);
      if (!group) {
        if (isOpen || !this.#isOutdated) return [finding];
        this.#waiting.add(uri);
        return [];
      }
      const [first] = group.uris;
      const whole = first === uri && !done.has(group) ? this.#withFindings(group) : undefined;
      done.add(group);
      if (whole) return [mergedFinding(whole, MAX_PLACES)];
      return isOpen && first !== undefined ? [{ ...finding, repeats: first }] : [];
    });
  }

  /** Returns the findings that an open file shows, with the fixes for all files. */
  withFixes(uri: string, findings: readonly Finding[]): readonly Finding[] {
    return this.shown(uri, findings, true).map((finding) => {
      const group = finding.repeats === undefined ? undefined : this.#groupOf(uri, finding);
      const whole = group && this.#withFindings(group);
      return whole ? { ...finding, fixes: [...finding.fixes, ...fixForAll(whole)] } : finding;
    });
  }

  #groupOf(uri: string, finding: Finding): Group | undefined {
    const groups = this.#ofFile.get(uri);
    return groups && mayBeShared(finding) ? groups.find(({ cause }) => cause === causeKey(finding)) : undefined;
  }

  /** Returns a group with the newest findings of its files; undefined if the first file no longer has the finding. */
  #withFindings({ cause, uris }: Group): SharedGroup | undefined {
    const isOf = (finding: Finding): boolean => mayBeShared(finding) && causeKey(finding) === cause;
    const members = uris.flatMap((uri) =>
      (this.#found.get(uri) ?? []).filter(isOf).map((finding) => ({ uri, finding })),
    );
    const [first, ...others] = members;
    return first && { key: cause, members: [first, ...others], files: new Set(members.map(({ uri }) => uri)).size };
  }
}

/** Returns a text that is equal for findings with the same causes and severities. */
const keysOf = (findings: readonly Finding[] = []): string =>
  findings
    .filter(mayBeShared)
    .map((finding) => `${causeKey(finding)}\n${finding.severity}`)
    .join('\n');

/** Returns a text that is equal for findings with the same parts in findings about all files. */
const detailsOf = (findings: readonly Finding[] = []): string =>
  JSON.stringify(
    findings.filter(mayBeShared).map(({ span, shared, fixes: [fix] }) => [span, shared?.names, fix?.title, fix?.safe]),
  );

/** Returns the files whose findings change with the files of a group: those that it gains or loses, and its first ones. */
function changedFiles(before: readonly string[], now: readonly string[]): readonly string[] {
  const [old, current] = [new Set(before), new Set(now)];
  const changed = [...before.filter((uri) => !current.has(uri)), ...now.filter((uri) => !old.has(uri))];
  return changed.length > 0 || before[0] !== now[0] ? [...changed, ...before.slice(0, 1), ...now.slice(0, 1)] : [];
}
