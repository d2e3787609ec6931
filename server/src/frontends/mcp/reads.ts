/** The authoring tools that only read. */

import { listedUpTo } from '../../analysis/composed-skills.ts';
import { invocationContextOf } from '../../analysis/package-of.ts';
import { whyNotOffered } from '../../analysis/replaced-by.ts';
import { type ComparisonView, compareContracts, viewOfComparison } from '../../authoring/compare-contracts.ts';
import { listSkills, type SkillFilter, type SkillView, skillView, usersOf } from '../../authoring/list-skills.ts';
import { prepareRequest } from '../../composer/prepare.ts';
import { readFromGit } from '../../io/git.ts';
import { nodeFiles } from '../../io/node-files.ts';
import { toPath } from '../../io/paths.ts';
import { isUserError } from '../../io/user-error.ts';
import { inWords } from '../../nearest.ts';
import type { Invocation } from '../../protocol.ts';
import { byFile } from '../../reports/check-report.ts';
import { placed } from '../../reports/json.ts';
import { matchReport, matchView, USUAL_TOP } from '../../reports/match.ts';
import { testsView } from '../../reports/test-results.ts';
import { checkedPackageOf } from '../../rules/engine/checked-package.ts';
import { chooseSample, knownNames } from '../../services/composing/compose-samples.ts';
import { keptReaderOf } from '../../services/testing/run-request.ts';
import { testSkill } from '../../services/testing/test-skill.ts';
import { contentDigest } from '../../skill/content-digest.ts';
import { SkillFile } from '../../skill/skill-file.ts';
import { lineStartsOf } from '../../text.ts';
import { ARTIFACT_KINDS, findKind } from '../../vocabulary/artifact-keys.ts';
import { partsFirst } from '../../workspace/order.ts';
import type { IndexedSkill } from '../../workspace/workspace-index.ts';
import { type AuthoringResult, accepted, refuse, type ToolCall } from './call.ts';
import { draftOf } from './drafts.ts';
import { installedSkills } from './installed.ts';
import type { ServedFolders } from './served-folders.ts';
import { namedSkill, type ToolContext, textSubject, type WriteCall } from './subject.ts';

export type Arguments = ToolCall['arguments'];

export async function runListSkills({ folders }: ToolContext, filter: Arguments): Promise<AuthoringResult> {
  const installed = await installedSkills(folders, { isRequired: filter.source !== undefined });
  const page = accepted(listSkills(folders.workspace.analysis, filter as SkillFilter, installed));
  const { skills, ...rest } = page;
  return { ok: true, skills: skills.map(({ uri, ...one }) => ({ ...one, file: folders.fileOf(uri) })), ...rest };
}

export async function runGetSkill(tools: ToolContext, given: Arguments): Promise<AuthoringResult> {
  const { folders, checking } = tools;
  const { artifacts = [] } = given as { artifacts?: readonly string[] };
  const kinds = artifacts.map(
    (word) =>
      findKind(word) ??
      refuse('unknown-kind', `Unknown artifact kind \`${word}\`. The kinds are ${inWords(ARTIFACT_KINDS, 'and')}.`),
  );
  const skill = namedSkill(tools, given);
  const draft = draftOf(folders, []);
  const findings = await checking.findings(draft, skill.uri);
  const installed = await installedSkills(folders, { isRequired: false });
  const view = skillView(draft.analysis, skill, new Set(kinds), installed);
  if (!view) return refuse('unreadable', `The file that defines \`${given.skill}\` cannot be read.`);
  const { uri, composed_by, ...rest } = view;
  return {
    ok: true,
    ...{ ...rest, file: folders.fileOf(uri) },
    composed_by: withFiles(folders, composed_by),
    digest: contentDigest(draft.index.files.get(uri)?.text ?? ''),
    findings: checking.view(draft, uri, findings),
  };
}

