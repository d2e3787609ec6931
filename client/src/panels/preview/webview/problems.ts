/** What is wrong with the shown file, and what is wrong with the chosen input. */
import type { Range, ShownError, ShownFinding } from '../messages.ts';
import { isOfInput } from '../shown-prompt.ts';
import type { Model } from './model.ts';

/** A problem of the file: a finding, or an error of the composition that no finding tells. */
export interface Problem {
  readonly message: string;
  readonly severity: ShownFinding['severity'];
  readonly place: { readonly uri: string; readonly range: Range };
  readonly finding?: ShownFinding;
  /** For what is over the budget: what could be left out here. */
  readonly trimming?: ShownError['trimming'];
}

/** The errors that are the input's and not the file's. */
export const inputErrors = ({ errors }: Model): readonly ShownError[] => errors.filter(isOfInput);

/** Errors before warnings, each group in the order of the file. */
export function problemsOf({ findings, errors, show }: Model): readonly Problem[] {
  const uri = show?.reply.uri ?? '';
  const found = findings.map(
    (finding): Problem => ({
      message: finding.message,
      severity: finding.severity,
      place: { uri, range: finding.range },
      finding,
    }),
  );
  const told = (error: ShownError): boolean =>
    error.uri === uri && findings.some(({ range }) => range.start.line === error.range.start.line);
  const others = errors
    .filter((error) => !isOfInput(error) && !told(error))
    .map(
      ({ message, uri: file, range, trimming, kind }): Problem => ({
        message,
        severity: kind === 'ArtifactBudgetExceeded' ? 'warning' : 'error',
        place: { uri: file, range },
        trimming,
      }),
    );
  const order = ['error', 'warning', 'info'];
  return [...found, ...others].sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
}
