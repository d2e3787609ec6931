/**
 * Plans the conversion of skills to folders with a `SKILL.md` for clients (docs/sharing.md): converts each skill, and
 * compares the results with the files on disk. The command line and the editor call the same functions.
 */

import type { Analysis } from '../../analysis/analysis.ts';
import { sourcesDigest } from '../../analysis/package-of.ts';
import { targetsBeside } from '../../analysis/targets.ts';
import type { Client } from '../../clients/facts/client.ts';
import { findClient } from '../../clients/facts/clients.ts';
import { foldersForClients, isInFolderItself, skillsFolderOf } from '../../clients/matrix/client-folders.ts';
import { isFoundInPlace, stepsOf } from '../../clients/matrix/prediction.ts';
import { type Subject, subjectOf } from '../../clients/matrix/subject.ts';
import { knownOf, OBSERVED } from '../../clients/pipeline/pipeline.ts';
import {
  type Conversion,
  type Converted,
  type LinkedFile,
  type Loss,
  type MissingSkill,
  NO_SPAN,
} from '../../exchange/conversion.ts';
import { convert } from '../../exchange/convert.ts';
import { isOtherSkill } from '../../exchange/skill-to-agent-skill.ts';
import type { FileToWrite } from '../../io/files.ts';
import { isUserError, UserError } from '../../io/user-error.ts';
import type { LinkToWrite } from '../../io/write-links.ts';
import { listed } from '../../nearest.ts';
import { collisionIn, pathProblem } from '../../packing/archive-path.ts';
import { MAX_ENTRY_BYTES, MAX_TOTAL_BYTES } from '../../packing/limits.ts';
import { firstFaultOf } from '../../rules/engine/checked-package.ts';
import { foldedPath } from '../../skill/kebab-name.ts';
import {
  fileDigest,
  type Origin,
  originOf,
  ownDigest,
  sourcePath,
  sourceUri,
  textsDigest,
  withOrigin,
} from '../../skill/origin.ts';
import { SkillFile } from '../../skill/skill-file.ts';
import { linkTargets } from '../../skill-folder/links.ts';
import { mentionedFiles } from '../../skill-folder/mentioned-files.ts';
import { type Span, span } from '../../text.ts';
import { decoded, dialectOf, fileNameOf, folderOf, resolvePath } from '../../vocabulary/dialect.ts';
import { type FolderAccess, isInsideFolder, uriAt } from './folder-access.ts';
import { type Read, reasonFor } from './source.ts';

/** A skill to convert. The text counts only for a source that the workspace does not contain, such as a record. */
export interface SkillSource {
  readonly uri: string;
  readonly text: string;
}

/** A folder that receives a folder for each skill. */
export interface TargetFolder {
  /** The path below the folder of `Emitting`; empty for this folder itself. */
  readonly path: string;
  /** The IDs of the clients that read the folder; undefined for the target clients of the catalog. */
  readonly clients: readonly string[] | undefined;
}

export interface Emitting {
  readonly folder: FolderAccess;
  readonly targetFolders: readonly TargetFolder[];
  /** True to skip skills that cannot be composed, so that their last good results stay. */
  readonly onlyGood: boolean;
  /** The URI of the user's home, which no path in a result may contain. */
  readonly home: string | undefined;
  /** Reads a file beside a source. Refuses a link, and a file that linked folders place outside the project. */
  readonly read: (uri: string, most: number) => Promise<Read>;
  /** Returns the name of a path below `folder` in messages. */
  readonly shown: (path: string) => string;
  /** Returns the name of a source in messages. */
  readonly fileOf: (uri: string) => string;
}

/**
 * The state of a target. `incomplete`: it is current, except for files whose originals are gone; `taken`: it contains
 * files that were not converted from this source; `failed`: the source cannot be converted.
 */
export type TargetState = 'missing' | 'current' | 'incomplete' | 'outdated' | 'edited' | 'taken' | 'failed';

