/** The measurements, by name. Every round runs each measurement once. A measurement returns its figures, by name. */
import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Kind, measureEdits, measureFirstOpening, measureOpening, measurePrompts } from './editing.ts';
import { measureCount, measureHeap, measureIndex, measureStart } from './indexing.ts';
import { measureQuality } from './matching/quality.ts';
import { measureMatching } from './matching/speed.ts';
import { installPeer, markdownlintCommand, type PeerName, remarkCommand, yamlServer } from './peers.ts';
import { runOnce } from './process.ts';
import { referenceMeasurements } from './reference.ts';
import { scalingMeasurements } from './scaling.ts';
import type { Target } from './server.ts';
import { measureWatching } from './watching.ts';
import { realDocument, type Workspaces } from './workspaces.ts';

export type Figures = Readonly<Record<string, number>>;

/** Returns figures in milliseconds and megabytes. Throws an error with the reason if a figure is not available. */
export type Measurement = () => Figures | Promise<Figures>;

export interface Setting {
  /** The path of the checkout. */
  readonly root: string;
  readonly workspaces: Workspaces;
  readonly quick: boolean;
  /** A folder of real `SKILL.md` files, and the script of skill-language-server. */
  readonly realSkills: string | undefined;
  readonly skillLanguageServer: string | undefined;
  /** The checkout of the reference, and a folder with clones of real repositories. */
  readonly reference?: string | undefined;
  readonly repositories?: string | undefined;
}

const MB = 2 ** 20;

