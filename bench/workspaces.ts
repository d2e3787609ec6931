/** Generated workspaces in a folder for the time of a run. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { catalogText, type SeededError, skillOfLines, skillsOf } from './skills.ts';

export interface Generated {
  readonly folder: string;
  /** Skills with a seeded error, by path. */
  readonly errors: ReadonlyMap<string, SeededError>;
  /** Absolute paths of the skills. */
  readonly paths: readonly string[];
  /** A file of about that many lines, in the workspace. */
  document(lines: number): string;
}

export interface Workspaces {
  of(count: number, yaml?: boolean): Generated;
  remove(): void;
}

export function openWorkspaces(): Workspaces {
  const root = mkdtempSync(join(tmpdir(), 'skill-bench-'));
  const made = new Map<string, Generated>();
  return {
    of(count, yaml = false) {
      const name = `${yaml ? 'yaml' : 'md'}-${count}`;
      const known = made.get(name) ?? generate(join(root, name), count, yaml);
      made.set(name, known);
      return known;
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

function generate(folder: string, count: number, yaml: boolean): Generated {
  const errors = new Map<string, SeededError>();
  const paths: string[] = [];
  for (const { path, text, error } of skillsOf(count, yaml)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    paths.push(file);
    if (error) errors.set(path, error);
  }
  if (!yaml) writeFileSync(join(folder, 'skills.config.yaml'), catalogText());
  return {
    folder,
    errors,
    paths,
    document(lines) {
      const file = join(folder, `lines-${lines}.skill.${yaml ? 'yaml' : 'md'}`);
      if (!readdirSync(folder).some((name) => file.endsWith(name))) {
        // A name of its own, so that it clashes with no skill of the workspace.
        writeFileSync(
          file,
          skillOfLines(lines, yaml).replace(/^(?:---\n)?name: .*$/m, (line) => `${line}-of-${lines}`),
        );
      }
      return file;
    },
  };
}