export async function runCheckSkill(
  tools: ToolContext,
  given: Arguments,
  signal: AbortSignal,
): Promise<AuthoringResult> {
  const { folders, checking } = tools;
  if (Object.keys(given).length === 0) return checkAll(tools, signal);
  const { draft, uri } = textSubject(tools, given);
  if (!draft.analysis.file(uri)?.isSkill) {
    const file = folders.fileOf(uri);
    refuse('invalid-argument', `\`${file}\` is not a skill: its frontmatter must have \`name\` and \`description\`.`);
  }
  const findings = checking.view(draft, uri, await checking.findings(draft, uri));
  const digest = contentDigest(draft.index.files.get(uri)?.text ?? '');
  const since = await sinceHead(folders, uri, draft.analysis.file(uri));
  return { ok: true, file: folders.fileOf(uri), digest, findings, summary: countsOf(findings), sinceHead: since };
}

async function checkAll({ folders, checking }: ToolContext, signal: AbortSignal): Promise<AuthoringResult> {
  const draft = draftOf(folders, []);
  const uris = [...draft.index.files.values()].flatMap(({ uri, isSkill }) => (isSkill ? [uri] : []));
  const all = [];
  for (const uri of partsFirst(draft.analysis.graph, new Set(uris))) {
    if (signal.aborted) refuse('cancelled', 'The call was cancelled.');
    const findings = await checking.findings(draft, uri);
    all.push({ file: folders.fileOf(uri), findings: checking.view(draft, uri, findings) });
    draft.apply({ kind: 'folder', uri, folder: undefined });
  }
  const findings = all.sort(byFile).flatMap((one) => one.findings);
  return { ok: true, files: all.length, findings, summary: countsOf(findings) };
}

const countsOf = (findings: readonly { readonly severity: string }[]) => {
  const count = (severity: string) => findings.filter((one) => one.severity === severity).length;
  return { errors: count('error'), warnings: count('warning'), infos: count('info'), hints: count('hint') };
};

export async function runComposeSkill(tools: ToolContext, given: Arguments): Promise<AuthoringResult> {
  const { folders, composing } = tools;
  const { draft, uri } = textSubject(tools, given);
  const { surface } = given as { readonly surface?: string };
  const analysis = surface === undefined ? draft.analysis : draft.analysis.onSurface(surface);
  const skillPackage = checkedPackageOf(analysis, uri);
  if (!skillPackage)
    return refuse('not-composed', 'The text is not a skill: its frontmatter must have `name` and `description`.');
  const invocationContext = invocationContextOf(analysis, uri);
  const { sample, ...invocation } = invocationOf(given);
  const { parameters, profile } = invocation;
  const profiles = invocationContext.profiles.map(({ name }) => name);
  if (profile !== undefined && !profiles.includes(profile)) {
    refuse('invalid-argument', `Unknown profile \`${profile}\`.${knownNames(profile, profiles, 'profiles')}`);
  }
  const chosen = sampleOf(() => chooseSample(skillPackage, sample, parameters !== undefined));
  const { request: prepared, gates } = prepareRequest(skillPackage, invocationContext, chosen, invocation);
  const composed = await composing.compose('call', prepared);
  if (composed === 'superseded') return refuse('cancelled', 'The server is shutting down.');
  const result = placed(analysis, folders.fileOf, composed.result) as AuthoringResult;
  const skill = analysis.graph.skills.get(uri);
  const reasons = [(skill && whyNotOffered(analysis.graph, skill)) ?? [], gates.map(({ reason }) => reason)].flat();
  const about = { file: folders.fileOf(uri), sample: chosen ?? null, gates: reasons };
  if (composed.result.ok) return { ...result, ...about };
  const [first] = composed.result.errors;
  const message = `${first?.message ?? 'The skill does not compose.'} ${first?.suggestion ?? ''}`.trim();
  return { ...result, ...about, reason: 'not-composed', message };
}

const INVOCATION = ['sample', 'parameters', 'request', 'profile', 'source', 'channel', 'thread_id', 'model', 'memory'];

