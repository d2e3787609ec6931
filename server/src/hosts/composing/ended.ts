/** The result of a composition whose worker was ended: an error as the composer itself would give it. */
import type { ComposeError, ComposeRequest, ComposeResult } from '../../composer/composition.ts';
import { findFraming } from '../../composer/find-framing.ts';
import { recordOf } from '../../composer/record.ts';
import { unrenderedPrompt } from '../../composer/unrendered.ts';
import type { PackageArtifact } from '../../skill/package.ts';

/** `unsent`: what the skill declares is no plain data, which is a defect of this program. */
export type EndReason = 'time' | 'memory' | 'crash' | 'unsent';

/** The template that a request renders; undefined where its framing is prose. */
export function templateOf({ skillPackage, model }: ComposeRequest): PackageArtifact | undefined {
  const found = findFraming(skillPackage, model);
  return found?.kind === 'template' ? found.template : undefined;
}

/** `seconds` is the deadline. The error stands at the framing's template, else at the skill's head. */
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
  const outcome = { error: error.kind, usedArtifacts: [], expectedToolCalls: [] };
  return { ok: false, errors: [error], partial, decisions: [], invocationRecord: recordOf(request, outcome) };
}

function explain(reason: EndReason, what: string, seconds: number): Pick<ComposeError, 'message' | 'suggestion'> {
  if (reason === 'time') {
    return {
      message: `${what} ran longer than ${seconds} s and was stopped.`,
      suggestion:
        'Look for a loop within a loop over long lists, for a macro or an include that calls itself, and for texts that double.',
    };
  }
  if (reason === 'memory') {
    return {
      message: `${what} used too much memory and was stopped.`,
      suggestion: 'Look for a text or a list that grows with every turn of a loop, and for very long parameters.',
    };
  }
  if (reason === 'unsent') {
    return {
      message: `${what} could not be handed over to the composer.`,
      suggestion: 'Take parts of the skill away until it composes; what was taken last is what stands in the way.',
    };
  }
  return {
    message: `${what} crashed the template engine.`,
    suggestion: 'Take parts of the template away until it composes; what was taken last is what the engine fails at.',
  };
}
