/** `skill-composer convert`: reads files, converts them, and prints or writes what comes of it. */
import { join, resolve } from 'node:path';
import { Workspace } from '../../analysis/workspace.ts';
import type { Conversion, Converted, Target } from '../../exchange/conversion.ts';
import { convert } from '../../exchange/convert.ts';
import type { Lost } from '../../exchange/lost.ts';
import { check } from '../../rules/check.ts';
import { lineStartsOf, positionAt, rangeOf } from '../../text.ts';
import { dialectOf } from '../../vocabulary/dialect.ts';
import type { Console } from '../cli/console.ts';
import { printedJson } from '../cli/formats/json.ts';
import { toPretty } from '../cli/formats/pretty.ts';
import type { CheckedFile } from '../cli/formats/report.ts';
import { openProject } from '../cli/project.ts';
import { readText } from '../cli/read-named.ts';
import { reasonOf, Stop } from '../cli/stop.ts';
import type { Format } from '../cli/words.ts';
import { writeResult } from '../cli/write-result.ts';
import { nodeFiles } from '../disk/node-files.ts';
import { toPath, toUri } from '../disk/paths.ts';
import { isThere } from '../disk/read-file.ts';
import { listFiles } from '../disk/read-folder.ts';
import { copyFile, createFile } from '../disk/write-file.ts';

export interface ConvertOptions {
  readonly cwd: string;
  readonly files: readonly string[];
  readonly config: string | undefined;
  readonly to: Target;
  readonly out: string | undefined;
  readonly report: Format;
  readonly force: boolean;
  readonly quiet: boolean;
}

/** A file that is converted, as the user has named it. */
interface Source {
  readonly shown: string;
  readonly uri: string;
  readonly text: string;
  readonly made: Converted;
  readonly findings: CheckedFile['findings'];
}

export async function runConvert(options: ConvertOptions, console: Console): Promise<number> {
  const { files, to, out } = options;
  if (out === undefined && files.length > 1) {
    throw new Stop(`${files.length} files need \`--out DIR\`: only the result of one file is printed.`);
  }
  if (out === undefined && to === 'agent-skill') {
    throw new Stop('`--to agent-skill` makes a folder: say where with `--out DIR`.');
  }
  const sources: Source[] = [];
  for (const file of files) sources.push(await convertOne(file, options, console));
  const written = out === undefined ? [] : await writeAll(sources, resolve(options.cwd, out), options);
  if (out === undefined) console.printExact(sources[0]?.made.files[0]?.text ?? '');
  tell(sources, written, options, console);
  const hasErrors = sources.some(({ findings }) => findings.some(({ severity }) => severity === 'error'));
  return hasErrors ? 1 : 0;
}

async function convertOne(file: string, options: ConvertOptions, console: Console): Promise<Source> {
  const { cwd, config, to } = options;
  const path = resolve(cwd, file);
  const uri = toUri(path);
  const text = await readText(cwd, file, file);
  const { progress } = console;
  // A record, or any other JSON, is no file of a workspace.
  const isSkill = dialectOf(uri) !== undefined && !file.endsWith('.json');
  const workspace = isSkill
    ? (await openProject({ cwd, paths: [file], config, progress }).finally(() => progress.end())).workspace
    : new Workspace();
  if (!isSkill && dialectOf(uri) !== undefined) workspace.apply({ kind: 'text', uri, text });
  const { analysis } = workspace;
  const made: Conversion = convert({ uri, text }, to, analysis);
  if ('problem' in made) {
    const at = made.span === undefined ? '' : `:${placeOf(text, made.span.start)}`;
    throw new Stop(`\`${file}${at}\` cannot be converted. ${made.problem}`);
  }
  const own = analysis.file(uri);
  // Only of a package: what is wrong with a skill, `check` tells of the result as well.
  const findings = own?.dialect === 'package' ? check(own, analysis).filter(({ severity }) => severity !== 'hint') : [];
  return { shown: file, uri, text, made: await withFilesLeft(made, options), findings };
}

