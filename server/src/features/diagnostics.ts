/** Findings as LSP diagnostics. */
import { type Diagnostic, DiagnosticSeverity, DiagnosticTag } from 'vscode-languageserver-types';
import type { Finding, RelatedPlace, Severity } from '../finding.ts';
import { check } from '../rules/check.ts';
import type { SkillDocument } from '../skill/document.ts';
import type { WorkspaceIndex } from '../workspace/workspace-index.ts';
import type { Locate } from './locate.ts';

/** What the server calls itself in the problems list. */
export const SOURCE = 'skill-composer';

const SEVERITY: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

/** `omit` are rules whose findings the reader sees elsewhere already; their fixes are offered all the same. */
export function diagnostics(
  index: WorkspaceIndex,
  document: SkillDocument,
  locate: Locate,
  omit: readonly string[] = [],
): Diagnostic[] {
  const findings = check(index, document);
  const told = omit.length === 0 ? findings : findings.filter(({ rule }) => !omit.includes(rule));
  return told.map((finding) => toDiagnostic(index, document, finding, locate));
}

export function toDiagnostic(
  index: WorkspaceIndex,
  document: SkillDocument,
  finding: Finding,
  locate: Locate,
): Diagnostic {
  // Every finding of an edited file comes by here at every keystroke; with spreads it took four times as long.
  const diagnostic: Diagnostic = {
    range: locate.range(document, finding.span),
    severity: SEVERITY[finding.severity],
    code: finding.code,
    codeDescription: { href: `skill-rule:${finding.rule}` },
    source: SOURCE,
    message: finding.message,
  };
  if (finding.tag) {
    diagnostic.tags = [finding.tag === 'deprecated' ? DiagnosticTag.Deprecated : DiagnosticTag.Unnecessary];
  }
  if (finding.related.length > 0) {
    const related = finding.related.flatMap((place) => relatedPlace(index, place, locate));
    if (related.length > 0) diagnostic.relatedInformation = related;
  }
  return diagnostic;
}

function relatedPlace(index: WorkspaceIndex, { uri, span, message }: RelatedPlace, locate: Locate) {
  const document = index.documents.get(uri);
  return document ? [{ location: { uri, range: locate.range(document, span) }, message }] : [];
}
