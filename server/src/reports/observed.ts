/** The report of what an installed client sent, beside the prediction: for a terminal, as JSON, and as Markdown for an issue. */
import type { Colors } from 'picocolors/types';
import { formatNumber } from '../format-amounts.ts';
import { showInvisible, showInvisibleInLines } from '../text.ts';
import { printedJson } from './json.ts';

type Verdict = 'same' | 'different' | 'unknown';

/** A text that was sent, and the predicted one. */
export interface ObservedText {
  /** The path of the skill in the copied workspace. */
  readonly path: string;
  readonly verdict: Verdict;
  /** Undefined without a prediction, or if no text is predicted. */
  readonly predicted: string | undefined;
  readonly seen: string | undefined;
  /** Sentences about the prediction, or why nothing was seen. */
  readonly reasons: readonly string[];
}

export interface ObservedReport {
  readonly client: { readonly id: string; readonly name: string };
  /** The package whose version the product was compared with before, and both versions. */
  readonly package: string;
  readonly version: string | undefined;
  readonly knownVersion: string | undefined;
  /** ISO date. */
  readonly date: string;
  readonly platform: string;
  /** The size of the model's context in tokens. */
  readonly context: number;
  /** The place of the list in the request; undefined if no request has a list. */
  readonly place: string | undefined;
  readonly list: readonly ObservedText[];
  /** The names of the client's own skills in the list. */
  readonly others: readonly string[];
  readonly delivered: readonly ObservedText[];
  /** Sentences about the run. */
  readonly notes: readonly string[];
}

const MARKS: ReadonlyMap<Verdict, string> = new Map([
  ['same', '='],
  ['different', '≠'],
  ['unknown', '?'],
]);

/** Returns the number of texts that differ from an exact prediction. */
export const differencesIn = ({ list, delivered }: ObservedReport): number =>
  [...list, ...delivered].filter(({ verdict }) => verdict === 'different').length;

