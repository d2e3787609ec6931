/** Findings about how the target clients read a `SKILL.md`. Each cause has one finding with the affected clients. */

import { isReported } from '../../analysis/not-listed.ts';
import type { Client } from '../../clients/facts/client.ts';
import { type Cause, standardRulesFor } from '../../clients/matrix/causes.ts';
import type { ClientRow, Reason } from '../../clients/matrix/cell.ts';
import { spanOfCause } from '../../clients/matrix/client-folders.ts';
import type { Draft } from '../../finding.ts';
import { listed } from '../../nearest.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { Rule } from '../engine/rule.ts';

/**
 * The common properties of rules about clients. The result of these rules is undecided while files are still being
 * read.
 */
export const ABOUT_CLIENTS = {
  evidence: {
    kind: 'vendor',
    source:
      "the clients' source code and documents, `server/src/clients/facts/data/` and `server/src/clients/pipeline/data/`",
    checked: '2026-11-27',
  },
  dialects: ['agent-skill'],
  isDecided: (_, analysis) => !analysis.partial,
} satisfies Partial<Rule>;

/** A cause and the clients that it affects. */
export interface ClientDefect {
  readonly cause: Cause;
  readonly clients: readonly Client[];
  /** The reasons, one for each client. */
  readonly reasons: readonly Reason[];
  /** The names of the clients, as the subject of a sentence. */
  readonly names: string;
  readonly isOne: boolean;
}

/** Returns the reasons why the skill loses something in a client. */
export const badReasons = (reasons: readonly Reason[]): readonly Reason[] => reasons.filter(({ isLoss }) => isLoss);

/** Groups the reasons that are reported by cause. There is one row for each client. */
export function defectsOf(
  file: SkillFile,
  rows: readonly ClientRow[],
  reasonsOf: (row: ClientRow) => readonly Reason[],
): readonly ClientDefect[] {
  const defects = new Map<string, { cause: Cause; clients: Client[]; reasons: Reason[] }>();
  for (const row of rows) {
    for (const reason of reasonsOf(row)) {
      const { cause } = reason;
      if (!cause || !isReported(file, reason)) continue;
      const key = `${cause.code} ${cause.key ?? ''}`;
      const known = defects.get(key) ?? { cause, clients: [], reasons: [] };
      if (known.clients.includes(row.client)) continue;
      known.clients.push(row.client);
      known.reasons.push(reason);
      defects.set(key, known);
    }
  }
  return [...defects.values()].map((defect) => ({
    ...defect,
    names: listed(defect.clients.map(({ name }) => name)),
    isOne: defect.clients.length === 1,
  }));
}

/**
 * Returns a finding at the span of a cause. If a rule for the standard already reports that span, `addedMessage` is
 * added to the message of its finding.
 */
export function draftOf(
  file: SkillFile,
  { cause }: ClientDefect,
  message: string,
  addedMessage: string,
  more: Pick<Draft, 'fixes' | 'related' | 'isAboutLink' | 'shortens'> = {},
): Draft {
  const rules = standardRulesFor(cause);
  return {
    span: spanOfCause(file, cause),
    message,
    ...more,
    ...(rules.length > 0 && { joins: { rules, addedMessage, ...(cause.key !== undefined && { key: cause.key }) } }),
  };
}

/** Returns the property of a finding that lets features offer a shorter description, if the description is too long. */
export const shorteningOf = ({ cause }: ClientDefect): Pick<Draft, 'shortens'> =>
  isTooLong(cause) ? { shortens: 'description' } : {};

/** Returns whether a cause is a description that is too long. */
const isTooLong = ({ code, key }: Cause): boolean =>
  code === 'entry/cut' || (code === 'fields/length' && key === 'description');
