/** The workspaces of a run: generated skills in a temporary folder, and real `SKILL.md` files if there are some. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '../test/temporary.mjs';
import { agentSkillsOf, brokenAgentSkillsOf, LONG_AGENT_SKILL, SHORT_AGENT_SKILL } from './agent-skills.ts';
import { catalogText, skillOfLines, skillsOf, testedSkillsOf } from './skills.ts';

export interface Generated {
  readonly folder: string;
  /** The total size of the skills, in bytes. */
  readonly bytes: number;
  /** The paths of two additional skills, of about 200 and 2,000 lines. */
  readonly documents: Readonly<Record<200 | 2000, string>>;
}

export interface GeneratedAgentSkills {
  readonly folder: string;
  readonly documents: Readonly<Record<'short' | 'long', string>>;
}

export interface Workspaces {
  /** Makes a workspace of `count` skills. With `yaml`, writes only the skills' frontmatter, as YAML files. */
  of(count: number, yaml?: boolean): Generated;
  /**
   * Makes a workspace of `count` `SKILL.md` files and two additional files: the first has the longest description of
   * all, the second a description of the usual length.
   */
  ofAgentSkills(count: number): GeneratedAgentSkills;
  /** Makes a folder of `count` broken `SKILL.md` files of one name, and returns its path. */
  ofBrokenAgentSkills(count: number): string;
  /** Makes a folder of `count` skills with one sample each. Returns the folder and the path of one skill. */
  ofTested(count: number): { readonly folder: string; readonly path: string };
}

export function openWorkspaces(): Workspaces {
  const root = temporaryFolder();
  const made = new Map<string, Generated>();
  return {
    of(count, yaml = false) {
      const name = `${yaml ? 'yaml' : 'md'}-${count}`;
      const known = made.get(name) ?? generate(join(root, name), count, yaml);
      made.set(name, known);
      return known;
    },
    ofAgentSkills(count) {
      const folder = join(root, `agent-skills-${count}`);
      if (!existsSync(folder)) {
        for (const { path, text } of [...agentSkillsOf(count), SHORT_AGENT_SKILL, LONG_AGENT_SKILL]) {
          writeInto(folder, path, text);
        }
      }
      return {
        folder,
        documents: { short: join(folder, SHORT_AGENT_SKILL.path), long: join(folder, LONG_AGENT_SKILL.path) },
      };
    },
    ofBrokenAgentSkills(count) {
      const folder = join(root, `broken-agent-skills-${count}`);
      if (!existsSync(folder)) for (const { path, text } of brokenAgentSkillsOf(count)) writeInto(folder, path, text);
      return folder;
    },
    ofTested(count) {
      const folder = join(root, `tested-${count}`);
      const [...skills] = testedSkillsOf(count);
      if (!existsSync(folder)) for (const { path, text } of skills) writeInto(folder, path, text);
      return { folder, path: skills[0]?.path ?? '' };
    },
  };
}

function generate(folder: string, count: number, yaml: boolean): Generated {
  let bytes = 0;
  const write = (path: string, text: string): string => {
    bytes += Buffer.byteLength(text);
    return writeInto(folder, path, text);
  };
  const document = (lines: number): string => {
    const text = skillOfLines(lines, yaml).replace(/^name: .*$/m, (line) => `${line}-of-${lines}`);
    return write(`lines-${lines}.skill.${yaml ? 'yaml' : 'md'}`, text);
  };
  const documents = { 200: document(200), 2000: document(2000) };
  for (const { path, text } of skillsOf(count, yaml)) write(path, text);
  const generated = { folder, bytes, documents };
  if (!yaml) write('skills.config.yaml', catalogText());
  return generated;
}

function writeInto(folder: string, path: string, text: string): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

/** Finds the `SKILL.md` below a folder whose number of lines is nearest to `lines`, and returns its path. */
export function realDocument(folder: string, lines: number): string {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('SKILL.md'))
    .map((path) => join(folder, path))
    .sort();
  const distances = paths.map((path) => Math.abs(readFileSync(path, 'utf8').split('\n').length - lines));
  const document = paths[distances.indexOf(Math.min(...distances))];
  if (!document) throw new Error(`There is no SKILL.md in ${folder}.`);
  return document;
}
