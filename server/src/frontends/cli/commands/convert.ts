/** `skill-composer convert`: reads files, converts them, and prints or writes the results. */
import { lstat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Analysis } from '../../../analysis/analysis.ts';
import { targetsBeside } from '../../../analysis/targets.ts';
import { Workspace } from '../../../analysis/workspace.ts';
import type {
  Conversion,
  ConversionProblem,
  Converted,
  Loss,
  OutputFile,
  Target,
} from '../../../exchange/conversion.ts';
import { convert } from '../../../exchange/convert.ts';
import type { FileToWrite } from '../../../io/files.ts';
import { nodeFiles } from '../../../io/node-files.ts';
import { isFolder, isWithin, toPath, toUri } from '../../../io/paths.ts';
import { assertCatalogsParse, nameOf, openProject } from '../../../io/project.ts';
import { isThere, readBytes } from '../../../io/read-file.ts';
import { listFiles } from '../../../io/read-folder.ts';
import { readText } from '../../../io/read-named.ts';
import { toUserError, UserError, userMessage } from '../../../io/user-error.ts';
import { inTurn, writeTree } from '../../../io/write-tree.ts';
import { listed } from '../../../nearest.ts';
import { collisionIn, pathProblem } from '../../../packing/archive-path.ts';
import { MAX_ENTRIES, MAX_ENTRY_BYTES, MAX_TOTAL_BYTES } from '../../../packing/limits.ts';
import type { CheckedFile } from '../../../reports/check-report.ts';
import { printedJson } from '../../../reports/json.ts';
import { toPretty } from '../../../reports/pretty.ts';
import { check } from '../../../rules/engine/check.ts';
import { diskPlace } from '../../../services/packing/disk-folder.ts';
import {
  type Emitting,
  goneProblems,
  type PlannedSkill,
  planSkills,
  type SkillSource,
  type TargetFolder,
  targetFolders,
  writeFree,
  writeSkills,
} from '../../../services/packing/emit.ts';
import { uriAt } from '../../../services/packing/folder-access.ts';
import { textIn } from '../../../services/packing/source.ts';
import { foldedPath } from '../../../skill/kebab-name.ts';
import { originOf, sourceUri } from '../../../skill/origin.ts';
import { SkillFile } from '../../../skill/skill-file.ts';
import { lineStartsOf, positionAt, rangeOf, showInvisible } from '../../../text.ts';
import { findClient } from '../../../vocabulary/clients.ts';
import { dialectOf, folderOf, isFlatSkill } from '../../../vocabulary/dialect.ts';
import { UNREADABLE } from '../../../workspace/unreadable.ts';
import type { Console } from '../console.ts';
import { type Round, showRound, watchFiles } from '../watching/watch-files.ts';
import { clientCalled } from './clients.ts';

export interface ConvertOptions {
  readonly cwd: string;
  readonly files: readonly string[];
  readonly config: string | undefined;
  readonly to: Target;
  /** The IDs of the clients that read a `SKILL.md`; undefined for the target clients. */
  readonly clients: readonly string[] | undefined;
  readonly out: string | undefined;
  readonly report: 'pretty' | 'json';
  readonly force: boolean;
  /** True to write nothing, and to compare the targets with the results. */
  readonly check: boolean;
  readonly quiet: boolean;
}

/** A file to convert. `shown` is the path as the user wrote it. */
interface Source {
  readonly shown: string;
  readonly uri: string;
  readonly text: string;
  readonly made: Converted;
  readonly findings: CheckedFile['findings'];
}

/** Converts the files. Returns 1 if a source has errors, else 0. Throws a `UserError` for status 2. */
export async function runConvert(options: ConvertOptions, console: Console): Promise<number> {
  const { files, to, out } = options;
  if (to === 'agent-skill') return emitSkills(options, console);
  if (out === undefined && files.length > 1) {
    throw new UserError(
      `Only the result of a single file can be printed. Add \`--out DIR\` to convert ${files.length} files.`,
    );
  }
  const sources: Source[] = [];
  for (const file of files) sources.push(await convertOne(file, options, console));
  const written = out === undefined ? [] : await writeAll(sources, resolve(options.cwd, out), options, console.note);
  if (out === undefined) console.printExact(sources[0]?.made.files[0]?.text ?? '');
  const reported = sources.map((source) => ({ ...source, losses: source.made.losses }));
  reportLost(reported, written, { ...options, isPrinted: out === undefined }, console);
  const hasErrors = sources.some(({ findings }) => findings.some(({ severity }) => severity === 'error'));
  return hasErrors ? 1 : 0;
}

