/** Computes the matrix, which shows how each client treats one `SKILL.md` (docs/clients.md). */

import { formatNumber } from '../../format-amounts.ts';
import { parseFrontmatter } from '../../languages/yaml/frontmatter.ts';
import { byteLength } from '../../text.ts';
import { agentSkillKeys } from '../../vocabulary/agent-skill-keys.ts';
import { folderOf } from '../../vocabulary/dialect.ts';
import type { Client, ClientDir, Fact } from '../facts/client.ts';
import { clients } from '../facts/clients.ts';
import type { Cut } from '../pipeline/entry.ts';
import type { Explainer } from '../pipeline/explain.ts';
import { allStops, type FieldType, lengthIn, readFields, typeOf } from '../pipeline/fields.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { knowsPlugin } from '../pipeline/plugin.ts';
import { isLost, type PredictedSkill, type Prediction } from '../pipeline/predict.ts';
import type { Field, Stop } from '../pipeline/reading.ts';
import { firstOf, isChoice, type Result, reasonsOf } from '../pipeline/setting.ts';
import { type Cause, describeCause, stepOf } from './causes.ts';
import {
  type Cell,
  type Chosen,
  type ClientRow,
  cell,
  type Reason,
  reasonFor,
  reasonFrom,
  reasonOf,
  type YesNo,
} from './cell.ts';
import { type ClientPlacement, placeIn, startIn } from './client-folders.ts';
import { unkeptLength } from './listed-length.ts';
import { callsOf, isOfPlugin, isReportedElsewhere, lostText, pluginText } from './plugin-texts.ts';
import { nameInClient, type SkillNamesIn, stepsOf, writtenName } from './prediction.ts';
import type { RivalGroup, Rivals } from './rivals.ts';
import { findKey, folderName, type Subject, textOf } from './subject.ts';

/** The other skills of the workspace, as a row needs them. */
export interface OtherSkills {
  /** The skill and the others that can have the same name. */
  readonly alike: readonly Subject[];
  readonly namesIn: SkillNamesIn;
  readonly rivalsIn: (client: Client) => Rivals;
  /** True if the skill is in a folder of any client. */
  readonly isPlaced: boolean;
  /** The paths of the workspace folders. */
  readonly roots: readonly string[];
  /** The names of the plugins that contain the skill. */
  readonly plugins: readonly string[];
}

/** A skill in a client, with the results of the client's steps. */
interface Case {
  readonly client: Client;
  readonly steps: Pipeline;
  readonly subject: Subject;
  readonly others: OtherSkills;
  readonly text: string;
  readonly explainer: Explainer;
  /** The place of the file in a folder of the client. */
  readonly placed: ClientPlacement | undefined;
  /** The skill and the others that the client may find together; undefined without others. */
  readonly rivals: RivalGroup | undefined;
  /** Empty if the settings of the client have too many combinations for the file. */
  readonly results: readonly Result<Prediction>[];
  /** The results that the client loads. */
  readonly skills: readonly PredictedSkill[];
}

/** Returns the row of a client. `text` is the text of the file, `explainer` explains it for all clients. */
export function rowOf(
  client: Client,
  subject: Subject,
  text: string,
  others: OtherSkills,
  explainer: Explainer,
): ClientRow {
  const placed = placeIn(client, subject);
  if (isInOtherFolder(client, placed, others.isPlaced)) {
    const found = otherFolder(client, true);
    return notLoaded(client, writtenName(client, subject), found);
  }
  const ofClient = others.rivalsIn(client);
  const rivals = ofClient.groupOf(subject, others.alike);
  const results = ofClient.predictionsFor(subject, rivals) ?? [];
  const skills = results.flatMap(({ value }) => (isLost(value) ? [] : [value]));
  const steps = stepsOf(client);
  const one: Case = { client, steps, subject, others, text, explainer, placed, rivals, results, skills };
  const name = skills[0]?.name ?? nameInClient(client, subject);
  const found = foundCell(one);
  if (found.outcome === 'no') return notLoaded(client, name, found);
  const loaded = loadedCell(one);
  if (loaded.outcome === 'no') return notLoaded(client, name, found, loaded);
  const seen = listedCell(one);
  const isSure = loaded.outcome !== 'unknown' || seen.outcome !== 'yes';
  const listed = isSure ? seen : cell<YesNo>('unknown', ...seen.reasons.map(withoutLoss));
  const start = startOf(one);
  const chosen = chosenCell(one, listed.outcome);
  const row = { client, name, found, loaded, listed, chosen, cut: cutCell(one), ignored: ignoredCell(one) };
  return start === undefined ? row : { ...row, start };
}

/** Returns the row of a client that does not find a skill, or does not load it. */
const notLoaded = (client: Client, name: string, found: Cell, loaded = NO): ClientRow => ({
  client,
  name,
  found,
  loaded,
  listed: NO,
  chosen: NOBODY,
  cut: NO,
  ignored: NO,
});

/** Returns a reason about something that is not known to happen. */
const withoutLoss = ({ isLoss: _, ...reason }: Reason): Reason => reason;

