/**
 * The composition graph as plain data, for the command line, the request `skill/graph` and the panel. Each of these
 * consumers converts the locations `{uri, span}` itself.
 */
import type { Span } from '../text.ts';
import type { ListFill } from './clients-view.ts';
import type { OnWire } from './shapes.ts';

export interface GraphView {
  /** The nodes, sorted by rank, name, version and file, so that composites precede the skills that they compose. */
  readonly nodes: readonly GraphViewNode[];
  /** The edges, ordered by composite and then by the position of the entry in the composite. */
  readonly edges: readonly GraphViewEdge[];
  /**
   * The shortest cycle in each strongly connected component, as a list of IDs. The last skill composes the first skill.
   */
  readonly cycles: readonly (readonly string[])[];
  /** True while files are still being read. */
  readonly partial: boolean;
}

/** The graph and the additional data that an editor shows with it. */
export interface GraphPanelView extends GraphView {
  /** The sizes of the skill lists that the target clients make from `SKILL.md` files. */
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
  /** The span of the name, or the start of the file if there is no name. */
  readonly span: Span;
  /** The name in the frontmatter, or the file name if the frontmatter has no name. */
  readonly name: string;
  readonly version: string | null;
  readonly level: number | null;
  /** The number of edges on the longest path from a skill that no skill composes; equal for all skills in a cycle. */
  readonly rank: number;
  readonly description: string | null;
  readonly isDeprecated: boolean;
  /** True if the skill's catalog disables the skill in this workspace. */
  readonly isDisabled: boolean;
  /**
   * True if the frontmatter does not parse. In this case, the graph does not contain the skills that this skill
   * composes.
   */
  readonly isBroken: boolean;
  readonly isInCycle: boolean;
  /** The effects of the skill and its closure, in the order in which they occur. */
  readonly effects: readonly string[];
  /** The strongest operation of the skill and its closure; null if none of these skills declares an operation. */
  readonly operation: string | null;
  /** True for each value that is inferred because the skill does not declare it. */
  readonly isInferred: { readonly effects: boolean; readonly operation: boolean };
  /** Null if neither the skill nor its composed skills declare the value. */
  readonly p95: GraphAmount | null;
  readonly cost: GraphAmount | null;
  /**
   * The order in which the composed skills run: steps in the same stage may run in parallel. Empty for an atomic skill.
   */
  readonly stages: readonly (readonly string[])[];
  /**
   * The findings in this file: on the command line only those of composition rules, in an editor all listed findings.
   */
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
  /** The sum over the composed skills: milliseconds along the critical path, or dollars. Null for an atomic skill. */
  readonly ofParts: number | null;
}

export interface FindingCounts {
  readonly errors: number;
  readonly warnings: number;
  readonly infos: number;
  readonly hints: number;
}

/**
 * An entry of `composes`, an entry of `adapts`, or the first mention of another skill in the text of a `SKILL.md` that
 * does not compose it. For `adapts`, only `requires` has a meaning from `step` on; for a mention, no field has.
 */
export interface GraphViewEdge {
  readonly kind: 'composes' | 'adapts' | 'mentions';
  readonly from: string;
  readonly to: string;
  /** The file of the skill `from`, and the span of the entry in that file. */
  readonly uri: string;
  readonly span: Span;
  /** The name of the entry's step: the value of `as`, or the skill's name. */
  readonly step: string;
  /** Null if the entry has no `as`. */
  readonly as: string | null;
  /** The version ranges in `requires` for the composed skill, joined by spaces, or the versions that an adapter serves; null without a range. */
  readonly requires: string | null;
  /** The version that the entry resolves to. */
  readonly version: string | null;
  /** The name of the adapter that gives the output of a version in the ranges; null without an adapter. */
  readonly adapter: string | null;
  /** False if the version is outside the ranges, and no adapter serves them. */
  readonly isAllowed: boolean;
  /** The first stage of `from` in which the entry runs, counted from 1; null if it is in no stage. */
  readonly stage: number | null;
  readonly isInCycle: boolean;
  /** True if the entry is on the critical path of `from`. */
  readonly isCritical: boolean;
}

/** A whole graph. */
export type GraphReply = OnWire<GraphPanelView>;

/** A whole graph, or one page of a large graph. */
export type GraphPage = OnWire<
  GraphPanelView & {
    /** The parameter `next` for the page that follows; null for the last page. */
    readonly next: string | null;
  }
>;