async function convertOne(file: string, options: ConvertOptions, console: Console): Promise<Source> {
  const { cwd, config, to } = options;
  const { progress } = console;
  const uri = toUri(resolve(cwd, file));
  const text = await readText(cwd, file, file);
  const project =
    isSkill(file) && (await openProject({ cwd, paths: [file], config, progress }).finally(() => progress.end()));
  const workspace = project ? project.workspace : new Workspace();
  if (!project && dialectOf(uri) !== undefined) workspace.apply({ kind: 'text', uri, text });
  const { analysis } = workspace;
  const made: Conversion = convert({ uri, text }, to, analysis);
  if ('problem' in made) throw notConverted(file, text, made);
  return { shown: file, uri, text, made: await withFilesLeft(made, options), findings: packageFindings(analysis, uri) };
}

/** Returns whether a file is part of a workspace. A record, or any other JSON, is not. */
const isSkill = (file: string): boolean =>
  dialectOf(toUri(resolve('/', file))) !== undefined && !file.endsWith('.json');

function notConverted(file: string, text: string, { problem, span }: ConversionProblem): UserError {
  const at = span === undefined ? '' : `:${placeOf(text, span.start)}`;
  return new UserError(`\`${file}${at}\` cannot be converted. ${problem}`);
}

/** Returns the findings in a package. For a skill, `check` reports the same findings on the result. */
function packageFindings(analysis: Analysis, uri: string): CheckedFile['findings'] {
  const own = analysis.file(uri);
  return own?.dialect === 'package' ? check(own, analysis).filter(({ severity }) => severity !== 'hint') : [];
}

/** Lists a skill's other files as lost content if the result is printed, since only `--out` copies other files. */
async function withFilesLeft(made: Converted, { out }: ConvertOptions): Promise<Converted> {
  const left = out === undefined && made.copied ? await listFiles(nodeFiles, made.copied.from) : [];
  if (left.length === 0) return made;
  const what = left.length === 1 ? `\`${left[0]}\`` : `${left.length} files beside the skill`;
  return {
    ...made,
    losses: [...made.losses, { what, span: { start: 0, end: 0 }, why: 'Files are copied only with `--out`.' }],
  };
}

function placeOf(text: string, offset: number): string {
  const { line, character } = positionAt(lineStartsOf(text), offset);
  return `${line + 1}:${character + 1}`;
}

/** Writes all results or nothing, never through a symbolic link. Overwrites existing files only with `--force`. */
async function writeAll(
  sources: readonly Source[],
  out: string,
  { out: given = '', force }: ConvertOptions,
  note: Console['note'],
) {
  const outputs: readonly Output[] = await Promise.all(
    sources.map(async (source) => ({ source, results: source.made.files, copies: await copiesOf(source) })),
  );
  const placed = findTwice(outputs) === undefined ? outputs : outputs.map(inOwnFolder);
  const results = placed.flatMap((output) => output.results);
  const copies = placed.flatMap((output) => output.copies);
  const paths = [...results, ...copies].map(({ path }) => path);
  const twice = findTwice(placed);
  if (twice)
    throw new UserError(`Two results have the name \`${twice}\`. Convert each file with its own \`--out\` folder.`);
  const shown = shownIn(given);
  assertAllowed(paths);
  const made = results.map(({ path, text }) => ({ path, bytes: Buffer.from(text), isExecutable: false }));
  const write = async () => [...made, ...(await readCopies(copies, shown))];
  return writeNew(paths, write, { out, given, force, refusal: 'Not converted' }, note);
}

interface NewFiles {
  readonly out: string;
  /** The folder as the user wrote it. */
  readonly given: string;
  readonly force: boolean;
  /** The start of a message, for example `Not converted`. */
  readonly refusal: string;
}

/**
 * Writes all files below a folder or nothing, never through a symbolic link, and returns their paths for people.
 * Overwrites existing files only with `force`; otherwise throws a `UserError` before it reads the content.
 */