const NO: Cell = cell('no');
const NOBODY = cell<Chosen>('nobody');

/** Returns whether the model sees the skill in a list. */
export function isListed(client: Client, subject: Subject, others: Omit<OtherSkills, 'roots' | 'plugins'>): YesNo {
  if (isInOtherFolder(client, placeIn(client, subject), others.isPlaced)) return 'no';
  const ofClient = others.rivalsIn(client);
  const results = ofClient.predictionsFor(subject, ofClient.groupOf(subject, others.alike));
  return agreed((results ?? []).map(({ value }) => !isLost(value) && isShown(value)));
}

const isShown = ({ admitted: { listed } }: PredictedSkill): boolean => listed !== 'no' && listed !== 'if-file-matches';

/** Returns `yes` or `no` if all values agree; otherwise `unknown`. */
const agreed = (values: readonly boolean[]): YesNo =>
  values.length === 0 || new Set(values).size > 1 ? 'unknown' : values[0] ? 'yes' : 'no';

/** Returns why the results of a client differ, as the end of a sentence. */
function doubt({ results }: Case): string {
  const reasons = reasonsOf(results);
  if (reasons.has('unknown') || reasons.size === 0) return 'and the result is not known';
  return reasons.has('varies') ? 'and the client does not always do the same' : 'and the result depends on a setting';
}

// The column `found`.

/** Returns whether the client reads the folder of the file. A file outside of client folders is not installed yet. */
function foundCell(one: Case): Cell {
  const { client, steps, placed, subject, others } = one;
  const stops = one.results.flatMap(({ value }) => (isLost(value) && stepOf(value) === 'find' ? [value] : []));
  const [stop] = stops;
  const isSure = stops.length > 0 && stops.length === one.results.length;
  const plugin = stops.length === 0 ? others.rivalsIn(client).pluginOf(subject) : undefined;
  if (plugin) {
    const { nameOf } = others.rivalsIn(client);
    const isRival = (other: Subject): boolean =>
      other.file.plugins !== undefined && other.file.plugins[0] !== subject.file.plugins?.[0];
    const hasRival = others.alike.some((other) => isRival(other) && nameOf(other) === nameOf(subject));
    const text = pluginText(steps, plugin, subject.file, hasRival);
    return cell('yes', reasonFrom(steps, 'plugins', text, { isOpen: true }));
  }
  if (!placed && !isSure && !isOfPlugin(stop)) return outsideFolders(one);
  if (stop) {
    const text = isSure ? placeText(one, stop) : `${doubtfulPlace(one, stop)}`;
    return cell(
      isSure ? 'no' : 'unknown',
      reasonFor(steps, causeOf(one, stop), text, { ...(isSure && !isReportedElsewhere(stop) && { isLoss: true }) }),
    );
  }
  const { dir } = placed ?? {};
  if (!dir) return outsideFolders(one);
  const reads = client.framework
    ? `Its program names \`${dir.path}\` as a folder of skills`
    : `The client reads \`${dir.path}\``;
  const text = dir.conditional ? `${reads} only in some cases: ${dir.base}` : `${reads}${startText(one, dir)}`;
  return cell(
    dir.conditional ? 'unknown' : 'yes',
    reasonOf(client, withoutNote(client.dirs), text, dir.conditional ? { isOpen: true } : {}),
    ...passedReasons(one),
  );
}

/** Returns the reasons for which the client finds a file with another name, or through links. */
function passedReasons({ steps, subject: { fileName, link } }: Case): readonly Reason[] {
  const kinds = (['folder', 'file'] as const).filter((kind) => link?.[kind]);
  const named =
    fileName === 'SKILL.md'
      ? []
      : [reasonFor(steps, { code: 'find/file-name' }, `The client also reads \`${fileName}\``)];
  const linked = kinds.map((kind) => {
    const is = kind === 'file' ? 'The file' : 'Its folder';
    return reasonFor(steps, { code: 'find/link' }, `${is} is a link, and the client follows links to ${kind}s`);
  });
  return [...named, ...linked].map(({ cause: _, ...reason }) => reason);
}

/** Returns why a client does not find a file, as a sentence without a period. */
function placeText(one: Case, stop: Stop): string {
  const { subject, steps, others, placed } = one;
  const { code } = stop;
  const { dir, depth = 0, hidden } = placed ?? {};
  const below = subject.folders.slice(subject.folders.length - depth);
  const where = `\`${dir?.path}\``;
  switch (code) {
    case 'find/depth': {
      const levels = depth === 0 ? 'directly in' : `${depth} folders below`;
      const most = steps.find.folders.find(({ path }) => path === dir?.path)?.depth ?? steps.find.depth;
      const wanted = depth === 0 || most === 1 ? 'one folder' : `at most ${String(most)} folders`;
      return `The file is ${levels} ${where}, but must be ${wanted} below it`;
    }
    case 'find/hidden':
      return `The client ignores folders below ${where} that begin with a dot, such as \`${hidden}\``;
    case 'find/below-skill':
      return `It is hidden by \`${skillAbove(subject, below, others)}\`, because the client does not search the folder of a \`SKILL.md\` for others`;
    case 'find/link': {
      const kind = subject.link?.folder && steps.find.folderLinks !== 'yes' ? 'folder' : 'file';
      return `${kind === 'file' ? 'The file' : 'Its folder'} is a link, and the client ignores ${linkRule(steps, kind)}`;
    }
    case 'find/left-out':
      return leftOutText(below);
    case 'find/file-name':
      return 'The client reads only `SKILL.md`';
    case 'find/plugin-refused':
    case 'find/plugin-name':
    case 'find/plugin-root':
    case 'find/plugin-no-root':
    case 'find/plugin-other':
    case 'find/plugin-depth':
    case 'find/plugin-path':
    case 'find/plugin-command':
      return lostText(steps, subject.file, stop);
    default:
      return describeCause({ code, ...(code === 'find/too-large' && fileSize(one)) });
  }
}

