/** Measures the same work in a small and a large workspace: its cost must follow the change, and not what is around it. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '../test/temporary.mjs';
import { agentSkillsOf } from './agent-skills.ts';
import { measureEdits } from './editing.ts';
import { measureIndex } from './indexing.ts';
import type { Measurement } from './measurements.ts';
import { cpuOf, idle, runOnce } from './process.ts';
import type { Row } from './rows.ts';
import { type Target, withServer } from './server.ts';
import type { GeneratedSkill } from './skills.ts';
import { chooserOf, paragraph, sentence } from './words.ts';

interface ScalingSetting {
  /** The checkout with the build. */
  readonly root: string;
  /** True for a tenth of the files. */
  readonly quick: boolean;
  /** The folder for the workspaces; a temporary one by default. */
  readonly folder?: string;
}

export function scalingMeasurements(setting: ScalingSetting): Readonly<Record<string, Measurement>> {
  const { root, quick } = setting;
  let { folder } = setting;
  const server = [process.execPath, join(root, 'dist', 'server.js'), '--stdio'];
  const cli = [process.execPath, join(root, 'dist', 'cli.cjs')];
  const made = (name: string, count: number, files: (count: number) => Iterable<GeneratedSkill>): string => {
    folder ??= temporaryFolder();
    const path = join(folder, `${name}-${sizeOf(count)}`);
    if (!existsSync(path)) for (const { path: file, text } of files(sizeOf(count))) writeInto(join(path, file), text);
    return path;
  };
  const sizeOf = (count: number): number => (quick ? Math.ceil(count / 10) : count);
  const targetIn = (path: string): Target => ({ command: server, folder: path, pull: true });
  const bodyEdits = (count: number) => () => {
    const path = made('composed-by', count, composersOf);
    return measureEdits(targetIn(path), join(path, COMPOSED), 100, { kinds: ['prose'], untilIdle: true });
  };
  const check = (name: string, count: number, files: (count: number) => Iterable<GeneratedSkill>) => () => {
    const { cpu, memory } = runOnce([...cli, 'check'], made(name, count, files));
    return { cpu, memory };
  };
  const diagnosticsOfAll = (count: number) => async () => {
    const { index, withDiagnostics } = await measureIndex(targetIn(made('agent-skills', count, agentSkillsOf)));
    return { 'per file': (withDiagnostics - index) / sizeOf(count) };
  };
  const fixes = (count: number) => () => measureFixes(targetIn(made('shared', count, sharedOf)));
  return {
    'body among 10 composers': bodyEdits(10),
    'body among 4,000 composers': bodyEdits(4_000),
    'equal names 400': check('equal', 400, equalNamesOf),
    'equal names 1,600': check('equal', 1_600, equalNamesOf),
    'broken anchors 1,500': check('anchors', 1_500, brokenAnchorsOf),
    'broken anchors 6,000': check('anchors', 6_000, brokenAnchorsOf),
    'diagnostics of 1,000': diagnosticsOfAll(1_000),
    'diagnostics of 10,000': diagnosticsOfAll(10_000),
    'shared fix of 50': fixes(50),
    'shared fix of 500': fixes(500),
  };
}

const row = (figure: string, large: string, small: string, limit: string, source = 'cpu'): Row => ({
  ...{ figure: `${figure}, CPU`, against: small, limit, unit: 'ms' },
  ours: [large, source],
  theirs: [small, source],
});

export const SCALING_ROWS: readonly Row[] = [
  row('body edit of a skill with 4,000 composers', 'body among 4,000 composers', 'body among 10 composers', '1.5x'),
  row('`check` of 1,600 `SKILL.md` of one name', 'equal names 1,600', 'equal names 400', '5x'),
  row('`check` of 6,000 broken anchors and headings', 'broken anchors 6,000', 'broken anchors 1,500', '5x'),
  row(
    'diagnostics of 10,000 `SKILL.md`, per file',
    'diagnostics of 10,000',
    'diagnostics of 1,000',
    '1.2x',
    'per file',
  ),
  row('fixes at a finding of 500 files', 'shared fix of 500', 'shared fix of 50', '3x'),
];