/** The conversion of a skill for one folder, and what writing it would change. */
export interface PlannedSkill {
  readonly source: string;
  /** The path of the `SKILL.md`; of the source if the conversion failed. */
  readonly path: string;
  readonly state: TargetState;
  /** Why the target is not written without `force`, or not at all. */
  readonly problem?: string;
  /** How to solve the problem on the command line. */
  readonly advice?: string;
  /** The span of the problem in the source. */
  readonly span?: Span;
  /** True if the target is written with `force`. */
  readonly isForcible: boolean;
  /** True if the other plans are written although this one has a problem. */
  readonly isOptional?: boolean;
  readonly losses: readonly Loss[];
  /** The link to create instead of a copy. */
  readonly link?: LinkToWrite | undefined;
  readonly write: readonly FileToWrite[];
  readonly same: readonly FileToWrite[];
  readonly remove: readonly string[];
  /** The files of the last conversion that are no longer part of the result, and the clause why they are not removed. */
  readonly kept: readonly { readonly path: string; readonly why: string }[];
  /** The originals that are gone although the source refers to them, so that their last copies are kept. */
  readonly gone: readonly GoneProblem[];
  /** The URIs of the files that the skill links to. */
  readonly linked: readonly string[];
  /** The digests of the files at the target that the plan depends on. */
  readonly before: ReadonlyMap<string, string>;
}

export interface GoneProblem {
  readonly problem: string;
  /** The span of the reference in the source. */
  readonly span: Span;
}

/** Returns the folders for clients below a project. Throws a `UserError` if a client reads no folder of a project. */
export function targetFoldersFor(clients: readonly Client[]): readonly TargetFolder[] {
  const folders = foldersForClients(clients);
  if ('without' in folders) {
    const { name, id } = folders.without;
    throw new UserError(
      `No folder of a project is read by ${name}. Remove \`${id}\`, or use \`--out DIR\` and upload the result.`,
    );
  }
  return folders.map(({ path, clients: readers }) => ({ path, clients: readers.map(({ id }) => id) }));
}

/** Converts each source for each folder, and compares the results with the files at their paths. Writes nothing. */
export async function planSkills(
  emitting: Emitting,
  analysis: Analysis,
  sources: readonly SkillSource[],
): Promise<readonly PlannedSkill[]> {
  const plans: PlannedSkill[] = [];
  for (const target of emitting.targetFolders) {
    for (const source of sources) {
      const plan = await planSkill(emitting, analysis, source, target).catch((error: unknown) => {
        if (!isUserError(error)) throw error;
        return failedPlan(emitting, source, error.message);
      });
      plans.push(plan);
    }
  }
  return withoutClashes(emitting, plans);
}

/**
 * Returns the plans with a problem for those whose path another plan has. A skill keeps the path at which it already is.
 */
function withoutClashes(emitting: Emitting, plans: readonly PlannedSkill[]): readonly PlannedSkill[] {
  const isInPlace = ({ source, path }: PlannedSkill): boolean => uriAt(emitting.folder, path) === source;
  const owners = new Map<string, PlannedSkill>();
  for (const plan of [...plans.filter(isInPlace), ...plans]) {
    const key = foldedPath(plan.path);
    if (plan.state !== 'failed' && !owners.has(key)) owners.set(key, plan);
  }
  return plans.map((plan) => {
    const owner = owners.get(foldedPath(plan.path));
    if (plan.state === 'failed' || owner === undefined || owner === plan) return plan;
    const isShared = dialectOf(plan.source) === 'agent-skill';
    const [one, other] = [owner, plan].map(({ source }) => `\`${emitting.fileOf(source)}\``);
    return {
      ...{ ...plan, ...NOTHING, link: undefined, state: 'taken', isForcible: false },
      problem: `Two results have the name \`${plan.path}\`: those of ${one} and ${other}.`,
      advice: isShared ? 'Rename one of the two skills.' : 'Convert each file with its own `--out` folder.',
      ...(isShared && { isOptional: true }),
    };
  });
}

