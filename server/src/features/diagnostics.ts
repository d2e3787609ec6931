/** Findings as LSP diagnostics. */

import { type Diagnostic, DiagnosticSeverity, DiagnosticTag } from 'vscode-languageserver-types';
import type { Analysis } from '../analysis/analysis.ts';
import type { Finding, RelatedPlace, Severity } from '../finding.ts';
import { check } from '../rules/check.ts';
import type { SkillFile } from '../skill/skill-file.ts';

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
  analysis: Analysis,
  file: SkillFile,
  locate: Locate,
  omit: readonly string[] = [],
): Diagnostic[] {
  const findings = check(file, analysis);
  const told = omit.length === 0 ? findings : findings.filter(({ rule }) => !omit.includes(rule));
  return told.map((finding) => toDiagnostic(analysis, file, finding, locate));
}

export function toDiagnostic(analysis: Analysis, file: SkillFile, finding: Finding, locate: Locate): Diagnostic {
  // Every finding of an edited file comes by here at every keystroke; with spreads it took four times as long.
  const diagnostic: Diagnostic = {
    range: locate.range(file, finding.span),
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
    const related = finding.related.flatMap((place) => relatedPlace(analysis, place, locate));
    if (related.length > 0) diagnostic.relatedInformation = related;
  }
  return diagnostic;
}

function relatedPlace(analysis: Analysis, { uri, span, message }: RelatedPlace, locate: Locate) {
  const file = analysis.file(uri);
  return file ? [{ location: { uri, range: locate.range(file, span) }, message }] : [];
}
