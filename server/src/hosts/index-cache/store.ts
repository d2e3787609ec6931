/** Where a host keeps what its server knew, for the next start. */
export interface CacheStore {
  /** Differs whenever another program might know something else: its version and build. */
  readonly program: string;
  /** Workspaces of fewer files are read sooner than it would take to remember them. */
  readonly atLeast: number;
  /** How long nothing must have changed before something is kept, in milliseconds. */
  readonly quiet: number;
  /** The text that was kept under the name; undefined where there is none. */
  read(name: string): Promise<string | undefined>;
  /** Keeps a text in place of the one before. It is there as a whole or not at all, and whether it is, nobody waits for. */
  write(name: string, text: string): Promise<void>;
}
