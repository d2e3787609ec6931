/**
 * A skill with all data that composing needs, as plain data that can be sent to a worker. `read-package.ts` reads the
 * skill from one file, and `analysis/package-of.ts` adds the declarations from other files.
 */
import type { Schema } from '../languages/schema/schema.ts';
import type { Json } from '../languages/yaml/node.ts';
import type { Span } from '../text.ts';
import type { ArtifactKind } from '../vocabulary/artifact-keys.ts';
import type { Dialect } from '../vocabulary/dialect.ts';
import type { CapabilityEntry, Named } from './contract.ts';
import type { Exit } from './execution/exit.ts';
import type { Fallback } from './fallbacks.ts';
import type { ReferenceKind } from './references.ts';
import type { Retry } from './retry.ts';

/** A location: a span in the file `uri`. */
export interface FileSpan {
  readonly uri: string;
  readonly span: Span;
}

/** A span of a file with its text. */
export interface Excerpt {
  readonly span: Span;
  readonly text: string;
}

/** Authored text in one or more consecutive parts. The text between the parts is left out. */
export type Passage = readonly Excerpt[];

/** An expression of the template language in YAML. `valueStart` is its offset; undefined if the YAML has escapes. */
export interface PackageExpression {
  readonly source: string;
  readonly span: Span;
  readonly valueStart: number | undefined;
}

/** A tool as the catalog describes it; without a catalog, only its name. */
export interface ToolDescriptor {
  readonly name: string;
  readonly description: string | undefined;
  /** `TRANSFORM`, `READ` or `WRITE`. */
  readonly operation: string | undefined;
  /** The scopes that a caller must hold. */
  readonly scopes: readonly string[];
  readonly inputSchema: Json | undefined;
  readonly outputSchema: Json | undefined;
}

/** Returns a tool that only its name describes. */
export const namedTool = (name: string): ToolDescriptor => ({
  name,
  description: undefined,
  operation: undefined,
  scopes: [],
  inputSchema: undefined,
  outputSchema: undefined,
});

/** An entry of `tools`, which is one tool of the surface. */
export interface PackageTool extends Named {
  readonly optional: boolean;
  /** A JSON Schema fragment that narrows the tool's input. */
  readonly constraints: Json | undefined;
  /** The definition of the tool; undefined if the catalog lists tools, but not this tool. */
  readonly descriptor: ToolDescriptor | undefined;
  /** The skill that is called as this tool, whose gates close the callers; undefined for other tools. */
  readonly skill?: SkillPackage;
}

export interface PackageReference {
  readonly kind: ReferenceKind;
  readonly name: string;
  readonly span: Span;
}

/** An item of an Approach's ordered list, with the text up to the next item. */
export interface PackageStage {
  readonly name: string;
  readonly span: Span;
  readonly text: Passage;
  readonly references: readonly PackageReference[];
}

export interface PackageArtifact {
  /** `Kind:name`, for the variants of a template `Kind:name@variant`; unique in the skill. */
  readonly id: string;
  /** The digest of the whole artifact, with its heading and metadata. */
  readonly digest: string;
  readonly kind: ArtifactKind;
  readonly name: string;
  readonly headingSpan: Span;
  readonly span: Span;
  /** The text after the heading and the metadata. */
  readonly text: Passage;
  readonly includeWhen: PackageExpression | undefined;
  readonly tags: readonly string[];
  readonly modelVariant: string | undefined;
  /** The subset of the surface that an Approach uses; undefined if the Approach does not name a subset. */
  readonly tools: readonly Named[] | undefined;
  /** The source of a PromptTemplate. */
  readonly template: Excerpt | undefined;
  /** The input and the output of an Example; data includes its fence. */
  readonly input: Passage | undefined;
  readonly output: Passage | undefined;
  readonly stages: readonly PackageStage[];
  /** The text of an Approach before its first stage and after its last stage. */
  readonly beforeStages: Passage;
  readonly afterStages: Passage;
  /**
   * The unused text of an artifact, which is outside of a template's fence, or outside of an Example's input and
   * output.
   */
  readonly asides: readonly Passage[];
  readonly references: readonly PackageReference[];
  /** The assertions on the output, as in the metadata. */
  readonly assertions: readonly PackageAssertion[];
}

export interface PackageAssertion {
  readonly span: Span;
  readonly json: Json;
  /** True if `check` reports an error or a warning in it. */
  readonly isInvalid?: true;
}

export interface PackageInterrupt extends Named {
  readonly when: PackageExpression | undefined;
  readonly message: string | undefined;
  /**
   * The kind of node that fires the interrupt: `validate_input`, `stage`, `plan`, `call_tools` or `check_exit`;
   * undefined if unknown.
   */
  readonly node: string | undefined;
}

