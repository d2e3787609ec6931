/** Merges the findings of many skills that have one cause (docs/ci.md, "One cause, one finding"). */
import { type FileEdits, type Finding, type Fix, isOnlyIn, type RelatedLocation, SEVERITIES } from '../../finding.ts';
import { formatNumber } from '../../format-amounts.ts';
import { inWords } from '../../nearest.ts';
import { groupBy } from '../../skill/mentions.ts';
import { type Dialect, dialectOf, folderOf, isOfClient, skillsFolderOf } from '../../vocabulary/dialect.ts';

/** The smallest number of skills with a cause that is reported once. Two skills may be equal by chance. */
const MIN_SKILLS = 3;

/** The smallest share of the skills in a folder with a cause that is reported once: a habit, and not an exception. */
const MIN_SHARE = 0.5;

/** The largest number of names in a message. */
const MAX_NAMES = 6;

/** A finding in a file. */
interface Member {
  readonly uri: string;
  readonly finding: Finding;
}

/**
 * The findings with one cause, sorted by severity and file. The first one becomes the finding about all, so its severity
 * is the highest one.
 */
export interface SharedGroup {
  /** Equal for groups of the same rule, cause and folder. */
  readonly key: string;
  readonly members: readonly [Member, ...Member[]];
  /** The number of files. */
  readonly files: number;
}

/** A file with its findings. */
export interface FindingsOfFile {
  readonly uri: string;
  readonly findings: readonly Finding[];
}

/** Returns whether a finding may be merged with findings in other files. A finding in a baseline is not reported. */
export const mayBeShared = ({ shared, isKnown }: Finding): boolean => shared !== undefined && !isKnown;

/** Returns a text that is equal for findings of one rule with one cause. */
export const causeKey = ({ rule, shared }: Finding): string => `${rule}\n${shared?.cause}`;

/**
 * Returns the groups of findings that have one cause in a folder: in at least 3 skills, and in at least half of its
 * skills. The folder is the highest one of this kind. Agents and other files are grouped in the same way, each kind
 * separately. Takes time in proportion to the paths of the files. Never throws.
 *
 * @param all the URIs of all checked files
 */
export function groupsOf(files: Iterable<FindingsOfFile>, all: Iterable<string>): readonly SharedGroup[] {
  const byCause = new Map<string, { readonly dialect: Dialect | undefined; readonly members: Member[] }>();
  for (const { uri, findings } of files) {
    for (const finding of findings) {
      if (!mayBeShared(finding)) continue;
      const dialect = dialectOf(uri);
      const key = `${dialect}\n${causeKey(finding)}`;
      const known = byCause.get(key);
      if (known) known.members.push({ uri, finding });
      else byCause.set(key, { dialect, members: [{ uri, finding }] });
    }
  }
  const possible = [...byCause].filter(([, { members }]) => members.length >= MIN_SKILLS);
  if (possible.length === 0) return [];
  const byDialect = groupBy([...all], dialectOf);
  const counts = new Map([...byDialect].map(([dialect, uris]) => [dialect, countBelow(uris)]));
  return possible.flatMap(([cause, { dialect, members }]) =>
    groupsIn(cause, members, counts.get(dialect) ?? new Map()),
  );
}

function groupsIn(cause: string, members: readonly Member[], all: ReadonlyMap<string, number>): SharedGroup[] {
  const own = countBelow(new Set(members.map(({ uri }) => uri)));
  const isHabit = (folder: string): boolean => {
    const count = own.get(folder) ?? 0;
    return count >= MIN_SKILLS && count >= MIN_SHARE * (all.get(folder) ?? 0);
  };
  const byFolder = groupBy(members, ({ uri }) => foldersAbove(uri).findLast(isHabit));
  return [...byFolder].flatMap(([folder, some]): SharedGroup[] => {
    const [first, ...others] = [...some].sort(bySeverity);
    if (!first || folder === undefined) return [];
    return [{ key: `${cause}\n${folder}`, members: [first, ...others], files: own.get(folder) ?? some.length }];
  });
}

/** Compares findings by their severities, the highest first, and then by their files. */
const bySeverity = (a: Member, b: Member): number =>
  rankOf(a) - rankOf(b) || (a.uri < b.uri ? -1 : a.uri > b.uri ? 1 : 0);

const rankOf = ({ finding: { severity } }: Member): number => SEVERITIES.indexOf(severity);

/** Counts the files below each folder. */
function countBelow(uris: Iterable<string>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const uri of uris) for (const folder of foldersAbove(uri)) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  return counts;
}

/** Returns the folders that contain a file, or the folder of a `SKILL.md`, from the nearest one up. */
function foldersAbove(uri: string): readonly string[] {
  const folders: string[] = [];
  const nearest = dialectOf(uri) === 'agent-skill' ? skillsFolderOf(uri) : folderOf(uri);
  for (let folder = nearest; folder.includes('/'); folder = folderOf(folder)) folders.push(folder);
  return folders;
}