/** Returns that a client does not search one of some folders. */
function leftOutText(below: readonly string[]): string {
  const spaced = below.find((name) => name.includes('  '));
  if (spaced !== undefined) return 'The name of the folder has two spaces in a row, and the client does not find it';
  if (below.length === 1) return `The client does not search the folder \`${below[0]}\``;
  return `The client does not search one of the folders ${below.map((name) => `\`${name}\``).join(', ')}`;
}

/** Returns the links that a client ignores. */
function linkRule({ find: { folderLinks, fileLinks } }: Pipeline, kind: 'folder' | 'file'): string {
  const rule = kind === 'folder' ? folderLinks : fileLinks;
  return rule === 'inside' || rule === 'in-place' ? `links to ${kind}s elsewhere` : `links to ${kind}s`;
}

const DOUBTFUL: ReadonlyMap<string, string> = new Map([
  ['find/depth', 'how deep the client searches its folder'],
  ['find/hidden', 'whether the client searches folders that begin with a dot'],
  ['find/below-skill', 'whether the client searches the folder of a `SKILL.md` for others'],
  ['find/link', 'whether the client follows links'],
  ['find/left-out', 'whether the client searches this folder'],
  ['find/file-name', 'whether the client reads a file with this name'],
  ['find/plugin-root', 'whether the client loads a `SKILL.md` in the root of a plugin'],
  ['find/plugin-other', 'whether the client loads skills beside a `SKILL.md` in their folder'],
  ['find/plugin-depth', 'how deep the client searches the folders of a plugin'],
]);

function doubtfulPlace({ results }: Case, { code }: Stop): string {
  const varies = reasonsOf(results).has('varies');
  return `${varies ? 'It varies' : 'It is not known'} ${DOUBTFUL.get(code) ?? 'whether the client finds the file'}`;
}

/** Returns the path of the `SKILL.md` in a folder above that of a file, from the client's folder. */
function skillAbove({ uri, folders }: Subject, below: readonly string[], { namesIn }: OtherSkills): string {
  let folder = folderOf(uri);
  for (let up = 1; up <= below.length; up++) {
    folder = folderOf(folder);
    const [name] = namesIn(folder);
    if (name !== undefined) return [...folders.slice(0, folders.length - up).slice(-3), name].join('/');
  }
  return 'SKILL.md';
}

/**
 * Returns the path of the folder that a client must open to find a skill, relative to the workspace folder; undefined if
 * that is the workspace folder itself or one above it.
 */
function startOf({ placed, others: { roots } }: Case): string | undefined {
  const start = startIn(placed, roots);
  const root = roots.find((one) => start?.startsWith(`${one}/`));
  return root === undefined ? undefined : start?.slice(root.length + 1);
}

/** Returns which folder the client must open to read a folder of skills, as the end of a sentence. */
function startText(one: Case, { at, path }: ClientDir): string {
  const start = startOf(one);
  if (start === undefined) {
    if (at === 'upward') return ' in the folder that it opens and in its parents';
    return at === 'root' ? ' in the folder that it opens' : '';
  }
  const isBelow = one.client.dirs.value.some((dir) => dir.at === 'below' && dir.path === path);
  const opens = at === 'root' ? `\`${start}\`` : `\`${start}\` or a folder in it`;
  return isBelow
    ? `: it finds the skill if it opens ${opens}, or after it reads a file there`
    : `: it finds the skill only if it opens ${opens}`;
}

const FOLDERS: ReadonlyMap<Client, readonly string[]> = new Map(clients.map((client) => [client, readFolders(client)]));

/** Returns the folders of a workspace that the client always reads. */
export const foldersOf = (client: Client): readonly string[] => FOLDERS.get(client) ?? readFolders(client);

function readFolders({ dirs }: Client): readonly string[] {
  const isRead = ({ at, conditional }: ClientDir): boolean => at !== 'home' && at !== 'elsewhere' && !conditional;
  return [...new Set(dirs.value.filter(isRead).map(({ path }) => path))];
}

/** Returns a fact without its note, because the notes on a client's folders are about other folders. */
const withoutNote = ({ source, certainty }: Fact<unknown>) => ({ source, ...(certainty && { certainty }) });

