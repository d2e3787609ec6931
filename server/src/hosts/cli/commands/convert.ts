/** `skill-composer convert`: reads files, converts them, and prints or writes the results. */
import { lstat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Workspace } from '../../../analysis/workspace.ts';
import type { Conversion, Converted, LinkedFile, Loss, OutputFile, Target } from '../../../exchange/conversion.ts';
import { convert } from '../../../exchange/convert.ts';
import { collisionIn, pathProblem } from '../../../packing/archive-path.ts';
import { MAX_ENTRIES, MAX_ENTRY_BYTES, MAX_TOTAL_BYTES } from '../../../packing/limits.ts';
import { check } from '../../../rules/check.ts';
import { foldedPath } from '../../../skill/kebab-name.ts';
import { lineStartsOf, positionAt, rangeOf, showInvisible } from '../../../text.ts';
import { dialectOf } from '../../../vocabulary/dialect.ts';
import { UNREADABLE } from '../../../workspace/unreadable.ts';
import type { FileToWrite } from '../../files/files.ts';
import { listFiles } from '../../files/read-folder.ts';
import { nodeFiles } from '../../node/node-files.ts';
import { toPath, toUri } from '../../node/paths.ts';
import { assertCatalogsParse, openProject } from '../../node/project.ts';
import { readBytes } from '../../node/read-file.ts';
import { readText } from '../../node/read-named.ts';
import { inTurn, writeTree } from '../../node/write-tree.ts';
import type { CheckedFile } from '../../reports/check-report.ts';
import { printedJson } from '../../reports/json.ts';
import { toPretty } from '../../reports/pretty.ts';
import { isUserError, reasonOf, UserError } from '../../user-error.ts';
import type { Console } from '../console.ts';

export interface ConvertOptions {
  readonly cwd: string;
  readonly files: readonly string[];
  readonly config: string | undefined;
  readonly to: Target;
  readonly out: string | undefined;
  readonly report: 'pretty' | 'json';
  readonly force: boolean;
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
  if (out === undefined && files.length > 1) {
    throw new UserError(
      `Only the result of a single file can be printed. Add \`--out DIR\` to convert ${files.length} files.`,
    );
  }
  if (out === undefined && to === 'agent-skill') {
    throw new UserError('`--to agent-skill` creates a folder. Add `--out DIR`.');
  }
  const sources: Source[] = [];
  for (const file of files) sources.push(await convertOne(file, options, console));
  const written = out === undefined ? [] : await writeAll(sources, resolve(options.cwd, out), options, console.note);
  if (out === undefined) console.printExact(sources[0]?.made.files[0]?.text ?? '');
  reportLost(sources, written, options, console);
  const hasErrors = sources.some(({ findings }) => findings.some(({ severity }) => severity === 'error'));
  return hasErrors ? 1 : 0;
}

async function convertOne(file: string, options: ConvertOptions, console: Console): Promise<Source> {
  const { cwd, config, to } = options;
  const path = resolve(cwd, file);
  const uri = toUri(path);
  const text = await readText(cwd, file, file);
  const { progress } = console;
  // A record, or any other JSON, is not part of a workspace.
  const isSkill = dialectOf(uri) !== undefined && !file.endsWith('.json');
  const project =
    isSkill && (await openProject({ cwd, paths: [file], config, progress }).finally(() => progress.end()));
  // Only this target needs the catalog, which contains the names that clients use for tools.
  if (project && to === 'agent-skill') assertCatalogsParse(project);
  const workspace = project ? project.workspace : new Workspace();
  if (!isSkill && dialectOf(uri) !== undefined) workspace.apply({ kind: 'text', uri, text });
  const { analysis } = workspace;
  const made: Conversion = convert({ uri, text }, to, analysis);
  if ('problem' in made) {
    const at = made.span === undefined ? '' : `:${placeOf(text, made.span.start)}`;
    throw new UserError(`\`${file}${at}\` cannot be converted. ${made.problem}`);
  }
  const own = analysis.file(uri);
  // Reports findings only for a package: for a skill, `check` reports the same findings on the result.
  const findings = own?.dialect === 'package' ? check(own, analysis).filter(({ severity }) => severity !== 'hint') : [];
  return { shown: file, uri, text, made: await withFilesLeft(await withFoundLinks(made), options), findings };
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

/** Leaves out linked files that do not exist, and reports those that are not regular files as lost content. */
async function withFoundLinks(made: Converted): Promise<Converted> {
  const linked: LinkedFile[] = [];
  const losses = [...made.losses];
  for (const one of made.linked ?? []) {
    const stats = await lstat(toPath(one.from)).catch(() => undefined);
    if (stats?.isFile()) linked.push(one);
    else if (stats) {
      const why = 'It is a folder or a symbolic link, so it is not copied.';
      losses.push({ what: `file \`${one.path}\``, span: one.span, why });
    }
  }
  return { ...made, linked, losses };
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
    throw isUserError(error) ? error : new UserError(`\`${given}\` cannot be written: ${reasonOf(error)}.`);
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

/** Returns the files beside a `SKILL.md` and the linked files, which are copied without changes. */
async function copiesOf({ shown, made: { copied, linked = [] } }: Source): Promise<readonly Copy[]> {
  const links = linked.map(({ from, path }) => ({ from: toPath(from), path }));
  if (!copied) return links;
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
  sources: readonly Source[],
  written: readonly string[],
  options: ConvertOptions,
  console: Console,
): void {
  const { report, quiet, out } = options;
  const checked = sources.flatMap(({ shown, text, findings }) =>
    findings.length > 0 ? [{ file: shown, text, findings }] : [],
  );
  if (report === 'json') {
    const lost = sources.flatMap((source) =>
      source.made.losses.map((one) => lostJson(source, one, sources.length > 1)),
    );
    const json = printedJson({ version: 1, written, lost });
    if (out === undefined) console.printError(json);
    else console.print(json);
  } else if (!quiet) {
    for (const path of written) console.print(`${showInvisible(path)}\n`);
    for (const { shown, text, made } of sources) {
      for (const { what, span, why } of made.losses)
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

const lostJson = ({ shown, text }: Source, { what, span, why }: Loss, isOneOfSeveral: boolean): object => ({
  ...(isOneOfSeveral && { file: shown }),
  what,
  range: rangeOf(lineStartsOf(text), span),
  why,
});
