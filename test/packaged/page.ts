/** The code blocks of docs/ci.md. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { emptyFolder, TARBALL } from './installed.ts';

const page = readFileSync('docs/ci.md', 'utf8');

/** Returns the blocks of a language, or those without a language. */
export const blocksOf = (language: string): readonly string[] =>
  [...page.matchAll(/^```(\w*)\n(.*?)^```$/gms)].filter(([, word]) => word === language).map(([, , text = '']) => text);

/** Returns the only block that contains the words. */
export function blockWith(language: string, words: string): string {
  const [block, ...others] = blocksOf(language).filter((text) => text.includes(words));
  if (block === undefined || others.length > 0) throw new Error(`Not one block of docs/ci.md has \`${words}\`.`);
  return block;
}

/** The folder of the unpacked package, created as the page describes. */
export function unpackedPackage(): string {
  const folder = emptyFolder();
  copyFileSync(TARBALL, join(folder, basename(TARBALL)));
  execFileSync('sh', ['-e', '-c', blockWith('', 'tar -xzf')], { cwd: folder });
  return join(folder, 'skill-composer');
}