/** Returns whether a file is in a folder of other clients, and not in one of this client. */
export const isInOtherFolder = (client: Client, placed: ClientPlacement | undefined, isPlaced: boolean): boolean =>
  isPlaced && !placed && foldersOf(client).length > 0;

/** The cells about a file that is not in a folder of the client. */
const OTHER_FOLDER: ReadonlyMap<Client, { readonly placed: Cell; readonly unplaced: Cell }> = new Map(
  clients.map((client) => [client, { placed: otherFolderOf(client, true), unplaced: otherFolderOf(client, false) }]),
);

const otherFolder = (client: Client, isPlaced: boolean): Cell =>
  OTHER_FOLDER.get(client)?.[isPlaced ? 'placed' : 'unplaced'] ?? otherFolderOf(client, isPlaced);

/** Returns the cell about a file that is in no folder of the client. The skill of a plugin is not read from its folder. */
function outsideFolders({ client, steps, subject: { file }, others: { isPlaced, plugins } }: Case): Cell {
  const [plugin] = plugins;
  if (!isPlaced && knowsPlugin(steps.plugins, file)) {
    const cause: Cause = { code: 'find/plugin-path' };
    const text = `${lostText(steps, file, cause)}. A client finds it only after it is installed in another folder`;
    return cell('unknown', reasonFor(steps, cause, text, { isOpen: true }));
  }
  if (isPlaced || plugin === undefined) return otherFolder(client, isPlaced);
  const text = `The skill is a part of the plugin \`${plugin}\`. A client loads it with the plugin, if it supports and installs it, and not from this folder`;
  return cell('unknown', reasonOf(client, withoutNote(client.dirs), text, { isOpen: true }));
}

function otherFolderOf(client: Client, isPlaced: boolean): Cell {
  const isKnown = isPlaced && foldersOf(client).length > 0;
  const list = foldersOf(client)
    .map((folder) => `\`${folder}\``)
    .join(', ');
  const { framework } = client;
  const none = framework
    ? `Only its program knows the folder, here in ${framework.names}. \`${client.id}:FOLDER\` as the client names it`
    : 'The client does not read folders in a workspace';
  const reads = list === '' ? none : `In a workspace, the client reads ${list}`;
  const isNamed = framework !== undefined && list === '';
  const text =
    isPlaced || isNamed
      ? reads
      : `No client reads this folder. A client finds the skill only after it is installed in another folder. ${reads}`;
  return cell(
    isKnown ? 'no' : 'unknown',
    reasonOf(
      client,
      withoutNote(client.dirs),
      text,
      isKnown ? { cause: { code: 'find/folder' }, isLoss: true } : { isOpen: true },
    ),
  );
}

/** Returns true if the file is in a folder of any client. */
export const isPlacedAnywhere = (subject: Subject): boolean =>
  clients.some((client) => {
    const placed = placeIn(client, subject);
    return placed !== undefined && !placed.dir.conditional;
  });

// The column `loaded`.

/** Returns the cause of a stop, with its place and a sentence if the code does not say everything. */
function causeOf(one: Case, stop: Stop): Cause {
  const { steps, subject, results, explainer } = one;
  const { code, key } = stop;
  const of = key === undefined ? {} : { key };
  const step = stepOf(stop);
  if (step === 'open' || step === 'parse') {
    const picks = results.find(({ value }) => isLost(value) && value.code === code)?.picks[0];
    const { step: _, ...explained } = explainer.explain(steps, stop, picks);
    return withText(subject, explained);
  }
  if (code === 'fields/reserved') {
    const name = textOf(subject, 'name')?.text ?? '';
    const { reserved, reservedWords = [] } = steps.fields.name;
    const word = [...reserved, ...reservedWords].find((one) => name.toLowerCase().includes(one));
    return { code, ...of, ...(word !== undefined && { text: `The \`name\` contains the reserved word \`${word}\`` }) };
  }
  if (code === 'find/too-large') return { code, ...fileSize(one) };
  const [read] = subject.file.readings(steps) ?? [];
  const field = read && !('code' in read.value) ? read.value.keys.get(key ?? '') : undefined;
  const isText = key === 'name' || key === 'description';
  if (code === 'fields/type') return { code, ...of, ...(field && isText && { text: valueText(key, field) }) };
  if (code === 'fields/length') return { code, ...of, ...(field && lengthOf(steps, key ?? '', field)) };
  if (code !== 'fields/missing' && code !== 'admit/missing') return { code, ...of };
  const reading = results.find(({ value }) => (isLost(value) ? value.code : value.admitted.hidden?.code) === code);
  const explained = explainer.explain(steps, stop, reading?.picks[0]);
  if (explained.step === 'open' || explained.step === 'parse')
    return withText(subject, { code: explained.code, at: explained.at });
  return { code, ...of, ...(field && { text: valueText(key ?? '', field) }) };
}

/** Returns the size of a file that is larger than a client allows. */
function fileSize({ steps, text }: Case): Pick<Cause, 'size'> {
  const { maxBytes } = steps.find;
  const amount = byteLength(text);
  return typeof maxBytes === 'number' && amount > maxBytes ? { size: { amount, most: maxBytes, unit: 'bytes' } } : {};
}