export async function writeNew(
  paths: readonly string[],
  read: () => Promise<readonly FileToWrite[]>,
  { out, given, force, refusal }: NewFiles,
  note: Console['note'],
): Promise<readonly string[]> {
  const shown = shownIn(given);
  const stillFree = () => assertFree(paths, out, force, refusal, shown).then(() => true);
  await stillFree();
  const write = await read();
  const writing = inTurn(out, note, (turn) => writeTree(turn, { write, remove: [] }, stillFree));
  await writing.catch((error: unknown) => {
    throw toUserError(error, (reason) => `\`${given}\` cannot be written: ${reason}.`);
  });
  return paths.map(shown);
}

const shownIn =
  (given: string) =>
  (path: string): string =>
    `${given.replaceAll('\\', '/').replace(/\/$/, '')}/${path}`;

interface Output {
  readonly source: Source;
  readonly results: readonly OutputFile[];
  readonly copies: readonly Copy[];
}

/** Returns a path that two files would have on some operating system. */
function findTwice(outputs: readonly Output[]): string | undefined {
  const seen = new Set<string>();
  for (const { path } of outputs.flatMap(({ results, copies }) => [...results, ...copies])) {
    if (seen.has(foldedPath(path))) return path;
    seen.add(foldedPath(path));
  }
  return undefined;
}

/** Puts a skill whose folder is copied into a folder with its name, as its source is. */
function inOwnFolder(output: Output): Output {
  const { source, results, copies } = output;
  const [first] = results;
  if (!source.made.copied || !first) return output;
  const folder = first.path.replace(/\.skill\.md$/, '');
  const below = <File extends { readonly path: string }>(file: File): File => ({
    ...file,
    path: `${folder}/${file.path}`,
  });
  return { source, results: results.map(below), copies: copies.map(below) };
}

function assertAllowed(paths: readonly string[]): void {
  const refused = (path: string, problem: string) =>
    new UserError(`Not converted: \`${path}\` ${problem}. Rename the file or the skill.`);
  for (const path of paths) {
    const problem = pathProblem(path);
    if (problem !== undefined) throw refused(path, problem);
  }
  const collision = collisionIn(paths);
  if (collision) throw refused(collision.path, collision.problem);
}

async function assertFree(
  paths: readonly string[],
  out: string,
  force: boolean,
  refusal: string,
  shown: (path: string) => string,
) {
  const taken: string[] = [];
  for (const path of paths) {
    const stats = await lstat(join(out, path)).catch(() => undefined);
    if (stats && force && !stats.isFile()) {
      throw new UserError(`${refusal}: \`${shown(path)}\` is a link or a folder. Remove it first.`);
    }
    if (stats && !force) taken.push(`\`${shown(path)}\``);
  }
  if (taken.length === 0) return;
  throw new UserError(
    `${refusal}: ${taken.join(', ')} already ${taken.length === 1 ? 'exists' : 'exist'}. Use another \`--out\` folder, or \`--force\` to overwrite.`,
  );
}

interface Copy {
  readonly from: string;
  readonly path: string;
}

/** Returns the files beside a `SKILL.md`, which are copied without changes. */
async function copiesOf({ shown, made: { copied } }: Source): Promise<readonly Copy[]> {
  if (!copied) return [];
  const paths = await listFiles(nodeFiles, copied.from, { files: MAX_ENTRIES, folders: MAX_ENTRIES });
  if (paths.length >= MAX_ENTRIES) {
    throw new UserError(
      `Not converted: the folder of \`${shown}\` has ${MAX_ENTRIES} or more files. Move the skill to its own folder.`,
    );
  }
  return paths.map((path) => ({ from: join(toPath(copied.from), path), path: `${copied.to}${path}` }));
}

async function readCopies(copies: readonly Copy[], shown: (path: string) => string) {
  const read = [];
  let left = MAX_TOTAL_BYTES;
  for (const { from, path } of copies) {
    const content = await readBytes(from, Math.min(left, MAX_ENTRY_BYTES));
    if (typeof content === 'string') {
      const reason = content === 'absent' ? 'it does not exist' : UNREADABLE[content].reason;
      throw new UserError(`\`${shown(path)}\` cannot be written, because its source cannot be read: ${reason}.`);
    }
    const { bytes, mode } = content;
    left -= bytes.length;
    read.push({ path, bytes, isExecutable: (mode & 0o100) !== 0 });
  }
  return read;
}

