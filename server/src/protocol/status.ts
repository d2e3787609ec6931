/** What the status bar and fault reports say. */

/** Sent when the index of the workspace changed, if the client has requested `skill/about`. */
export const StatusNotification = 'skill/status';
export interface StatusParams {
  /** False while the workspace is being read. */
  readonly ready: boolean;
  readonly skills: number;
}

/** What the status bar says of a file. */
export const AboutRequest = 'skill/about';
export interface AboutParams {
  readonly uri?: string;
}
export interface AboutReply extends StatusParams {
  /** Null where the file is neither a skill nor a catalog. */
  readonly dialect: 'composer' | 'contract' | 'agent-skill' | 'catalog' | 'package' | null;
  /** The catalog that governs the file, or that it is; null where there is none. */
  readonly catalog: {
    readonly uri: string;
    readonly tools: number;
    /** False where the catalog is broken, or a snapshot of tools is missing: tools are then not checked. */
    readonly toolsKnown: boolean;
  } | null;
}

/** The content of a fault report: versions and numbers, and no content of files. */
export const ReportRequest = 'skill/report';
export interface ReportReply {
  readonly server: string;
  /** The template engine's name and version. */
  readonly engine: string;
  /** How many files there are of each dialect. */
  readonly files: Readonly<Record<string, number>>;
}
