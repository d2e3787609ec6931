/** The output formats of `audit`, which reviews a registry. */
import type { Colors } from 'picocolors/types';
import type { Audit } from '../audit/audit.ts';
import { shownSimilarity } from '../matching/overlap-index.ts';
import { showFields } from '../text.ts';
import { markdownTable } from './tables.ts';

export interface AuditReport {
  readonly audit: Audit;
  readonly threshold: number;
  readonly fileOf: (uri: string) => string;
}

/** Returns the review as plain data, with names and files instead of indices and URIs. */
function viewOf({ audit, fileOf }: AuditReport) {
  const { compared, overlaps, upkeep, contracts } = audit;
  const skillAt = (at: number) => ({ name: compared[at]?.name ?? '', file: fileOf(compared[at]?.uri ?? '') });
  return {
    overlaps: overlaps.pairs.map(({ a, b, similarity, shared }) => ({
      ...{ skills: [skillAt(a), skillAt(b)] as const, shared },
      similarity: shownSimilarity(similarity),
    })),
    upkeep: upkeep.map(({ name, uri, severity, why }) => ({ name, file: fileOf(uri), severity, why })),
    contracts: contracts.map(({ name, uri, missing }) => ({ name, file: fileOf(uri), missing })),
  };
}

export function auditToJson(report: AuditReport): object {
  const { overlaps, upkeep, contracts } = viewOf(report);
  return {
    version: 1,
    overlap: overlaps.map(({ skills: [a, b], similarity, shared }) => ({
      a: a.name,
      b: b.name,
      files: [a.file, b.file],
      similarity,
      shared,
    })),
    upkeep: upkeep.map(({ name, ...rest }) => ({ skill: name, ...rest })),
    contracts: contracts.map(({ name, ...rest }) => ({ skill: name, ...rest })),
  };
}

const QUESTION = 'Is this a new capability, or a parameter of an existing skill?';

export function auditToPretty(report: AuditReport, colors: Colors): string {
  const { overlaps, upkeep, contracts } = showFields(viewOf(report));
  const skill = (one: { readonly name: string; readonly file: string } | undefined): string =>
    one ? `${one.name} ${colors.dim(one.file)}` : '';
  const paint = { error: colors.red, warning: colors.yellow, info: colors.blue };
  const sections = [
    section(colors.bold(`Overlap (${report.threshold} and above). ${QUESTION}`), [
      ...overlaps.map(({ skills: [a, b], similarity, shared }) => {
        const words = shared.length > 0 ? `\n      in both: ${shared.join(', ')}` : '';
        return `${similarity.toFixed(2)}  ${skill(a)}\n      ${skill(b)}${words}`;
      }),
    ]),
    section(
      colors.bold('Upkeep'),
      bySkill(upkeep).map((notes) => {
        const worst = notes.some(({ severity }) => severity === 'warning') ? 'warning' : 'info';
        return `${paint[worst](worst)}  ${skill(notes[0])} ${notes.map(({ why }) => why).join('; ')}`;
      }),
    ),
    section(
      colors.bold('Contracts'),
      contracts.map((one) => `${paint.error('error')}  ${skill(one)} lacks ${one.missing.join(', ')}`),
    ),
  ].filter((text) => text !== '');
  const counts = [
    counted(overlaps.length, 'overlap'),
    counted(upkeep.length, 'upkeep note'),
    counted(contracts.length, 'incomplete contract'),
  ].join(', ');
  return `${[...sections, `${counted(report.audit.compared.length, 'skill')}: ${counts}.`].join('\n\n')}\n`;
}

function bySkill<Note extends { readonly file: string }>(upkeep: readonly Note[]): readonly (readonly Note[])[] {
  const groups = new Map<string, Note[]>();
  for (const note of upkeep) groups.set(note.file, [...(groups.get(note.file) ?? []), note]);
  return [...groups.values()];
}

const section = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : [title, ...lines.map((line) => `  ${line.replaceAll('\n', '\n  ')}`)].join('\n');

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count === 0 ? 'no' : count} ${count === 1 ? one : many}`;

export function auditToMarkdown(report: AuditReport): string {
  const { overlaps, upkeep, contracts } = viewOf(report);
  return [
    `## Overlap\n\nPairs with a similarity of ${report.threshold} or more. ${QUESTION}\n`,
    table(
      ['Skill', 'Skill', 'Similarity', 'In both'],
      overlaps.map(({ skills: [a, b], similarity, shared }) => [
        ...[a.name, b.name, similarity.toFixed(2), shared.join(', ')],
      ]),
    ),
    '## Upkeep\n',
    table(
      ['Skill', 'File', 'Severity', 'Reason'],
      upkeep.map(({ name, file, severity, why }) => [name, file, severity, why]),
    ),
    '## Contracts\n',
    table(
      ['Skill', 'File', 'Missing'],
      contracts.map(({ name, file, missing }) => [name, file, missing.join(', ')]),
    ),
  ].join('\n');
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  rows.length === 0 ? 'None.\n' : markdownTable(head, rows);
