/** Installs the packages of a client into a folder of their own. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LabClient, Package } from './client.ts';

const specifier = ({ name, version }: Package): string => `${name}@${version}`;

/**
 * Installs a client below `folder`, or returns the folder where the same packages are installed.
 *
 * @param programs the folder of the script that the client may have, which is copied every time
 * @returns the folder that has `node_modules`
 * @throws Error with npm's output if a package cannot be installed
 */
export function install(client: LabClient, folder: string, programs: string): string {
  const packages = [client.package, ...(client.with ?? [])].map(specifier);
  const installed = join(folder, `${client.id}-${client.package.version}`);
  const mark = join(installed, 'installed.json');
  if (client.script !== undefined) {
    mkdirSync(installed, { recursive: true });
    copyFileSync(join(programs, client.script), join(installed, 'lab.mjs'));
  }
  if (existsSync(mark) && readFileSync(mark, 'utf8') === JSON.stringify(packages)) return installed;
  mkdirSync(installed, { recursive: true });
  const overrides = Object.fromEntries((client.absent ?? []).map((name) => [name, 'file:./absent']));
  writeFileSync(join(installed, 'package.json'), `${JSON.stringify({ private: true, overrides })}\n`);
  if (client.absent) {
    mkdirSync(join(installed, 'absent'), { recursive: true });
    writeFileSync(join(installed, 'absent', 'package.json'), '{ "name": "absent", "version": "1.0.0" }\n');
  }
  npm(installed, [
    'install',
    '--save-exact',
    '--no-audit',
    '--no-fund',
    ...(client.hasInstallScripts ? [] : ['--ignore-scripts']),
    ...packages,
  ]);
  writeFileSync(mark, JSON.stringify(packages));
  return installed;
}

/** Returns the newest version of a package in the registry. */
export const newestVersion = (name: string, cwd: string): string => npm(cwd, ['view', name, 'version']).trim();

function npm(cwd: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (status !== 0) throw new Error(`npm ${args.join(' ')} failed:\n${stderr.trim()}`);
  return stdout;
}
