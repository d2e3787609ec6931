/**
 * Real `SKILL.md` files and the server that others use for them. Neither is in a package registry, so whoever wants these
 * rows says where they are: `--real-skills FOLDER` of some thousand skills, `--skill-language-server FILE` of its bundle.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface RealSkills {
  readonly folder: string;
  /** The one whose length is nearest to 400 lines. */
  readonly document: string;
  readonly count: number;
  /** The bundled server that they are measured with. */
  readonly server: string;
}

const LINES = 400;

export function findRealSkills(folder: string, server: string): RealSkills {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('SKILL.md'))
    .map((path) => join(folder, path))
    .sort();
  const distances = paths.map((path) => Math.abs(readFileSync(path, 'utf8').split('\n').length - LINES));
  const document = paths[distances.indexOf(Math.min(...distances))];
  if (!document) throw new Error(`There is no SKILL.md in ${folder}.`);
  return { folder, document, count: paths.length, server };
}
