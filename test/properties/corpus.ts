/** Real skills to damage: the samples of the repository. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dialectOf } from '../../server/src/vocabulary/dialect.ts';

const FOLDER = 'samples';

/** All skills and catalogs of the samples, by their path below `samples`. */
export const samples: ReadonlyMap<string, string> = new Map(
  readdirSync(FOLDER, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).replaceAll('\\', '/'))
    .filter((path) => dialectOf(path) !== undefined && !path.endsWith('README.md'))
    .sort()
    .map((path) => [path.slice(FOLDER.length + 1), readFileSync(path, 'utf8')]),
);

/** The samples without a mistake. */
export const soundSamples: ReadonlyMap<string, string> = new Map(
  [...samples].filter(([path]) => !path.startsWith('mistakes/')),
);