const NOTHING = {
  losses: [],
  linked: [],
  write: [],
  same: [],
  remove: [],
  kept: [],
  gone: [],
  before: new Map<string, string>(),
} as const;

export const failedPlan = (
  { fileOf }: Emitting,
  { uri }: SkillSource,
  problem: string,
  span?: Span,
): PlannedSkill & { readonly problem: string } => ({
  ...NOTHING,
  source: uri,
  path: fileOf(uri),
  state: 'failed',
  isForcible: false,
  problem,
  ...(span && { span }),
});

async function planSkill(
  emitting: Emitting,
  analysis: Analysis,
  source: SkillSource,
  targetFolder: TargetFolder,
): Promise<PlannedSkill> {
  if (dialectOf(source.uri) === 'agent-skill') return planShare(emitting, analysis, source, targetFolder);
  const { path: targetPath, clients } = targetFolder;
  const converted: Conversion = convert(source, 'agent-skill', analysis, clients);
  if ('problem' in converted) return failedPlan(emitting, source, converted.problem, converted.span);
  const fault = emitting.onlyGood ? firstFaultOf(analysis, source.uri) : undefined;
  if (fault) {
    return fault.uri === source.uri
      ? failedPlan(emitting, source, fault.message, fault.span)
      : failedPlan(emitting, source, `\`${emitting.fileOf(fault.uri)}\`: ${fault.message}`);
  }
  const below = (path: string): string => (targetPath === '' ? path : `${targetPath}/${path}`);
  const main = below(converted.files[0]?.path ?? '');
  const base = folderOf(main);
  const losses = [...converted.losses];
  const named = [...(converted.linked ?? []), ...namedFiles(analysis, source, converted)];
  const linked = named.map(({ from }) => from);
  const originals = await Promise.all(
    named.map(({ from, path }) => isSameFile(emitting.folder, from, uriAt(emitting.folder, below(path)))),
  );
  const copied = named.filter((_, at) => !originals[at]);
  const { copies, unread } = await readLinked(emitting, copied);
  const files = new Map<string, Content>();
  for (const { path, text } of converted.files) {
    files.set(below(path), generated(text));
  }
  for (const [path, content] of copies) files.set(below(path), content);
  const text = converted.files[0]?.text ?? '';
  const target = await readTarget(emitting, analysis, source, main);
  const gone: readonly Gone[] = [
    ...unread.map((one) => ({ ...one, path: below(one.path) })),
    // The loss is reported already.
    ...(converted.uncopied ?? []).map(({ from, path }) => ({
      ...{ path: below(path), why: `\`${emitting.fileOf(from)}\` is not copied` },
    })),
    ...(converted.missing ?? []).map((one) => missingSkill(`${base}/references/`, one)),
  ];
  const kept = converted.isRestored ? [] : await lastCopies(emitting.folder, target, gone, [main, ...files.keys()]);
  losses.push(...gone.flatMap((one) => (one.loss && !kept.some(({ of }) => of === one) ? [one.loss] : [])));
  // A restored file has no origin, because it is the original.
  const withSource = converted.isRestored ? text : addOrigin(emitting, analysis, source, base, text, files, kept);
  files.set(main, generated(withSource));
  assertAllowed([...files.keys()]);
  const sources = new Map([...converted.files, ...copied].map(({ path, from }) => [below(path), from ?? source.uri]));
  return compare(emitting, analysis, source, { base, files, sources, losses, linked, target, kept });
}

/**
 * Plans a link to a `SKILL.md` folder, or a copy of it (docs/sharing.md, "One skill for several clients"): a link if the
 * system has links, and all clients of the target folder were seen to follow links to folders. A copy stays a copy.
 */