export function observedToPretty(report: ObservedReport, colors: Colors): string {
  const { list, delivered, others, place } = report;
  const blocks = [
    [colors.bold(headOf(report))],
    [
      `The list${place === undefined ? ' was not in any request' : ` (${showInvisible(place)})`}: ${countsOf(list)}`,
      ...list.flatMap((one) => linesOf(one, colors, NOT_LISTED)),
      ...(others.length === 0 ? [] : [`  the client's own: ${others.map(showInvisible).join(', ')}`]),
    ],
    [
      `Texts after a call by the model: ${countsOf(delivered)}`,
      ...delivered.flatMap((one) => linesOf(one, colors, 'no text')),
    ],
    report.notes.map(showInvisible),
  ];
  return `${blocks
    .filter(({ length }) => length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

const NOT_LISTED = 'not in the list';

const headOf = ({ client, version, knownVersion, context }: ObservedReport): string =>
  showInvisible(
    `${client.name} ${version ?? '(unknown version)'}, predicted for ${knownVersion ?? 'no version'}; a model with a context of ${formatNumber(context)} tokens`,
  );

function countsOf(texts: readonly ObservedText[]): string {
  const count = (verdict: Verdict): number => texts.filter((one) => one.verdict === verdict).length;
  const parts = [`${count('same')} as predicted`, `${count('different')} different`];
  return [...parts, ...(count('unknown') > 0 ? [`${count('unknown')} without an exact prediction`] : [])].join(', ');
}

function linesOf(
  { path, verdict, predicted, seen, reasons }: ObservedText,
  colors: Colors,
  none: string,
): readonly string[] {
  const head = `  ${MARKS.get(verdict)} ${showInvisible(path === '' ? '(all skills)' : path)}`;
  const why = reasons.map((reason) => colors.dim(`      ${showInvisible(reason)}`));
  if (verdict === 'same') return [head, ...(predicted === undefined ? [`      ${none}`, ...why] : [])];
  if (seen === undefined && predicted === undefined) return [head, ...why];
  const change = changeOf(predicted ?? (verdict === 'different' ? none : ''), seen ?? none);
  return [head, ...change.map((line) => `      ${line}`), ...why];
}

/** Returns the lines that differ, `-` predicted and `+` sent, with at most one equal line before and after them. */
function changeOf(predicted: string, seen: string): readonly string[] {
  const [before, after] = [predicted, seen].map((text) => (text === '' ? [] : linesIn(text))) as [
    readonly string[],
    readonly string[],
  ];
  let start = 0;
  while (start < Math.min(before.length, after.length) && before[start] === after[start]) start += 1;
  let end = 0;
  while (
    end < Math.min(before.length, after.length) - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  ) {
    end += 1;
  }
  const part = (lines: readonly string[], mark: string): readonly string[] => {
    const changed = lines.slice(start, lines.length - end);
    const shown = changed.slice(0, MAX_LINES).map((line) => `${mark} ${shortened(line)}`);
    return changed.length > MAX_LINES ? [...shown, `${mark} … (${changed.length} lines)`] : shown;
  };
  return [
    ...(start > 0 ? [`  ${shortened(before[start - 1] ?? '')}`] : []),
    ...part(before, '-'),
    ...part(after, '+'),
    ...(end > 0 ? [`  ${shortened(before[before.length - end] ?? '')}`] : []),
  ];
}

const linesIn = (text: string): readonly string[] => showInvisibleInLines(text).split('\n');

const MAX_LINES = 20;
const MAX_LINE = 1_000;
const shortened = (line: string): string =>
  line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}… (${line.length} characters)` : line;

/** The prediction, and what was sent. */
export interface ObservedSides {
  readonly predicted: string;
  readonly sent: string;
}

/**
 * Returns a report as two texts for an editor that compares texts: they differ only where what was sent differs from an
 * exact prediction.
 */
export function observedSides(report: ObservedReport): ObservedSides {
  const { list, delivered, others, place, notes } = report;
  const side = (isPrediction: boolean): string => {
    const section = (title: string, texts: readonly ObservedText[], none: string): readonly string[] => [
      ...['', `# ${title}: ${countsOf(texts)}`],
      ...texts.flatMap(({ path, verdict, predicted, seen, reasons }) => {
        const text = isPrediction && verdict === 'different' ? (predicted ?? none) : seen;
        return [
          ...['', `${MARKS.get(verdict)} ${showInvisible(path === '' ? '(all skills)' : path)}: ${WORDS.get(verdict)}`],
          ...reasons.map((reason) => `  (${showInvisible(reason)})`),
          ...(text === undefined && verdict === 'unknown' ? [] : ['', ...linesIn(text ?? none)]),
        ];
      }),
    ];
    return `${[
      headOf(report),
      ...notes.map(showInvisible),
      ...section(`The list${place === undefined ? ' was not in any request' : ''}`, list, NOT_LISTED),
      ...(others.length === 0 ? [] : ['', `The client's own skills: ${others.map(showInvisible).join(', ')}`]),
      ...section('Texts after a call by the model', delivered, 'no text'),
    ].join('\n')}\n`;
  };
  return { predicted: side(true), sent: side(false) };
}

const WORDS: ReadonlyMap<Verdict, string> = new Map([
  ['same', 'as predicted'],
  ['different', 'different'],
  ['unknown', 'no exact prediction'],
]);

/** Returns the report in a text of {@link observedToJson}. */
export function observedFromJson(text: string): ObservedReport {
  const { client, place, list, delivered, ...rest } = JSON.parse(text);
  const { id, name, package: npm, version, knownVersion } = client;
  const textOf = ({ predicted, seen, ...one }: PrintedText): ObservedText => ({
    ...one,
    predicted: predicted ?? undefined,
    seen: seen ?? undefined,
  });
  return {
    ...rest,
    ...{ client: { id, name }, package: npm, version: version ?? undefined, knownVersion: knownVersion ?? undefined },
    ...{ place: place ?? undefined, list: list.map(textOf), delivered: delivered.map(textOf) },
  };
}

interface PrintedText extends Pick<ObservedText, 'path' | 'verdict' | 'reasons'> {
  readonly predicted: string | null;
  readonly seen: string | null;
}

/** Returns the report as JSON (docs/observing.md, "As JSON"). */
export function observedToJson(report: ObservedReport): string {
  const { client, version, knownVersion, date, platform, context, place, list, others, delivered, notes } = report;
  const textOf = ({ predicted, seen, ...rest }: ObservedText) => ({
    ...rest,
    predicted: predicted ?? null,
    seen: seen ?? null,
  });
  return printedJson({
    version: 1,
    client: { ...client, package: report.package, version: version ?? null, knownVersion: knownVersion ?? null },
    date,
    platform,
    context,
    place: place ?? null,
    differences: differencesIn(report),
    list: list.map(textOf),
    others,
    delivered: delivered.map(textOf),
    notes,
  });
}

/** Returns the answers for the issue form "A fact about a client is wrong", with each difference in a fence. */
export function observedToMarkdown(report: ObservedReport): string {
  const { client, version, date, platform, list, delivered, context, notes } = report;
  const part = (title: string, texts: readonly ObservedText[], none: string): readonly string[] => [
    `## ${title}: ${countsOf(texts)}`,
    '',
    ...texts
      .filter(({ verdict }) => verdict !== 'same')
      .flatMap(({ path, verdict, predicted, seen, reasons }) => [
        `### ${fenced(path === '' ? '(all skills)' : path)}`,
        '',
        ...reasons.flatMap((reason) => [showInvisible(reason), '']),
        ...(seen === undefined && predicted === undefined
          ? []
          : [
              'What Skill Composer says:',
              '',
              verdict === 'different' || predicted !== undefined ? block(predicted ?? none) : 'No exact text.',
              '',
              'What is right:',
              '',
              block(seen ?? none),
              '',
            ]),
      ]),
  ];
  return `${[
    `# ${client.name}: what it sent`,
    '',
    `- Client: ${client.name} (${client.id})`,
    '- How the right value is known: Observed in a run of the client',
    `- Source: \`${report.package}\`, \`skill-composer observe ${client.id}\` on ${platform}, a model with a context of ${formatNumber(context)} tokens`,
    `- Version of the client: ${version ?? 'unknown'}`,
    `- Date: ${date}`,
    ...notes.map((note) => `- ${showInvisible(note)}`),
    '',
    ...part('The list', list, NOT_LISTED),
    ...part('Texts after a call by the model', delivered, 'no text'),
  ]
    .join('\n')
    .trimEnd()}\n`;
}

const fenced = (text: string): string => `\`${showInvisible(text).replaceAll('`', "'")}\``;

/** Returns a fence that is longer than each run of backticks in the text. */
function block(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${showInvisibleInLines(text)}\n${fence}`;
}
