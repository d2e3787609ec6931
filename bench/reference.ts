/** Compares the program with its build at an earlier commit, and whole commands with real repositories and programs. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { temporaryFolder } from '../test/temporary.mjs';
import { measureEdits, measureFirstOpening } from './editing.ts';
import type { Figures, Measurement } from './measurements.ts';
import { installPeer, skillCheckCommand } from './peers.ts';
import { runOnce } from './process.ts';
import type { Row } from './rows.ts';
import type { Target } from './server.ts';
import type { GeneratedSkill } from './skills.ts';
import type { Workspaces } from './workspaces.ts';

/** The commit whose costs the rows are compared with. */
const REFERENCE = '63f6e60a';

/** The commits of real repositories, by the names of their folders. */
const REPOSITORIES: ReadonlyMap<string, string> = new Map([
  ['azure-skills', '1a03acf'],
  ['bioSkills', '22e33bf'],
]);

interface ReferenceSetting {
  readonly root: string;
  readonly quick: boolean;
  readonly workspaces: Workspaces;
  /** A checkout of the reference with its minified build. */
  readonly reference: string | undefined;
  /** A folder with clones of the repositories. */
  readonly repositories: string | undefined;
}

/** Returns the measurements of this build and, with the suffix `, reference`, of the other build. */
export function referenceMeasurements(setting: ReferenceSetting): Readonly<Record<string, Measurement>> {
  const made = madeOnce();
  const peer: Record<string, Measurement> = {
    'skill-check': async () =>
      wallOf(
        skillCheckCommand(await peerFolder()),
        made('one', () => ONE),
      ),
  };
  const measurements = [false, true].flatMap((isReference) =>
    Object.entries(measurementsOfBuild(setting, made, isReference)).map(
      ([name, measure]) => [isReference ? `${name}, reference` : name, measure] as const,
    ),
  );
  // Both builds are measured one after the other, because the load on a machine changes.
  const names = measurements.map(([name]) => name);
  const inTurn = measurements.toSorted((a, b) => compared(names, a[0]) - compared(names, b[0]));
  return { ...Object.fromEntries(inTurn), ...peer };
}

const compared = (names: readonly string[], name: string): number => names.indexOf(name.replace(/, reference$/, ''));

type Made = (name: string, files: () => readonly GeneratedSkill[]) => string;

function measurementsOfBuild(
  { root, quick, workspaces, reference, repositories }: ReferenceSetting,
  made: Made,
  isReference: boolean,
): Readonly<Record<string, Measurement>> {
  const build = (script: string): readonly string[] => {
    if (isReference && reference === undefined) throw new Error('needs `--reference`');
    const checkout = isReference ? resolve(reference ?? '') : root;
    return [process.execPath, join(checkout, 'dist', script)];
  };
  const target = (folder: string): Target => ({ command: [...build('server.js'), '--stdio'], folder, pull: true });
  const run = (folder: string, ...words: readonly string[]): Figures => {
    const { cpu, memory } = runOnce([...build('cli.cjs'), ...words], folder);
    return { cpu, memory };
  };
  const size = (count: number): number => (quick ? Math.ceil(count / 10) : count);
  const [many, medium] = [quick ? 400 : 3_000, quick ? 100 : 1_000];
  const ofRepository = (name: string) => () => run(cloned(name, repositories), 'check');
  return {
    'check of azure-skills': ofRepository('azure-skills'),
    'check of bioSkills': ofRepository('bioSkills'),
    'check of a sample': () =>
      run(
        made('sample', () => SAMPLE),
        'check',
      ),
    'check of one': () =>
      wallOf(
        [...build('cli.cjs'), 'check'],
        made('one', () => ONE),
      ),
    catalog: () =>
      run(
        made('versions', () => versionsOf(size(1_500), size(300))),
        'catalog',
      ),
    'lines 2,000': () => {
      const { folder, documents } = workspaces.of(medium);
      return measureEdits(target(folder), documents[2000], quick ? 16 : 100);
    },
    'first opening': () => {
      const { folder, documents } = workspaces.ofAgentSkills(many);
      return measureFirstOpening(target(folder), documents.short);
    },
    ...(!isReference && {
      'broken link': () => ({
        calls: accessCalls(
          build('cli.cjs'),
          made('link', () => BROKEN),
        ),
      }),
    }),
  };
}

const row = (figure: string, limit: string, source: string, value = 'cpu'): Row => ({
  ...{ figure: `${figure}, ${value === 'cpu' ? 'CPU' : value}`, against: REFERENCE, limit },
  unit: value === 'memory' ? 'MB' : 'ms',
  ours: [source, value],
  theirs: [`${source}, reference`, value],
});

export const REFERENCE_ROWS: readonly Row[] = [
  row('`check` of microsoft/azure-skills', '1/4', 'check of azure-skills'),
  row('`check` of microsoft/azure-skills', '0.67x', 'check of azure-skills', 'memory'),
  row('`check` of GPTomics/bioSkills', '1/3', 'check of bioSkills'),
  row('`check` of one typed skill with a template and a sample', '1/2', 'check of a sample'),
  {
    ...{ figure: '`check` of one `SKILL.md`, wall', against: 'skill-check', limit: '1x', unit: 'ms' },
    ours: ['check of one', 'wall'],
    theirs: ['skill-check', 'wall'],
  },
  row('`check` of one `SKILL.md`', '1.05x', 'check of one'),
  row('`catalog` of 1,500 versions of one skill and 300 callers', '1/10', 'catalog'),
  row('edit to diagnostics, 2,000 lines', '0.7x', 'lines 2,000'),
  row('first of 3,000 `SKILL.md`', '1.05x', 'first opening'),
  {
    ...{ figure: 'one broken link', against: '', limit: '4 calls of `access`', unit: 'calls' },
    ours: ['broken link', 'calls'],
  },
];

