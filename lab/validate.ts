/** `npm run lab -- --validate`: asks the validators of clients about manifests, and writes what they say. */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { QUIET_CLAUDE } from '../server/src/services/observing/clients/claude-code.ts';
import { clientCalled } from './clients/index.ts';
import { install } from './install.ts';
import { MANIFEST_CASES, type ManifestCase } from './manifests/cases.ts';

/** The answer of a validator about the files of a case, and the loaded plugin. */
export interface ManifestVerdict {
  /** Each error as the place and the first words of the message. */
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  /** True if Claude Code has the plugin after its start. Only for its plugins. */
  readonly isLoaded?: boolean;
}

/** The committed file `lab/manifests/verdicts.json`. */
export interface ManifestVerdicts {
  /** ISO date. */
  readonly observed: string;
  readonly platform: string;
  readonly clients: Readonly<Record<ManifestCase['client'], string>>;
  /** By the ID of the case. */
  readonly verdicts: Readonly<Record<string, ManifestVerdict>>;
}

/** The number of runs at the same time. */
const PARALLEL = 3;
/** A validator that has not ended after this time is ended. */
const LONGEST = 60_000;
const LONGEST_MESSAGE = 110;

/** Runs the validators on all cases, or only on those without a verdict, and writes the verdicts. Returns the exit status. */
export async function runValidators(root: string, folder: string, isNew: boolean): Promise<number> {
  const programs = join(root, 'lab', 'programs');
  const clients = { 'claude-code': clientCalled('claude-code'), 'gemini-cli': clientCalled('gemini-cli') };
  const claude = clients['claude-code'].programIn?.(install(clients['claude-code'], folder, programs)) ?? '';
  const gemini = join(install(clients['gemini-cli'], folder, programs), 'node_modules', '.bin', 'gemini');
  const work = join(folder, 'validate');
  const file = join(root, 'lab', 'manifests', 'verdicts.json');
  const known = isNew ? (JSON.parse(readFileSync(file, 'utf8')) as ManifestVerdicts).verdicts : {};
  const verdicts = new Map(Object.entries(known));
  const waiting = [...MANIFEST_CASES.entries()].filter(([, { id }]) => !verdicts.has(id));
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [number, one] = next;
      const place = join(work, String(number));
      write(place, one);
      const asked = one.client === 'claude-code' ? askClaude(claude, place, one) : askGemini(gemini, place);
      verdicts.set(one.id, await asked);
      rmSync(place, { recursive: true, force: true });
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  const text: ManifestVerdicts = {
    observed: new Date().toISOString().slice(0, 10),
    platform: `${process.platform}-${process.arch}`,
    clients: {
      'claude-code': clients['claude-code'].package.version,
      'gemini-cli': clients['gemini-cli'].package.version,
    },
    verdicts: Object.fromEntries(MANIFEST_CASES.flatMap(({ id }) => [[id, verdicts.get(id) as ManifestVerdict]])),
  };
  writeFileSync(file, `${JSON.stringify(text, undefined, 1)}\n`);
  const all = [...verdicts.values()];
  console.log(
    `${all.length} cases: ${all.filter(({ errors }) => errors.length > 0).length} with errors, ${all.filter(({ errors, warnings }) => errors.length === 0 && warnings.length > 0).length} with warnings only`,
  );
  return 0;
}

function write(place: string, { files }: ManifestCase): void {
  rmSync(place, { recursive: true, force: true });
  for (const [path, text] of Object.entries(files)) {
    const full = join(place, 'harbour', path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, text);
  }
  mkdirSync(join(place, 'home'), { recursive: true });
  mkdirSync(join(place, 'elsewhere'), { recursive: true });
}

interface Ended {
  readonly status: number | null;
  readonly output: string;
}