async function planShare(
  emitting: Emitting,
  analysis: Analysis,
  source: SkillSource,
  { path: targetPath, clients }: TargetFolder,
): Promise<PlannedSkill> {
  const { folder } = emitting;
  const file = analysis.file(source.uri) ?? new SkillFile(source.uri, source.text);
  const { agentSkill } = file.summary;
  const from = folderOf(source.uri);
  const subject = agentSkill && subjectOf(source.uri, agentSkill);
  if (!subject || isInFolderItself(subject)) return failedPlan(emitting, source, NO_FOLDER);
  if (file.frontmatter.tree.broken || file.frontmatter.tree.root?.kind !== 'map')
    return failedPlan(emitting, source, 'Its frontmatter cannot be read. Fix it first.');
  // A skill of a project below the folder stays in that project.
  const { clients: targets } = targetsBeside(analysis, source.uri);
  const base = targetPath === '' ? undefined : skillsFolderOf(subject, targets)?.base;
  const project = base === undefined ? '' : folder.relativePathOfUri(base);
  const fromPath = folder.relativePathOfUri(from);
  if (![project, fromPath].every(isInsideFolder)) return failedPlan(emitting, source, 'It is outside this folder.');
  const copy = [project, targetPath, decoded(fileNameOf(from))].filter((part) => part !== '').join('/');
  if (fromPath === '' || copy.startsWith(`${fromPath}/`)) return failedPlan(emitting, source, NO_FOLDER);
  const path = `${copy}/SKILL.md`;
  const current = { ...NOTHING, source: source.uri, path, state: 'current', isForcible: false } as const;
  if (copy === fromPath) return current;
  const linked = await folder.links?.find(copy);
  if (linked !== undefined) {
    const isOwn = (await keyOf(folder, `${linked}/SKILL.md`)) === (await keyOf(folder, source.uri));
    const problem = `\`${emitting.shown(copy)}\` is a link to another folder.`;
    return isOwn ? current : { ...current, state: 'taken', problem, advice: 'Remove it first.' };
  }
  const target = await readTarget(emitting, analysis, source, path);
  const link = { folder: true, file: false, target: source.uri };
  const there = subjectOf(uriAt(folder, path), subject.facts, link);
  const follows = clients?.every((id) => isSeenToFollow(id, there)) === true;
  if (folder.links && follows && target.read === 'absent') {
    return { ...current, state: 'missing', link: { path: copy, target: relativeTarget(copy, fromPath) } };
  }
  const files = new Map<string, Content>();
  const sources = new Map<string, string>([[path, source.uri]]);
  const { paths, read } = await folder.openParts([fromPath]);
  let left = MAX_TOTAL_BYTES;
  for (const one of paths) {
    const { bytes, isExecutable } = await read(one);
    left -= bytes.length;
    if (left < 0) throw new UserError(`\`${emitting.shown(fromPath)}\` is too large to be copied.`);
    const to = copy + one.slice(fromPath.length);
    files.set(to, { bytes, isExecutable, isCopy: true });
    sources.set(to, uriAt(folder, one));
  }
  files.set(path, generated(addOrigin(emitting, analysis, source, copy, file.text, files, [])));
  assertAllowed([...files.keys()]);
  return compare(emitting, analysis, source, { base: copy, files, sources, losses: [], linked: [], target, kept: [] });
}

const NO_FOLDER = 'A skill needs a folder of its own to be shared. Move it to one first.';

/** Returns the path from the folder of a link to its target. Both paths are relative to the same folder. */
function relativeTarget(link: string, target: string): string {
  const [names, parts] = [link.split('/').slice(0, -1), target.split('/')];
  let shared = 0;
  while (shared < names.length && shared < parts.length - 1 && names[shared] === parts[shared]) shared++;
  return [...names.slice(shared).map(() => '..'), ...parts.slice(shared)].join('/');
}

/** Returns whether a client was run and followed a link to the folder of a skill at this place. */
function isSeenToFollow(id: string, subject: Subject): boolean {
  const client = findClient(id);
  if (!client || !isFoundInPlace(client, subject)) return false;
  const known = knownOf(stepsOf(client), 'find.folderLinks');
  return known?.source === OBSERVED && known.certainty === undefined;
}