/**
 * Returns the finding about all files of a group, at its first file: with the number of the others, their places and a
 * fix for all.
 *
 * @param most the largest number of other places in the result
 */
export function mergedFinding(group: SharedGroup, most = Number.POSITIVE_INFINITY): Finding {
  const { members, files } = group;
  const [{ finding }, ...others] = members;
  const { message, related, fixes, shared } = finding;
  const places = others.slice(0, most).map(
    ({ uri, finding: { span } }): RelatedLocation => ({
      ...{ uri, span, message: 'Also here' },
    }),
  );
  const dialect = dialectOf(members[0].uri);
  const noun = dialect === undefined || isOfClient(dialect) || dialect === 'catalog' ? 'files' : 'skills';
  const sentence = `${formatNumber(files - 1)} more ${noun} ${shared?.many ?? ''}${otherNames(finding, others)}.`;
  return {
    ...finding,
    message: `${message} ${sentence}`,
    related: [...related, ...places],
    fixes: [...fixes, ...fixForAll(group)],
    others: files - 1,
  };
}

/** Returns the names in the other findings that the first one lacks, the most frequent ones first. */
function otherNames({ shared }: Finding, others: readonly Member[]): string {
  const counts = new Map<string, number>();
  for (const { finding } of others)
    for (const name of finding.shared?.names ?? []) counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const name of shared?.names ?? []) counts.delete(name);
  const names = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([name]) => name);
  if (names.length === 0) return '';
  const rest = names.length - MAX_NAMES;
  return rest > 0
    ? `, also ${names
        .slice(0, MAX_NAMES)
        .map((name) => `\`${name}\``)
        .join(', ')} and ${rest} more`
    : `, also ${inWords(names, 'and')}`;
}

/** Returns the fix that applies the first fix in each file; none if fewer than two files have a fix that only edits. */
export function fixForAll({ members, files }: SharedGroup): readonly Fix[] {
  const first = members.flatMap(({ uri, finding: { fixes } }) => {
    const [fix] = fixes;
    return fix && isOnlyIn(uri, fix) ? [fix] : [];
  });
  const edits = editsOf(first);
  if (edits.length < 2) return [];
  const titles = new Set(first.map(({ title }) => title));
  const [own] = titles;
  const title = titles.size === 1 ? own : members[0].finding.shared?.title;
  const where =
    edits.length === files
      ? `all ${formatNumber(files)} files`
      : `${formatNumber(edits.length)} of ${formatNumber(files)} files`;
  return [{ title: `${title ?? 'Fix'} in ${where}`, safe: first.every(({ safe }) => safe), edits }];
}

/** Returns the edits of each file. Only the first fix in a file is applied, because others may edit the same text. */
function editsOf(fixes: readonly Fix[]): readonly FileEdits[] {
  const byFile = new Map<string, FileEdits>();
  for (const edits of fixes.flatMap((fix) => fix.edits)) if (!byFile.has(edits.uri)) byFile.set(edits.uri, edits);
  return [...byFile.values()];
}

/** Returns a finding that names the command for its fix in all files, if a command applies it. */
function withCommand(finding: Finding, group: SharedGroup): Finding {
  const [all] = fixForAll(group);
  const isOnly = group.members.every(({ finding: { fixes } }) => fixes.length <= 1);
  if (!all || !(all.safe || isOnly)) return finding;
  const option = all.safe ? '--fix' : `--fix-rule ${finding.rule}`;
  return { ...finding, message: `${finding.message} Run \`check ${option}\` to fix all.` };
}

/** The finding about all files in which a finding was merged. */
export interface Elsewhere {
  readonly rule: string;
  /** The URI of the file with the finding. */
  readonly uri: string;
}

/**
 * Returns the files of a run with one finding for each cause that many of them share. The finding is at the first of these
 * files, and the others have `elsewhere`. The result does not depend on the order of the files. Never throws.
 */
export function mergeShared<File extends FindingsOfFile>(
  files: readonly File[],
): readonly (File & { readonly elsewhere?: readonly Elsewhere[] })[] {
  const merged = new Map<Finding, Finding | Elsewhere>();
  for (const group of groupsOf(
    files,
    files.map(({ uri }) => uri),
  )) {
    const [first, ...others] = group.members;
    merged.set(first.finding, withCommand(mergedFinding(group), group));
    for (const { finding } of others) merged.set(finding, { rule: finding.rule, uri: first.uri });
  }
  if (merged.size === 0) return files;
  return files.map((file) => {
    const results = file.findings.map((finding) => merged.get(finding) ?? finding);
    const findings = results.filter((one): one is Finding => 'span' in one);
    const elsewhere = results.filter((one): one is Elsewhere => !('span' in one));
    return { ...file, findings, ...(elsewhere.length > 0 && { elsewhere }) };
  });
}
