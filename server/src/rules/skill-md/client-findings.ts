/** Findings about how the target clients read a `SKILL.md`. Each cause has one finding with the affected clients. */

import { isReported } from '../../analysis/not-listed.ts';
import type { Client } from '../../clients/facts/client.ts';
import { spanOfCause } from '../../clients/matrix/cause-span.ts';
import { type Cause, sameCode, standardRulesFor, stepOf } from '../../clients/matrix/causes.ts';
import type { ClientRow, Reason } from '../../clients/matrix/cell.ts';
import type { Draft, Join } from '../../finding.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { clauseOf } from '../engine/merge-findings.ts';
import type { Rule } from '../engine/rule.ts';
import { fixesFor } from './client-fixes.ts';

/**
 * The common properties of rules about clients. The result of these rules is undecided while files are still being
 * read.
 */
export const ABOUT_CLIENTS = {
  evidence: {
    kind: 'vendor',
    source:
      "the clients' source code and documents, `server/src/clients/facts/data/` and `server/src/clients/pipeline/data/`",
    checked: '2026-11-30',
  },
  dialects: ['agent-skill'],
  isAboutTargets: true,
  hasSharedCauses: true,
  isDecided: (_, analysis) => !analysis.partial,
} satisfies Partial<Rule>;

/** A cause and the clients that it affects. */
export interface ClientDefect {
  readonly cause: Cause;
  readonly clients: readonly Client[];
  /** The reasons, one for each client. */
  readonly reasons: readonly Reason[];
  /** True if a part of each fact is not known, so that the finding is at most a hint. */
  readonly isPartial: boolean;
}

/** The actions of clients, as the verb phrases of a sentence without a period: for one client and for several. */
export type Does = Join['does'];

/** Returns a sentence without a period about what the clients of a defect do. */
export const clauseAbout = (defect: ClientDefect, does: Does): string =>
  clauseOf(namesOf(defect.clients), doesIn(defect, does));

const doesIn = ({ isPartial }: ClientDefect, { one, many }: Does): Does =>
  isPartial ? { one: `probably ${one}`, many: `probably ${many}` } : { one, many };

const namesOf = (clients: readonly Client[]): readonly string[] => clients.map(({ name }) => name);

/** Returns the reasons why the skill loses something in a client. */
export const badReasons = (reasons: readonly Reason[]): readonly Reason[] => reasons.filter(({ isLoss }) => isLoss);

/**
 * Groups the reasons that are reported by cause, those whose facts are known in part separately. There is one row for
 * each client.
 */
export function defectsOf(
  file: SkillFile,
  rows: readonly ClientRow[],
  reasonsOf: (row: ClientRow) => readonly Reason[],
): readonly ClientDefect[] {
  const defects = new Map<string, { cause: Cause; clients: Client[]; reasons: Reason[]; isPartial: boolean }>();
  for (const row of rows) {
    for (const reason of reasonsOf(row)) {
      const { cause } = reason;
      if (!cause || !isReported(file, reason)) continue;
      const isPartial = reason.certainty === 'partial';
      const key = `${cause.code} ${cause.key ?? ''} ${isPartial}`;
      const known = defects.get(key) ?? { cause, clients: [], reasons: [], isPartial };
      if (known.clients.includes(row.client)) continue;
      known.clients.push(row.client);
      known.reasons.push(reason);
      defects.set(key, known);
    }
  }
  return [...defects.values()];
}

/**
 * Returns a finding at the span of a cause. If a rule for the standard already reports the defect, or another rule about
 * clients the same cause, the sentence of `does` is added to the message of its finding.
 */
export function draftOf(
  file: SkillFile,
  defect: ClientDefect,
  message: string,
  does: Does,
  more: Pick<Draft, 'fixes' | 'related' | 'isAboutLink' | 'shortens'> & { readonly names?: readonly string[] } = {},
): Draft {
  const { cause, clients, isPartial } = defect;
  const { names = namesOf(clients), fixes = fixesFor(file, cause), ...rest } = more;
  const { key } = cause;
  const { rules, ofFile } = standardRulesFor(cause);
  return {
    span: spanOfCause(file, cause),
    message,
    fixes,
    ...rest,
    ...(isPartial && { severity: 'hint' as const }),
    joins: {
      ...{ rules, ofFile, cause: identityOf(file, cause), names, does: doesIn(defect, does) },
      ...(key !== undefined && { key }),
    },
  };
}

/** Returns a word that is equal for causes that are one defect of the file. */
function identityOf({ frontmatter: { open, close, tree } }: SkillFile, cause: Cause): string {
  const step = stepOf(cause);
  const isOfYaml = step === 'open' || step === 'parse';
  // Clients notice at different places that a line is not a fence, or that the YAML is not valid.
  if (isOfYaml && (!open || !close || tree.broken)) return 'frontmatter';
  return `${sameCode(cause.code)} ${cause.key ?? ''}`;
}

/** Returns the property of a finding that lets features offer a shorter description, if the description is too long. */
export const shorteningOf = ({ cause }: ClientDefect): Pick<Draft, 'shortens'> =>
  isTooLong(cause) ? { shortens: 'description' } : {};

/** Returns whether a cause is a description that is too long. */
const isTooLong = ({ code, key }: Cause): boolean =>
  code === 'entry/cut' || (code === 'fields/length' && key === 'description');