/** Returns the length of a value that is longer than a client allows; nothing if the limit is not known. */
function lengthOf({ fields }: Pipeline, key: string, { value, text }: Field): Pick<Cause, 'size'> {
  const max = key === 'name' || key === 'description' ? fields[key].max : fields.lengths?.[key];
  const { counts = 'code-points' } = fields;
  const written = typeof value === 'string' ? value : text;
  if (typeof max !== 'number' || isChoice(counts) || written === undefined) return {};
  const amount = lengthIn(written, counts);
  if (amount <= max) return {};
  const isOther = counts === 'code-units' && amount !== lengthIn(written, 'code-points');
  return {
    size: { amount, most: max, unit: counts === 'bytes' ? 'bytes' : isOther ? 'UTF-16 code units' : 'characters' },
  };
}

/** Returns a cause in the first lines of a file, with a sentence if the code does not say everything. */
function withText({ facts }: Subject, cause: Cause & { readonly at: number }): Cause {
  if (cause.code === 'open/no-frontmatter' && cause.at > 0)
    return { ...cause, text: 'The first line is not exactly `---`' };
  const isOnlyOfClient = cause.code === 'parse/syntax' && facts.yaml === 'fine';
  return isOnlyOfClient ? { ...cause, text: 'This YAML is valid, but not all programs can read it' } : cause;
}

/** Returns why the value of a key does not count. */
function valueText(key: string, field: Field): string {
  const { value } = field;
  if (value === null || (typeof value === 'string' && value.trim() === '' && !field.isDate))
    return `The \`${key}\` is empty`;
  return `\`${key}\` must be text, but is read as ${TYPE_NAMES[typeOf(field)]}`;
}

const TYPE_NAMES: Readonly<Record<FieldType, string>> = {
  ...{ string: 'text', number: 'a number', boolean: 'a boolean', date: 'a date' },
  ...{ list: 'a list', map: 'a map of keys to values', null: 'empty' },
};

/** Returns whether the client loads the file. */
function loadedCell(one: Case): Cell {
  const { client, steps, results } = one;
  if (results.length === 0)
    return cell(
      'unknown',
      reasonOf(client, withoutNote(client.dirs), 'It is not known how the client reads such a file'),
    );
  const stops = results.flatMap(({ value }) => (isLost(value) && stepOf(value) !== 'find' ? [value] : []));
  // The column `found` says whether a file is found.
  const found = results.filter(({ value }) => !isLost(value) || stepOf(value) !== 'find');
  const isLoaded = agreed(found.map(({ value }) => !isLost(value)));
  const all = isLoaded === 'no' ? [...stops, ...laterStops(one, stops)] : stops;
  const distinct = [...new Map(all.map((stop) => [`${stop.code} ${stop.key ?? ''}`, stop])).values()];
  const remarks = one.skills.length > 0 ? remarksOf(one) : [];
  if (isLoaded === 'yes') return cell('yes', ...remarks);
  const ofFile = distinct.filter((stop) => isOfFile(one, stop));
  const shown = isLoaded === 'unknown' && ofFile.length > 0 ? ofFile : distinct;
  const because = shown.map((stop) => {
    if (stop.code === 'resolve/equal-name') return equalNameReason(one, isLoaded === 'no' ? 'hidden' : 'unknown');
    const cause = causeOf(one, stop);
    if (isLoaded === 'unknown') return reasonFor(steps, cause, `${describeCause(cause)}, ${doubt(one)}`);
    const isSilent = isSilentAbout(steps, stop);
    return reasonFor(steps, cause, `${describeCause(cause)}, ${lossText(steps, isSilent)}`, { isLoss: true, isSilent });
  });
  const isFirst = ({ text }: Reason, at: number) => because.findIndex((reason) => reason.text === text) === at;
  return cell(isLoaded, ...because.filter(isFirst));
}

/** Returns false if a stop is not true of the file, but of the part that remains after an earlier stop. */
function isOfFile({ subject: { facts }, text }: Case, { code }: Stop): boolean {
  switch (code) {
    case 'open/unclosed':
      return facts.frontmatter === 'unclosed';
    case 'parse/not-a-map':
      return facts.keys.length === 0;
    case 'fields/body':
      return facts.frontmatter !== 'unclosed' && text.slice(parseFrontmatter(text).bodyStart).trim() === '';
    default:
      return true;
  }
}

/** Returns the further reasons for which the client drops a file, if it stops at the step `fields` for sure. */
function laterStops({ steps, subject }: Case, stops: readonly Stop[]): readonly Stop[] {
  const [read, ...others] = subject.file.readings(steps) ?? [];
  if (!read || others.length > 0 || 'code' in read.value || stops.some((stop) => stepOf(stop) !== 'fields')) return [];
  return allStops(steps.fields, subject.file.path, read.value, firstOf);
}

function lossText({ uploads }: Pipeline, isSilent: boolean): string {
  if (uploads) return 'so the upload is refused';
  return `so the skill is not loaded${isSilent ? ', and the client shows no message' : ''}`;
}

