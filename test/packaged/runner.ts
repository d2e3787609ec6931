/** Runs a composite action like a GitHub runner: it replaces expressions, then runs each step as a shell script. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { temporaryFolder } from '../temporary.mjs';
import { env } from './installed.ts';

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string; readonly required?: boolean }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: {
    readonly using: string;
    readonly steps: readonly { id?: string; shell: string; env?: Record<string, string>; run: string }[];
  };
}

export interface Run {
  readonly status: number | null;
  readonly log: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
}

export const readAction = (folder: string): Action => parse(readFileSync(join(folder, 'action.yml'), 'utf8'));

/** Runs the action in `folder` on the repository `workspace`. `given` has the values of `with` in a workflow. */
export function runAction(folder: string, workspace: string, given: Readonly<Record<string, string>>): Run {
  const { inputs, outputs, runs } = readAction(folder);
  const known = new Map<string, string>();
  for (const [name, { default: value = '' }] of Object.entries(inputs)) known.set(`inputs.${name}`, value);
  for (const [name, value] of Object.entries(given)) {
    if (!(name in inputs)) throw new Error(`The action has no input \`${name}\`.`);
    known.set(`inputs.${name}`, value);
  }
  const evaluated = (text: string): string =>
    text.replaceAll(/\$\{\{ *(.+?) *\}\}/g, (_, expression: string) => {
      const value = known.get(expression);
      // A missing output of a step is empty.
      if (value === undefined && expression.startsWith('steps.')) return '';
      if (value === undefined) throw new Error(`The runner knows no \`${expression}\`.`);
      return value;
    });
  const summaryFile = join(temporaryFolder(), 'summary');
  writeFileSync(summaryFile, '');
  let log = '';
  let status: number | null = 0;
  for (const [at, step] of runs.steps.entries()) {
    const temporary = temporaryFolder();
    const [script, output] = [join(temporary, 'script.sh'), join(temporary, 'output')];
    writeFileSync(script, evaluated(step.run));
    writeFileSync(output, '');
    const own = Object.entries(step.env ?? {}).map(([name, value]) => [name, evaluated(value)]);
    const files = { GITHUB_ACTION_PATH: folder, GITHUB_OUTPUT: output, GITHUB_STEP_SUMMARY: summaryFile };
    // The action must not require `skill-composer` on the PATH.
    const path = { PATH: process.env.PATH, HOME: temporary, CI: 'true', GITHUB_ACTIONS: 'true' };
    const variables = { ...env, ...path, GITHUB_WORKSPACE: workspace, ...files, ...Object.fromEntries(own) };
    const words = ['--noprofile', '--norc', '-e', '-o', 'pipefail', script];
    const ran = spawnSync('bash', words, { cwd: workspace, env: variables, encoding: 'utf8' });
    log += ran.stdout + ran.stderr;
    status = ran.status;
    for (const line of readFileSync(output, 'utf8').split('\n')) {
      const [, name, value = ''] = /^([^=]+)=(.*)$/.exec(line) ?? [];
      if (name) known.set(`steps.${step.id ?? at}.outputs.${name}`, value);
    }
    if (status !== 0) break;
  }
  const produced = Object.entries(outputs).map(([name, { value }]) => [name, evaluated(value)]);
  return { status, log, outputs: Object.fromEntries(produced), summary: readFileSync(summaryFile, 'utf8') };
}
