/** What every row of the table can use. */
import type { Peer, PeerName } from './peers.ts';
import type { RealSkills } from './real-skills.ts';
import type { Workspaces } from './workspaces.ts';

export interface Bench {
  readonly workspaces: Workspaces;
  readonly server: readonly string[];
  readonly cli: readonly string[];
  /** This program, to run a part of it as a process of its own. */
  readonly self: (part: 'floor' | 'kept', count: number) => readonly string[];
  readonly peer: (name: PeerName) => Peer;
  /** Undefined where nobody said where they are. */
  readonly real: RealSkills | undefined;
  /** The script of a server that checks less; undefined where nobody named one. */
  readonly yardstick: string | undefined;
  readonly rounds: number;
  readonly large: boolean;
  readonly say: (line: string) => void;
}
