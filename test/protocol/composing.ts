/** Skills with hostile templates, and a worker that composes them. */
import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { invocationContextOf } from '../../server/src/analysis/package-of.ts';
import { Workspace } from '../../server/src/analysis/workspace.ts';
import type { ComposeRequest } from '../../server/src/composer/composition.ts';
import { prepareRequest } from '../../server/src/composer/prepare.ts';
import { checkedPackageOf } from '../../server/src/rules/engine/checked-package.ts';
import { type Composed, type Composing, createComposing } from '../../server/src/services/composing/composing.ts';
import { startNodeWorker } from '../../server/src/services/composing/node-worker.ts';
import { skillWithFraming } from './draft-scene.ts';

export const templated = (template: string): string => skillWithFraming(template, 'input_schema: {}');

export function requestFor(text: string): ComposeRequest {
  const uri = 'file:///w/draft-scene.skill.md';
  const workspace = new Workspace();
  workspace.apply({ kind: 'text', uri, text });
  const skillPackage = checkedPackageOf(workspace.analysis, uri);
  assert.ok(skillPackage);
  return prepareRequest(skillPackage, invocationContextOf(workspace.analysis, uri), undefined).request;
}

export async function withComposing(
  body: (composing: Composing) => Promise<void>,
  deadlineMs?: number,
  bundle = 'dist',
): Promise<void> {
  const composing = createComposing(startNodeWorker(resolve(bundle)), deadlineMs);
  try {
    await body(composing);
  } finally {
    composing.dispose();
  }
}

/** Returns the prompt, or the error as `kind at TEXT: message`. */
export function toldBy(composed: Composed | 'superseded', text: string): string {
  if (composed === 'superseded') return composed;
  const { result } = composed;
  if (result.ok) return result.composition.prompt;
  return result.errors
    .map(({ kind, span, message }) => `${kind} at ${text.slice(span.start, span.end)}: ${message}`)
    .join('\n');
}
