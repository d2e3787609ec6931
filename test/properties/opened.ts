/** Checks that must hold for any workspace, with any files. */
import assert from 'node:assert/strict';
import { Workspace } from '../../server/src/analysis/workspace.ts';
import { codeActions } from '../../server/src/features/actions/code-actions.ts';
import { safeEdits } from '../../server/src/features/actions/fix-all.ts';
import { diagnostics } from '../../server/src/features/diagnostics.ts';
import { utf16 } from '../../server/src/features/locate.ts';
import type { FileEdits, Finding, Fix } from '../../server/src/finding.ts';
import { check } from '../../server/src/rules/engine/check.ts';
import type { SkillFile } from '../../server/src/skill/skill-file.ts';
import { linkTargets } from '../../server/src/skill-folder/links.ts';
import { applyEdits, overlaps, type Span } from '../../server/src/text.ts';

export type Texts = Readonly<Record<string, string>>;

export const ROOT = 'file:///skills';

/** A workspace with these files by path. A link points to one of these files or to nothing. */
export function open(texts: Texts): Workspace {
  const workspace = new Workspace();
  for (const [path, text] of Object.entries(texts)) workspace.apply({ kind: 'text', uri: `${ROOT}/${path}`, text });
  resolveLinks(workspace);
  return workspace;
}

/** Resolves the links of the workspace, as a host does. */
function resolveLinks(workspace: Workspace): void {
  const { files } = workspace.index;
  for (const file of workspace.analysis.allFiles()) {
    for (const { uri } of linkTargets(file)) workspace.apply({ kind: 'exists', uri, exists: files.has(uri) });
  }
}

export function fileAt(workspace: Workspace, path: string): SkillFile {
  const file = workspace.analysis.file(`${ROOT}/${path}`);
  assert.ok(file, `${path} is a skill`);
  return file;
}

export const findingsAt = (workspace: Workspace, path: string): readonly Finding[] =>
  check(fileAt(workspace, path), workspace.analysis);

/** The text with control characters made visible, cut to a useful length. */
export const shown = (text: string): string => JSON.stringify(text.length > 3000 ? `${text.slice(0, 3000)}…` : text);

const inside = ({ start, end }: Span, text: string): boolean => 0 <= start && start <= end && end <= text.length;

/**
 * Checks that findings are sorted and unique, and have spans in the text and fixes that can be applied. Returns the
 * findings.
 */
export function checkFindings(workspace: Workspace, path: string): readonly Finding[] {
  const analysis = workspace.analysis;
  const file = fileAt(workspace, path);
  const findings = check(file, analysis);
  let before = 0;
  const seen = new Set<string>();
  for (const { rule, message, span, related, fixes } of findings) {
    const where = () => `${rule}: ${message} in ${shown(file.text)}`;
    assert.ok(inside(span, file.text), `the place of ${where()}`);
    assert.ok(span.start >= before, `the order of ${where()}`);
    assert.ok(!message.includes('[object '), `the words of ${where()}`);
    before = span.start;
    const key = `${span.start} ${span.end} ${rule} ${message}`;
    assert.ok(!seen.has(key), `told twice: ${where()}`);
    seen.add(key);
    for (const place of related) {
      const text = analysis.file(place.uri)?.text;
      if (text !== undefined) assert.ok(inside(place.span, text), `the related place of ${where()}`);
    }
    for (const fix of fixes) checkFix(workspace, fix, where);
  }
  const all = diagnostics(analysis, file, utf16);
  assert.equal(all.length, findings.length);
  return findings;
}

function checkFix(workspace: Workspace, { title, edits, creates, createsFile }: Fix, where: () => string): void {
  const places: { readonly uri: string; readonly span: Span }[] = [];
  assert.ok(
    creates !== undefined || createsFile !== undefined || edits.some((file) => file.edits.length > 0),
    `the fix "${title}" does nothing for ${where()}`,
  );
  for (const { uri, edits: here } of edits) {
    const text = workspace.analysis.file(uri)?.text;
    assert.ok(text !== undefined, `the file of "${title}" for ${where()}`);
    for (const { span } of here) {
      assert.ok(inside(span, text), `an edit of "${title}" for ${where()}`);
      const clash = places.some((other) => other.uri === uri && overlaps(other.span, span));
      assert.ok(!clash, `edits of "${title}" overlap for ${where()}`);
      places.push({ uri, span });
    }
  }
}

/** The files after edits, by URI. */
export function textsAfter(workspace: Workspace, files: readonly FileEdits[]): ReadonlyMap<string, string> {
  return new Map(files.map(({ uri, edits }) => [uri, applyEdits(workspace.analysis.file(uri)?.text ?? '', edits)]));
}

/**
 * Applies safe fixes until no safe fix is left, in at most ten rounds, and checks each round. Returns the last text.
 */
export function applySafeFixes(workspace: Workspace, path: string): string {
  const uri = `${ROOT}/${path}`;
  const first = fileAt(workspace, path).text;
  for (let round = 0; round < 10; round++) {
    const { text } = fileAt(workspace, path);
    const edits = safeEdits(uri, checkFindings(workspace, path));
    if (edits.length === 0) return text;
    workspace.apply({ kind: 'text', uri, text: applyEdits(text, edits) });
  }
  const left = safeEdits(uri, findingsAt(workspace, path));
  assert.equal(left.length, 0, `safe fixes never end: ${JSON.stringify(left)} in ${shown(first)}`);
  return fileAt(workspace, path).text;
}

/** Every code action of the file. */
export function actionsOf(workspace: Workspace, path: string) {
  const file = fileAt(workspace, path);
  const everything = utf16.range(file, { start: 0, end: file.text.length });
  return codeActions(workspace.analysis, file, everything, undefined, utf16);
}