/** Something to which the source refers, and from which no file of the result can be made. */
interface Gone {
  /** The path of the file that would be made, or of the folder of such files with a final `/`. */
  readonly path: string;
  /** The reason, as a clause. */
  readonly why: string;
  /** Set if the result is incomplete without it. */
  readonly problem?: GoneProblem;
  /** The loss to report if no copy is kept. */
  readonly loss?: Loss;
}

function missingSkill(path: string, { name, span }: MissingSkill): Gone {
  const missing = `\`${name}\` does not exist`;
  const problem = `Skill ${missing}, so its last pages are kept. Restore it, or remove it from \`composes\`.`;
  return { path, why: `skill ${missing}`, problem: { problem, span } };
}

/** A file of an earlier conversion that cannot be made again, with the digest that it had then. */
interface LastCopy {
  readonly path: string;
  readonly digest: string;
  readonly of: Gone;
}

/** Returns the files at a target whose originals are gone. `made` contains the paths of the result. */
async function lastCopies(
  folder: FolderAccess,
  { owned, other }: ExistingTarget,
  gone: readonly Gone[],
  made: readonly string[],
): Promise<readonly LastCopy[]> {
  if (other !== undefined || gone.length === 0) return [];
  const found: LastCopy[] = [];
  for (const [path, digest] of owned) {
    const of = made.includes(path)
      ? undefined
      : gone.find((one) => (one.path.endsWith('/') ? path.startsWith(one.path) : path === one.path));
    if (of && (await folder.read(path, 0)) !== 'absent') found.push({ path, digest, of });
  }
  return found;
}

/** The `SKILL.md` at the path of a target, before the conversion. */
interface ExistingTarget {
  readonly path: string;
  readonly read: Read;
  readonly file: SkillFile | undefined;
  /** The URI of the other source from which it was converted, if any. */
  readonly other: string | undefined;
  /** The digests of the files of the last conversion, by path. */
  readonly owned: ReadonlyMap<string, string>;
}

async function readTarget(
  emitting: Emitting,
  analysis: Analysis,
  source: SkillSource,
  path: string,
): Promise<ExistingTarget> {
  const uri = uriAt(emitting.folder, path);
  const read = await emitting.folder.read(path, MAX_ENTRY_BYTES);
  const file = fileFrom(uri, read);
  const origin = file && originOf(file);
  const other = origin && (await otherSource(emitting, analysis, uri, origin, source.uri));
  const owned = [...(origin?.files ?? [])].map(([one, digest]) => [`${folderOf(path)}/${one}`, digest] as const);
  return { path, read, file, other, owned: new Map(owned) };
}

/** `isShown` is true for a file that need not exist, because the text only shows its name. */
type NamedFile = LinkedFile & { readonly isShown?: boolean };

/** Returns the files that the text names without a link, such as `scripts/run.py`, and that the result does not contain. */
function namedFiles(
  analysis: Analysis,
  { uri, text }: SkillSource,
  { files: [main, ...pages], linked = [] }: Converted,
): readonly NamedFile[] {
  if (!main) return [];
  const folder = folderOf(uri);
  const base = folderOf(main.path);
  const known = new Set([...pages, ...linked].map(({ path }) => foldedPath(path)));
  return mentionedFiles(new SkillFile(`${folder}/SKILL.md`, main.text)).flatMap(({ path, isShown }) => {
    const target = `${base}/${path}`;
    if (known.has(foldedPath(target)) || pathProblem(target) !== undefined) return [];
    known.add(foldedPath(target));
    const from = resolvePath(folder, path);
    if (isOtherSkill(analysis, from)) return [];
    const start = text.indexOf(path);
    return [{ from, path: target, span: start < 0 ? NO_SPAN : span(start, start + path.length), isShown }];
  });
}

const generated = (text: string): Content => ({
  bytes: new TextEncoder().encode(text),
  isExecutable: false,
  isCopy: false,
});

/** Returns whether two URIs name the same file, also through links and on disks that ignore case. */
async function isSameFile(folder: FolderAccess, one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([keyOf(folder, one), keyOf(folder, other)]);
  return first === second;
}

