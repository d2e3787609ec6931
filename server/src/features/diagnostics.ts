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
  return check(index, document)
    .filter(({ rule }) => !omit.includes(rule))
    .map((finding) => toDiagnostic(index, document, finding, locate));
}

export function toDiagnostic(
  index: WorkspaceIndex,
  document: SkillDocument,
  finding: Finding,
  locate: Locate,
): Diagnostic {
  const related = finding.related.flatMap((place) => relatedPlace(index, place, locate));
  const tag = finding.tag === 'deprecated' ? DiagnosticTag.Deprecated : DiagnosticTag.Unnecessary;
  return {
    range: locate.range(document, finding.span),
    severity: SEVERITY[finding.severity],
    code: finding.code,
    codeDescription: { href: `skill-rule:${finding.rule}` },
    source: SOURCE,
    message: finding.message,
    ...(finding.tag ? { tags: [tag] } : {}),
    ...(related.length > 0 ? { relatedInformation: related } : {}),
  };
}

function relatedPlace(index: WorkspaceIndex, { uri, span, message }: RelatedPlace, locate: Locate) {
  const document = index.documents.get(uri);
  return document ? [{ location: { uri, range: locate.range(document, span) }, message }] : [];
}