/** Reports the lost content and the findings. JSON goes to stdout only if the result does not. */
function reportLost(
  sources: readonly Reported[],
  written: readonly string[],
  { report, quiet, isPrinted }: Pick<ConvertOptions, 'report' | 'quiet'> & { readonly isPrinted: boolean },
  console: Console,
  more: object = {},
): void {
  const checked = sources.flatMap(({ shown, text, findings }) =>
    findings.length > 0 ? [{ file: shown, text, findings }] : [],
  );
  if (report === 'json') {
    const lost = sources.flatMap((source) => source.losses.map((one) => lostJson(source, one, sources.length > 1)));
    const json = printedJson({ version: 1, written, ...more, lost });
    if (isPrinted) console.printError(json);
    else console.print(json);
  } else if (!quiet) {
    for (const path of written) console.print(`${showInvisible(path)}\n`);
    for (const { shown, text, losses } of sources) {
      for (const { what, span, why } of losses)
        console.note(`${shown}:${placeOf(text, span.start)}: lost: ${what}. ${why}`);
    }
  }
  if (checked.length === 0) return;
  const pretty = toPretty(
    { files: checked, findFile: () => undefined },
    { colors: console.colors, quiet: true, fixed: undefined },
  );
  console.printError(pretty);
}

/** A source with its lost content and its findings. */
interface Reported extends Omit<Source, 'made'> {
  readonly losses: readonly Loss[];
}

const lostJson = ({ shown, text }: Reported, { what, span, why }: Loss, isOneOfSeveral: boolean): object => ({
  ...(isOneOfSeveral && { file: shown }),
  what,
  range: rangeOf(lineStartsOf(text), span),
  why,
});

// `--to agent-skill`: folders with a `SKILL.md` for clients (docs/sharing.md).

/**
 * Converts skills to `SKILL.md` folders. Returns 1 if a package has errors, if an original is gone whose copy is kept,
 * or if a target differs with `--check`.
 */
async function emitSkills(options: ConvertOptions, console: Console): Promise<number> {
  const { check: checks, force, quiet, report } = options;
  const opened = await openSources(options, console);
  const { sources, analysis } = opened;
  const emitting = emittingFor(options, opened, console);
  const plans = await planSkills(emitting, analysis, sources);
  for (const { source, state, problem = '', span } of plans) {
    const { shown = '', text = '' } = sources.find(({ uri }) => uri === source) ?? {};
    if (state === 'failed') throw notConverted(shown, text, { problem, ...(span && { span }) });
  }
  const { shown } = emitting;
  const done = checks ? { written: [], removed: [] } : await writeSkills(emitting, plans, force);
  // The text report does not repeat the losses of unchanged targets.
  const isReported = ({ state }: PlannedSkill) => report === 'json' || (!checks && state !== 'current');
  const reported = sources.map((source) => ({
    ...source,
    losses: uniqueLosses(plans.filter((plan) => plan.source === source.uri && isReported(plan))),
    findings: packageFindings(analysis, source.uri),
  }));
  const gone = goneProblems(plans).map(({ problem, span, source }) => {
    const { shown: file, text } = sources.find(({ uri }) => uri === source) as OpenedSources['sources'][number];
    return { file, message: problem, range: rangeOf(lineStartsOf(text), span), at: placeOf(text, span.start) };
  });
  const left = await leftOver(options, emitting, sources, plans);
  const targets: { readonly path: string; readonly state: string }[] = [
    ...plans.map(({ path, state }) => ({ path: shown(path), state })),
    ...left.map(({ path }) => ({ path: shown(path), state: 'left-over' })),
  ];
  const leftLines = left.map(({ path, why }) => showInvisible(`${shown(path)}: left over. ${why} Delete this folder.`));
  const differing = plans.filter(({ state }) => state !== 'current');
  const [written, removed] = [done.written, done.removed].map((paths) => paths.map(shown)) as [string[], string[]];
  if (report !== 'json' && !quiet && !checks) {
    if (options.out === undefined) for (const line of folderLines(emitting.folders)) console.note(line);
    for (const path of removed) console.note(`Removed: ${path}`);
    for (const { path, why } of plans.flatMap((plan) => plan.kept))
      console.note(showInvisible(`Kept, because ${why}: ${shown(path)}`));
    for (const line of leftLines) console.note(line);
  }
  const kept = plans.flatMap((plan) => plan.kept.map(({ path, why }) => ({ path: shown(path), why })));
  const problems = gone.map(({ file, message, range }) => ({ file, message, range }));
  reportLost(reported, written, { report, quiet, isPrinted: false }, console, { removed, kept, targets, problems });
  if (report !== 'json') {
    if (!checks) for (const { file, message, at } of gone) console.note(showInvisible(`${file}:${at}: ${message}`));
    const differences = [...differing.map((plan) => showInvisible(lineOf(plan, shown))), ...leftLines];
    if (checks) for (const line of differences) console.print(`${line}\n`);
    else if (!quiet && written.length === 0 && gone.length === 0) console.note('All targets are up to date.');
  }
  const hasErrors = reported.some(({ findings }) => findings.some(({ severity }) => severity === 'error'));
  return hasErrors || gone.length > 0 || (checks && differing.length + left.length > 0) ? 1 : 0;
}