/** Returns the path of a file without links, such that all names of the file have the same path. */
const keyOf = async (folder: FolderAccess, uri: string): Promise<string> =>
  foldedPath(decoded(await folder.realUri(folder.relativePathOfUri(uri))));

interface Content {
  readonly bytes: Uint8Array;
  readonly isExecutable: boolean;
  /** True for a copy of a file: its line breaks and its mode count. Git may change the line breaks of generated text. */
  readonly isCopy: boolean;
}

function addOrigin(
  { folder, home }: Emitting,
  analysis: Analysis,
  { uri, text: given }: SkillSource,
  base: string,
  text: string,
  files: ReadonlyMap<string, Content>,
  kept: readonly LastCopy[],
): string {
  const sources = analysis.file(uri) ? sourcesDigest(analysis, uri) : textsDigest([given]);
  const others = [...files].flatMap(([path, { bytes }]) =>
    path === `${base}/SKILL.md` ? [] : [[path.slice(base.length + 1), fileDigest(bytes)] as const],
  );
  // A kept copy has its old digest, so that an edit of it is still detected.
  const old = kept.map(({ path, digest }) => [path.slice(base.length + 1), digest] as const);
  const source = sourcePath(uriAt(folder, base), uri, home);
  return withOrigin(text, { source, sources }, new Map([...others, ...old]));
}

/** Reads the linked files by their paths in the result. */
async function readLinked(
  { read, fileOf }: Emitting,
  linked: readonly NamedFile[],
): Promise<{ readonly copies: ReadonlyMap<string, Content>; readonly unread: readonly Gone[] }> {
  const copies = new Map<string, Content>();
  const unread: Gone[] = [];
  let left = MAX_TOTAL_BYTES;
  for (const { from, path, span, isShown = false } of linked) {
    const most = Math.min(left, MAX_ENTRY_BYTES);
    const content = await read(from, most);
    if (typeof content !== 'string') {
      left -= content.bytes.length;
      copies.set(path, { ...content, isCopy: true });
      continue;
    }
    const isOver = content === 'too-large' && most < MAX_ENTRY_BYTES;
    const reason = isOver ? 'all copied files together are too large' : reasonFor(content, MAX_ENTRY_BYTES);
    const name = `\`${fileOf(from)}\``;
    const why = content === 'absent' ? `${name} does not exist` : `${name} cannot be copied: ${reason}`;
    const problem = `${why}, so its last copy is kept. Restore it, or remove the references to it.`;
    const notCopied =
      content === 'outside'
        ? 'It is a symbolic link, or in a linked folder outside the project, so it is not copied.'
        : `It is not copied: ${reason}.`;
    unread.push({
      path,
      why,
      ...(!isShown && { problem: { problem, span } }),
      ...(content !== 'absent' && { loss: { what: `file \`${path}\``, span, why: notCopied } }),
    });
  }
  return { copies, unread };
}

function assertAllowed(paths: readonly string[]): void {
  const wrong = paths
    .map((path) => ({ path, problem: pathProblem(path) }))
    .find(({ problem }) => problem !== undefined);
  const { path, problem } = wrong ?? collisionIn(paths) ?? {};
  if (path !== undefined) throw new UserError(`\`${path}\` ${problem}. Rename the file or the skill.`);
}

interface ConvertedFiles {
  /** The path of the folder of the `SKILL.md`. */
  readonly base: string;
  readonly files: ReadonlyMap<string, Content>;
  /** The URI of the file that each file is made from. */
  readonly sources: ReadonlyMap<string, string>;
  readonly losses: readonly Loss[];
  readonly linked: readonly string[];
  readonly target: ExistingTarget;
  readonly kept: readonly LastCopy[];
}

