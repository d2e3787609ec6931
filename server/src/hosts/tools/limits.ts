/** How much a server may take (docs/tools.md, "Limits"). */

export interface Limits {
  readonly connectSeconds: number;
  readonly seconds: number;
  readonly tools: number;
  readonly pages: number;
  readonly bytes: number;
}

export const LIMITS: Limits = {
  // The first run of a package installs it.
  connectSeconds: 60,
  seconds: 120,
  tools: 10_000,
  pages: 1_000,
  bytes: 10 * 1024 * 1024,
};