/** Returns whether a client is known to show no message about a stop. */
const isSilentAbout = ({ silent = [] }: Pipeline, stop: Stop): boolean =>
  [stop.code, stepOf(stop), `${stop.code} ${stop.key ?? ''}`].some((one) => silent.includes(one));

/** Returns what the client does about a file that it loads. */
function remarksOf(one: Case): readonly Reason[] {
  const { steps, subject, results, explainer } = one;
  const remarks: Reason[] = [];
  const repaired = results.find(({ value }) => !isLost(value) && value.isRepaired);
  if (repaired && !isLost(repaired.value)) {
    const { code, at } = explainer.explain(steps, { code: 'fields/missing' }, repaired.picks[0]);
    if (code !== 'fields/missing') {
      const cause = withText(subject, { code, at });
      const said = describeCause(cause);
      remarks.push(
        repaired.value.isBodyOnly
          ? reasonFor(steps, cause, `${said}, so the skill is only partly loaded`)
          : reasonFrom(steps, 'parse.repair', `${said}, which the client fixes automatically`, { cause }),
      );
    }
  }
  const isBodyOnly = repaired !== undefined && !isLost(repaired.value) && repaired.value.isBodyOnly;
  const isNameless = !isBodyOnly && !textOf(subject, 'name') && steps.fields.name.from === 'key-or-folder';
  if (isNameless) {
    const cause: Cause = { code: 'fields/missing', key: 'name' };
    remarks.push(reasonFor(steps, cause, `${describeCause(cause)}, so the client uses the name of the folder`));
  }
  const warned = warningOf(one);
  if (warned)
    remarks.push(reasonFor(steps, warned, `${describeCause(warned)}, and the skill is loaded with a warning`));
  return remarks;
}

/** Returns the cause of a warning with which the client loads a file; undefined if it shows none. */
function warningOf({ steps, subject }: Case): Cause | undefined {
  const { warns } = steps;
  const [reading] = subject.file.readings(steps) ?? [];
  if (!warns || !reading || 'code' in reading.value) return undefined;
  const { name, description } = steps.fields;
  const rules = {
    ...steps.fields,
    name: { ...name, ...warns.name },
    description: { ...description, ...warns.description },
  };
  const results = readFields(rules, subject.file.path, reading.value, firstOf);
  return 'code' in results ? { code: results.code, ...(results.key !== undefined && { key: results.key }) } : undefined;
}

/** Returns the reason about another skill with the same name. */
function equalNameReason(
  { client, steps, subject, rivals, results }: Case,
  outcome: 'stays' | 'hidden' | 'unknown',
): Reason {
  const name = nameInClient(client, subject);
  const same = (rivals?.named(name) ?? []).filter(({ uri }) => uri !== subject.uri);
  const ends = {
    stays: steps.resolve.equalNames === 'both' ? 'and both are listed' : 'and the client uses this one',
    hidden: 'and that one is used instead',
    unknown: 'and it is not known which one the client uses',
  };
  const [winner] = results.flatMap(({ value }) => (isLost(value) ? (value.by ?? []) : []));
  const other = (outcome === 'hidden' && same.find(({ file }) => file.path === winner)) || same[0];
  const where = other?.folders.slice(-3).join('/') ?? '';
  // Copies of a skill for several clients intentionally have the same folder name.
  const isCopy = same.length > 0 && same.every((other) => mayBeCopy(subject, other));
  return reasonFor(
    steps,
    { code: 'resolve/equal-name', key: 'name' },
    `\`${name}\` is also in \`${where}\`, ${ends[outcome]}`,
    { ...(outcome === 'hidden' && { isLoss: true }), ...(isCopy && { isIntended: true }) },
  );
}

/** Returns whether two skills have the same folder name, and descriptions with common words. */
function mayBeCopy(subject: Subject, other: Subject): boolean {
  if (folderName(other) !== folderName(subject)) return false;
  const [own, theirs] = [subject, other].map(
    (one) =>
      new Set(
        textOf(one, 'description')
          ?.text.toLowerCase()
          .match(/[\p{L}\p{M}\p{N}]{4,}/gu),
      ),
  );
  if (!own?.size || !theirs?.size) return true;
  const shared = [...own].filter((word) => theirs.has(word)).length;
  return shared >= Math.min(own.size, theirs.size) * SHARE_OF_COPIES;
}

/** The smallest share of the words of a description that a copy of it has. */
const SHARE_OF_COPIES = 0.3;

// The column `listed`.

