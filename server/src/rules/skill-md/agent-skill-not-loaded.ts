import type { Analysis } from '../../analysis/analysis.ts';
import { unlistedReasons } from '../../analysis/not-listed.ts';
import { targetRows } from '../../analysis/targets.ts';
import { firstInFolder, folderReaders, skillsInFolder } from '../../analysis/unread-folders.ts';
import type { Client } from '../../clients/facts/client.ts';
import { spanOfCause } from '../../clients/matrix/cause-span.ts';
import {
  adviceFor,
  type Cause,
  describeCause,
  describeSize,
  explanationOf,
  isAboutPlace,
  stepOf,
} from '../../clients/matrix/causes.ts';
import type { ClientRow } from '../../clients/matrix/cell.ts';
import { isInFolderItself, skillsFolderOf } from '../../clients/matrix/client-folders.ts';
import { foldersOf } from '../../clients/matrix/matrix.ts';
import { pathOf, subjectOf } from '../../clients/matrix/subject.ts';
import type { Draft, Fix } from '../../finding.ts';
import { inWords, listed } from '../../nearest.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { decoded, fileNameOf, folderOf } from '../../vocabulary/dialect.ts';
import type { Rule } from '../engine/rule.ts';
import {
  ABOUT_CLIENTS,
  badReasons,
  type ClientDefect,
  clauseAbout,
  type Does,
  defectsOf,
  draftOf,
  shorteningOf,
} from './client-findings.ts';
import { folderFixes } from './folder-fixes.ts';
import { renameFolderTo } from './naming.ts';

/** A skill that a client does not load, or loads but does not show to its model. */
export const agentSkillNotLoaded: Rule = {
  name: 'agent-skill-not-loaded',
  severity: 'error',
  ...ABOUT_CLIENTS,
  readsBroken: true,
  *check(file, analysis) {
    const targets = targetRows(analysis, file);
    for (const [loss, reasonsOf] of unlistedReasons(analysis, file.uri, targets)) {
      for (const defect of defectsOf(file, targets.rows, (row) => badReasons(reasonsOf(row)))) {
        const { cause } = defect;
        if (cause.code === 'find/folder') {
          yield draftOfFolder(file, analysis, targets.rows, defect);
          continue;
        }
        const isAboutLink = cause.code === 'find/link' && { isAboutLink: true as const };
        const isMovable = isAboutPlace(cause) && cause.code !== 'find/link' && cause.code !== 'find/file-name';
        const shown = cause.code === 'find/hidden' ? renameFolderTo(file, analysis, shownName(file)) : [];
        const moves = isMovable ? { fixes: [...shown, ...movesOf(file, analysis, targets.rows, defect)] } : {};
        const does = withSize(cause, DOES[loss]);
        yield draftOf(file, defect, messageOf(defect, DOES[loss]), does, {
          ...moves,
          ...isAboutLink,
          ...shorteningOf(defect),
        });
      }
    }
  },
};

const DOES: Readonly<Record<'load' | 'show', Does>> = {
  load: { one: 'does not load this skill', many: 'do not load this skill' },
  show: { one: 'does not show this skill to the model', many: 'do not show this skill to the model' },
};

/** Returns an action with the length that decides, for a client that does not count characters as other rules do. */
function withSize({ size }: Cause, { one, many }: Does): Does {
  if (!size || size.unit === 'characters') return { one, many };
  return { one: `${one} (${describeSize(size)})`, many: `${many} (${describeSize(size)})` };
}

/**
 * Reports a skill in a folder of other clients. The finding of the first skill in the folder is about all skills there
 * that the same clients do not read. It is a warning if another target client reads the folder.
 */
function draftOfFolder(file: SkillFile, analysis: Analysis, rows: readonly ClientRow[], defect: ClientDefect): Draft {
  const subject = analysis.agentSkills.find(file.uri);
  const own = subject && folderReaders(analysis, subject);
  const first = own ? firstInFolder(analysis, own)?.uri : undefined;
  const isFirst = first === undefined || first === file.uri;
  const count = isFirst && own ? Math.max(1, skillsInFolder(analysis, own).length) : 1;
  const isRead = own !== undefined && own.readers.length > 0;
  const skills = count === 1 ? 'this skill' : `the ${count} skills in \`${own?.folder.path}\``;
  const moves = count === 1 ? movesOf(file, analysis, rows, defect) : [];
  return {
    span: spanOfCause(file, defect.cause),
    message: `${clauseAbout(defect, { one: `does not load ${skills}`, many: `do not load ${skills}` })}. ${readFolders(defect.clients)}. ${adviceAbout(count, isRead)}`,
    severity: isRead ? 'warning' : 'error',
    fixes: [...(own ? folderFixes(analysis, file.uri, own, isFirst) : []), ...moves],
    ...(!isFirst && { repeats: first }),
  };
}

/** Returns the folders that clients read, as a sentence without a period: first those of most clients. */
function readFolders(clients: readonly Client[]): string {
  const byFolders = new Map<string, Client[]>();
  for (const client of clients) {
    const folders = inWords(foldersOf(client), 'and');
    byFolders.set(folders, [...(byFolders.get(folders) ?? []), client]);
  }
  const parts = [...byFolders].map(([folders, readers]) => {
    const names = listed(readers.map(({ name }) => name));
    return `${names} ${readers.length === 1 ? 'reads' : 'read'} ${folders}`;
  });
  return parts.join('; ');
}

function adviceAbout(count: number, isRead: boolean): string {
  const what = count === 1 ? 'the skill' : 'the skills';
  return isRead
    ? `Link or copy ${what} there, or name this folder under \`agent_skills.only\`.`
    : `Move ${what} there, or remove the client from the target clients.`;
}

