/**
 * The saved state of a page, which survives a reload of the window. A newer version of the extension may read this
 * state.
 */

export interface Versioned {
  /** The version of the state's format. */
  readonly version: number;
}

/**
 * The version of the state of each page. Increase the version when the format changes. The import page saves no state.
 */
export const STATE_VERSIONS = { preview: 2, graph: 2 } as const;

/** Returns the saved state if it has this version; otherwise undefined. */
export function savedState<State extends Versioned>(kept: unknown, version: State['version']): State | undefined {
  const state = kept as State | null | undefined;
  return state?.version === version ? state : undefined;
}
