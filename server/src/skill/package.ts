/**
 * A skill with all that composing needs, as plain data that can cross to a worker. `read-package.ts` reads
 * one file; `analysis/package-of.ts` adds what other files declare.
 */
import type { Schema } from '../languages/schema/schema.ts';
import type { Json } from '../languages/yaml/node.ts';
import type { Span } from '../text.ts';
import type { ArtifactKind } from '../vocabulary/artifact-keys.ts';
import type { Dialect } from '../vocabulary/dialect.ts';
import type { CapabilityEntry, Named } from './contract.ts';
import type { Exit } from './execution/exit.ts';
import type { ReferenceKind } from './references.ts';

/** A place in some file. */
export interface FileSpan {
  readonly uri: string;
  readonly span: Span;
}

/** A stretch of a file, with its text. */
export interface Excerpt {
  readonly span: Span;
  readonly text: string;
}

/** Authored text in one or more stretches that follow upon one another; what lies between is not part of it. */
export type Passage = readonly Excerpt[];

/** An expression of the template language in YAML. `valueStart` is its offset, where it is written there without escapes. */
export interface PackageExpression {
  readonly source: string;
  readonly span: Span;
  readonly valueStart: number | undefined;
}

/** A tool as the catalog describes it; only its name where there is no catalog. */
export interface ToolDescriptor {
  readonly name: string;
  readonly description: string | undefined;
  /** `TRANSFORM`, `READ` or `WRITE`. */
  readonly operation: string | undefined;
  /** The scopes that a caller must hold. */
  readonly scopes: readonly string[];
  readonly inputSchema: Json | undefined;
}

/** An entry of `tools`: one tool of the surface. */
export interface PackageTool extends Named {
  readonly optional: boolean;
  /** A JSON Schema fragment that narrows the tool's input. */
  readonly constraints: Json | undefined;
  /** Undefined where a catalog knows the tools and this one is not among them. */
  readonly descriptor: ToolDescriptor | undefined;
}

export interface PackageReference {
  readonly kind: ReferenceKind;
  readonly name: string;
  readonly span: Span;
}

/** One item of an Approach's ordered list, and what stands between it and the next one. */
export interface PackageStage {
  readonly name: string;
  readonly span: Span;
  readonly text: Passage;
  readonly references: readonly PackageReference[];
}

export interface PackageArtifact {
  /** `Kind:name`, and `@variant` behind the variants of a template; unique in the skill. */
  readonly id: string;
  /** Of its whole stretch of the file, heading and metadata included. */
  readonly digest: string;
  readonly kind: ArtifactKind;
  readonly name: string;
  readonly headingSpan: Span;
  readonly span: Span;
  /** The prose behind heading and metadata. */
  readonly text: Passage;
  readonly includeWhen: PackageExpression | undefined;
  readonly tags: readonly string[];
  readonly modelVariant: string | undefined;
  /** The subset of the surface that an Approach needs; undefined where it does not say. */
  readonly tools: readonly Named[] | undefined;
  /** The source of a PromptTemplate. */
  readonly template: Excerpt | undefined;
  /** The sides of an Example; data comes with its fence. */
  readonly input: Passage | undefined;
  readonly output: Passage | undefined;
  readonly stages: readonly PackageStage[];
  /** Of an Approach with stages: what stands before the first one and after the last. */
  readonly beforeStages: Passage;
  readonly afterStages: Passage;
  /** What belongs to no part: beside a template's fence, or outside of an Example's input and output. */
  readonly asides: readonly Passage[];
  readonly references: readonly PackageReference[];
  /** Checks on an output, as they are written. */
  readonly assertions: readonly PackageAssertion[];
}

export interface PackageAssertion {
  readonly span: Span;
  readonly json: Json;
}

export interface PackageInterrupt extends Named {
  readonly when: PackageExpression | undefined;
  readonly message: string | undefined;
  /** The graph node that fires it: `validate_input`, `stage`, `plan`, `call_tools` or `check_exit`; undefined where nothing declares the name. */
  readonly node: string | undefined;
}

export interface Retry {
  readonly maxAttempts: number;
  readonly backoff: string | undefined;
  readonly retryOn: readonly string[];
}

/** One step that runs an entry of `composes`. */
export interface PackageCall {
  readonly kind: 'step';
  /** The name of the entry. */
  readonly name: string;
  readonly span: Span;
  readonly condition: PackageExpression | undefined;
  /** Of a speculated step: decides whether it is still needed once `until` has ended. */
  readonly keepWhen: PackageExpression | undefined;
  /** Where the step's inputs come from: constants and references such as `$input.x`. */
  readonly inputs: Json | undefined;
  readonly retry: Retry | undefined;
}

export type PackageStep =
  | PackageCall
  | { readonly kind: 'parallel'; readonly span: Span; readonly steps: readonly PackageStep[] }
  | {
      readonly kind: 'branch';
      readonly span: Span;
      /** The last one may be the `else`, which has no condition. */
      readonly arms: readonly {
        readonly condition: PackageExpression | undefined;
        readonly steps: readonly PackageStep[];
      }[];
    }
  | {
      readonly kind: 'speculate';
      readonly span: Span;
      readonly steps: readonly PackageCall[];
      /** What decides; undefined is an error. */
      readonly until: PackageCall | undefined;
    };

/** What makes a part of the file impossible to run. */
export interface PackageProblem {
  readonly span: Span;
  readonly message: string;
  readonly advice: string;
}