/** A step that runs an entry of `composes`. */
export interface PackageCall {
  readonly kind: 'step';
  /** The name of the entry. */
  readonly name: string;
  readonly span: Span;
  readonly condition: PackageExpression | undefined;
  /** The condition under which a speculated step is kept after `until` has ended. */
  readonly keepWhen: PackageExpression | undefined;
  /** The inputs of the step: constants, and references such as `$input.x`. */
  readonly inputs: Json | undefined;
  readonly retry: Retry | undefined;
}

export type PackageStep =
  | PackageCall
  | { readonly kind: 'parallel'; readonly span: Span; readonly steps: readonly PackageStep[] }
  | {
      readonly kind: 'branch';
      readonly span: Span;
      /** The arms. The last arm may be the `else`, which has no condition. */
      readonly arms: readonly {
        readonly condition: PackageExpression | undefined;
        readonly steps: readonly PackageStep[];
      }[];
    }
  | {
      readonly kind: 'speculate';
      readonly span: Span;
      readonly steps: readonly PackageCall[];
      /** The step that decides the speculation; its absence is an error. */
      readonly until: PackageCall | undefined;
    };

/** An error that `check` reports, and with which a skill can never be composed. */
export interface PackageFault {
  /** The kind of the composer's error. */
  readonly kind: 'MissingRequiredField' | 'InvalidComposition' | 'MalformedTemplate';
  readonly span: Span;
  /** The text at the span, up to the end of its line. */
  readonly subject: string;
  /** A sentence that describes the fault. */
  readonly message: string;
  /** A sentence that describes the fix. */
  readonly suggestion: string;
}

/** The replacement for the result of a failed run (docs/format.md, section 6, "Fallbacks"). */
export type PackageFallback =
  | Exclude<Fallback, { readonly kind: 'skill' }>
  | { readonly kind: 'skill'; readonly name: string; readonly package: SkillPackage | 'missing' | 'cycle' };

/** A declared error. */
export interface PackageError extends Named {
  /** `never`, `once` or `backoff`. */
  readonly retry: string | undefined;
  readonly fallback: PackageFallback | undefined;
}

/** The backing service of a contract with the limits of its calls, as a gateway needs them. */
export interface PackageService {
  readonly endpoint: string | undefined;
  readonly healthCheck?: string;
  readonly idempotent?: boolean;
  readonly idempotencyKey?: string;
  /** The parts of the scope, or those of each surface. */
  readonly idempotencyScope?: Json;
  readonly rateLimit?: Json;
  readonly circuitBreaker?: Json;
}

/** An entry of `composes`. */
export interface PackageSkill extends Named {
  /** The name that steps use for the entry. */
  readonly step: string;
  readonly inputMapping: Readonly<Record<string, string>>;
  readonly outputMapping: Readonly<Record<string, string>>;
  /** The skill to which the name resolves, or the reason why the name does not resolve. */
  readonly package: SkillPackage | 'missing' | 'cycle';
}

/** The catalog entry that allows the use of a skill in a workspace, or restricts it (docs/format.md, section 6). */
export interface Permission extends FileSpan {
  readonly enabled: boolean;
  /** The channels that are allowed for invocations with a channel. As for `contexts`, undefined allows all values. */
  readonly channels: readonly string[] | undefined;
  readonly contexts: readonly string[] | undefined;
}

/** A named sample invocation, with the spans at which errors of parameters are shown. */
export interface PackageSample extends Named {
  readonly invocation: Invocation;
  readonly places: InvocationPlaces;
}

export type InvocationSource = 'explicit' | 'agent-selected' | 'scheduled' | 'authoring';

/** The parts of an invocation that an author declares; parts that are not declared have defaults. */
export interface Invocation {
  readonly request?: string;
  readonly parameters?: Readonly<Record<string, Json>>;
  readonly source?: InvocationSource;
  readonly channel?: string;
  /** The thread of the invocation; the field is spelt like the key in a sample. */
  readonly thread_id?: string;
  readonly profile?: string;
  readonly model?: string;
  /** The memory of the caller, which templates read. */
  readonly memory?: readonly MemoryItem[];
}

export interface MemoryItem {
  readonly id: string;
  readonly tier: string;
  readonly text: string;
}

export interface InvocationPlaces {
  /** The name of the sample. */
  readonly span: Span;
  readonly request: Span | undefined;
  /**
   * The spans of parameter values by path, for example `cast.0`. The empty path stands for the map of all parameters.
   */
  readonly parameters: ReadonlyMap<string, Span>;
}