async function compare(
  emitting: Emitting,
  analysis: Analysis,
  source: SkillSource,
  { base, files, sources, losses, linked, target, kept: last }: ConvertedFiles,
): Promise<PlannedSkill> {
  const { folder, shown, fileOf } = emitting;
  const { path: main, file: skill, owned, other } = target;
  const found = new Map<string, Read>([[main, target.read]]);
  for (const path of [...files.keys(), ...owned.keys()]) {
    if (!found.has(path)) found.set(path, await folder.read(path, MAX_ENTRY_BYTES));
  }
  const digestAt = (path: string): string | undefined => {
    const read = found.get(path);
    return typeof read === 'object' ? fileDigest(read.bytes) : undefined;
  };
  const madeDigests = new Map([...files].map(([path, { bytes }]) => [path, fileDigest(bytes)]));
  // The line with the digests of a `SKILL.md` is not an edit.
  const [ownNow, ownMade] = [skill, fileFrom(uriAt(folder, main), files.get(main))].map((one) => one && ownDigest(one));
  const isEdited = (path: string): boolean => {
    const written = owned.get(path);
    const [now, next] = path === main ? [ownNow, ownMade] : [digestAt(path), madeDigests.get(path)];
    return written !== undefined && now !== undefined && now !== written && now !== next;
  };
  const isEqual = (path: string): boolean => digestAt(path) === madeDigests.get(path);
  const isSame = (path: string): boolean => {
    const [now, next] = [found.get(path), files.get(path)];
    if (!isEqual(path) || typeof now !== 'object' || !next?.isCopy) return isEqual(path);
    return now.isExecutable === next.isExecutable && isEqualBytes(now.bytes, next.bytes);
  };
  const paths = [...files.keys()];
  const changed = paths.filter((path) => !isSame(path));
  const stale = [...owned.keys()].filter((path) => !files.has(path) && digestAt(path) !== undefined);
  const originals = await originalsIn(emitting, analysis, source, base, stale);
  const kept = stale.flatMap((path) => {
    const why = originals.has(path)
      ? 'it may be an original'
      : other !== undefined
        ? `it was converted from \`${fileOf(other)}\``
        : (last.find((one) => one.path === path)?.of.why ?? (isEdited(path) ? 'it was edited' : undefined));
    return why === undefined ? [] : [{ path, why }];
  });
  const gone = [...new Set(last.flatMap(({ of }) => of.problem ?? []))];
  const remove = stale.filter((path) => !kept.some((one) => one.path === path));
  const plan = {
    source: source.uri,
    path: main,
    losses,
    linked,
    write: changed.flatMap((path) => withPath(path, files.get(path))),
    same: paths.filter(isSame).flatMap((path) => withPath(path, found.get(path))),
    remove,
    kept,
    gone,
    before: new Map([...found].map(([path, read]) => [path, typeof read === 'object' ? fileDigest(read.bytes) : read])),
  };
  const refused = (state: TargetState, problem: string, advice: string): PlannedSkill => ({
    ...plan,
    state,
    problem,
    advice,
    isForcible: true,
  });
  const names = (of: readonly string[]): string => listed(of.map((path) => `\`${shown(path)}\``));
  const blocked = paths.find((path) => typeof found.get(path) === 'string' && found.get(path) !== 'absent');
  if (blocked !== undefined) {
    const reason = found.get(blocked) as Exclude<Read, object>;
    const isLink = reason === 'folder' || reason === 'outside';
    const what = isLink ? 'is a link or a folder' : `cannot be read: ${reasonFor(reason, MAX_ENTRY_BYTES)}`;
    const problem = `\`${shown(blocked)}\` ${what}.`;
    return { ...refused('taken', problem, 'Remove it first.'), isForcible: false };
  }
  const others = changed.filter((path) => !owned.has(path) && digestAt(path) !== undefined && !isEqual(path));
  if (others.length > 0) {
    const verb = others.length === 1 ? 'exists' : 'exist';
    const advice = 'Use another folder with `--out`, or `--force` to overwrite.';
    return refused('taken', `${names(others)} already ${verb}.`, advice);
  }
  if (other !== undefined) {
    const problem = `${names([main])} was converted from \`${fileOf(other)}\`.`;
    return refused('taken', problem, 'Rename one of the two skills, or use `--force` to overwrite.');
  }
  const edited = paths.filter(isEdited);
  if (edited.length > 0) {
    const problem = `${names(edited)} ${edited.length === 1 ? 'was' : 'were'} edited after the conversion.`;
    const [first, ...more] = new Set(edited.map((path) => sources.get(path)));
    const where = first === undefined || more.length > 0 ? 'the sources' : `\`${fileOf(first)}\``;
    const advice = `Move the edit to ${where}, then use \`--force\` to overwrite.`;
    return refused('edited', problem, advice);
  }
  const isCurrent = changed.length === 0 && remove.length === 0;
  const current = gone.length > 0 ? 'incomplete' : 'current';
  return { ...plan, state: isCurrent ? current : skill ? 'outdated' : 'missing', isForcible: false };
}