/** Returns whether the model sees the skill in the list that it chooses from. */
function listedCell(one: Case): Cell {
  const { steps, subject, skills, rivals } = one;
  const outcome = agreed(skills.map(isShown));
  if (outcome !== 'yes') {
    const hidden = skills.find((skill) => !isShown(skill));
    return cell(outcome, ...(hidden ? hiddenReasons(one, hidden, outcome === 'no') : []));
  }
  const [skill] = skills;
  const hasRivals = skill && rivals?.named(skill.name).some(({ uri }) => uri !== subject.uri);
  const isDecided = !one.results.some(({ value }) => isLost(value) && value.code === 'resolve/equal-name');
  const shared = hasRivals ? [equalNameReason(one, isDecided ? 'stays' : 'unknown')] : [];
  if (skills.some(({ shows }) => shows === 'description') || steps.entry.line?.includes('{description}') === false)
    return cell('yes', ...shared);
  const cause = lostDescription(one);
  const instead =
    skill?.shows === 'other-text' ? 'another text instead of its description' : 'the skill without its description';
  const text = `${describeCause(cause)}, so the list contains ${instead}`;
  // Text of the body in place of a description is a choice of the author, unless the client does not read the frontmatter.
  const isLoss = skill?.shows === 'nothing' || stepOf(cause) !== 'fields';
  return cell('yes', reasonFor(steps, cause, text, { ...(isLoss && { isLoss }) }), ...shared);
}

/** Returns why the list contains a skill without its description. */
function lostDescription(one: Case): Cause {
  const { steps, results, explainer } = one;
  const key = 'description';
  const body = results.find(({ value }) => !isLost(value) && value.isBodyOnly);
  if (!body) return causeOf(one, { code: 'fields/missing', key });
  const { code, at } = explainer.explain(steps, { code: 'fields/missing', key }, body.picks[0]);
  return stepOf({ code }) === 'fields'
    ? causeOf(one, { code: 'fields/missing', key })
    : withText(one.subject, { code, at });
}

function hiddenReasons(one: Case, { admitted }: PredictedSkill, isSure: boolean): readonly Reason[] {
  const { steps, subject } = one;
  const { hidden, listed } = admitted;
  if (!hidden) return [];
  const { key = '' } = hidden;
  if (listed === 'if-file-matches' || admitted.model === 'if-file-matches') {
    const text = `The skill is in the list only after the client reads a matching file, because it has \`${key}\``;
    return [{ ...reasonFor(steps, hidden, text, { isIntended: true, isOpen: true }) }];
  }
  if (hidden.code === 'admit/missing') {
    const cause = causeOf(one, hidden);
    const text = `${describeCause(cause)}, ${isSure ? 'so the model does not see the skill' : doubt(one)}`;
    return [reasonFor(steps, cause, text, { ...(isSure && { isLoss: true }) })];
  }
  const { openAi } = subject.file;
  if (hidden.code === 'admit/side-file') {
    const text = `\`${key}: ${openAi?.value}\` in \`agents/openai.yaml\` removes the skill from the list`;
    return [reasonFor(steps, { code: hidden.code }, text, { isIntended: true })];
  }
  const written = findKey(subject, key)?.text ?? '';
  const text = `\`${key}: ${written}\` removes the skill from the list`;
  return [reasonFor(steps, hidden, text, { isIntended: true })];
}

// The column `chosen`.

/** Returns whether the model can choose the skill, people can call it by its name, or both. */
function chosenCell(one: Case, listed: YesNo): Cell<Chosen> {
  const { client, steps, skills } = one;
  const { byName } = client;
  const byPaths = skills.find(({ admitted }) => [admitted.listed, admitted.model].includes('if-file-matches'));
  if (listed === 'no' && byPaths) {
    const key = byPaths.admitted.hidden?.key ?? 'paths';
    const text = `The model can choose the skill after that, because it has \`${key}\``;
    const cause: Cause = { code: 'admit/key', key };
    return cell('model', reasonFor(steps, cause, text, { isIntended: true, isOpen: true }));
  }
  const isOff = skills.length > 0 && skills.every(({ admitted }) => admitted.person === 'no');
  const taken = isOff ? undefined : uncallable(one);
  const byPeople = isOff || taken ? 'no' : byName.value;
  const known = byPeople === 'yes' ? `People can call the skill ${callsOf(steps, skills[0])}` : PEOPLE_UNKNOWN;
  const reason = isOff ? notForPeople(one) : (taken ?? reasonOf(client, byName, known));
  if (listed === 'unknown') return cell('unknown', reason);
  if (listed === 'yes') return cell(byPeople === 'yes' ? 'model-or-name' : 'model', reason);
  return cell(byPeople === 'yes' ? 'name' : byPeople === 'no' ? 'nobody' : 'unknown', reason);
}

const PEOPLE_UNKNOWN = 'It is not known whether people can call the skill';

/** Returns the reason for which the keys of a skill keep people from calling it. */
function notForPeople({ steps, subject }: Case): Reason {
  const rules = steps.admit.rules.filter(({ key, answers }) => answers.person === 'no' && findKey(subject, key));
  const name = rules.at(-1)?.key ?? 'user-invocable';
  const cause: Cause = { code: 'admit/key', key: name };
  return reasonFor(steps, cause, `\`${name}\` keeps people from calling the skill by its name`, { isIntended: true });
}

/** Returns the reason for which people cannot call a skill with this name. */
function uncallable({ client, subject, skills }: Case): Reason | undefined {
  const fact = client.uncallable;
  const name = fact ? (skills[0]?.name ?? nameInClient(client, subject)) : '';
  return fact?.value.includes(name)
    ? reasonOf(client, fact, `People cannot call a skill named \`${name}\``, {
        cause: { code: 'call/name', key: 'name' },
        isLoss: true,
      })
    : undefined;
}