/** An entry of `composes`. */
export interface PackageSkill extends Named {
  /** What steps call it. */
  readonly step: string;
  readonly inputMapping: Readonly<Record<string, string>>;
  readonly outputMapping: Readonly<Record<string, string>>;
  /** The skill that the name resolves to; why there is none otherwise. */
  readonly package: SkillPackage | 'missing' | 'cycle';
}

/** Whether and where a skill may be used in a workspace, as its catalog says (docs/format.md, section 6). */
export interface Permission extends FileSpan {
  readonly enabled: boolean;
  /** For invocations that have a channel. Undefined: all; so for contexts. */
  readonly channels: readonly string[] | undefined;
  readonly contexts: readonly string[] | undefined;
}

/** A named sample invocation, with the places that a refused parameter is shown at. */
export interface PackageSample extends Named {
  readonly invocation: Invocation;
  readonly places: InvocationPlaces;
}

export type InvocationSource = 'explicit' | 'agent-selected' | 'scheduled' | 'authoring';

/** What an author declares of an invocation; defaults stand for the rest. */
export interface Invocation {
  readonly request?: string;
  readonly parameters?: Readonly<Record<string, Json>>;
  readonly source?: InvocationSource;
  readonly channel?: string;
  /** The thread that the invocation belongs to; spelt as in a sample. */
  readonly thread_id?: string;
  readonly profile?: string;
  readonly model?: string;
}

export interface InvocationPlaces {
  /** The sample's name. */
  readonly span: Span;
  readonly request: Span | undefined;
  /** The value of a parameter by its path, `cast.0`; the map of all of them under the empty path. */
  readonly parameters: ReadonlyMap<string, Span>;
}

export interface SkillPackage {
  readonly uri: string;
  /** Of the whole file. */
  readonly digest: string;
  readonly dialect: Dialect;
  /** Why nothing can be composed: the frontmatter does not parse. */
  readonly unreadable: { readonly span: Span; readonly message: string } | undefined;
  /** Where a key that is missing is shown: the `name` entry, else the opening fence. */
  readonly headSpan: Span;
  /** `id`, else the name. */
  readonly id: string | undefined;
  readonly name: Named | undefined;
  readonly description: string | undefined;
  readonly version: string | undefined;
  readonly level: number | undefined;
  /** The key `framing`: the name of a PromptTemplate. */
  readonly framing: Named | undefined;
  /** The prose that no artifact holds, one passage for each stretch between artifacts, without the title. */
  readonly prose: readonly Passage[];
  readonly proseReferences: readonly PackageReference[];
  readonly artifacts: readonly PackageArtifact[];
  readonly inputSchema: Schema | undefined;
  readonly outputSchema: Schema | undefined;
  readonly tools: readonly PackageTool[];
  readonly toolsSpan: Span | undefined;
  readonly requiresTools: boolean;
  /** The value of `requires_tools`. */
  readonly requiresToolsSpan: Span | undefined;
  readonly requiredScopes: readonly Named[];
  readonly allowedRoles: readonly Named[];
  readonly allowedContexts: readonly Named[];
  readonly capabilitiesRequired: readonly CapabilityEntry[];
  /** What the catalog says of the skill; undefined where it says nothing. */
  readonly permission: Permission | undefined;
  readonly deprecated: { readonly span: Span; readonly successor: string | undefined } | undefined;
  readonly interrupts: readonly PackageInterrupt[];
  readonly exit: Exit;
  /** Why nothing composes with this `exit`. */
  readonly exitProblems: readonly { readonly span: Span; readonly message: string; readonly suggestion: string }[];
  /** The key `progress` as it is written; null where there is none. */
  readonly progress: Json;
  /** In order of preference. */
  readonly modelPreference: readonly string[];
  readonly plannerDelegatesShape: boolean;
  readonly samples: readonly PackageSample[];
  readonly composes: readonly PackageSkill[];
  /** Undefined where there is no `execution`: the composed skills run in their order. */
  readonly execution: readonly PackageStep[] | undefined;
  /** Why the execution cannot run. */
  readonly executionProblems: readonly PackageProblem[];
  readonly timeoutMs: number | undefined;
  readonly retry: Retry | undefined;
  /** True for a contract with a `backing_service`: a service answers, no model. */
  readonly backed: boolean;
}

/** What an invocation meets beside the package: callers and limits of the catalog (docs/format.md, section 6). */
export interface InvocationContext {
  /** False where there is no catalog, or one that cannot say which tools there are: every declared tool counts as available. */
  readonly toolsKnown: boolean;
  readonly profiles: readonly CallerProfile[];
  /** The scopes of each role; undefined where the catalog declares none. */
  readonly roles: Readonly<Record<string, readonly string[]>> | undefined;
  /** How many examples a prompt takes. */
  readonly examples: number;
  /** How many tokens a prompt may have; undefined where there is no limit. */
  readonly contextTokens: number | undefined;
}

/** A caller as the catalog declares it. */
export interface CallerProfile {
  readonly name: string;
  readonly role: string | undefined;
  /** Undefined where only the role gives them. */
  readonly scopes: readonly string[] | undefined;
  /** The tools that the caller holds; undefined means all. */
  readonly tools: readonly string[] | undefined;
  readonly tier: string | undefined;
  readonly featureFlags: readonly string[] | undefined;
}

/**
 * Whether a model works in the skill (docs/composer.md, step 5). A service answers in place of a model; a contract that
 * composes skills and has no framing is run by their order alone.
 */
export const hasLoop = ({ backed, dialect, composes, framing }: SkillPackage): boolean =>
  !backed && (dialect !== 'contract' || composes.length === 0 || framing !== undefined);
