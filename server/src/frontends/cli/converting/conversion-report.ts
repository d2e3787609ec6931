/** The report of a conversion: lost content, written paths and findings. */
import type { Analysis } from '../../../analysis/analysis.ts';
import type { ConversionProblem, Loss } from '../../../exchange/conversion.ts';
import { UserError } from '../../../io/user-error.ts';
import type { CheckedFile } from '../../../reports/check-report.ts';
import { printedJson } from '../../../reports/json.ts';
import { toPretty } from '../../../reports/pretty.ts';
import { check } from '../../../rules/engine/check.ts';
import { lineStartsOf, positionAt, rangeOf, showInvisible } from '../../../text.ts';
import type { Console } from '../console.ts';
import type { NamedSource } from './open-sources.ts';
import type { ConvertOptions } from './options.ts';

/** Reports the lost content and the findings. JSON goes to stdout only if the result does not. */
export function reportConversion(
  sources: readonly Reported[],
  written: readonly string[],
  { report, quiet, isPrinted }: Pick<ConvertOptions, 'report' | 'quiet'> & { readonly isPrinted: boolean },
  console: Console,
  more: object = {},
): void {
  const checked = sources.flatMap(({ shown, text, findings }) =>
    findings.length > 0 ? [{ file: shown, text, findings }] : [],
  );
  if (report === 'json') {
    const lost = sources.flatMap((source) => source.losses.map((one) => lostJson(source, one, sources.length > 1)));
    const json = printedJson({ version: 1, written, ...more, lost });
    if (isPrinted) console.printError(json);
    else console.print(json);
  } else if (!quiet) {
    for (const path of written) console.print(`${showInvisible(path)}\n`);
    for (const { shown, text, losses } of sources) {
      for (const { what, span, why, isNote } of losses)
        console.note(`${shown}:${lineAndColumn(text, span.start)}: ${isNote ? 'note' : 'lost'}: ${what}. ${why}`);
    }
  }
  if (checked.length === 0) return;
  const pretty = toPretty(
    { files: checked, findFile: () => undefined },
    { colors: console.colors, quiet: true, fixed: undefined },
  );
  console.printError(pretty);
}

/** A source with its lost content and its findings. */
interface Reported extends NamedSource {
  readonly losses: readonly Loss[];
  readonly findings: CheckedFile['findings'];
}

const lostJson = ({ shown, text }: Reported, { what, span, why }: Loss, isOneOfSeveral: boolean): object => ({
  ...(isOneOfSeveral && { file: shown }),
  what,
  range: rangeOf(lineStartsOf(text), span),
  why,
});

/** Returns the findings in a package. For a skill, `check` reports the same findings on the result. */
export function packageFindings(analysis: Analysis, uri: string): CheckedFile['findings'] {
  const own = analysis.file(uri);
  return own?.dialect === 'package' ? check(own, analysis).filter(({ severity }) => severity !== 'hint') : [];
}

export function notConverted(file: string, text: string, { problem, span }: ConversionProblem): UserError {
  const at = span === undefined ? '' : `:${lineAndColumn(text, span.start)}`;
  return new UserError(`\`${file}${at}\` cannot be converted. ${problem}`);
}

export function lineAndColumn(text: string, offset: number): string {
  const { line, character } = positionAt(lineStartsOf(text), offset);
  return `${line + 1}:${character + 1}`;
}
