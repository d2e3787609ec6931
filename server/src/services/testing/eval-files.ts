/** Reads the files in `evals/` beside a `SKILL.md` (docs/testing.md, "Evals of a SKILL.md"). */

import type { Analysis } from '../../analysis/analysis.ts';
import { invocationContextOf } from '../../analysis/package-of.ts';
import type { ComposeRequest, Composition } from '../../composer/composition.ts';
import { prepareRequest } from '../../composer/prepare.ts';
import type { Files } from '../../io/files.ts';
import { userMessage } from '../../io/user-error.ts';
import { closestSlip, didYouMean } from '../../nearest.ts';
import { checkedPackageOf } from '../../rules/engine/checked-package.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { resolvePath } from '../../skill-folder/links.ts';
import { type EvalCase, type Evals, MAIN_FILE, readEvals, unreadEvals } from '../../testing/evals.ts';
import { notTested, readForeignEvals } from '../../testing/foreign-evals.ts';
import { folderOf } from '../../vocabulary/dialect.ts';
import type { Composing } from '../composing/composing.ts';

export interface EvalFile {
  readonly uri: string;
  readonly text: string;
  readonly evals: Evals;
}

/**
 * Returns the eval files beside a `SKILL.md`, sorted by name; an empty list for a file in another dialect. A file that
 * cannot be read has the reason as its only result. `read` rejects with this reason.
 */
export async function evalFiles(
  { uri: skill, dialect, contract }: SkillFile,
  files: Pick<Files, 'list'>,
  read: (uri: string) => Promise<string | undefined>,
): Promise<readonly EvalFile[]> {
  if (dialect !== 'agent-skill') return [];
  const folder = folderOf(skill);
  const all = await files.list(resolvePath(folder, 'evals'));
  const listed = all
    // A folder whose name ends in `.json` is data of another program.
    .filter(({ name, isFolder }) => name === MAIN_FILE || (/\.(?:json|ya?ml)$/.test(name) && !isFolder))
    .map(({ name }) => name)
    .sort();
  const hasTasks = all.some(({ name, isFolder }) => name === TASKS && isFolder);
  const tasks = hasTasks ? await files.list(resolvePath(folder, `evals/${TASKS}`)) : [];
  const paths = tasks
    .filter(({ name, isFolder }) => !isFolder && /\.ya?ml$/.test(name))
    .map(({ name }) => `${TASKS}/${name}`)
    .sort();
  const found: EvalFile[] = [];
  for (const name of [...listed, ...paths.slice(0, MAX_TASKS)]) {
    const uri = resolvePath(folder, `evals/${name}`);
    const text = await read(uri).then(
      (one) => one ?? { message: `\`evals/${name}\` cannot be read: it does not exist.` },
      (error: unknown) => ({ message: userMessage(error) }),
    );
    const isForeign = /\.ya?ml$/.test(name);
    const message = typeof text === 'object' ? text.message : misspelling(name, listed);
    if (isForeign) {
      const evals =
        typeof text === 'string' ? readForeignEvals(text, name, contract.name?.name) : notTested(name, text.message);
      found.push({ uri, text: typeof text === 'string' ? text : '', evals });
    } else if (message !== undefined) found.push({ uri, text: '', evals: unreadEvals(name, message) });
    else if (typeof text === 'string') found.push({ uri, text, evals: readEvals(text, name === MAIN_FILE, name) });
  }
  return found;
}

/** The folder with the tasks of a suite of waza, and the most that are read. */
const TASKS = 'tasks';
const MAX_TASKS = 1_000;

/** Returns the message about a file whose name misspells the name of the file with cases, if that file is missing. */
const misspelling = (name: string, others: readonly string[]): string | undefined =>
  others.includes(MAIN_FILE) || closestSlip(name, [MAIN_FILE]) === undefined
    ? undefined
    : `The cases in \`evals/${name}\` are not read.${didYouMean([`evals/${MAIN_FILE}`])}`;

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
