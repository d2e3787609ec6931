/** The page about pipelines, cut into what people copy. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { emptyFolder, TARBALL } from './installed.ts';

const page = readFileSync('docs/ci.md', 'utf8');

/** The blocks of a language, or of none. */
export const blocksOf = (language: string): readonly string[] =>
  [...page.matchAll(/^```(\w*)\n(.*?)^```$/gms)].filter(([, word]) => word === language).map(([, , text = '']) => text);

/** The one block that holds the words. */
export function blockWith(language: string, words: string): string {
  const [block, ...others] = blocksOf(language).filter((text) => text.includes(words));
  if (block === undefined || others.length > 0) throw new Error(`Not one block of docs/ci.md has \`${words}\`.`);
  return block;
}

/** The folder of the unpacked package, made as the page tells. */
export function unpackedPackage(): string {
  const folder = emptyFolder();
  copyFileSync(TARBALL, join(folder, basename(TARBALL)));
  execFileSync('sh', ['-e', '-c', blockWith('', 'tar -xzf')], { cwd: folder });
  return join(folder, 'skill-composer');
}