function messageOf(defect: ClientDefect, does: Does): string {
  const { cause, clients, reasons } = defect;
  const [first] = reasons;
  const isSilent = reasons.every((reason) => reason.isSilent);
  const silence = isSilent ? `, and ${clients.length === 1 ? 'shows' : 'show'} no message` : '';
  const result = `${clauseAbout(defect, does)}${silence}`;
  if (stepOf(cause) === 'find' || cause.code === 'resolve/equal-name')
    return `${result}. ${first?.text ?? ''} ${adviceFor(cause)}`.trim();
  return `${result}. ${explanationOf(withSizes(defect))}`;
}

/** Returns a cause with the sizes for all clients of a defect, whose limits and units may differ. */
function withSizes({ cause, clients, reasons }: ClientDefect): Cause {
  const bySize = new Map<string, string[]>();
  for (const [at, reason] of reasons.entries()) {
    const size = reason.cause?.size && describeSize(reason.cause.size);
    if (size !== undefined) bySize.set(size, [...(bySize.get(size) ?? []), clients[at]?.name ?? '']);
  }
  if (bySize.size < 2) return cause;
  const { size: _, ...unsized } = cause;
  const sizes = [...bySize].map(([size, names]) => `${size} (${listed(names)})`);
  return { ...unsized, text: `${describeCause(unsized)}: ${listed(sizes)}` };
}

/**
 * Returns the fixes that move the skill with its folder: to the first folder that all clients of the defect read, or
 * else to the first folder of each client. The target clients that find the skill now must find it there, too.
 */
function movesOf(
  file: SkillFile,
  analysis: Analysis,
  rows: readonly ClientRow[],
  { clients: affected }: ClientDefect,
): readonly Fix[] {
  const base = baseUriOf(file);
  if (base === undefined || analysis.findLink(file.uri)) return [];
  const from = folderOf(file.uri);
  const [plugin] = analysis.agentSkills.find(file.uri)?.file.plugins ?? [];
  // No fix takes a skill out of its plugin.
  if (plugin && !pathOf(`${base}/`).startsWith(`${plugin.path}/`)) return [];
  const moved = (folder: string): string => `${base}/${folder}/${fileNameOf(from)}`;
  const readersIn = (folder: string): readonly ClientRow[] | undefined => {
    const to = moved(folder);
    if (to === from || isTaken(file, analysis, to)) return undefined;
    // The skill at its old place counts as a link to the new one, so that the two are not duplicates.
    const findLink = (uri: string) =>
      uri === file.uri ? { folder: false, file: false, target: `${to}/SKILL.md` } : analysis.findLink(uri);
    const { text, summary } = file;
    const asked = rows.map(({ client }) => client);
    const after = analysis.agentSkills.rowsOf({ uri: `${to}/SKILL.md`, text, summary }, asked, findLink);
    if (!rows.every((row, at) => keeps(row, after[at]))) return undefined;
    return after.filter(({ found, loaded }) => found.outcome === 'yes' && !isHidden(loaded));
  };
  const folders = [...new Set(affected.flatMap(foldersOf))].filter((folder) => !folder.includes('*'));
  const found = folders.flatMap((folder) => {
    const readers = readersIn(folder)
      ?.filter(({ client }) => affected.includes(client))
      .map(({ client }) => client);
    return readers && readers.length > 0 ? [{ folder, readers }] : [];
  });
  const shared = found.find(({ readers }) => readers.length === affected.length);
  const firsts = affected.flatMap((client) => found.find(({ readers }) => readers.includes(client)) ?? []);
  return [...new Set(shared ? [shared] : firsts)].map(({ folder }) => ({
    title: `Move the skill to \`${folder}/${decoded(fileNameOf(from))}\``,
    safe: false,
    edits: [],
    moves: { from, to: moved(folder) },
  }));
}

/** Returns the name of the skill's folder without the dots at its start. */
const shownName = ({ uri }: SkillFile): string => fileNameOf(folderOf(uri)).replace(/^\.+/, '');

/** Returns whether another skill hides the skill in a client. */
const isHidden = ({ outcome, reasons }: ClientRow['loaded']): boolean =>
  outcome === 'no' && reasons.some(({ cause }) => cause?.code === 'resolve/equal-name');

/** Returns whether a client treats the skill at its new place at least as well as before. */
const keeps = (before: ClientRow, after: ClientRow | undefined): boolean =>
  after !== undefined &&
  (['found', 'loaded', 'listed'] as const).every(
    (column) =>
      before[column].outcome === 'no' ||
      after[column].outcome === before[column].outcome ||
      after[column].outcome === 'yes',
  );

/** Returns whether the workspace has a skill in a folder, or the folder is known to exist. */
function isTaken({ uri }: SkillFile, analysis: Analysis, folder: string): boolean {
  const subject = analysis.agentSkills.find(uri);
  // A skill in the folder has the same folder name, so an edit of it checks this file again.
  const others = subject ? analysis.agentSkills.withSimilarName(subject) : [];
  return analysis.exists(folder) === true || others.some((other) => other.uri.startsWith(`${folder}/`));
}

/**
 * Returns the URI of the folder that contains the hidden folder of a client, such as `.claude`; undefined if the skill
 * has no folder of its own below such a folder.
 */
function baseUriOf({ uri, summary: { agentSkill } }: SkillFile): string | undefined {
  const subject = agentSkill && subjectOf(uri, agentSkill);
  if (!subject || isInFolderItself(subject)) return undefined;
  const folder = skillsFolderOf(subject);
  return folder?.path.startsWith('.') && folder.uri !== folderOf(uri) ? folder.base : undefined;
}
