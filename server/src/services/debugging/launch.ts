/**
 * The launch of a debug session (docs/debugging.md, "Configuration"): its capabilities, its arguments, and the services
 * of its host.
 */
import type { DebugProtocol } from '@vscode/debugprotocol';
import * as v from 'valibot';
import { URI } from 'vscode-uri';
import type { Evaluated, Evaluation } from '../../composer/compose.ts';
import type { ComposeError } from '../../composer/composition.ts';
import type { Json } from '../../languages/yaml/node.ts';
import type { RunQuery, RunReply, RunRequest, RunResult, Trace } from '../../protocol.ts';
import type { TraceLine } from '../../reports/run.ts';
import { lineStartsOf, positionAt, showInvisible } from '../../text.ts';
import { EXCEPTION_FILTERS, type TracePosition } from './replay.ts';

/** `v.record` would drop names such as `constructor`. */
const jsonMap = v.custom<Readonly<Record<string, Json>>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'Expected an object',
);

/** The arguments of `launch` (docs/debugging.md, "Configuration"). */
export const launchArguments = v.object({
  program: v.pipe(v.string(), v.nonEmpty()),
  sample: v.optional(v.string()),
  parameters: v.optional(jsonMap),
  stopOnEntry: v.optional(v.boolean()),
  maxSteps: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(1))),
  mode: v.optional(v.picklist(['dry', 'model'])),
  noDebug: v.optional(v.boolean()),
});
export type Launch = v.InferOutput<typeof launchArguments>;

export const CAPABILITIES: DebugProtocol.Capabilities = {
  supportsConfigurationDoneRequest: true,
  supportsConditionalBreakpoints: true,
  supportsHitConditionalBreakpoints: true,
  supportsLogPoints: true,
  supportsBreakpointLocationsRequest: true,
  supportsEvaluateForHovers: true,
  supportsClipboardContext: true,
  supportsStepBack: true,
  supportsSetVariable: true,
  supportsExceptionInfoRequest: true,
  supportsRestartRequest: true,
  supportsTerminateRequest: true,
  supportsCancelRequest: true,
  supportsDelayedStackTraceLoading: true,
  exceptionBreakpointFilters: [...EXCEPTION_FILTERS],
};

/** A breakpoint as the client sets it. */
export const sourceBreakpoint = v.object({
  line: v.pipe(v.number(), v.safeInteger()),
  column: v.optional(v.pipe(v.number(), v.safeInteger())),
  condition: v.optional(v.string()),
  hitCondition: v.optional(v.string()),
  logMessage: v.optional(v.string()),
});
export type GivenBreakpoint = v.InferOutput<typeof sourceBreakpoint>;

export interface PreparedRun {
  /** The name of the skill. */
  readonly name: string;
  readonly sample?: string | undefined;
  readonly request: RunRequest;
  /** Returns the text of a skill file that the request was made from. */
  readonly text: (uri: string) => string | undefined;
}

/** A run with its trace up to its end, an interrupt or a query. */
export interface Replay extends PreparedRun {
  readonly launch: Launch;
  readonly trace: Trace;
  readonly positions: readonly TracePosition[];
  readonly lines: readonly TraceLine[];
}

/** The services that a session needs. */
export interface DebugHost {
  /** Rejects with a `UserError` if the program is not a skill, or an argument is wrong. */
  prepare(launch: Launch): Promise<PreparedRun>;
  /** Rejects with a `UserError` if no worker can be started, as `evaluate` does. */
  run(request: RunRequest): Promise<RunResult | 'superseded'>;
  evaluate(questions: readonly Evaluation[]): Promise<readonly Evaluated[]>;
  /** Asks the model or calls the tool in a run with a model. Without it, only dry runs can be debugged. */
  readonly ask?: (query: RunQuery, signal: AbortSignal) => Promise<RunReply>;
  /** The time in milliseconds after which a model that does not reply has failed; five minutes if undefined. */
  readonly patience?: number;
  /** Called when the session has moved, with the number of past events as in `DebugProgress`. */
  readonly moved?: (run: Replay, past: number) => void;
  /** Called once, after the last message of the session. */
  ended(): void;
}

/** Tells the host the position with an index; without one, the run has not begun. */
export function notifyMove({ moved }: DebugHost, replay: Replay | undefined, at?: number): void {
  const position = at === undefined ? undefined : replay?.positions[at];
  const isAsking = position?.kind === 'end' && replay?.trace.end.kind === 'asking';
  if (replay) moved?.(replay, position ? position.event + (isAsking ? 0 : 1) : 0);
}

/** Returns the errors of the composer as one message, with the places of the first ones. */
export function composeProblem(errors: readonly ComposeError[], { text: textOf }: PreparedRun): string {
  const lines = errors.slice(0, 3).map(({ uri, span, message, suggestion }) => {
    const { line, character } = positionAt(lineStartsOf(textOf(uri) ?? ''), span.start);
    return `${uri.slice(uri.lastIndexOf('/') + 1)}:${line + 1}:${character + 1}: ${message} ${suggestion}`;
  });
  const more = errors.length > 3 ? ` ${errors.length - 3} more errors are in the Debug Console.` : '';
  return showInvisible(`The skill does not compose. ${lines.join(' ')}${more}`);
}

/** Returns the URI of a path or of a URI. */
export function uriOf(path: string): string {
  try {
    return (/^[a-z][a-z0-9+.-]+:[\\/]/i.test(path) ? URI.parse(path) : URI.file(path)).toString();
  } catch {
    return path;
  }
}
