/**
 * The skills and requests for measuring how well requests match skills. Skills come from the samples, from data files
 * and from a generator.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { Workspace } from '../../server/src/analysis/workspace.ts';
import { type Described, similarSkills } from './generated.ts';

export interface MatchRequest {
  readonly group: string;
  readonly request: string;
  readonly answers: readonly string[];
  /** True if the request is held out: no parameter was tuned with it. */
  readonly isHeldOut: boolean;
}

const read = (root: string, file: string): unknown =>
  parse(readFileSync(join(root, 'bench', 'matching', 'data', file), 'utf8'));

/** Returns all requests. In each group, every second request is held out. */
export function requests(root: string): readonly MatchRequest[] {
  const groups = read(root, 'requests.yaml') as Readonly<
    Record<string, readonly (readonly [string, string | string[]])[]>
  >;
  return Object.entries(groups).flatMap(([group, all]) =>
    all.map(([request, answers], at) => ({
      ...{ group, request, answers: [answers].flat() },
      isHeldOut: at % 2 === 1,
    })),
  );
}

function written(root: string): readonly Described[] {
  return ['en', 'de', 'ja', 'zh'].flatMap((language) => {
    const skills = read(root, `skills.${language}.yaml`) as Readonly<Record<string, string | Omit<Described, 'name'>>>;
    return Object.entries(skills).map(([name, text]) =>
      typeof text === 'string' ? { name, description: text } : { name, ...text },
    );
  });
}

/** Returns a workspace with all skills; the server and the command line use the same kind of workspace. */
export function workspaceOfSkills(root: string): Workspace {
  const workspace = new Workspace();
  const samples = join(root, 'samples');
  for (const path of readdirSync(samples, { recursive: true, encoding: 'utf8' }).sort()) {
    const isSkill = /\.skill\.(?:md|yaml)$|SKILL\.md$|skills\/[^/]*\.md$/.test(path.replaceAll('\\', '/'));
    if (!isSkill || path.startsWith('mistakes')) continue;
    workspace.apply({
      kind: 'text',
      uri: `file:///samples/${path.replaceAll('\\', '/')}`,
      text: readFileSync(join(samples, path), 'utf8'),
    });
  }
  for (const { name, ...rest } of [...written(root), ...similarSkills()]) {
    // JSON values are also valid YAML.
    const lines = Object.entries(rest).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
    const text = ['---', `name: ${name}`, ...lines, '---', '', 'Do it.', ''].join('\n');
    workspace.apply({ kind: 'text', uri: `file:///skills/${name}/SKILL.md`, text });
  }
  return workspace;
}
