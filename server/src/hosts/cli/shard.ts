/** `--shard I/N`: one part of the files, so that several machines can share a run. */
import { Stop } from './stop.ts';

export interface Shard {
  /** From 0. */
  readonly index: number;
  readonly count: number;
}

/** Without a word, the whole. */
export function parseShard(word: string | undefined): Shard {
  if (word === undefined) return { index: 0, count: 1 };
  const [, part, count] = /^(\d{1,4})\/(\d{1,4})$/.exec(word) ?? [];
  const shard = { index: Number(part) - 1, count: Number(count) };
  if (shard.index >= 0 && shard.index < shard.count) return shard;
  throw new Stop(`\`--shard ${word}\`: write the part and how many there are, such as 1/4.`);
}

/** The files of the part: every nth in the order given, so that the parts together are the whole. */
export const partOf = <File>(files: readonly File[], { index, count }: Shard): readonly File[] =>
  files.filter((_, at) => at % count === index);
