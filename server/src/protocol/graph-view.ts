/**
 * The composition graph as people see it: plain data that the command line, the request `skill/graph` and the panel
 * share. Every place is `{uri, span}`, which each of them shows in its own way.
 */
import type { Span } from '../text.ts';

export interface GraphView {
  /** The skills that others compose stand behind those; of one rank by name, version and file. */
  readonly nodes: readonly GraphViewNode[];
  /** In the order of their composers, and of the entries in each. */
  readonly edges: readonly GraphViewEdge[];
  /** The shortest cycle of each knot, as ids along the way; the last composes the first. */
  readonly cycles: readonly (readonly string[])[];
  /** True while files are still being read: what is unknown may be unread. */
  readonly partial: boolean;
}

export type GraphViewNode = GraphViewSkill | UnknownSkill;

export interface GraphViewSkill {
  readonly kind: 'skill';
  /** The file's URI. */
  readonly id: string;
  readonly uri: string;
  /** The name's place, else the start of the file. */
  readonly span: Span;
  /** Where the frontmatter gives none, the file's. */
  readonly name: string;
  readonly version: string | null;
  readonly level: number | null;
  /** How many edges the longest way from a skill that nobody composes has; skills of a cycle stand side by side. */
  readonly rank: number;
  readonly description: string | null;
  readonly isDeprecated: boolean;
  /** True where the frontmatter does not parse: what it composes is left out. */
  readonly isBroken: boolean;
  readonly isInCycle: boolean;
  /** The skill's own effects and those of all that it composes, directly or not, in the order in which they come. */
  readonly effects: readonly string[];
  /** The severest of the same; null where none declares one. */
  readonly operation: string | null;
  /** What the skill does not say itself. */
  readonly isInferred: { readonly effects: boolean; readonly operation: boolean };
  /** Null where neither the skill nor its parts say anything, and where a cycle would add up without end. */
  readonly p95: GraphAmount | null;
  readonly cost: GraphAmount | null;
  /** The order in which the parts run: steps of one stage may run side by side. None for an atomic skill. */
  readonly stages: readonly (readonly string[])[];
  /** The findings of the rules on composition in this file. */
  readonly findings: FindingCounts;
}

/** A name that is composed and that no skill has. */
export interface UnknownSkill {
  readonly kind: 'unknown';
  readonly id: string;
  readonly name: string;
  readonly rank: number;
}

/** Milliseconds, or US dollars. */
export interface GraphAmount {
  readonly declared: number | null;
  /** What the parts add up to: milliseconds along the critical path, dollars in all. Null for an atomic skill. */
  readonly ofParts: number | null;
}

export interface FindingCounts {
  readonly errors: number;
  readonly warnings: number;
  readonly infos: number;
  readonly hints: number;
}

/** An entry of `composes`. */
export interface GraphViewEdge {
  readonly from: string;
  readonly to: string;
  /** The place of the entry, in the file of `from`. */
  readonly uri: string;
  readonly span: Span;
  /** What steps call the entry: its `as`, else the skill's name. */
  readonly step: string;
  /** Null where the entry has no `as`. */
  readonly as: string | null;
  /** The ranges of `requires` for the skill, joined by blanks as npm has it; null without one. */
  readonly requires: string | null;
  /** The version that the entry resolves to. */
  readonly version: string | null;
  /** False where there is a range and the version is not in it. */
  readonly isAllowed: boolean;
  /** The stage of `from` in which the entry runs first, from 1; null where no stage has it. */
  readonly stage: number | null;
  readonly isInCycle: boolean;
  /** Whether the entry is part of the slowest way through `from`. */
  readonly isCritical: boolean;
}
