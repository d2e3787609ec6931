import type { PackageArtifact } from '../skill/package.ts';

/** What a page of a skill is told of what stands around it. */
export interface PageContext {
  /** What the client calls a tool; undefined where the catalog does not say. */
  readonly toolName: (name: string) => string | undefined;
  /** The link from this page to the page of a skill; undefined where it has none. */
  readonly linkTo: (skill: string) => string | undefined;
  /** Told of what has no words. */
  readonly leave: (what: string, artifact: PackageArtifact) => void;
}