/** Printed, a result has no place for the files that go along with it. */
async function withFilesLeft(made: Converted, { out }: ConvertOptions): Promise<Converted> {
  const left = out === undefined && made.along ? await listFiles(nodeFiles, made.along.from) : [];
  if (left.length === 0) return made;
  const what = left.length === 1 ? `\`${left[0]}\`` : `${left.length} files beside it`;
  return {
    ...made,
    lost: [...made.lost, { what, span: { start: 0, end: 0 }, why: 'Files go along with `--out` alone.' }],
  };
}

function placeOf(text: string, offset: number): string {
  const { line, character } = positionAt(lineStartsOf(text), offset);
  return `${line + 1}:${character + 1}`;
}

/** Writes nothing where something is there already, unless it may be written over. */
async function writeAll(sources: readonly Source[], out: string, { out: given = '', force }: ConvertOptions) {
  const results = sources.flatMap(({ made }) => made.files);
  const twice = results.find(({ path }, at) => results.findIndex((one) => one.path === path) !== at);
  if (twice) throw new Stop(`Two results are called \`${twice.path}\`: convert them into folders of their own.`);
  const copies = (await Promise.all(sources.map(copiesOf))).flat();
  const paths = [...results, ...copies].map(({ path }) => path);
  const taken: string[] = [];
  for (const path of force ? [] : paths) if (await isThere(join(out, path))) taken.push(`${given}/${path}`);
  if (taken.length > 0) {
    const list = taken.map((path) => `\`${path}\``).join(', ');
    throw new Stop(
      `${list} ${taken.length === 1 ? 'is' : 'are'} there already; nothing is written. \`--force\` writes over.`,
    );
  }
  for (const { path, text } of results) {
    if (force) await writeResult(join(out, path), text, `${given}/${path}`);
    else await createFile(join(out, path), text).catch((error) => refuse(`${given}/${path}`, error));
  }
  for (const { from, path } of copies) {
    await copyFile(from, join(out, path), force).catch((error) => refuse(`${given}/${path}`, error));
  }
  return paths.map((path) => `${given.replaceAll('\\', '/').replace(/\/$/, '')}/${path}`);
}

function refuse(path: string, error: unknown): never {
  throw new Stop(`\`${path}\` cannot be written: ${reasonOf(error)}.`);
}

/** The files beside a `SKILL.md`, which go along as they are. */
async function copiesOf({ made: { along } }: Source): Promise<readonly { from: string; path: string }[]> {
  if (!along) return [];
  const paths = await listFiles(nodeFiles, along.from);
  return paths.map((path) => ({ from: join(toPath(along.from), path), path: `${along.to}${path}` }));
}

/** What is lost; as JSON on stdout where that holds no result. */
function tell(sources: readonly Source[], written: readonly string[], options: ConvertOptions, console: Console): void {
  const { report, quiet, out } = options;
  const checked = sources.flatMap(({ shown, text, findings }) =>
    findings.length > 0 ? [{ file: shown, text, findings }] : [],
  );
  if (report === 'json') {
    const lost = sources.flatMap((source) => source.made.lost.map((one) => lostJson(source, one, sources.length > 1)));
    const json = printedJson({ version: 1, written, lost });
    if (out === undefined) console.complain(json);
    else console.print(json);
  } else if (!quiet) {
    for (const path of written) console.print(`${path}\n`);
    for (const { shown, text, made } of sources) {
      for (const { what, span, why } of made.lost)
        console.note(`${shown}:${placeOf(text, span.start)}: lost: ${what}. ${why}`);
    }
  }
  if (checked.length === 0) return;
  const pretty = toPretty(
    { files: checked, findFile: () => undefined },
    { colors: console.colors, quiet: true, fixed: undefined },
  );
  console.complain(pretty);
}

const lostJson = ({ shown, text }: Source, { what, span, why }: Lost, isOneOfSeveral: boolean): object => ({
  ...(isOneOfSeveral && { file: shown }),
  what,
  range: rangeOf(lineStartsOf(text), span),
  why,
});
