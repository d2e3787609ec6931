/** `check --format sarif`: SARIF 2.1.0, within the limits of GitHub. */
import type { Log, ReportingDescriptor, Result, Fix as SarifFix } from 'sarif';
import type { Fix, Severity } from '../finding.ts';
import type { Rule } from '../rules/engine/rule.ts';
import { type LineStarts, lineStartsOf, type Span, showInvisible } from '../text.ts';
import type { CheckReport } from './check-report.ts';
import { printedJson } from './json.ts';
import { asReference, bySeverity, fromOne, type Located, located } from './located.ts';
import { purposeOf, webPageOf } from './rule-page.ts';

export interface SarifOptions {
  readonly version: string;
  readonly rules: readonly Rule[];
  /** Returns the text of a rule's page, or undefined if it is missing in this installation. */
  readonly pageOf: (rule: string) => string | undefined;
  /** Returns the size of a text in bytes after compression with gzip. */
  readonly zippedSize: (text: string) => number;
  /** Receives a message if findings are omitted. */
  readonly note?: (text: string) => void;
}

/** GitHub's limits: the results per file, and the size of the compressed file in bytes. */
export const GITHUB = { results: 5000, zipped: 10_000_000 };
/** The number of related locations that GitHub shows per result. */
const MAX_RELATED = 100;
/** The maximum length of a description, in characters. */
const MAX_DESCRIPTION = 1024;

const LEVELS = {
  error: 'error',
  warning: 'warning',
  info: 'note',
  hint: 'note',
  off: 'none',
} as const satisfies Record<Severity | 'off', unknown>;

/**
 * Returns the report as SARIF. Paths are relative to the working folder, which should be the root of the repository.
 */
export function toSarif(report: CheckReport, options: SarifOptions, limits = GITHUB): string {
  const all = located(report);
  for (let most = limits.results; ; most = Math.floor(most / 2)) {
    const kept = all.length > most ? bySeverity(all).slice(0, most) : all;
    const missing = all.length - kept.length;
    const text = logOf(report, kept, missing, options);
    if (most > 0 && text.length > limits.zipped && options.zippedSize(text) > limits.zipped) continue;
    if (missing > 0) options.note?.(missingResults(missing));
    return text;
  }
}

function logOf(report: CheckReport, kept: readonly Located[], missing: number, options: SarifOptions): string {
  const places = new Map(options.rules.map(({ name }, index) => [name, index]));
  const log: Log = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Skill Composer',
            semanticVersion: options.version,
            rules: options.rules.map((rule) => descriptorOf(rule, options)),
          },
        },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: { '%SRCROOT%': { description: { text: 'The working folder of the run.' } } },
        invocations: [
          {
            executionSuccessful: true,
            ...(missing > 0 && {
              toolExecutionNotifications: [{ level: 'warning', message: { text: missingResults(missing) } }],
            }),
          },
        ],
        results: kept.map((one) => resultOf(one, report, places)),
      },
    ],
  };
  return printedJson(log);
}

const missingResults = (count: number): string =>
  `The SARIF file omits the ${count} least severe ${count === 1 ? 'finding' : 'findings'}: GitHub reads at most ${GITHUB.results} findings and ${GITHUB.zipped / 1e6} MB compressed.`;

/** Returns the declaration of a rule. All rules are declared, including rules without findings. */
function descriptorOf({ name, severity }: Rule, { pageOf }: SarifOptions): ReportingDescriptor {
  const page = pageOf(name) ?? '';
  const purpose = purposeOf(page) || name;
  const address = webPageOf(name);
  return {
    id: name,
    shortDescription: { text: purpose },
    fullDescription: { text: purpose.slice(0, MAX_DESCRIPTION) },
    ...(address !== undefined && { helpUri: address }),
    help: { text: page || purpose, ...(page && { markdown: page }) },
    defaultConfiguration: { enabled: severity !== 'off', level: LEVELS[severity] },
    properties: { 'problem.severity': severity === 'error' || severity === 'warning' ? severity : 'recommendation' },
  };
}

function resultOf(one: Located, report: CheckReport, places: ReadonlyMap<string, number>): Result {
  const { file, lines, finding, message, digest, nth } = one;
  const { rule, severity, span, related, fixes } = finding;
  const others = related.slice(0, MAX_RELATED).flatMap(({ uri, span, message }) => {
    const found = report.findFile(uri);
    if (!found) return [];
    const otherLines = found.file === file.file ? lines : lineStartsOf(found.text);
    return [{ message: { text: showInvisible(message) }, physicalLocation: placeOf(found.file, otherLines, span) }];
  });
  const sarifFixes = fixes.flatMap((fix) => fixOf(fix, report));
  const ruleIndex = places.get(rule);
  return {
    ruleId: rule,
    ...(ruleIndex !== undefined && { ruleIndex }),
    level: LEVELS[severity],
    message: { text: message },
    locations: [{ physicalLocation: placeOf(file.file, lines, span) }],
    ...(others.length > 0 && { relatedLocations: others.map((other, id) => ({ id, ...other })) }),
    partialFingerprints: { primaryLocationLineHash: `${digest}:${nth}` },
    ...(sarifFixes.length > 0 && { fixes: sarifFixes }),
  };
}

const placeOf = (file: string, lines: LineStarts, span: Span) => ({
  artifactLocation: { uri: asReference(file), uriBaseId: '%SRCROOT%' },
  region: fromOne(lines, span),
});

/** Returns a fix, or an empty list if the fix creates a file or edits a file that was not read. */
function fixOf({ title, edits, creates }: Fix, report: CheckReport): SarifFix[] {
  if (creates !== undefined || edits.length === 0) return [];
  const changes = edits.flatMap(({ uri, edits }) => {
    const found = report.findFile(uri);
    if (!found) return [];
    const lines = lineStartsOf(found.text);
    const replacements = edits.map(({ span, newText }) => ({
      deletedRegion: fromOne(lines, span),
      insertedContent: { text: newText },
    }));
    return [{ artifactLocation: placeOf(found.file, lines, { start: 0, end: 0 }).artifactLocation, replacements }];
  });
  return changes.length < edits.length ? [] : [{ description: { text: title }, artifactChanges: changes }];
}