/** Returns the arguments that are part of the invocation. */
const invocationOf = (given: Arguments): Invocation & { readonly sample?: string } =>
  Object.fromEntries(INVOCATION.flatMap((key) => (given[key] === undefined ? [] : [[key, given[key]]])));

function sampleOf(choose: () => string | undefined): string | undefined {
  try {
    return choose();
  } catch (error) {
    if (!isUserError(error)) throw error;
    return refuse('no-such-sample', error.message);
  }
}

export function runMatchSkill({ folders }: ToolContext, given: Arguments): AuthoringResult {
  const { request, top = USUAL_TOP, surface } = given as { request: string; top?: number; surface?: string };
  if (request.trim() === '') refuse('invalid-argument', "`request` is empty. Pass the user's request.");
  const view = matchView(folders.workspace.analysis, { request, top, surface, source: 'agent-selected' });
  return { ok: true, ...matchReport(view, folders.fileOf) };
}

export async function runTestSkill(tools: ToolContext, given: Arguments): Promise<AuthoringResult> {
  const { folders, composing } = tools;
  const { uri } = namedSkill(tools, given);
  const draft = draftOf(folders, []);
  const { filter } = given as { filter?: string };
  const tested = await testSkill(draft.analysis, uri, {
    composing,
    readKept: keptReaderOf(nodeFiles),
    files: nodeFiles,
    snapshots: false,
    filter,
  });
  const file = draft.analysis.file(uri);
  if (!tested || !file) return refuse('not-composed', 'The skill cannot be tested: its frontmatter does not parse.');
  const skill = file.contract.name?.name ?? '';
  const own = { file: folders.fileOf(uri), skill, lines: file.lines, results: tested.results };
  const evals = tested.evals.map(({ uri: other, text, results }) => ({
    ...{ ...own, file: folders.fileOf(other), results },
    lines: lineStartsOf(text),
  }));
  return { ok: true, ...testsView({ files: [own, ...evals] }) };
}

// The composites of a skill that is to be deleted or renamed.

/**
 * Returns the value of the result field `composed_by`. Refuses if other skills compose the skill and `even_if_used` is
 * not set.
 */
export function assertUnused({ tools: { folders }, given }: WriteCall, skill: IndexedSkill, advice: string) {
  const users = usersOf(folders.workspace.analysis, skill);
  const composed_by = withFiles(folders, users);
  if (users.length === 0 || given.even_if_used === true) return composed_by;
  const compose = users.length === 1 ? 'composes' : 'compose';
  const name = skill.summary.name ?? '';
  return refuse('used', `${namesOf(users)} ${compose} \`${name}\`: ${advice}`, { composed_by });
}

const withFiles = ({ fileOf }: ServedFolders, users: SkillView['composed_by']) =>
  users.map(({ uri, ...one }) => ({ ...one, file: fileOf(uri) }));

export const namesOf = (users: readonly { readonly name: string }[]): string =>
  listedUpTo(users.map(({ name }) => `\`${name}\``));

// The changes to a skill's contract since git's `HEAD` (docs/mcp.md, "Since the last commit").

/** Returns null if the file is not in a repository or not in `HEAD`, or if either version does not parse. */
export async function sinceHead(
  { workspace, linked }: ServedFolders,
  uri: string,
  now: SkillFile | undefined,
): Promise<ComparisonView | null> {
  // For a link, git has only the history of its target, which may be elsewhere.
  if (!now || now.dialect === 'agent-skill' || !workspace.index.files.has(uri) || linked.has(uri)) return null;
  // A failure of git does not fail the call.
  const committed = await readFromGit(toPath(uri), 'HEAD').catch(() => undefined);
  if (committed === undefined) return null;
  const before = new SkillFile(uri, committed);
  if (before.frontmatter.tree.broken || now.frontmatter.tree.broken) return null;
  return viewOfComparison(compareContracts(before, now), before, now);
}