/** The path of a converted `SKILL.md` that no source is converted to, and the reason. */
interface LeftOver {
  readonly path: string;
  readonly why: string;
}

/**
 * Returns the `SKILL.md` files in the target folders whose source is now converted to another folder, or was deleted
 * from one of the named folders.
 */
async function leftOver(
  { cwd, files }: Pick<ConvertOptions, 'cwd' | 'files'>,
  { place, folders, fileOf, read }: Emitting,
  sources: readonly SkillSource[],
  plans: readonly PlannedSkill[],
): Promise<readonly LeftOver[]> {
  const planned = new Set(plans.map(({ path }) => foldedPath(path)));
  const named = files.map((file) => `${toUri(resolve(cwd, file))}/`);
  const found: LeftOver[] = [];
  for (const { path: folder } of folders) {
    const entries = (await nodeFiles.list(uriAt(place, folder))).filter(({ isFolder: isBelow }) => isBelow);
    for (const { name } of entries.slice(0, MAX_ENTRIES)) {
      const path = `${folder === '' ? '' : `${folder}/`}${name}/SKILL.md`;
      const content = planned.has(foldedPath(path)) ? 'absent' : await place.read(path, MAX_ENTRY_BYTES);
      const file = new SkillFile(uriAt(place, path), (typeof content === 'object' && textIn(content.bytes)) || '');
      const origin = originOf(file);
      const source = origin && sourceUri(file.uri, origin);
      if (source === undefined) continue;
      const isDeleted = async () => named.some((one) => source.startsWith(one)) && (await read(source, 0)) === 'absent';
      if (sources.some(({ uri }) => uri === source)) {
        found.push({ path, why: `\`${fileOf(source)}\` is now converted to another folder.` });
      } else if (await isDeleted()) found.push({ path, why: `\`${fileOf(source)}\` does not exist.` });
    }
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Returns the losses of a skill for all folders, each once. */
function uniqueLosses(plans: readonly PlannedSkill[]): readonly Loss[] {
  const byText = new Map(
    plans.flatMap(({ losses }) => losses.map((one) => [`${one.span.start} ${one.what} ${one.why}`, one])),
  );
  return [...byText.values()];
}

/** Returns a line for each folder that says which clients read it. */
const folderLines = (folders: readonly TargetFolder[]): readonly string[] =>
  folders.map(({ path, clients: ids = [] }) => {
    const names = listed(ids.map((id) => findClient(id)?.name ?? id));
    return `${path}: ${names} ${ids.length === 1 ? 'reads' : 'read'} this folder.`;
  });

/** Returns the state of a target in words. */
const lineOf = (plan: PlannedSkill, shown: (path: string) => string): string =>
  withProblems(`${plan.state === 'failed' ? plan.path : shown(plan.path)}: ${plan.state}`, plan);

const withProblems = (line: string, plan: PlannedSkill): string =>
  problemsIn(plan) === '' ? line : `${line}. ${problemsIn(plan)}`;

/** Returns the reason why a target is not written; else the originals that are gone; empty if there are none. */
const problemsIn = ({ problem, gone }: PlannedSkill): string => problem ?? gone.map((one) => one.problem).join(' ');

interface OpenedSources {
  readonly analysis: Analysis;
  readonly sources: readonly (SkillSource & { readonly shown: string })[];
}

/** Reads the sources into one workspace. A folder or a glob stands for the skills in it. */
async function openSources(options: ConvertOptions, console: Console): Promise<OpenedSources> {
  const { cwd, files, config } = options;
  const { progress } = console;
  const single: string[] = [];
  const several: string[] = [];
  for (const file of files) {
    const isSeveral = (await isFolder(resolve(cwd, file))) || !(await isThere(resolve(cwd, file)));
    (isSeveral ? several : single).push(file);
  }
  const paths = [...single.filter(isSkill), ...several];
  const project =
    paths.length > 0 ? await openProject({ cwd, paths, config, progress }).finally(() => progress.end()) : undefined;
  if (project) assertCatalogsParse(project);
  const workspace = project?.workspace ?? new Workspace();
  const sources: OpenedSources['sources'][number][] = [];
  for (const file of single) {
    const uri = toUri(resolve(cwd, file));
    const text = await readText(cwd, file, file);
    if (!workspace.index.files.has(uri) && dialectOf(uri) !== undefined) workspace.apply({ kind: 'text', uri, text });
    sources.push({ uri, text, shown: file });
  }
  const { analysis } = workspace;
  const found = several.length > 0 && project ? convertibleSkills(analysis, project.named) : [];
  for (const { uri, text } of found) {
    if (!sources.some((one) => one.uri === uri)) sources.push({ uri, text, shown: nameOf(cwd, toPath(uri)) });
  }
  if (sources.length === 0)
    throw new UserError(
      'These folders contain no skills to convert. Name a `.skill.md`, or a folder that contains one.',
    );
  return { analysis, sources };
}

/** Returns the skills among the named files, without `SKILL.md` files and contracts, sorted by URI. */
const convertibleSkills = ({ index }: Pick<Analysis, 'index'>, named: ReadonlySet<string>): readonly SkillSource[] =>
  [...named].sort().flatMap((uri) => {
    const file = index.files.get(uri);
    return file?.dialect === 'composer' && file.isSkill && !isFlatSkill(uri) ? [{ uri, text: file.text }] : [];
  });

/** Returns the folders and how to write them. Throws a `UserError` if no client and no folder is known. */
function emittingFor(
  { cwd, out, clients: ids }: Pick<ConvertOptions, 'cwd' | 'out' | 'clients'>,
  { analysis, sources }: OpenedSources,
  console: Pick<Console, 'note'>,
): Emitting {
  const asked = ids?.map((id) => clientCalled(id, '--clients'));
  const clients = asked ?? [...new Set(sources.flatMap(({ uri }) => targetsBeside(analysis, uri).clients))];
  if (out === undefined && clients.length === 0) {
    throw new UserError(
      '`--to agent-skill` creates folders. Name the clients that read them, such as `--clients claude-code`, or add `--out DIR`.',
    );
  }
  const shown = out === undefined ? (path: string) => path : shownIn(out);
  const own = sources.map(({ uri }) => folderOf(uri));
  const roots = [...analysis.index.graph.roots, toUri(cwd), ...own].map(toPath);
  return {
    place: diskPlace(out === undefined ? cwd : resolve(cwd, out), console.note),
    folders: out === undefined ? targetFolders(clients) : [{ path: '', clients: asked?.map(({ id }) => id) }],
    home: nodeFiles.home,
    onlyGood: false,
    read: (uri, most) => {
      const path = toPath(uri);
      const project = diskPlace(roots.find((root) => isWithin(root, path)) ?? dirname(path));
      return project.read(project.relativePathOfUri(uri), most);
    },
    shown,
    fileOf: (uri) => sources.find((one) => one.uri === uri)?.shown ?? nameOf(cwd, toPath(uri)),
  };
}

// `convert --watch` (docs/sharing.md, "While you write").

export interface ConversionsToWatch extends Pick<ConvertOptions, 'cwd' | 'clients' | 'out' | 'force' | 'quiet'> {
  readonly paths: readonly string[];
}

/** Watches until the user quits. Returns 1 if a skill was not converted in the last round, else 0. */
export async function watchConversions(watching: ConversionsToWatch, console: Console): Promise<number> {
  const { cwd, paths, quiet } = watching;
  /** The last plans of each source. */
  const known = new Map<string, readonly PlannedSkill[]>();
  // Edits after the start are never overwritten, also if a source was deleted and is created again.
  let { force } = watching;
  let catalogProblem: string | undefined;
  let shownText: string | undefined;
  await watchFiles({ cwd, paths, allFiles: true, keys: {}, published: undefined }, console, async (round) => {
    const { session, named, changed, concerned } = round;
    const { analysis } = session;
    const problem = catalogProblemIn(cwd, round);
    const isRepaired = catalogProblem !== undefined && problem === undefined;
    catalogProblem = problem;
    const sources = convertibleSkills(analysis, named).map((one) => ({ ...one, shown: nameOf(cwd, toPath(one.uri)) }));
    for (const uri of known.keys()) if (!sources.some((one) => one.uri === uri)) known.delete(uri);
    const lines: string[] = [];
    /** The paths of the targets that `lines` name. */
    const told = new Set<string>();
    if (problem === undefined && sources.length > 0) {
      const emitting = { ...emittingFor(watching, { analysis, sources }, console), onlyGood: true };
      const isConcerned = ({ uri }: SkillSource): boolean =>
        isRepaired || concerned === 'all' || concerned.has(uri) || dependsOn(emitting, known.get(uri), changed);
      const planned = await planSkills(emitting, analysis, sources.filter(isConcerned));
      const plans = await writeFree(emitting, planned, () => force);
      force = false;
      for (const uri of new Set(plans.map(({ source }) => source))) {
        const own = plans.filter(({ source }) => source === uri);
        for (const plan of own) {
          const line = newLine(plan, known.get(uri), emitting.shown);
          if (line === undefined) continue;
          lines.push(line);
          told.add(plan.path);
        }
        // A later round shows the state after the conversion.
        known.set(
          uri,
          own.map((plan) =>
            plan.problem === undefined && plan.gone.length > 0 ? { ...plan, state: 'incomplete' } : plan,
          ),
        );
      }
    }
    const failing = [...known.values()].flat().filter((plan) => problemsIn(plan) !== '');
    const shown = watching.out === undefined ? (path: string) => path : shownIn(watching.out);
    const rest = failing.filter(({ path }) => !told.has(path)).map((plan) => lineOf(plan, shown));
    const text = [...(quiet ? [] : lines), ...rest].map((line) => `${showInvisible(line)}\n`).join('');
    if (lines.length === 0 && problem === shownText && changed.length > 0) return;
    shownText = problem;
    showRound(text, cwd, round, 'q to quit', console);
  });
  const hasFailed = [...known.values()].flat().some((plan) => problemsIn(plan) !== '');
  return hasFailed || catalogProblem !== undefined ? 1 : 0;
}

function catalogProblemIn(cwd: string, { session, named }: Round): string | undefined {
  try {
    assertCatalogsParse({ workspace: session, named, fileOf: (uri) => nameOf(cwd, toPath(uri)) });
    return undefined;
  } catch (error) {
    return userMessage(error);
  }
}

/** Returns whether one of the changed files is a target or a linked file of a skill. */
const dependsOn = ({ place }: Emitting, plans: readonly PlannedSkill[] = [], changed: readonly string[]): boolean =>
  plans.some(({ linked, before }) => {
    const targets = new Set([...linked, ...[...before.keys()].map((path) => uriAt(place, path))]);
    return changed.some((uri) => targets.has(uri));
  });

/** Returns the line of a plan that wrote something, or whose problem is new. */
function newLine(
  plan: PlannedSkill,
  before: readonly PlannedSkill[] | undefined,
  shown: (path: string) => string,
): string | undefined {
  const last = before?.find(({ path }) => path === plan.path);
  const [problem, earlier] = [problemsIn(plan), last === undefined ? '' : problemsIn(last)];
  if (plan.problem === undefined && plan.write.length + plan.remove.length > 0)
    return withProblems(`${shown(plan.path)}: written`, plan);
  if (problem !== '') return problem === earlier ? undefined : lineOf(plan, shown);
  return before === undefined || earlier !== '' ? `${shown(plan.path)}: current` : undefined;
}
