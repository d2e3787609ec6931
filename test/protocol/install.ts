/** Runs `install`, and parses its preview. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type RunResult, run } from './cli.ts';

export const CATALOG = [
  'tools:',
  '  - {name: read_page, description: Reads a page., input_schema: {}, operation: READ}',
  '  - {name: write_page, description: Writes a page., input_schema: {}, operation: WRITE, scopes: ["write:pages"]}',
  'scopes: [read:pages]',
  'permissions:',
  '  outlawed: {enabled: false}',
  '',
].join('\n');

export const NOTES =
  '---\nname: merge-notes\ndescription: Merges notes.\nlicense: MIT\nallowed-tools: Read Bash(git:*)\n---\n\nMerge.\n';

export interface Skill {
  readonly name: string;
  readonly state: string;
  readonly path: string;
  readonly writes: boolean;
  readonly operation: string | null;
  readonly effects: readonly string[];
  readonly tools: readonly {
    readonly name: string;
    readonly operation: string | null;
    readonly isKnown: boolean | null;
  }[];
  readonly scopes: readonly { readonly name: string; readonly isKnown: boolean | null }[];
  readonly parts: readonly { readonly name: string; readonly from: string }[];
  readonly interrupts: readonly string[];
  readonly executables: readonly string[];
  readonly programs: readonly string[];
  readonly addresses: readonly string[];
  readonly findings: readonly { readonly rule: string; readonly path: string }[];
  readonly others: readonly { readonly path: string; readonly relation: string }[];
  readonly permission: string | null;
  readonly changes: readonly { readonly kind: string; readonly text: string }[];
  readonly contract: readonly { readonly bump: string; readonly message: string }[];
}

export interface View {
  readonly version: 1;
  readonly origin: string;
  readonly skills: readonly Skill[];
  readonly files: readonly { readonly path: string; readonly state: string }[];
  readonly conflicts: readonly { readonly path: string; readonly why: string }[];
  readonly leftOut: readonly { readonly path: string; readonly why: string }[];
}

export async function previewOf(workspace: string, source: string, ...words: readonly string[]): Promise<View> {
  const { stdout, stderr } = await run(workspace, ['install', source, '--check', '--format', 'json', ...words]);
  assert.equal(stderr, '');
  return JSON.parse(stdout) as View;
}

export const skillOf = ({ skills }: View, name: string): Skill =>
  skills.find((one) => one.name === name) ?? assert.fail(`no ${name}`);

export const installed = ({ status, stderr }: RunResult): void => {
  assert.match(stderr, /Installed from|is installed already/);
  assert.equal(status, 0);
};

export const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(folder.length + 1))
    .sort();
