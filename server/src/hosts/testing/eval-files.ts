/** Reads the files in `evals/` beside a `SKILL.md` (docs/testing.md, "Evals of a SKILL.md"). */

import type { Analysis } from '../../analysis/analysis.ts';
import { invocationContextOf } from '../../analysis/package-of.ts';
import type { ComposeRequest, Composition } from '../../composer/composition.ts';
import { prepareRequest } from '../../composer/prepare.ts';
import { checkedPackageOf } from '../../rules/checked-package.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { type EvalCase, type Evals, readEvals } from '../../testing/evals.ts';
import { folderOf } from '../../vocabulary/dialect.ts';
import { resolvePath } from '../../workspace/links.ts';
import type { Composing } from '../composing/composing.ts';
import type { Files } from '../files/files.ts';
import { userMessage } from '../user-error.ts';

export interface EvalFile {
  readonly uri: string;
  readonly text: string;
  readonly evals: Evals;
}

/** Returns the readable eval files beside a `SKILL.md`, sorted by name; an empty list for a file in another dialect. */
export async function evalFiles(
  { uri: skill, dialect }: SkillFile,
  files: Pick<Files, 'list'>,
  read: (uri: string) => Promise<string | undefined>,
): Promise<readonly EvalFile[]> {
  if (dialect !== 'agent-skill') return [];
  const folder = folderOf(skill);
  const names = (await files.list(resolvePath(folder, 'evals')))
    .map(({ name }) => name)
    .filter((name) => name.endsWith('.json'));
  const found: EvalFile[] = [];
  for (const name of names.sort()) {
    const uri = resolvePath(folder, `evals/${name}`);
    const text = await read(uri).catch((error: unknown) => void userMessage(error));
    if (text !== undefined) found.push({ uri, text, evals: readEvals(text, name === 'evals.json') });
  }
  return found;
}

/**
 * A case in `evals/`, composed for a model: the skill with the request in the case (docs/testing.md, "With a model").
 */
interface ComposedCase {
  readonly request: ComposeRequest;
  readonly composition: Composition;
}

/** Composes a case. Returns undefined if it has no prompt. Rejects if no composing worker can be started. */
export async function composeCase(
  analysis: Analysis,
  { uri }: SkillFile,
  { name, prompt }: EvalCase,
  composing: Composing,
): Promise<ComposedCase | undefined> {
  const skillPackage = checkedPackageOf(analysis, uri);
  if (!skillPackage) return undefined;
  const invocationContext = invocationContextOf(analysis, uri);
  const { request } = prepareRequest(skillPackage, invocationContext, undefined, { request: prompt });
  const composed = await composing.compose(`eval ${name} of ${uri}`, request);
  if (composed === 'superseded' || !composed.result.ok) return undefined;
  return { request, composition: composed.result.composition };
}
