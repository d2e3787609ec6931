/** The state that a page keeps while its window reloads, which a newer version of the extension may read. */

export interface Versioned {
  /** Raised when the shape of the state changes. */
  readonly version: number;
}

/** The version of each page's state. Raise it when the state changes. The import page keeps nothing. */
export const STATE_VERSIONS = { preview: 2, graph: 2 } as const;

/** The kept state if it has the wanted version; a state of any other version is dropped. */
export function keptState<State extends Versioned>(kept: unknown, version: State['version']): State | undefined {
  const state = kept as State | null | undefined;
  return state?.version === version ? state : undefined;
}
