/** Workspaces of small contracts, for tests of the composition graph. */
import assert from 'node:assert/strict';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import type { Finding } from '../../../server/src/finding.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import { sliceOf } from '../../../server/src/text.ts';
import type { IndexedSkill } from '../../../server/src/workspace/workspace-index.ts';

export const uriOf = (name: string): string => `file:///w/${name}.skill.yaml`;

/** A contract with `lines` and the mandatory keys that they lack. */
export function contract(name: string, ...lines: readonly string[]): string {
  const has = (key: string) => lines.some((line) => line.startsWith(`${key}:`));
  const mandatory = { description: 'What it is.', version: '1.0.0', input_schema: '{}', output_schema: '{}' };
  const rest = Object.entries(mandatory).flatMap(([key, value]) => (has(key) ? [] : [`${key}: ${value}`]));
  return [`name: ${name}`, ...rest, ...lines, ''].join('\n');
}

/** Opens a workspace with skills, given as lines by file name. */
export function openSkills(skills: Readonly<Record<string, readonly string[]>>): Workspace {
  const workspace = new Workspace();
  // Hosts also mark a workspace as partial while they read it. Otherwise, each added file would start a search.
  workspace.apply({ kind: 'partial', partial: true });
  for (const [name, lines] of Object.entries(skills)) put(workspace, name, ...lines);
  workspace.apply({ kind: 'partial', partial: false });
  return workspace;
}

export const put = (workspace: Workspace, name: string, ...lines: readonly string[]) =>
  workspace.apply({ kind: 'text', uri: uriOf(name), text: contract(name, ...lines) });

export function skillOf(workspace: Workspace, name: string): IndexedSkill {
  const skill = workspace.analysis.graph.skills.get(uriOf(name));
  assert.ok(skill, name);
  return skill;
}

export function findingsOf(workspace: Workspace, name: string): readonly Finding[] {
  const file = workspace.analysis.file(uriOf(name));
  assert.ok(file, name);
  return check(file, workspace.analysis);
}

/** The only finding of a rule. */
export function findingOf(workspace: Workspace, name: string, rule: string): Finding {
  const findings = findingsOf(workspace, name).filter((finding) => finding.rule === rule);
  assert.equal(findings.length, 1, JSON.stringify(findings.map(({ message }) => message)));
  return findings[0] as Finding;
}

export const rulesOf = (workspace: Workspace, name: string): readonly string[] =>
  findingsOf(workspace, name).map(({ rule }) => rule);

/** Related locations as `file: text at the span: message`. */
export const relatedOf = (workspace: Workspace, { related }: Finding): readonly string[] =>
  related.map(({ uri, span, message }) => {
    const text = workspace.analysis.file(uri)?.text ?? '';
    return `${uri.slice('file:///w/'.length).replace('.skill.yaml', '')}: ${sliceOf(text, span)}: ${message}`;
  });
