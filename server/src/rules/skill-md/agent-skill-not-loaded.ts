import { type Cause, type ClientRow, describeCause } from '../../agent-skills/cell.ts';
import { isInFolderItself, placeIn } from '../../agent-skills/client-folders.ts';
import { foldersOf } from '../../agent-skills/matrix.ts';
import { subjectOf } from '../../agent-skills/subject.ts';
import type { Analysis } from '../../analysis/analysis.ts';
import { unlistedReasons } from '../../analysis/not-listed.ts';
import { targetRows } from '../../analysis/targets.ts';
import type { Fix } from '../../finding.ts';
import { fixHere } from '../../finding.ts';
import { setScalar } from '../../languages/yaml/edit.ts';
import { findValue } from '../../languages/yaml/node.ts';
import { inWords } from '../../nearest.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { span } from '../../text.ts';
import { clients } from '../../vocabulary/clients.ts';
import { decoded, fileNameOf, folderOf } from '../../vocabulary/dialect.ts';
import type { Rule } from '../engine/rule.ts';
import { ABOUT_CLIENTS, badReasons, type ClientDefect, defectsOf, draftOf, shorteningOf } from './client-findings.ts';
import { findFolderName, nameNode, renameTo } from './naming.ts';

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
        const { names, isOne, cause } = defect;
        const joined = `${names} ${verbPhrase(loss, isOne)}.`;
        const isAboutLink = cause.key === 'link' && { isAboutLink: true as const };
        const moves =
          cause.kind === 'place' && cause.key !== 'link' ? movesOf(file, analysis, targets.rows, defect) : [];
        const more = { fixes: [...fixesOf(file, cause), ...moves], ...isAboutLink, ...shorteningOf(defect) };
        yield draftOf(file, defect, messageOf(defect, loss), joined, more);
      }
    }
  },
};

type Loss = 'load' | 'show';

const verbPhrase = (loss: Loss, isOne: boolean): string =>
  `${isOne ? 'does' : 'do'} not ${loss === 'load' ? 'load this skill' : 'show this skill to the model'}`;

function messageOf({ cause, clients, reasons, names, isOne }: ClientDefect, loss: Loss): string {
  const [first] = reasons;
  const isSilent = reasons.every((reason) => reason.isSilent);
  const does = `${names} ${verbPhrase(loss, isOne)}${isSilent ? `, and ${isOne ? 'shows' : 'show'} no message` : ''}`;
  if (cause.kind === 'place' && cause.key === undefined) {
    const reads = clients.map((client) => `${client.name} reads ${inWords(foldersOf(client), 'and')}`);
    return `${does}. ${reads.join('; ')}. ${ADVICE.get('place') ?? ''}`;
  }
  if (cause.kind === 'place' || cause.kind === 'file-name') {
    return `${does}. ${first?.text ?? ''} ${ADVICE.get(cause.key ?? cause.kind) ?? ''}`.trim();
  }
  if (cause.kind === 'duplicate_name') return `${does}. ${first?.text ?? ''} Rename one of them.`;
  const what = describeCause(cause);
  return `${does}. ${what}. ${ADVICE.get(cause.kind) ?? ''}`.trim();
}

const ADVICE: ReadonlyMap<string, string> = new Map([
  ['place', 'Move the skill there, or remove the client from the target clients.'],
  ['depth', "Move the skill's folder."],
  ['hidden', 'Rename the folder, so that its name does not begin with a dot.'],
  ['nested', "Move the skill's folder out of that folder, or rename that file."],
  ['link', 'Replace the link with the file itself.'],
  ['file-name', 'Rename the file.'],
  ['bom', 'Save the file without it.'],
  ['crlf', 'Save the file with LF line endings.'],
  ['name_bad_chars', 'Use only the letters a to z, digits and single hyphens.'],
  ['name_too_long', 'Shorten it.'],
  ['description_too_long', 'Shorten it.'],
  ['name_reserved', 'Remove the word from the name and from the name of the folder.'],
  ['description_tags', 'Write it without them.'],
  ['unknown_key', 'Move it under `metadata`, or remove it.'],
  ['wrong_type', 'Write a value of that type.'],
  ['file_too_large', 'Move parts of it to other files.'],
  ['empty_body', 'Write the instructions in the body.'],
]);

/** The causes that the name of the folder may solve. */
const NAME_CAUSES: ReadonlySet<Cause['kind']> = new Set([
  'name_bad_chars',
  'name_consecutive_hyphens',
  'name_not_folder',
  'name_too_long',
  'name_reserved',
  'duplicate_name',
]);

function fixesOf(file: SkillFile, { kind, word }: Cause): readonly Fix[] {
  if (kind === 'bom') return fixHere(file, 'Remove the byte order mark', [{ span: span(0, 1), newText: '' }], true);
  if (kind === 'description_tags') return withoutTags(file);
  if (!NAME_CAUSES.has(kind)) return [];
  const folder = findFolderName(file);
  const isSolved = folder !== undefined && folder !== nameNode(file)?.value && !(word && folder.includes(word));
  return isSolved ? renameTo(file, [folder]) : [];
}

/** Words and characters for `<` and `>`, in the order in which they are replaced. */
const PLAIN: readonly (readonly [RegExp, string])[] = [
  [/<([A-Za-z][\w-]*)[^<>]*>([^<>]*)<\/\1>/g, '$2'],
  [/<\/?([A-Za-z][^<>]*?)\s*\/?>/g, '$1'],
  [/[-=]+>/g, '→'],
  [/<[-=]+(?=\s\D)/g, '←'],
  [/<=/g, '≤'],
  [/>=/g, '≥'],
  [/\s*<\s*(?=\d)/g, ' less than '],
  [/\s*>\s*(?=\d)/g, ' more than '],
];

/** Offers to write the description without `<` and `>`. */
function withoutTags(file: SkillFile): readonly Fix[] {
  const node = findValue(file.frontmatter.tree.root, 'description');
  if (node?.kind !== 'scalar' || typeof node.value !== 'string') return [];
  const plain = PLAIN.reduce((text, [found, better]) => text.replace(found, better), node.value);
  return /[<>]/.test(plain) ? [] : fixHere(file, 'Write it without `<` and `>`', setScalar(file.text, node, plain));
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

/** Returns whether another skill hides the skill in a client. */
const isHidden = ({ outcome, reasons }: ClientRow['loaded']): boolean =>
  outcome === 'no' && reasons.some(({ cause }) => cause?.kind === 'duplicate_name');

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
  const bases = clients.flatMap((client) => {
    const placed = placeIn(client, subject);
    return placed?.dir.path.startsWith('.') && placed.depth > 0 ? [placed.base.length] : [];
  });
  if (bases.length === 0) return undefined;
  let base = folderOf(uri);
  for (let above = subject.folders.length - Math.max(...bases); above > 0; above--) base = folderOf(base);
  return base;
}
