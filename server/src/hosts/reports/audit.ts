/** The output formats of `audit`, which reviews a registry. */
import type { Colors } from 'picocolors/types';
import type { Audit } from '../../audit/audit.ts';
import { shownSimilarity } from '../../matching/overlap-index.ts';
import { showInvisible } from '../../text.ts';
import { markdownTable } from './tables.ts';

export interface AuditReport {
  readonly audit: Audit;
  readonly threshold: number;
  readonly fileOf: (uri: string) => string;
}

export function auditToJson({ audit, fileOf }: AuditReport): object {
  const { compared, overlaps, upkeep, contracts } = audit;
  return {
    version: 1,
    overlap: overlaps.pairs.map(({ a, b, similarity, shared }) => ({
      a: compared[a]?.name ?? '',
      b: compared[b]?.name ?? '',
      files: [a, b].map((at) => fileOf(compared[at]?.uri ?? '')),
      similarity: shownSimilarity(similarity),
      shared,
    })),
    upkeep: upkeep.map(({ name, uri, severity, why }) => ({ skill: name, file: fileOf(uri), severity, why })),
    contracts: contracts.map(({ name, uri, missing }) => ({ skill: name, file: fileOf(uri), missing })),
  };
}

const QUESTION = 'Is this a new capability, or a parameter of an existing skill?';

export function auditToPretty({ audit, threshold, fileOf }: AuditReport, colors: Colors): string {
  const { compared, overlaps, upkeep, contracts } = audit;
  const skill = (at: { readonly name: string; readonly uri: string } | undefined): string =>
    at ? `${showInvisible(at.name)} ${colors.dim(showInvisible(fileOf(at.uri)))}` : '';
  const paint = { error: colors.red, warning: colors.yellow, info: colors.blue };
  const sections = [
    section(colors.bold(`Overlap (${threshold} and above). ${QUESTION}`), [
      ...overlaps.pairs.map(({ a, b, similarity, shared }) => {
        const words = shared.length > 0 ? `\n      in both: ${shared.map(showInvisible).join(', ')}` : '';
        return `${shownSimilarity(similarity).toFixed(2)}  ${skill(compared[a])}\n      ${skill(compared[b])}${words}`;
      }),
    ]),
    section(
      colors.bold('Upkeep'),
      bySkill(upkeep).map((notes) => {
        const worst = notes.some(({ severity }) => severity === 'warning') ? 'warning' : 'info';
        return `${paint[worst](worst)}  ${skill(notes[0])} ${notes.map(({ why }) => showInvisible(why)).join('; ')}`;
      }),
    ),
    section(
      colors.bold('Contracts'),
      contracts.map(
        (one) => `${paint.error('error')}  ${skill(one)} lacks ${one.missing.map(showInvisible).join(', ')}`,
      ),
    ),
  ].filter((text) => text !== '');
  const counts = [
    counted(overlaps.pairs.length, 'overlap'),
    counted(upkeep.length, 'upkeep note'),
    counted(contracts.length, 'incomplete contract'),
  ].join(', ');
  return `${[...sections, `${counted(compared.length, 'skill')}: ${counts}.`].join('\n\n')}\n`;
}

function bySkill(upkeep: Audit['upkeep']): readonly Audit['upkeep'][] {
  const groups = new Map<string, Audit['upkeep'][number][]>();
  for (const note of upkeep) groups.set(note.uri, [...(groups.get(note.uri) ?? []), note]);
  return [...groups.values()];
}

const section = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : [title, ...lines.map((line) => `  ${line.replaceAll('\n', '\n  ')}`)].join('\n');

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count === 0 ? 'no' : count} ${count === 1 ? one : many}`;

export function auditToMarkdown({ audit, threshold, fileOf }: AuditReport): string {
  const { compared, overlaps, upkeep, contracts } = audit;
  const name = (at: number): string => compared[at]?.name ?? '';
  return [
    `## Overlap\n\nPairs with a similarity of ${threshold} or more. ${QUESTION}\n`,
    table(
      ['Skill', 'Skill', 'Similarity', 'In both'],
      overlaps.pairs.map(({ a, b, similarity, shared }) => [
        ...[name(a), name(b), shownSimilarity(similarity).toFixed(2), shared.join(', ')],
      ]),
    ),
    '## Upkeep\n',
    table(
      ['Skill', 'File', 'Severity', 'Reason'],
      upkeep.map((note) => [note.name, fileOf(note.uri), note.severity, note.why]),
    ),
    '## Contracts\n',
    table(
      ['Skill', 'File', 'Missing'],
      contracts.map((one) => [one.name, fileOf(one.uri), one.missing.join(', ')]),
    ),
  ].join('\n');
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  rows.length === 0 ? 'None.\n' : markdownTable(head, rows);