/**
 * Returns the paths that may be originals, and not copies: source skills, files to which a source links, and all paths
 * if the source is in the folder of its `SKILL.md`.
 */
async function originalsIn(
  { folder }: Emitting,
  analysis: Analysis,
  { uri }: SkillSource,
  base: string,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set();
  const [ownKey, targetKey] = await Promise.all(
    [uri, uriAt(folder, `${base}/SKILL.md`)].map((one) => keyOf(folder, one)),
  );
  if (ownKey?.startsWith(`${folderOf(targetKey ?? '')}/`)) return new Set(paths);
  const names = new Set(paths.map((path) => foldedPath(nameIn(path))));
  const used = [...analysis.graph.skills.keys()].flatMap((one) => {
    const file = analysis.file(one);
    return file && isSource(file) ? [one, ...linkTargets(file).map((link) => link.uri)] : [];
  });
  const named = used.filter((one) => names.has(foldedPath(decoded(fileNameOf(one)))));
  const keys = new Set(await Promise.all(named.map((one) => keyOf(folder, one))));
  const found = await Promise.all(paths.map(async (path) => keys.has(await keyOf(folder, uriAt(folder, path)))));
  return new Set(paths.filter((_, at) => found[at]));
}

const nameIn = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Returns whether a file can be written to the folders of clients: as a conversion, as a link or as a copy. */
export const isShareable = (file: SkillFile): boolean =>
  isSource(file) || (file.isSkill && file.dialect === 'agent-skill');

/** Returns whether a file is a skill that can be converted for clients. */
const isSource = ({ isSkill, dialect }: SkillFile): boolean =>
  isSkill && (dialect === 'composer' || dialect === 'contract');

const withPath = (path: string, content: Content | Read | undefined): readonly FileToWrite[] =>
  typeof content === 'object' ? [{ path, bytes: content.bytes, isExecutable: content.isExecutable }] : [];

const isEqualBytes = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, at) => byte === other[at]);

export function fileFrom(uri: string, read: Read | undefined): SkillFile | undefined {
  if (typeof read !== 'object') return undefined;
  // Invalid UTF-8 is not an origin, so the file counts as one that was not converted.
  return new SkillFile(uri, new TextDecoder('utf-8', { ignoreBOM: true }).decode(read.bytes));
}

/** Returns the URI of the source in an origin, if this is not the given source, and exists or cannot be known. */
async function otherSource(
  { home, read }: Emitting,
  analysis: Analysis,
  uri: string,
  origin: Origin,
  own: string,
): Promise<string | undefined> {
  const named = sourceUri(uri, origin);
  if (named === own || origin.source === sourcePath(folderOf(uri), own, home)) return undefined;
  // A name without a path can be the name of a file in any folder.
  if (analysis.file(named) || !origin.source.includes('/')) return named;
  const found = await read(named, 0);
  return found === 'absent' || found === 'folder' ? undefined : named;
}

/** Returns the originals that are gone, each once for all folders. */
export function goneProblems(plans: readonly PlannedSkill[]): readonly (GoneProblem & { readonly source: string })[] {
  const all = plans.flatMap(({ gone, source }) => gone.map((one) => ({ ...one, source })));
  return [...new Map(all.map((one) => [`${one.source} ${one.problem}`, one])).values()];
}
