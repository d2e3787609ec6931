/** Files that turn out, while somebody reads them, to be others than the workspace knows. */
import type { Affected } from '../workspace/workspace.ts';
import { createSlices } from './slices.ts';

export interface OutdatedOptions {
  readonly awaited: (work: Promise<void>) => Promise<void>;
  readonly readAgain: (uri: string) => Promise<void>;
  readonly mark: (affected: Affected) => void;
}

export interface Outdated {
  /** Takes such a file in soon, as if somebody had told that it changed. */
  note(uri: string): void;
  /** Judges a file. Where it looks at an outdated one, half of what it sees is new and half old, so it is judged again. */
  watched<T>(uri: string, judge: () => T): T;
}

export function createOutdated({ awaited, readAgain, mark }: OutdatedOptions): Outdated {
  const outdated = new Set<string>();
  const mixed = new Set<string>();
  let judged: string | undefined;
  const takeIn = async (): Promise<void> => {
    await createSlices().next();
    const [changed, again] = [[...outdated], new Set(mixed)];
    outdated.clear();
    mixed.clear();
    await Promise.all(changed.map(readAgain));
    mark(again);
  };
  return {
    note(uri) {
      if (outdated.size === 0) void awaited(takeIn());
      outdated.add(uri);
      if (judged !== undefined) mixed.add(judged);
    },
    watched(uri, judge) {
      judged = uri;
      try {
        return judge();
      } finally {
        judged = undefined;
      }
    },
  };
}