export interface SkillPackage {
  readonly uri: string;
  /** The digest of the whole file. */
  readonly digest: string;
  readonly dialect: Dialect;
  /** The syntax error in the frontmatter; otherwise undefined. With an error, nothing can be composed. */
  readonly unreadable: { readonly span: Span; readonly message: string } | undefined;
  /** The span for a missing key: the `name` entry, else the opening fence. */
  readonly headSpan: Span;
  /** The key `id`, else the name. */
  readonly id: string | undefined;
  readonly name: Named | undefined;
  readonly description: string | undefined;
  readonly version: string | undefined;
  readonly level: number | undefined;
  /** The key `framing`: the name of a PromptTemplate. */
  readonly framing: Named | undefined;
  /** The text outside of artifacts, without the title, as one passage for each part between artifacts. */
  readonly prose: readonly Passage[];
  readonly proseReferences: readonly PackageReference[];
  readonly artifacts: readonly PackageArtifact[];
  readonly inputSchema: Schema | undefined;
  readonly outputSchema: Schema | undefined;
  readonly tools: readonly PackageTool[];
  readonly toolsSpan: Span | undefined;
  readonly requiresTools: boolean;
  /** The span of the value of `requires_tools`. */
  readonly requiresToolsSpan: Span | undefined;
  readonly requiredScopes: readonly Named[];
  readonly allowedRoles: readonly Named[];
  readonly allowedContexts: readonly Named[];
  readonly capabilitiesRequired: readonly CapabilityEntry[];
  /** The permission for the skill in the catalog; undefined if the catalog has no such permission. */
  readonly permission: Permission | undefined;
  readonly deprecated: { readonly span: Span; readonly successor: string | undefined } | undefined;
  readonly interrupts: readonly PackageInterrupt[];
  readonly exit: Exit;
  /** The faults in `exit`, which prevent composition. */
  readonly exitProblems: readonly { readonly span: Span; readonly message: string; readonly suggestion: string }[];
  /** The value of the key `progress`; null without it. */
  readonly progress: Json;
  /** The models in order of preference. */
  readonly modelPreference: readonly string[];
  readonly plannerDelegatesShape: boolean;
  readonly samples: readonly PackageSample[];
  readonly composes: readonly PackageSkill[];
  /** Undefined without an `execution`: the composed skills run in the order of their data. */
  readonly execution: readonly PackageStep[] | undefined;
  /** The errors in `composes` and `execution`; for a composed skill also those in its framing. */
  readonly faults: readonly PackageFault[];
  readonly timeoutMs: number | undefined;
  readonly retry: Retry | undefined;
  readonly errors: readonly PackageError[];
  /** True for a contract with a `backing_service`: a service answers instead of a model. */
  readonly backed: boolean;
  readonly service: PackageService | undefined;
}

/** The parts of the catalog that an invocation uses: its callers and limits (docs/format.md, section 6). */
export interface InvocationContext {
  /** False if no catalog lists the tools: then every declared tool counts as available. */
  readonly toolsKnown: boolean;
  readonly profiles: readonly CallerProfile[];
  /** The scopes of each role; undefined if the catalog declares no roles. */
  readonly roles: Readonly<Record<string, readonly string[]>> | undefined;
  /** The largest number of examples in a prompt. */
  readonly examples: number;
  /** The largest number of tokens in a prompt; undefined without a limit. */
  readonly contextTokens: number | undefined;
  /** True if a test of an undefined value fails in templates and conditions. */
  readonly strictTemplates: boolean;
  /** The models of the catalog with a family. */
  readonly modelFamilies: readonly { readonly name: string; readonly family: string }[];
}

/** A caller as the catalog declares it. */
export interface CallerProfile {
  readonly name: string;
  readonly role: string | undefined;
  /** Undefined if the caller has only the scopes of its role. */
  readonly scopes: readonly string[] | undefined;
  /** The tools that the caller may use; undefined means all. */
  readonly tools: readonly string[] | undefined;
  readonly tier: string | undefined;
  readonly featureFlags: readonly string[] | undefined;
}

/** Returns the packages that a run of the skill may run next: the composed skills and the fallbacks. */
export const nextPackages = ({ composes, errors }: SkillPackage): readonly SkillPackage[] =>
  [...composes, ...errors.flatMap(({ fallback }) => (fallback?.kind === 'skill' ? [fallback] : []))].flatMap((one) =>
    typeof one.package === 'string' ? [] : [one.package],
  );

/**
 * Returns whether the skill uses a model (docs/composer.md, step 5). A skill with a backing service does not, and
 * neither does a contract that composes skills and has no framing.
 */
export const hasLoop = ({
  backed,
  dialect,
  composes,
  framing,
}: Pick<SkillPackage, 'backed' | 'dialect'> & {
  readonly composes: readonly unknown[];
  readonly framing: unknown;
}): boolean => !backed && (dialect !== 'contract' || composes.length === 0 || framing !== undefined);
