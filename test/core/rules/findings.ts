/** The findings of a file given as text, and the text after their fixes. */
import assert from 'node:assert/strict';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import type { Finding } from '../../../server/src/finding.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import { applyEdits } from '../../../server/src/text.ts';

export function findingsOf(
  path: string,
  text: string,
  others: Readonly<Record<string, string>> = {},
): readonly Finding[] {
  const workspace = new Workspace();
  for (const [other, content] of Object.entries(others)) {
    workspace.apply({ kind: 'text', uri: `file:///w/${other}`, text: content });
  }
  const uri = path.includes(':') ? path : `file:///w/${path}`;
  workspace.apply({ kind: 'text', uri, text });
  const file = workspace.analysis.file(uri);
  return file ? check(file, workspace.analysis) : [];
}

export const rulesOf = (findings: readonly Finding[]): string[] => findings.map(({ rule }) => rule);

/** The text after the fix with this title. */
export function fixed(path: string, text: string, title: string): string {
  const fixes = findingsOf(path, text).flatMap((finding) => finding.fixes);
  const fix = fixes.find((one) => one.title === title);
  assert.ok(fix, `no "${title}" among ${JSON.stringify(fixes.map((one) => one.title))}`);
  return applyEdits(
    text,
    fix.edits.flatMap(({ edits }) => edits),
  );
}

export const skill = (...lines: string[]): string => ['---', ...lines, '---', '', 'Say it.', ''].join('\n');

export const crlf = (text: string): string => text.replaceAll('\n', '\r\n');

export const wholeText = ['name: a', 'description: Says it.', 'version: 1.0.0', 'input_schema: {}'];
