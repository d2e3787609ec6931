/** `--converted`: runs a framework on skills that `convert --clients` wrote, and compares its list with the prediction. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findClient } from '../server/src/clients/facts/clients.ts';
import { startModel } from '../server/src/services/observing/model/server.ts';
import { predictedList, readWorkspace } from '../server/src/services/observing/predicted-list.ts';
import type { LabClient } from './client.ts';
import { install } from './install.ts';
import { Runner } from './runner.ts';

/** A skill in Claude Code's folder, one with another name than its folder, and a typed skill. */
const FILES: Readonly<Record<string, string>> = {
  '.claude/skills/trim-hedges/SKILL.md':
    '---\nname: trim-hedges\ndescription: Trims hedges by height. Use it when someone mentions hedges.\n---\n\nTrim the hedge.\n',
  '.claude/skills/rake-leaves/SKILL.md':
    '---\nname: Rake Leaves\ndescription: Rakes leaves in autumn. Use it when someone mentions leaves.\n---\n\nRake them.\n',
  'typed/mow-lawn.skill.md': [
    '---\nname: mow-lawn\ndescription: Mows a lawn in strips. Use it when someone mentions a lawn.\nversion: 1.0.0\nlevel: 1',
    'input_schema:\n  height: {type: integer, default: 4, description: the height in centimetres}\noutput_schema: {}\n---\n',
    '# Mow a lawn\n\n## PromptTemplate: main\n\nMow the lawn to {{ height }} cm.\n',
  ].join('\n'),
};

export interface ConvertedOptions {
  /** The path of the checkout, with a build of the command line. */
  readonly root: string;
  /** The folder for packages and workspaces. */
  readonly folder: string;
  readonly print: (line: string) => void;
}

/**
 * Converts the skills for a framework and runs it.
 *
 * @returns true if the entries in the captured request are those of the prediction
 * @throws Error if the skills cannot be converted, or the framework cannot be installed or run
 */
export async function runConverted(client: LabClient, { root, folder, print }: ConvertedOptions): Promise<boolean> {
  const target = `${client.facts ?? client.id}:${client.skills.project}`;
  const facts = findClient(target);
  if (!facts) throw new Error(`${client.name} is not a framework of the product`);
  const installed = install(client, join(folder, 'installed'), join(root, 'lab', 'programs'));
  const model = await startModel();
  try {
    const runner = new Runner(client, model, installed, join(folder, 'runs'), print);
    const place = runner.write([]);
    for (const [path, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(place.workspace, path)), { recursive: true });
      writeFileSync(join(place.workspace, path), text);
    }
    for (const folder of ['typed', '.claude/skills']) convert(root, place.workspace, folder, target, print);
    const { listWith } = client;
    const { requests, ended } = await runner.run(place, { calls: listWith ? [listWith] : [] });
    const seen = (runner.listIn(requests, ended, place)?.entries ?? []).map(({ text }) => text.trim()).sort();
    const predicted = predictedList(facts, await readWorkspace(place.workspace), place)
      .filter(({ listed }) => listed === 'yes')
      .map(({ text }) => text.trim())
      .sort();
    for (const text of seen)
      print(`${predicted.includes(text) ? 'as predicted' : 'NOT predicted'}: ${firstLine(text)}`);
    for (const text of predicted) if (!seen.includes(text)) print(`predicted, NOT seen: ${firstLine(text)}`);
    return seen.length > 0 && seen.join('\n') === predicted.join('\n');
  } finally {
    await model.close();
  }
}

const firstLine = (text: string): string => text.replace(/\s*\n\s*/g, ' ').slice(0, 150);

function convert(root: string, workspace: string, folder: string, target: string, print: (line: string) => void): void {
  const args = [join(root, 'dist', 'cli.cjs'), 'convert', folder, '--clients', target];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: workspace, encoding: 'utf8' });
  if (status !== 0) throw new Error(`convert ended with status ${status}: ${stderr}`);
  for (const line of stdout.split('\n').filter(Boolean)) print(`convert: ${line}`);
}
