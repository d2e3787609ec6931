/** Checks of one file in a workspace: the findings, each fix, and the features. */
import assert from 'node:assert/strict';
import type { Workspace } from '../../server/src/analysis/workspace.ts';
import { suppressionFix } from '../../server/src/features/actions/code-actions.ts';
import { completion } from '../../server/src/features/completion/completion.ts';
import { hover } from '../../server/src/features/hover/hover.ts';
import { inlayHints } from '../../server/src/features/inlay-hints.ts';
import { utf8, utf16 } from '../../server/src/features/locate.ts';
import {
  incomingCalls,
  outgoingCalls,
  prepareCallHierarchy,
} from '../../server/src/features/navigation/call-hierarchy.ts';
import type { SkillFile } from '../../server/src/skill/skill-file.ts';
import { applyEdits, lineAt, type Span } from '../../server/src/text.ts';
import { actionsOf, applySafeFixes, checkFindings, fileAt, findingsAt, ROOT, shown, textsAfter } from './opened.ts';
import { checkSurvival } from './survival.ts';

/** Applies each fix on its own, then all safe fixes until no safe fix is left. */
export function checkFixes(one: Workspace, path: string): void {
  const uri = `${ROOT}/${path}`;
  const before = fileAt(one, path);
  for (const { fixes } of checkFindings(one, path)) {
    for (const fix of fixes) {
      for (const [changed, text] of textsAfter(one, fix.edits)) {
        const file = one.analysis.file(changed);
        const edits = fix.edits.filter((file) => file.uri === changed).flatMap((file) => file.edits);
        if (file) checkSurvival(file, fix, edits);
        if (changed !== uri) continue;
        one.apply({ kind: 'text', uri, text });
        checkFindings(one, path);
        one.apply({ kind: 'text', uri, text: before.text });
      }
    }
  }
  for (const { title, edit } of actionsOf(one, path)) assert.ok(edit, title);
  checkSilencing(one, path);
  checkSafeFixes(one, path);
  one.apply({ kind: 'text', uri, text: before.text });
}

const bare = (text: string): string => text.replace(/[\\"'\s]/g, '');

/** Checks that a safe fix adds only quotes, spaces and fences, and removes only redundant text. */
function checkSafeFixes(one: Workspace, path: string): void {
  const { text } = fileAt(one, path);
  for (const { rule, fixes } of checkFindings(one, path)) {
    const [fix] = fixes;
    if (!fix?.safe) continue;
    const edits = fix.edits.flatMap((file) => file.edits);
    for (const { span, newText } of edits) {
      const old = text.slice(span.start, span.end);
      const isMend =
        bare(newText) === bare(old) ||
        rule === 'duplicate-key' ||
        /^\s*$/.test(old) ||
        // biome-ignore lint/suspicious/noControlCharactersInRegex: the fix removes control characters.
        /^[\0-\x1f\x7f-\x9f\ufffe\uffff]+$/.test(old);
      assert.ok(isMend, `"${fix.title}" makes ${JSON.stringify(old)} ${JSON.stringify(newText)} in ${shown(text)}`);
    }
  }
  applySafeFixes(one, path);
}

export function checkFeatures(one: Workspace, path: string, where: number): void {
  const file = fileAt(one, path);
  const offset = Math.floor(where * file.text.length);
  checkOrder(file);
  for (const locate of [utf16, utf8]) {
    hover(one.analysis, file, offset, locate);
    completion(one.analysis, file, offset, locate);
    prepareCallHierarchy(one.analysis, file, offset, locate);
    incomingCalls(one.analysis, file.uri, locate);
    outgoingCalls(one.analysis, file.uri, locate);
    const whole = locate.range(file, { start: 0, end: file.text.length });
    inlayHints(one.analysis, file, whole, new Set(['versions', 'effects', 'operation', 'budget']), locate);
    locate.range(file, { start: offset, end: file.text.length });
  }
}

/** Checks that the parts of each kind are in the order of the text, since lookups by offset use bisection. */
function checkOrder({ text, body, metadata, examples, templates }: SkillFile): void {
  const kinds: Readonly<Record<string, readonly Span[]>> = {
    metadata: metadata.map(({ tree }) => tree.span),
    examples: examples.map(({ tree }) => tree.span),
    templates: templates.map(({ span }) => span),
    references: body?.references.map(({ span }) => span) ?? [],
    headings: body?.artifacts.map(({ heading }) => heading.span) ?? [],
    retired: body?.retiredKinds.map(({ kindSpan }) => kindSpan) ?? [],
  };
  for (const [kind, spans] of Object.entries(kinds)) {
    for (const [i, { start }] of spans.entries()) {
      assert.ok((spans[i - 1]?.end ?? 0) <= start, `${kind} out of order in ${shown(text)}`);
    }
  }
}

/** Checks that a suppression comment hides its finding, and changes nothing else. */
function checkSilencing(one: Workspace, path: string): void {
  const before = fileAt(one, path);
  if (before.frontmatter.tree.broken) return;
  const findings = findingsAt(one, path);
  // Without frontmatter, a comment above the first line can change the meaning of that line.
  if (findings.some(({ rule }) => rule === 'missing-frontmatter')) return;
  for (const finding of findings.slice(0, 10)) {
    const [file] = suppressionFix(before, finding)?.edits ?? [];
    const line = before.text.slice(before.lines[lineAt(before.lines, finding.span.start)]).split('\n', 1)[0] ?? '';
    // A line that looks like a suppression comment is skipped, even if it has another meaning.
    if (!file || line.trim() === '' || line.trim().startsWith(':') || line.includes('skill-disable-next-line'))
      continue;
    const text = applyEdits(before.text, file.edits);
    one.apply({ kind: 'text', uri: before.uri, text });
    const after = findingsAt(one, path);
    const count = (all: typeof findings) => all.filter(({ rule }) => rule === finding.rule).length;
    const where = () => `silencing ${finding.rule} (${finding.message}) in ${shown(before.text)} gives ${shown(text)}`;
    assert.ok(count(after) < count(findings), where());
    assert.ok(after.length < findings.length, `more findings after ${where()}: ${after.map(({ message }) => message)}`);
  }
  one.apply({ kind: 'text', uri: before.uri, text: before.text });
}
