/**
 * The composition graph as plain data, for the command line, the request `skill/graph` and the panel. Each of them
 * converts the locations `{uri, span}` itself.
 */
import type { Span } from '../text.ts';
import type { ListFill } from './clients-view.ts';
import type { OnWire } from './tests.ts';

export interface GraphView {
  /** Composites before the skills that they compose: sorted by rank, name, version and file. */
  readonly nodes: readonly GraphViewNode[];
  /** In the order of their composites, and of the entries in each. */
  readonly edges: readonly GraphViewEdge[];
  /** The shortest cycle of each strongly connected component, as IDs; the last skill composes the first. */
  readonly cycles: readonly (readonly string[])[];
  /** True while files are still being read. */
  readonly partial: boolean;
}

/** The graph and the additional data that an editor shows with it. */
export interface GraphPanelView extends GraphView {
  /** The sizes of the skill lists of the target clients of `SKILL.md`. */
  readonly lists: readonly ClientList[];
}

export interface ClientList {
  /** The URI of the folder whose catalog governs the listed skills; empty if no catalog does. */
  readonly folder: string;
  readonly client: string;
  readonly fill: ListFill;
}

export type GraphViewNode = GraphViewSkill | UnknownSkill;

export interface GraphViewSkill {
  readonly kind: 'skill';
  /** The file's URI. */
  readonly id: string;
  readonly uri: string;
  /** The span of the name, else the start of the file. */
  readonly span: Span;
  /** The file name if the frontmatter has no name. */
  readonly name: string;
  readonly version: string | null;
  readonly level: number | null;
  /** The number of edges on the longest path from a skill that no skill composes; equal for all skills of a cycle. */
  readonly rank: number;
  readonly description: string | null;
  readonly isDeprecated: boolean;
  /** True if its catalog disables it in this workspace. */
  readonly isDisabled: boolean;
  /** True if the frontmatter does not parse. The skills that it composes are then left out. */
  readonly isBroken: boolean;
  readonly isInCycle: boolean;
  /** The effects of the skill and its closure, in the order in which they occur. */
  readonly effects: readonly string[];
  /** The strongest operation of the same skills; null if no skill declares one. */
  readonly operation: string | null;
  /** The values that the skill does not declare itself. */
  readonly isInferred: { readonly effects: boolean; readonly operation: boolean };
  /** Null if neither the skill nor its parts declare it; a cycle has no sum of parts. */
  readonly p95: GraphAmount | null;
  readonly cost: GraphAmount | null;
  /** The order in which the composed skills run: steps of one stage may run in parallel. Empty for an atomic skill. */
  readonly stages: readonly (readonly string[])[];
  /** The findings in this file: composition rules only on the command line, all listed findings in an editor. */
  readonly findings: FindingCounts;
}

/** A name in `composes` that matches no skill. */
export interface UnknownSkill {
  readonly kind: 'unknown';
  readonly id: string;
  readonly name: string;
  readonly rank: number;
}

/** Milliseconds, or US dollars. */
export interface GraphAmount {
  readonly declared: number | null;
  /** The sum of the parts: milliseconds along the critical path, dollars in total. Null for an atomic skill. */
  readonly ofParts: number | null;
}

export interface FindingCounts {
  readonly errors: number;
  readonly warnings: number;
  readonly infos: number;
  readonly hints: number;
}

/**
 * An entry of `composes`; or the first mention of another skill in the text of a `SKILL.md` that does not compose it,
 * which has none of the fields below.
 */
export interface GraphViewEdge {
  readonly kind: 'composes' | 'mentions';
  readonly from: string;
  readonly to: string;
  /** The file of `from`, and the span of the entry in it. */
  readonly uri: string;
  readonly span: Span;
  /** The name of the entry's step: its `as`, else the skill's name. */
  readonly step: string;
  /** Null if the entry has no `as`. */
  readonly as: string | null;
  /** The ranges of `requires` for the skill, joined by spaces; null without one. */
  readonly requires: string | null;
  /** The version that the entry resolves to. */
  readonly version: string | null;
  /** False if the version is outside the ranges. */
  readonly isAllowed: boolean;
  /** The first stage of `from` in which the entry runs, from 1; null if it is in no stage. */
  readonly stage: number | null;
  readonly isInCycle: boolean;
  /** True if the entry is on the critical path of `from`. */
  readonly isCritical: boolean;
}

/** `null` if the file is not a skill. */
export type GraphReply = OnWire<GraphPanelView>;
