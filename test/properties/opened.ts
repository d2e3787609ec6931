/** What must hold of any workspace, whatever stands in its files. */
import assert from 'node:assert/strict';
import { codeActions, safeEdits } from '../../server/src/features/actions/code-actions.ts';
import { diagnostics } from '../../server/src/features/diagnostics.ts';
import { utf16 } from '../../server/src/features/locate.ts';
import type { FileEdits, Finding, Fix } from '../../server/src/finding.ts';
import { check } from '../../server/src/rules/check.ts';
import type { SkillDocument } from '../../server/src/skill/document.ts';
import { applyEdits, overlaps, type Span } from '../../server/src/text.ts';
import { linkTargets } from '../../server/src/workspace/links.ts';
import { Workspace } from '../../server/src/workspace/workspace.ts';

export type Texts = Readonly<Record<string, string>>;

export const ROOT = 'file:///skills';

/** A workspace that holds these texts by path; a link leads to one of them or to nothing. */
export function open(texts: Texts): Workspace {
  const workspace = new Workspace();
  for (const [path, text] of Object.entries(texts)) workspace.apply({ kind: 'text', uri: `${ROOT}/${path}`, text });
  resolveLinks(workspace);
  return workspace;
}

/** Does for the workspace what a host does: looks where its links lead. */
export function resolveLinks(workspace: Workspace): void {
  const { documents } = workspace.index();
  for (const document of documents.values()) {
    for (const { uri } of linkTargets(document)) workspace.apply({ kind: 'exists', uri, exists: documents.has(uri) });
  }
}

export function documentAt(workspace: Workspace, path: string): SkillDocument {
  const document = workspace.index().documents.get(`${ROOT}/${path}`);
  assert.ok(document, `${path} is a skill`);
  return document;
}

export const findingsAt = (workspace: Workspace, path: string): readonly Finding[] =>
  check(workspace.index(), documentAt(workspace, path));

/** The text with every control character in sight, cut to where it is of use. */
export const shown = (text: string): string => JSON.stringify(text.length > 3000 ? `${text.slice(0, 3000)}…` : text);

const inside = ({ start, end }: Span, text: string): boolean => 0 <= start && start <= end && end <= text.length;

/** Findings have their places in the text, are sorted, told once, and their fixes can be applied. Gives them back. */
export function checkFindings(workspace: Workspace, path: string): readonly Finding[] {
  const index = workspace.index();
  const document = documentAt(workspace, path);
  const findings = check(index, document);
  let before = 0;
  const seen = new Set<string>();
  for (const { rule, message, span, related, fixes } of findings) {
    const where = () => `${rule}: ${message} in ${shown(document.text)}`;
    assert.ok(inside(span, document.text), `the place of ${where()}`);
    assert.ok(span.start >= before, `the order of ${where()}`);
    assert.ok(!message.includes('[object '), `the words of ${where()}`);
    before = span.start;
    const key = `${span.start} ${span.end} ${rule} ${message}`;
    assert.ok(!seen.has(key), `told twice: ${where()}`);
    seen.add(key);
    for (const place of related) {
      const text = index.documents.get(place.uri)?.text;
      if (text !== undefined) assert.ok(inside(place.span, text), `the related place of ${where()}`);
    }
    for (const fix of fixes) checkFix(workspace, fix, where);
  }
  const all = diagnostics(index, document, utf16);
  assert.equal(all.length, findings.length);
  return findings;
}

function checkFix(workspace: Workspace, { title, edits }: Fix, where: () => string): void {
  const places: { readonly uri: string; readonly span: Span }[] = [];
  assert.ok(
    edits.some((file) => file.edits.length > 0),
    `the fix "${title}" does nothing for ${where()}`,
  );
  for (const { uri, edits: here } of edits) {
    const text = workspace.index().documents.get(uri)?.text;
    assert.ok(text !== undefined, `the file of "${title}" for ${where()}`);
    for (const { span } of here) {
      assert.ok(inside(span, text), `an edit of "${title}" for ${where()}`);
      const clash = places.some((other) => other.uri === uri && overlaps(other.span, span));
      assert.ok(!clash, `edits of "${title}" overlap for ${where()}`);
      places.push({ uri, span });
    }
  }
}

/** The texts after edits, by URI. */
export function textsAfter(workspace: Workspace, files: readonly FileEdits[]): ReadonlyMap<string, string> {
  return new Map(
    files.map(({ uri, edits }) => [uri, applyEdits(workspace.index().documents.get(uri)?.text ?? '', edits)]),
  );
}

/** Applies safe fixes until none is left, in at most ten rounds, each checked. Gives the last text. */
export function applySafeFixes(workspace: Workspace, path: string): string {
  const uri = `${ROOT}/${path}`;
  const first = documentAt(workspace, path).text;
  for (let round = 0; round < 10; round++) {
    const { text } = documentAt(workspace, path);
    const edits = safeEdits(uri, checkFindings(workspace, path));
    if (edits.length === 0) return text;
    workspace.apply({ kind: 'text', uri, text: applyEdits(text, edits) });
  }
  const left = safeEdits(uri, findingsAt(workspace, path));
  assert.equal(left.length, 0, `safe fixes never end: ${JSON.stringify(left)} in ${shown(first)}`);
  return documentAt(workspace, path).text;
}

/** Every light bulb of the document. */
export function actionsOf(workspace: Workspace, path: string) {
  const document = documentAt(workspace, path);
  const everything = utf16.range(document, { start: 0, end: document.text.length });
  return codeActions(workspace.index(), document, everything, undefined, utf16);
}
