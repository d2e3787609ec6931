/**
 * The composition graph as plain data, for the command line, the request `skill/graph` and the panel. Every place is
 * `{uri, span}`, which each of them converts for itself.
 */
import type { Span } from '../text.ts';
import type { ListFill } from './clients-view.ts';
import type { OnWire } from './tests.ts';

export interface GraphView {
  /** Composers before their parts: sorted by rank, name, version and file. */
  readonly nodes: readonly GraphViewNode[];
  /** In the order of their composers, and of the entries in each. */
  readonly edges: readonly GraphViewEdge[];
  /** The shortest cycle of each strongly connected component, as ids; the last composes the first. */
  readonly cycles: readonly (readonly string[])[];
  /** True while files are still being read. */
  readonly partial: boolean;
}

/** What an editor shows of the graph beside it. */
export interface GraphPanelView extends GraphView {
  /** How full the lists of the target clients of `SKILL.md` are. */
  readonly lists: readonly ClientList[];
}

export interface ClientList {
  /** The URI of the folder whose catalog governs the listed skills; empty where none does. */
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
  /** Of the name, else the start of the file. */
  readonly span: Span;
  /** The file's name where the frontmatter has none. */
  readonly name: string;
  readonly version: string | null;
  readonly level: number | null;
  /** The number of edges on the longest way from a skill that nobody composes; the same for all skills of a cycle. */
  readonly rank: number;
  readonly description: string | null;
  readonly isDeprecated: boolean;
  /** Whether its catalog keeps it out of this workspace. */
  readonly isDisabled: boolean;
  /** True where the frontmatter does not parse: what it composes is left out. */
  readonly isBroken: boolean;
  readonly isInCycle: boolean;
  /** The skill's own effects and those of all that it composes, directly or not, in the order in which they come. */
  readonly effects: readonly string[];
  /** The severest operation of the same skills; null where none declares one. */
  readonly operation: string | null;
  /** What the skill does not declare itself. */
  readonly isInferred: { readonly effects: boolean; readonly operation: boolean };
  /** Null where neither the skill nor its parts declare it; a cycle has no sum of parts. */
  readonly p95: GraphAmount | null;
  readonly cost: GraphAmount | null;
  /** The order in which the parts run: steps of one stage may run side by side. None for an atomic skill. */
  readonly stages: readonly (readonly string[])[];
  /** The findings in this file: on the command line of the rules on composition, for an editor all, as it lists them. */
  readonly findings: FindingCounts;
}

/** A name in `composes` that no skill has. */
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

/**
 * An entry of `composes`; or the first place where the text of a `SKILL.md` names another skill that it does not compose,
 * which has none of the facts below.
 */
export interface GraphViewEdge {
  readonly kind: 'composes' | 'mentions';
  readonly from: string;
  readonly to: string;
  /** The file of `from`, and the place of the entry in it. */
  readonly uri: string;
  readonly span: Span;
  /** The name of the entry's step: its `as`, else the skill's name. */
  readonly step: string;
  /** Null where the entry has no `as`. */
  readonly as: string | null;
  /** The ranges of `requires` for the skill, joined by blanks; null without one. */
  readonly requires: string | null;
  /** The version that the entry resolves to. */
  readonly version: string | null;
  /** False where the version is outside of the ranges. */
  readonly isAllowed: boolean;
  /** The stage of `from` in which the entry runs first, from 1; null where no stage has it. */
  readonly stage: number | null;
  readonly isInCycle: boolean;
  /** Whether the entry is part of the slowest way through `from`. */
  readonly isCritical: boolean;
}

/** `null` where the file is no skill. */
export type GraphReply = OnWire<GraphPanelView>;
