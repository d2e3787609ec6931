/** Renames what stands under the cursor in every file with one edit, or says why not. */
import type { Range, WorkspaceEdit } from 'vscode-languageserver-types';
import type { Analysis } from '../../analysis/analysis.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { sliceOf } from '../../text.ts';
import type { Locate } from '../locate.ts';
import { type Occurrence, occurrencesOf, targetAt } from '../symbol/occurrences.ts';
import type { Target } from '../symbol/target.ts';
import { refuseArtifact, refuseArtifactName } from './artifact.ts';
import { refuseCatalogName, refuseNewCatalogName } from './catalog-name.ts';
import { planField, refuseField, refuseFieldName } from './field.ts';
import { refuseLocal, refuseLocalName } from './local.ts';
import { isRefusal, type Plan, planEdits, type Refusal, refuse } from './plan.ts';
import { movesOf, refuseSkill, refuseSkillName } from './skill.ts';
import { refuseFlowName, refuseStep, refuseStepName } from './step.ts';
import { verifyPlan } from './verify-plan.ts';
import { type RenameClient, toWorkspaceEdit } from './workspace-edit.ts';

export type { Refusal } from './plan.ts';
export { isRefusal } from './plan.ts';
export type { RenameClient } from './workspace-edit.ts';

/** The name that would change; a refusal where there is none or it cannot change. */
export function prepareRename(
  analysis: Analysis,
  file: SkillFile,
  offset: number,
  locate: Locate,
): { readonly range: Range; readonly placeholder: string } | Refusal {
  const here = targetAt(analysis, file, offset);
  if (!here) return refuse('Nothing stands here that has a name of its own.');
  const refusal = refuseTarget(analysis, file, here.target);
  return refusal ?? { range: locate.range(file, here.span), placeholder: sliceOf(file.text, here.span) };
}

export function rename(
  analysis: Analysis,
  file: SkillFile,
  offset: number,
  newName: string,
  locate: Locate,
  client: RenameClient,
): WorkspaceEdit | Refusal {
  const plan = planRename(analysis, file, offset, newName, client.renamesFiles);
  return isRefusal(plan) ? plan : toWorkspaceEdit(analysis, file.uri, plan, newName, locate, client);
}

/** The same as a plan, to be carried out without an editor. */
export function planRename(
  analysis: Analysis,
  file: SkillFile,
  offset: number,
  newName: string,
  renamesFiles: boolean,
): Plan | Refusal {
  const here = targetAt(analysis, file, offset);
  if (!here) return refuse('Nothing stands here that has a name of its own.');
  const { target } = here;
  if (newName === target.name) return { edits: [], moves: [], remapped: [] };
  const refusal = refuseTarget(analysis, file, target);
  if (refusal) return refusal;
  const occurrences = occurrencesOf(analysis, target);
  const plan = planTarget(analysis, file, target, newName, occurrences, renamesFiles);
  if (isRefusal(plan)) return plan;
  return verifyPlan(analysis, plan, target, occurrences, newName) ?? plan;
}

function refuseTarget(analysis: Analysis, file: SkillFile, target: Target): Refusal | undefined {
  if (analysis.partial) return refuse('The workspace is still being read. Try again in a moment.');
  switch (target.kind) {
    case 'skill':
      return refuseSkill(analysis, target.name);
    case 'catalog':
      return refuseCatalogName(analysis, target);
    case 'artifact':
      return refuseArtifact(file, target);
    case 'step':
      return refuseStep(file, target.name);
    case 'flow':
      return undefined;
    case 'field':
      return refuseField(analysis.file(target.uri) ?? file, target);
    case 'local':
      return refuseLocal(file, target);
  }
}

function planTarget(
  analysis: Analysis,
  file: SkillFile,
  target: Target,
  newName: string,
  occurrences: readonly Occurrence[],
  renamesFiles: boolean,
): Plan | Refusal {
  if (target.kind === 'field') {
    const home = analysis.file(target.uri) ?? file;
    return (
      refuseFieldName(home, target, newName, occurrences) ?? planField(analysis, home, target, newName, occurrences)
    );
  }
  if (target.kind === 'flow') {
    return refuseFlowName(file, newName) ?? planField(analysis, file, target, newName, occurrences);
  }
  const refusal = refuseNewName(analysis, file, target, newName);
  const plan = refusal ?? planEdits(occurrences, newName);
  if (isRefusal(plan) || target.kind !== 'skill' || !renamesFiles) return plan;
  const moves = movesOf(analysis, target.name, newName);
  return isRefusal(moves) ? moves : { ...plan, moves };
}

function refuseNewName(
  analysis: Analysis,
  file: SkillFile,
  target: Exclude<Target, { kind: 'field' | 'flow' }>,
  newName: string,
): Refusal | undefined {
  switch (target.kind) {
    case 'skill':
      return refuseSkillName(analysis, newName);
    case 'catalog':
      return refuseNewCatalogName(analysis, target, newName);
    case 'artifact':
      return refuseArtifactName(file, target, newName);
    case 'step':
      return refuseStepName(file, newName);
    case 'local':
      return refuseLocalName(file, newName);
  }
}
