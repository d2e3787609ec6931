/**
 * Makes the result of a composition whose worker was ended: the same kind of error that the composer returns.
 */
import type { ComposeError, ComposeRequest, ComposeResult } from '../../composer/composition.ts';
import { findFraming } from '../../composer/find-framing.ts';
import { recordOf } from '../../composer/record.ts';
import { unrenderedPrompt } from '../../composer/unrendered.ts';
import type { RunResult } from '../../protocol.ts';
import type { PackageArtifact } from '../../skill/package.ts';

/** `unsent`: the request cannot be cloned for the worker, which is a defect of this program. */
export type EndReason = 'time' | 'memory' | 'crash' | 'unsent';

/** Returns the template that a request renders; undefined if the framing is prose. */
export function templateOf({ skillPackage, modelNames }: ComposeRequest): PackageArtifact | undefined {
  const found = findFraming(skillPackage, modelNames);
  return found?.kind === 'template' ? found.template : undefined;
}

/**
 * Returns a result with the error, located at the skill's framing, or else at its head. `seconds` is the time limit.
 */
export function endedResult(request: ComposeRequest, reason: EndReason, seconds: number): ComposeResult {
  const template = templateOf(request);
  const { framing, headSpan, uri, name } = request.skillPackage;
  const error: ComposeError = {
    kind: 'MalformedTemplate',
    uri,
    span: template?.headingSpan ?? framing?.span ?? headSpan,
    subject: template?.name ?? name?.name ?? '',
    ...explain(reason, template ? `The template \`${template.name}\`` : 'The skill', seconds),
  };
  const partial = unrenderedPrompt(request);
  const outcome = { error: error.kind, usedArtifacts: [], expectedToolCalls: [], declaredInterrupts: [] };
  return { ok: false, errors: [error], partial, decisions: [], invocationRecord: recordOf(request, outcome) };
}

/**
 * Returns the result of a run whose worker was ended, with the error at the skill's head. `seconds` is the limit;
 * `detail` is the error of a crash, for a report of the defect.
 */
export function endedRun(request: ComposeRequest, reason: EndReason, seconds: number, detail?: string): RunResult {
  const [error = ''] = (detail ?? '').split('\n');
  const crash = `The run crashed the composing worker${error === '' ? '' : ` (${error})`}. Report this defect.`;
  const messages: Readonly<Record<EndReason, readonly [code: string, message: string]>> = {
    time: [
      'TIME_LIMIT',
      `The run took longer than ${seconds} s and was stopped. Run fewer steps, or simplify templates.`,
    ],
    memory: ['MEMORY_LIMIT', 'The run used too much memory and was stopped. Use shorter values and fewer steps.'],
    crash: ['CRASH', crash],
    unsent: ['CRASH', 'The run could not be sent to the composing worker. Report this defect.'],
  };
  return failedRun(request, ...messages[reason]);
}

/** Returns the result of a run that failed before its first step, with the error at the skill's head. */
export function failedRun({ skillPackage }: ComposeRequest, code: string, message: string): RunResult {
  const { uri, headSpan: span } = skillPackage;
  return {
    ok: true,
    events: [],
    end: { kind: 'failed', code, message, path: '', uri, span },
    path: [],
    interrupts: [],
    assertions: { run: 0, passed: 0 },
  };
}

function explain(reason: EndReason, what: string, seconds: number): Pick<ComposeError, 'message' | 'suggestion'> {
  if (reason === 'time') {
    return {
      message: `${what} ran longer than ${seconds} s and was stopped.`,
      suggestion:
        'Check for nested loops over long lists, for macros or includes that call themselves, and for strings that double in length.',
    };
  }
  if (reason === 'memory') {
    return {
      message: `${what} used too much memory and was stopped.`,
      suggestion: 'Check for strings or lists that grow in a loop, and for very long parameters.',
    };
  }
  if (reason === 'unsent') {
    return {
      message: `${what} could not be sent to the composing worker.`,
      suggestion: 'Report this defect, with the skill and its parameters.',
    };
  }
  return {
    message: `${what} crashed the template engine.`,
    suggestion: 'Remove parts of the template until it composes. The part that you removed last is the cause.',
  };
}