// The columns `cut` and `ignored`.

/** Returns whether the client cuts the description for the model. The list budget is handled separately. */
function cutCell(one: Case): Cell {
  const skills = one.skills.filter(isShown);
  const name = nameCut(one);
  const [kept = name] = skills.flatMap((skill) => skill.cut ?? []);
  if (!kept) return NO;
  const isSure = kept === name || skills.every((skill) => skill.cut !== undefined);
  const unkept = kept === name ? 0 : unkeptLength(one.client, one.subject).characters;
  const cut = { ...kept, of: kept.of + unkept };
  const cause: Cause = { code: cut.isLine ? 'entry/lines' : 'entry/cut', key: cut.key, cut };
  const shown = `${formatNumber(cut.to)} of ${formatNumber(cut.of)} characters`;
  const end = isSure ? `so the model sees ${shown}` : doubt(one);
  return cell(
    isSure ? 'yes' : 'unknown',
    reasonFor(one.steps, cause, `${describeCause(cause)}, ${end}`, { ...(isSure && { isLoss: true }) }),
  );
}

/** Returns the cut of a name that is too long for the client. */
function nameCut({ steps, subject, results }: Case): Cut | undefined {
  const { cut } = steps.fields.name;
  const written = textOf(subject, 'name');
  const isCut = results.some(({ value }) => !isLost(value) && isStartOf(value.name, written?.text ?? ''));
  if (typeof cut !== 'number' || !written || !isCut || written.length.characters <= cut) return undefined;
  return { key: 'name', to: cut, of: written.length.characters };
}

const isStartOf = (start: string, whole: string): boolean => start.length < whole.length && whole.startsWith(start);

/** Returns the parts that have no effect: keys that the client does not read, and a name that the client replaces. */
function ignoredCell(one: Case): Cell {
  const { client, subject } = one;
  const tools = allowedTools(client, subject);
  const isToolsKnown = client.allowedTools.value !== 'unknown';
  const { isKnown, reasons: keys } = unknownKeys(one);
  const ignored = [...(tools && isToolsKnown ? [tools] : []), ...renamed(one), ...(isKnown ? keys : [])];
  const unknown = [...(tools && !isToolsKnown ? [tools] : []), ...(isKnown ? [] : keys)];
  if (ignored.length > 0) return cell('yes', ...ignored);
  return unknown.length > 0 ? cell('unknown', ...unknown) : cell('no');
}

/** Returns the reason if the client uses another name than the file says, and does not show the one in the file. */
function renamed(one: Case): readonly Reason[] {
  const written = textOf(one.subject, 'name')?.text.trim();
  const skills = one.skills.filter(({ isRepaired }) => !isRepaired);
  const [skill] = skills;
  // The name of a plugin before it is an addition.
  const isOther =
    skills.every(({ name, label }) => name !== written && !name.endsWith(`:${written}`) && label === undefined) &&
    !nameCut(one);
  if (written === undefined || !skill || !isOther) return [];
  const isFolder = skill.name === folderName(one.subject);
  const cause: Cause = {
    code: 'fields/renamed',
    key: 'name',
    ...(!isFolder && { text: 'The `name` has characters that the client replaces' }),
  };
  return [
    reasonFor(one.steps, cause, `The client uses the name \`${skill.name}\` instead of this one`, { isLoss: true }),
  ];
}

/** Returns the reasons about keys that the client does not read. */
function unknownKeys({ client, subject }: Case): { readonly isKnown: boolean; readonly reasons: readonly Reason[] } {
  const fact = client.unknownKeys;
  if (fact.value === 'refused' || subject.facts.yaml !== 'fine') return { isKnown: true, reasons: [] };
  const isKnown = fact.value !== 'unknown';
  const names = subject.facts.keys.flatMap(({ name }) => (isKeyOf(client, name) ? [] : [name]));
  const reasons = names.map((key) =>
    reasonOf(
      client,
      fact,
      isKnown
        ? `\`${key}\` has no effect${fact.value === 'warned' ? ', and the client shows a warning' : ''}`
        : `It is not known whether the client reads \`${key}\``,
      { cause: { code: 'keys/unknown', key } },
    ),
  );
  return { isKnown, reasons };
}

const standardNames: ReadonlySet<string> = new Set(agentSkillKeys.map(({ name }) => name));

const isKeyOf = (client: Client, name: string): boolean =>
  standardNames.has(name) || name.startsWith('x-') || client.keys.some((key) => key.name === name);

function allowedTools(client: Client, subject: Subject): Reason | undefined {
  const { allowedTools: fact } = client;
  if (fact.value === 'grants' || !findKey(subject, 'allowed-tools')) return undefined;
  const text =
    fact.value === 'unknown'
      ? 'The effect of `allowed-tools` is not known'
      : '`allowed-tools` does not grant permissions';
  return reasonOf(client, fact, text, { cause: { code: 'keys/no-effect', key: 'allowed-tools' } });
}
