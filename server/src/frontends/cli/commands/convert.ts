/** `skill-composer convert`: reads files, converts them, and prints or writes the results. */
import { join, resolve } from 'node:path';
import { Workspace } from '../../../analysis/workspace.ts';
import type { Conversion, Converted, OutputFile } from '../../../exchange/conversion.ts';
import { convert } from '../../../exchange/convert.ts';
import { nodeFiles } from '../../../io/node-files.ts';
import { toPath, toUri } from '../../../io/paths.ts';
import { openProject } from '../../../io/project.ts';
import { readBytes } from '../../../io/read-file.ts';
import { listFiles } from '../../../io/read-folder.ts';
import { readText } from '../../../io/read-named.ts';
import { UserError } from '../../../io/user-error.ts';
import { shownBelow, writeNew } from '../../../io/write-new.ts';
import { collisionIn, pathProblem } from '../../../packing/archive-path.ts';
import { MAX_ENTRIES, MAX_ENTRY_BYTES, MAX_TOTAL_BYTES } from '../../../packing/limits.ts';
import type { CheckedFile } from '../../../reports/check-report.ts';
import { foldedPath } from '../../../skill/kebab-name.ts';
import { dialectOf } from '../../../vocabulary/dialect.ts';
import { UNREADABLE } from '../../../workspace/unreadable.ts';
import type { Console } from '../console.ts';
import { notConverted, packageFindings, reportConversion } from '../converting/conversion-report.ts';
import { convertForClients } from '../converting/convert-for-clients.ts';
import { isWorkspaceFile, type NamedSource } from '../converting/open-sources.ts';
import type { ConvertOptions } from '../converting/options.ts';

/** A converted file. */
interface Source extends NamedSource {
  readonly converted: Converted;
  readonly findings: CheckedFile['findings'];
}

/** Converts the files. Returns 1 if a source has errors, else 0. Throws a `UserError` for status 2. */
export async function runConvert(options: ConvertOptions, console: Console): Promise<number> {
  const { files, to, out } = options;
  if (to === 'agent-skill') return convertForClients(options, console);
  if (out === undefined && files.length > 1) {
    throw new UserError(
      `Only the result of a single file can be printed. Add \`--out DIR\` to convert ${files.length} files.`,
    );
  }
  const sources: Source[] = [];
  for (const file of files) sources.push(await convertOne(file, options, console));
  const written = out === undefined ? [] : await writeAll(sources, resolve(options.cwd, out), options, console.note);
  if (out === undefined) console.printExact(sources[0]?.converted.files[0]?.text ?? '');
  const reported = sources.map((source) => ({ ...source, losses: source.converted.losses }));
  reportConversion(reported, written, { ...options, isPrinted: out === undefined }, console);
  const hasErrors = sources.some(({ findings }) => findings.some(({ severity }) => severity === 'error'));
  return hasErrors ? 1 : 0;
}

async function convertOne(file: string, options: ConvertOptions, console: Console): Promise<Source> {
  const { cwd, config, to } = options;
  const { progress } = console;
  const uri = toUri(resolve(cwd, file));
  const text = await readText(cwd, file, file);
  const project =
    isWorkspaceFile(file) &&
    (await openProject({ cwd, paths: [file], config, progress }).finally(() => progress.end()));
  const workspace = project ? project.workspace : new Workspace();
  if (!project && dialectOf(uri) !== undefined) workspace.apply({ kind: 'text', uri, text });
  const { analysis } = workspace;
  const converted: Conversion = convert({ uri, text }, to, analysis);
  if ('problem' in converted) throw notConverted(file, text, converted);
  return {
    shown: file,
    uri,
    text,
    converted: await withFilesLeft(converted, options),
    findings: packageFindings(analysis, uri),
  };
}

/** Lists a skill's other files as lost content if the result is printed, since only `--out` copies other files. */
async function withFilesLeft(converted: Converted, { out }: ConvertOptions): Promise<Converted> {
  const left = out === undefined && converted.copied ? await listFiles(nodeFiles, converted.copied.from) : [];
  if (left.length === 0) return converted;
  const what = left.length === 1 ? `\`${left[0]}\`` : `${left.length} files beside the skill`;
  return {
    ...converted,
    losses: [...converted.losses, { what, span: { start: 0, end: 0 }, why: 'Files are copied only with `--out`.' }],
  };
}

/** Writes all results or nothing, never through a symbolic link. Overwrites existing files only with `--force`. */
async function writeAll(
  sources: readonly Source[],
  out: string,
  { out: given = '', force }: ConvertOptions,
  note: Console['note'],
) {
  const outputs: readonly Output[] = await Promise.all(
    sources.map(async (source) => ({ source, results: source.converted.files, copies: await copiesOf(source) })),
  );
  const placed = findTwice(outputs) === undefined ? outputs : outputs.map(inOwnFolder);
  const results = placed.flatMap((output) => output.results);
  const copies = placed.flatMap((output) => output.copies);
  const paths = [...results, ...copies].map(({ path }) => path);
  const twice = findTwice(placed);
  if (twice)
    throw new UserError(`Two results have the name \`${twice}\`. Convert each file with its own \`--out\` folder.`);
  const shown = shownBelow(given);
  assertAllowed(paths);
  const madeFiles = results.map(({ path, text }) => ({ path, bytes: Buffer.from(text), isExecutable: false }));
  const write = async () => [...madeFiles, ...(await readCopies(copies, shown))];
  return writeNew(paths, write, { out, given, force, refusal: 'Not converted' }, note);
}

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
  if (!source.converted.copied || !first) return output;
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

interface Copy {
  readonly from: string;
  readonly path: string;
}

/** Returns the files beside a `SKILL.md`, which are copied without changes. */
async function copiesOf({ shown, converted: { copied } }: Source): Promise<readonly Copy[]> {
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
