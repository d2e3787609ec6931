/** Globs of the settings: `!glob` excludes, and a folder's plain name means all below it. */
import picomatch from 'picomatch';

/** Tests paths relative to a folder. */
export function globTest(globs: readonly string[]): (path: string) => boolean {
  const excluded = globs.flatMap((glob) => (glob.startsWith('!') ? withContents(glob.slice(1)) : []));
  const included = globs.flatMap((glob) => (glob.startsWith('!') ? [] : withContents(glob)));
  return picomatch(included, { dot: true, ignore: excluded });
}

const withContents = (glob: string): readonly string[] =>
  picomatch.scan(glob).isGlob ? [glob] : [glob, `${glob.replace(/\/$/, '')}/**`];
