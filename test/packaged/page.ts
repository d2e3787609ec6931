/** The code blocks of a page, which is docs/ci.md unless a test names another. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { temporaryFolder } from '../temporary.mjs';
import { TARBALL } from './installed.ts';

const PIPELINES = 'docs/ci.md';

/** Returns the blocks of a language, or those without a language. */
export const blocksOf = (language: string, page = PIPELINES): readonly string[] =>
  [...readFileSync(page, 'utf8').matchAll(/^```(\w*)\n(.*?)^```$/gms)]
    .filter(([, word]) => word === language)
    .map(([, , text = '']) => text);

/** Returns the only block that contains the words. */
export function blockWith(language: string, words: string, page = PIPELINES): string {
  const [block, ...others] = blocksOf(language, page).filter((text) => text.includes(words));
  if (block === undefined || others.length > 0) throw new Error(`Not one block of ${page} has \`${words}\`.`);
  return block;
}

/** The folder of the unpacked package, created as the page describes. */
export function unpackedPackage(): string {
  const folder = temporaryFolder();
  copyFileSync(TARBALL, join(folder, basename(TARBALL)));
  execFileSync('sh', ['-e', '-c', blockWith('', 'tar -xzf')], { cwd: folder });
  return join(folder, 'skill-composer');
}
