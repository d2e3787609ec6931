/** Converts findings to LSP diagnostics. */
import { type Diagnostic, DiagnosticSeverity, DiagnosticTag } from 'vscode-languageserver-types';
import type { Analysis } from '../analysis/analysis.ts';
import type { Finding, RelatedLocation, Severity } from '../finding.ts';
import type { DiagnosticData } from '../protocol.ts';
import { check } from '../rules/engine/check.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { asTitle, showInvisible } from '../text.ts';
import type { Locate } from './locate.ts';

/** The source name of the diagnostics. */
const SOURCE = 'skill-composer';

const SEVERITY: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

/** Returns the address of a rule's page, if it has one. */
export type AddressOfRule = (rule: string) => string | undefined;

/** The form of diagnostics that a client requests. */
export interface DiagnosticForm {
  readonly addressOf?: AddressOfRule | undefined;
  /** True if `data` is a `DiagnosticData`. */
  readonly namesFixes?: boolean;
}

/** The findings to show, by default all of the file. */
export interface ShownFindings {
  readonly isOpen?: boolean;
  readonly findings?: readonly Finding[];
}

/**
 * Returns the diagnostics of a file. Findings that repeat one in another file are left out of a closed file, and are
 * hints in an open one, so that counts contain each cause once.
 */
export function diagnostics(
  analysis: Analysis,
  file: SkillFile,
  locate: Locate,
  { isOpen = true, findings, ...form }: DiagnosticForm & ShownFindings = {},
): Diagnostic[] {
  return (findings ?? check(file, analysis))
    .filter(({ repeats }) => isOpen || repeats === undefined)
    .map((finding) => toDiagnostic(analysis, file, finding, locate, form));
}

export function toDiagnostic(
  analysis: Analysis,
  file: SkillFile,
  finding: Finding,
  locate: Locate,
  { addressOf, namesFixes = false }: DiagnosticForm = {},
): Diagnostic {
  const href = addressOf?.(finding.rule);
  const { tag } = finding;
  const fix = namesFixes ? preferredFix(finding) : undefined;
  const related = finding.related.flatMap((place) => relatedPlace(analysis, file, place, locate));
  return {
    range: locate.range(file, finding.span),
    severity: SEVERITY[finding.repeats === undefined ? finding.severity : 'hint'],
    code: finding.rule,
    ...(href !== undefined ? { codeDescription: { href } } : {}),
    source: SOURCE,
    message: showInvisible(finding.message),
    ...(tag ? { tags: [tag === 'deprecated' ? DiagnosticTag.Deprecated : DiagnosticTag.Unnecessary] } : {}),
    ...(related.length > 0 ? { relatedInformation: related } : {}),
    ...(fix === undefined && finding.repeats === undefined ? {} : { data: dataOf(finding, fix) }),
  };
}

const dataOf = ({ repeats }: Finding, fix: string | null | undefined): DiagnosticData => ({
  ...(fix === undefined ? {} : { fix }),
  ...(repeats === undefined ? {} : { repeats: true }),
});

/**
 * Returns the title of the preferred fix, as `codeActions` does, and null for a finding without a fix. Returns undefined
 * if the fix depends on the client, or on other files: it creates, moves, shares or shortens something.
 */
function preferredFix({ fixes: [fix], shortens }: Finding): string | null | undefined {
  if (!fix) return shortens ? undefined : null;
  return fix.creates === undefined && !fix.createsFile && !fix.moves && !fix.shares ? asTitle(fix.title) : undefined;
}

function relatedPlace(analysis: Analysis, from: SkillFile, { uri, span, message }: RelatedLocation, locate: Locate) {
  const file = analysis.file(uri) ?? analysis.folder(from.uri)?.find(uri);
  return file ? [{ location: { uri, range: locate.range(file, span) }, message: showInvisible(message) }] : [];
}