/** Returns the wall time and the CPU time of a command. */
function wallOf(command: readonly string[], folder: string): Figures {
  const began = performance.now();
  const { cpu } = runOnce(command, folder);
  return { cpu, wall: performance.now() - began };
}

async function peerFolder(): Promise<string> {
  const folder = await installPeer('skill-check');
  if (folder === undefined) throw new Error('it cannot be installed here');
  return folder;
}

/** Returns a function that writes files into a new folder, once for each name, and returns the folder. */
function madeOnce(): Made {
  const folders = new Map<string, string>();
  return (name, files) => {
    const folder = folders.get(name) ?? join(temporaryFolder(), name);
    if (!folders.has(name)) for (const { path, text } of files()) writeInto(join(folder, path), text);
    folders.set(name, folder);
    return folder;
  };
}

/** Returns a clone of a repository at its commit. Throws an error with the reason if there is none. */
function cloned(name: string, repositories: string | undefined): string {
  const from = join(resolve(repositories ?? ''), name);
  if (repositories === undefined || !existsSync(from)) throw new Error(`needs \`--repositories\` with \`${name}\``);
  const folder = join(temporaryFolder(), name);
  const git = (...words: readonly string[]): void => {
    const { status, stderr } = spawnSync('git', words, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`\`git ${words[0]}\` failed: ${stderr.trim()}`);
  };
  git('clone', '--quiet', '--no-checkout', from, folder);
  git('-C', folder, 'checkout', '--quiet', REPOSITORIES.get(name) ?? 'HEAD');
  return folder;
}

/** Returns the number of calls of `access` in a run, which a script counts that is loaded before the program. */
function accessCalls([node = '', ...words]: readonly string[], folder: string): number {
  const counter = join(dirname(folder), 'count-access.cjs');
  writeFileSync(counter, COUNTER);
  const { stderr } = spawnSync(node, ['--require', counter, ...words, 'check'], { cwd: folder, encoding: 'utf8' });
  return Number(/calls of access: (\d+)/.exec(stderr)?.[1] ?? Number.NaN);
}

const COUNTER = `let calls = 0;
const counted = (of, name) => { const own = of[name]; of[name] = function (...words) { calls++; return own.apply(this, words); }; };
for (const [of, name] of [[require('node:fs'), 'access'], [require('node:fs'), 'accessSync'], [require('node:fs').promises, 'access']]) counted(of, name);
process.on('exit', () => process.stderr.write('calls of access: ' + calls + '\\n'));
`;

const ONE: readonly GeneratedSkill[] = [
  {
    path: '.claude/skills/fill-forms/SKILL.md',
    text: [
      ...['---', 'name: fill-forms', 'description: Fills in PDF forms. Use it when a user has a form to fill in.'],
      ...['---', '', '# Fill in forms', '', 'Read the form first. Write each value, and check the result.', ''],
    ].join('\n'),
  },
];

const SAMPLE: readonly GeneratedSkill[] = [
  {
    path: 'skills/greet.skill.md',
    text: [
      ...['---', 'name: greet', 'description: Greets a person. Use it when a conversation starts.', 'version: 1.0.0'],
      ...['owner: team', 'input_schema: { name: string }', 'output_schema: {}', 'framing: main', 'samples:'],
      ...['  ann:', '    parameters: { name: Ann }', '---', '', '## PromptTemplate: main', ''],
      ...['Greet {{ name }}, and say what you can do.', ''],
    ].join('\n'),
  },
];

const BROKEN: readonly GeneratedSkill[] = ONE.map(({ path, text }) => ({
  path,
  text: `${text}\nSee [the fields](references/fields.md).\n`,
}));

/** Generates the versions of one skill, and callers with a range. */
function versionsOf(versions: number, callers: number): readonly GeneratedSkill[] {
  const skill = (path: string, name: string, version: string, keys: readonly string[]): GeneratedSkill => ({
    path: `skills/${path}.skill.md`,
    text: [
      ...['---', `name: ${name}`, `description: Does the work of ${path}. Use it for that work.`],
      ...[
        `version: ${version}`,
        'owner: team',
        ...keys,
        'input_schema: {}',
        'output_schema: {}',
        '---',
        '',
        'Do it.',
        '',
      ],
    ].join('\n'),
  });
  return [
    ...Array.from({ length: versions }, (_, at) =>
      skill(`page-${at}`, 'page', `${1 + Math.floor(at / 100)}.${at % 100}.0`, []),
    ),
    ...Array.from({ length: callers }, (_, at) =>
      skill(`caller-${at}`, `caller-${at}`, '1.0.0', [
        ...['composes: [page]', `requires: [{ skill: page, version: ^${1 + (at % 15)}.0.0 }]`],
      ]),
    ),
  ];
}

function writeInto(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