/** Runs a program without the variables of this process, in a folder without files. `until` ends it at a line. */
function run(
  program: string,
  args: readonly string[],
  place: string,
  env: Readonly<Record<string, string>>,
  until?: (line: string) => boolean,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: join(place, 'elsewhere'),
      env: { PATH: process.env.PATH ?? '', HOME: join(place, 'home'), LANG: 'C.UTF-8', TERM: 'dumb', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const timer = setTimeout(() => child.kill('SIGKILL'), LONGEST);
    const read = (line: string): void => {
      output += `${line}\n`;
      if (until?.(line)) child.kill('SIGKILL');
    };
    createInterface({ input: child.stdout }).on('line', read);
    createInterface({ input: child.stderr }).on('line', read);
    child.on('error', reject);
    child.on('close', (status) => {
      clearTimeout(timer);
      resolve({ status, output });
    });
  });
}

/** A line about a file, without the parts that differ between runs. */
const tidied = (text: string, place: string): string =>
  text.replaceAll(place, '{place}').replaceAll(/\s+/g, ' ').trim().slice(0, LONGEST_MESSAGE);

interface Said {
  readonly path?: string;
  readonly message: string;
}

interface ClaudeReport {
  readonly manifest?: { readonly errors: readonly Said[]; readonly warnings: readonly Said[] } | null;
  readonly contents?: readonly { readonly errors?: readonly Said[]; readonly warnings?: readonly Said[] }[];
}

/** The validator's wishes for details that may be missing. */
const ADVICE = /^No (?:version|description|author|marketplace description)\b/;

async function askClaude(program: string, place: string, { files }: ManifestCase): Promise<ManifestVerdict> {
  const folder = join(place, 'harbour');
  const { output } = await run(program, ['plugin', 'validate', folder, '--json'], place, QUIET_CLAUDE);
  const report = JSON.parse(output.slice(output.indexOf('{'))) as ClaudeReport;
  const parts = [report.manifest, ...(report.contents ?? [])];
  const lines = (kind: 'errors' | 'warnings'): readonly string[] =>
    parts.flatMap((part) =>
      (part?.[kind] ?? [])
        .filter(({ message }) => !ADVICE.test(message))
        .map(({ path, message }) => tidied(`${path ?? ''}: ${message}`, place)),
    );
  const isPlugin = files['.claude-plugin/plugin.json'] !== undefined;
  return {
    errors: lines('errors'),
    warnings: lines('warnings'),
    ...(isPlugin && { isLoaded: await isLoaded(program, place) }),
  };
}

/** Returns whether the client has the plugin when it starts. The run ends before the first request to the model. */
async function isLoaded(program: string, place: string): Promise<boolean> {
  const folder = join(place, 'harbour');
  const args = ['-p', 'Hello', '--output-format', 'stream-json', '--verbose', '--plugin-dir', folder];
  const env = { ...QUIET_CLAUDE, ANTHROPIC_BASE_URL: 'http://127.0.0.1:9', CLAUDE_CODE_MAX_RETRIES: '0' };
  const { output } = await run(program, args, place, env, (line) => line.includes('"subtype":"init"'));
  const init = output.split('\n').find((line) => line.includes('"subtype":"init"'));
  if (init === undefined) throw new Error(`Claude Code did not start: ${output.slice(0, 400)}`);
  const { plugins = [] } = JSON.parse(init) as { plugins?: readonly { readonly path?: string }[] };
  return plugins.some(({ path }) => path === folder);
}

async function askGemini(program: string, place: string): Promise<ManifestVerdict> {
  const folder = join(place, 'harbour');
  const { status, output } = await run(program, ['extensions', 'validate', folder], place, { NO_COLOR: '1' });
  const lines = output.split('\n').flatMap((line) => {
    const text = tidied(line.replace(/^\s*- (?:Warning: )?/, ''), place);
    return text === '' || /^(?:Extension |Validation )/.test(text) ? [] : [text];
  });
  return status === 0 ? { errors: [], warnings: lines } : { errors: lines, warnings: [] };
}