export function measurementsOf(setting: Setting): Readonly<Record<string, Measurement>> {
  const { root, workspaces, quick } = setting;
  const [small, medium, large] = quick ? [20, 100, 3_000] : [100, 1_000, 10_000];
  const some = quick ? 400 : 3_000;
  const edits = quick ? 16 : 100;
  const server = [process.execPath, join(root, 'dist', 'server.js'), '--stdio'];
  const ours = (folder: string): Target => ({ command: server, folder, pull: true });
  const editsOf = (count: number, lines: 200 | 2000) => () => {
    const workspace = workspaces.of(count);
    return measureEdits(ours(workspace.folder), workspace.documents[lines], edits);
  };
  const yamlEdits = (lines: 200 | 2000) => async () => {
    const workspace = workspaces.of(medium, true);
    const target = yamlServer(await peer('yaml-language-server'), workspace.folder);
    return measureEdits(target, workspace.documents[lines], edits);
  };
  // With `pull: false` the server sends diagnostics by itself, and therefore also checks closed files.
  const agentSkillEdits = (count: number, document: 'short' | 'long', kind: Kind) => () => {
    const { folder, documents } = workspaces.ofAgentSkills(count);
    return measureEdits({ ...ours(folder), pull: false }, documents[document], edits, {
      kinds: [kind],
      untilIdle: true,
    });
  };
  const firstAgentSkill = (count: number) => () => {
    const { folder, documents } = workspaces.ofAgentSkills(count);
    return measureFirstOpening(ours(folder), documents.short);
  };
  const cli = (...words: readonly string[]) => [process.execPath, join(root, 'dist', 'cli.cjs'), ...words];
  const matchingAmong = (count: number) => () => {
    const { folder, documents } = workspaces.of(count);
    return measureMatching(ours(folder), documents[200], edits);
  };
  const run = (command: readonly string[], count: number): Figures => {
    const { cpu, memory } = runOnce(command, workspaces.of(count).folder);
    return { cpu, memory };
  };
  /** The matrix: what every client does with each skill. */
  const matrixOf = (folder: string): Figures => {
    const { cpu, memory } = runOnce(cli('clients', '--format', 'json'), folder);
    return { cpu, memory };
  };
  const real = (isOurs: boolean): Target => {
    const { realSkills, skillLanguageServer } = setting;
    if (!realSkills || !skillLanguageServer) throw new Error('needs `--real-skills` and `--skill-language-server`');
    const folder = resolve(realSkills);
    const command = [process.execPath, resolve(skillLanguageServer), '--stdio'];
    return isOurs ? ours(folder) : { command, folder, pull: false };
  };
  const realEdits = (isOurs: boolean) => () => {
    const target = real(isOurs);
    return measureEdits(target, realDocument(target.folder, 400), edits, { appended: UNKNOWN_SKILL });
  };
  return {
    ...referenceMeasurements({
      root,
      quick,
      workspaces,
      reference: setting.reference,
      repositories: setting.repositories,
    }),
    ...scalingMeasurements({ root, quick }),
    start: () => measureStart(ours(workspaces.of(small).folder), join(root, 'dist', 'cli.cjs'), quick ? 3 : 7),
    'edits 200': editsOf(medium, 200),
    'yaml-language-server 200': yamlEdits(200),
    'edits 2,000': editsOf(medium, 2000),
    'yaml-language-server 2,000': yamlEdits(2000),
    'edits SKILL.md': realEdits(true),
    'skill-language-server edits': realEdits(false),
    'index SKILL.md': () => measureIndex(real(true)),
    'skill-language-server index': () => measureIndex(real(false)),
    'edits among 100': editsOf(small, 200),
    'edits among 10,000': editsOf(large, 200),
    'description among 100': agentSkillEdits(small, 'short', 'description'),
    'description among 3,000': agentSkillEdits(some, 'short', 'description'),
    'description among 10,000': agentSkillEdits(large, 'short', 'description'),
    'longest description among 100': agentSkillEdits(small, 'long', 'description'),
    'longest description among 3,000': agentSkillEdits(some, 'long', 'description'),
    'body among 100': agentSkillEdits(small, 'short', 'prose'),
    'body among 3,000': agentSkillEdits(some, 'short', 'prose'),
    'first SKILL.md among 100': firstAgentSkill(small),
    'first SKILL.md among 3,000': firstAgentSkill(some),
    'count of 500': () => {
      const { folder, documents } = workspaces.ofAgentSkills(500);
      return measureCount(ours(folder), documents.short);
    },
    'prompt 10,000': () => {
      const { folder, documents } = workspaces.of(small);
      return measurePrompts(ours(folder), documents[200], 10_000, quick ? 8 : 40);
    },
    opening: () => measureOpening(ours(workspaces.of(large).folder), workspaces.of(large).documents[200]),
    'index 10,000': () => measureIndex(ours(workspaces.of(large).folder)),
    'floor 10,000': () => run([process.execPath, join(root, 'bench', 'floor.mjs'), '.'], large),
    check: () => {
      const { cpu, memory, status } = runOnce(cli('check', 'skills'), workspaces.of(medium).folder);
      if (status !== 0) throw new Error(`\`check\` ended with ${status}: the generated skills have errors`);
      return { cpu, memory };
    },
    clients: () => matrixOf(workspaces.ofAgentSkills(medium).folder),
    'clients among 100': () => matrixOf(workspaces.ofAgentSkills(small).folder),
    'clients of broken': () => matrixOf(workspaces.ofBrokenAgentSkills(small)),
    test: () => {
      const command = [process.execPath, join(root, 'dist', 'cli.cjs'), 'test', '--quiet'];
      const { cpu, memory, status } = runOnce(command, workspaces.ofTested(medium).folder);
      if (status !== 0) throw new Error(`\`test\` ended with ${status}: tests of the generated skills fail`);
      return { cpu, memory };
    },
    'test --watch': () => {
      const { folder, path } = workspaces.ofTested(medium);
      return measureWatching([process.execPath, join(root, 'dist', 'cli.cjs'), 'test', '--watch'], folder, path, 7);
    },
    'remark-cli': async () => run(remarkCommand(await peer('remark-cli')), medium),
    'markdownlint-cli2': async () => run(markdownlintCommand(await peer('markdownlint-cli2')), medium),
    heap: async () => {
      const [few, many] = [workspaces.of(small), workspaces.of(medium)];
      const kept = (await measureHeap(ours(many.folder))) - (await measureHeap(ours(few.folder)));
      return { kept: kept / MB, files: (many.bytes - few.bytes) / MB };
    },
    matching: matchingAmong(large),
    'matching among 100': matchingAmong(small),
    audit: () => {
      const { cpu, memory, status } = runOnce(cli('audit'), workspaces.of(large).folder);
      if (status !== 0)
        throw new Error(`\`audit\` ended with ${status}: the generated skills have incomplete contracts`);
      return { cpu, memory };
    },
    'matching quality': () => measureQuality(root),
    package: () => {
      const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
      return { size: statSync(join(root, 'out', `${name}-${version}.vsix`)).size / MB };
    },
  };
}

/**
 * A reference to an unknown skill, because skill-language-server sends no diagnostics for a document without findings.
 */
const UNKNOWN_SKILL = '\nThen use /no-such-skill-anywhere.\n';

async function peer(name: PeerName): Promise<string> {
  const folder = await installPeer(name);
  if (folder === undefined) throw new Error('it cannot be installed here');
  return folder;
}
