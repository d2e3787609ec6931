/** `skill-composer export`: writes a project that runs a skill on LangGraph's server (docs/langgraph.md). */
import { lstat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { invocationContextOf } from '../../../analysis/package-of.ts';
import type { ComposeRequest } from '../../../composer/composition.ts';
import { closureOf, prepareRequest } from '../../../composer/prepare.ts';
import {
  exportPackages,
  exportRequest,
  exportShape,
  fileNames,
  projectFiles,
  summaryOf,
} from '../../../exchange/langgraph-project.ts';
import { PROJECT_PACKAGES, VERSION } from '../../../io/environment.ts';
import { keptReader } from '../../../io/kept-reader.ts';
import { readText } from '../../../io/read-named.ts';
import { toUserError } from '../../../io/user-error.ts';
import { writeNew } from '../../../io/write-new.ts';
import { errorsToPretty } from '../../../reports/pretty.ts';
import { type Composing, createComposing } from '../../../services/composing/composing.ts';
import { startNodeWorker } from '../../../services/composing/node-worker.ts';
import { runRequestOf } from '../../../services/testing/run-request.ts';
import { kebabName } from '../../../skill/kebab-name.ts';
import { readExpectation } from '../../../testing/expectation.ts';
import { showInvisible } from '../../../text.ts';
import type { Console } from '../console.ts';
import { fileFinder, openInvocation } from './invocation.ts';

export interface ExportOptions {
  readonly cwd: string;
  readonly file: string;
  readonly config: string | undefined;
  readonly out: string;
  /** The caller: a profile of the catalog. */
  readonly profile: string | undefined;
  readonly force: boolean;
  readonly quiet: boolean;
}

/** The runtime, beside the script of the command line. The extension, which has no terminal command, leaves it out. */
const RUNTIME = 'langgraph-runtime.mjs';

/**
 * Writes the project, and prints the paths of its files. Returns 1 if the skill or one of its samples does not compose,
 * else 0. Throws a `UserError` for status 2.
 */
export async function runExport(options: ExportOptions, console: Console): Promise<number> {
  const composing = createComposing(startNodeWorker());
  try {
    composing.warm('run');
    return await exportIn(composing, options, console);
  } catch (error) {
    throw toUserError(error, (reason) => reason);
  } finally {
    composing.dispose();
  }
}

async function exportIn(composing: Composing, options: ExportOptions, console: Console): Promise<number> {
  const { cwd, file, config, profile, out, force, quiet } = options;
  const invocation = profile === undefined ? {} : { profile };
  const { project, skillFile, skillPackage } = await openInvocation({ cwd, file, config, quiet, invocation }, console);
  const { analysis, index } = project.workspace;
  const requestOf = (sample: string | undefined): ComposeRequest => {
    const context = invocationContextOf(analysis, skillPackage.uri);
    return prepareRequest(skillPackage, context, sample, { ...invocation, madeUp: sample === undefined }).request;
  };
  const request = requestOf(undefined);
  const composed = await composing.compose('', request);
  if (composed === 'superseded') return 1;
  const { result } = composed;
  if (!result.ok) {
    console.printError(errorsToPretty(result.errors, fileFinder(project), console));
    return 1;
  }
  const entries = skillFile.contract.samples.filter(({ value }) => !readExpectation(value).fails);
  const names = entries.map(({ name }) => name);
  const samples: object[] = [];
  let status = 0;
  for (const sample of names.length > 0 ? names : [undefined]) {
    const own = await runRequestOf(analysis, skillFile, sample, requestOf(sample), keptReader(project));
    const trace = await composing.run('', own);
    if (trace === 'superseded') return 1;
    const name = sample ?? 'generated values';
    if (trace.ok) {
      samples.push({ name, request: { ...own, compose: exportRequest(own.compose) }, expected: summaryOf(trace) });
    } else {
      console.note(`Not exported: the sample \`${name}\`, which does not compose. ${trace.errors[0]?.message ?? ''}`);
      status = 1;
    }
  }
  const packages = [...closureOf(skillPackage)];
  const nameOf = fileNames(packages.map(({ uri }) => uri));
  const services = packages.flatMap(({ backed, name }) => (backed && name ? [name.name] : []));
  const files = projectFiles({
    name: kebabName(skillPackage.name?.name ?? '') ?? 'skill',
    shape: exportShape(result.composition.subgraph, nameOf, (uri) => index.files.get(uri)?.text ?? ''),
    skill: {
      packages: exportPackages(skillPackage, nameOf),
      request: exportRequest({ ...request, parameters: {}, makesUp: false, madeUp: [] }),
    },
    samples,
    tools: [...new Set([...packages.flatMap(({ tools }) => tools.map(({ name }) => name)), ...services])],
    runtime: await readText(__dirname, RUNTIME, RUNTIME),
    version: VERSION,
    dependencies: PROJECT_PACKAGES,
  });
  const folder = resolve(cwd, out);
  const kept: string[] = [];
  for (const { path, isEdited } of force ? files : []) {
    if (isEdited && (await lstat(join(folder, path)).catch(() => undefined))) kept.push(path);
  }
  const written = files.filter(({ path }) => !kept.includes(path));
  const contents = written.map(({ path, text }) => ({ path, bytes: Buffer.from(text), isExecutable: false }));
  const paths = await writeNew(
    written.map(({ path }) => path),
    async () => contents,
    { out: folder, given: out, force, refusal: 'Not exported' },
    console.note,
  );
  if (!quiet) console.print(paths.map((path) => `${showInvisible(path)}\n`).join(''));
  if (!quiet && kept.length > 0) console.note(`Not overwritten: ${kept.map((path) => `\`${path}\``).join(', ')}.`);
  return status;
}