const COMPOSED = 'skills/composed.skill.md';

/** Generates a skill, and `count` skills that compose it. */
function* composersOf(count: number): Iterable<GeneratedSkill> {
  const choose = chooserOf(11);
  const skillOf = (name: string, keys: readonly string[]): string =>
    [
      ...['---', `name: ${name}`, `description: ${sentence(choose, 14)}`, 'version: 1.0.0', 'owner: team'],
      ...[...keys, 'effects: [Query]', 'operation: READ', '---', '', `# ${name}`, '', '## Approach', ''],
      ...[paragraph(choose, 3), '', paragraph(choose, 3), ''],
    ].join('\n');
  yield { path: COMPOSED, text: skillOf('composed', ['level: 1']) };
  for (let number = 0; number < count; number++) {
    const name = `composer-${number}`;
    yield { path: `skills/${name}.skill.md`, text: skillOf(name, ['level: 2', 'composes: [composed]']) };
  }
}

/** Generates `count` skills of one name: a half in one folder, and a half in the folders of projects. */
function* equalNamesOf(count: number): Iterable<GeneratedSkill> {
  const choose = chooserOf(13);
  for (let number = 0; number < count; number++) {
    const path =
      number % 2 === 0 ? `.claude/skills/equal-${number}/SKILL.md` : `projects/${number}/.claude/skills/equal/SKILL.md`;
    const head = ['---', 'name: equal', `description: ${sentence(choose, 14)}`, '---', '', '# Equal', ''];
    yield { path, text: [...head, paragraph(choose, 4), ''].join('\n') };
  }
}

/** Generates a skill with `count` headings and as many links to headings that it does not have. */
function* brokenAnchorsOf(count: number): Iterable<GeneratedSkill> {
  const each = Array.from({ length: count }, (_, number) => [
    ...[`## Section ${number}`, '', `See [the part](#part-${number}) first.`, ''],
  ]);
  const head = ['---', 'name: anchors', 'description: Lists the parts of a report when a user asks.', '---', ''];
  yield { path: '.claude/skills/anchors/SKILL.md', text: [...head, ...each.flat()].join('\n') };
}

/** Generates `count` skills that have one finding with the same cause. */
function* sharedOf(count: number): Iterable<GeneratedSkill> {
  const choose = chooserOf(17);
  for (let number = 0; number < count; number++) {
    const head = [`name: shared-${number}`, `description: ${sentence(choose, 14)}`, 'tool_type: cli'];
    const text = ['---', ...head, '---', '', '# Shared', '', paragraph(choose, 4), ''].join('\n');
    yield { path: `.claude/skills/shared-${number}/SKILL.md`, text };
  }
}

/** Measures the CPU time for the list of fixes at a finding that many files share, in milliseconds. */
function measureFixes(target: Target) {
  return withServer(target, async ({ pid, connection }) => {
    const uri = pathToFileURL(join(target.folder, '.claude/skills/shared-0/SKILL.md')).href;
    const [file] = sharedOf(1);
    const textDocument = { uri, languageId: 'markdown', version: 1, text: file?.text ?? '' };
    await connection.sendNotification('textDocument/didOpen', { textDocument });
    await connection.sendRequest('workspace/diagnostic', { previousResultIds: [] });
    await idle(pid);
    const { items } = await connection.sendRequest<{ items: { range: unknown; code: string }[] }>(
      'textDocument/diagnostic',
      { textDocument: { uri } },
    );
    const [first] = items;
    if (!first) throw new Error('The file has no finding.');
    const params = { textDocument: { uri }, range: first.range, context: { diagnostics: items } };
    const ask = async (times: number): Promise<void> => {
      for (let time = 0; time < times; time++) await connection.sendRequest('textDocument/codeAction', params);
    };
    await ask(20);
    const before = cpuOf(pid);
    await ask(20);
    return { cpu: (cpuOf(pid) - before) / 20 };
  });
}

function writeInto(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
