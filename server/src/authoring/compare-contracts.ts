/** Finds the version that the changes to a skill require (docs/format.md, section 4, "Breaking changes"). */
import { type Bump, nextPreRelease, type VersionDemand, versionDemand } from '../skill/breaking-changes.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { type Range, rangeOf, type Span, sliceOf } from '../text.ts';

export interface Comparison extends Pick<VersionDemand, 'changes' | 'bump' | 'demanded'> {
  readonly isMet: boolean;
  /** Other findings about the version. */
  readonly notes: readonly Note[];
}

interface Note {
  readonly severity: 'error' | 'hint';
  readonly message: string;
  readonly span: Span;
}

/** Compares a skill with its old state. Without an old state, the comparison contains no changes. */
export function compareContracts(old: SkillFile | undefined, now: SkillFile): Comparison {
  if (!old) return { changes: [], bump: undefined, demanded: undefined, isMet: true, notes: [] };
  const demand = versionDemand(old.contract, now.contract);
  const notes = notesOn(old, now, demand);
  const isMet = demand.isReached && !notes.some(({ severity }) => severity === 'error');
  const { changes, bump, demanded } = demand;
  return { changes, bump, demanded, isMet, notes };
}

/** Reports a version that decreased, or a body or a pre-release that changed without a new version. */
function notesOn(old: SkillFile, now: SkillFile, demand: VersionDemand): readonly Note[] {
  const [before, after] = [old.contract.version?.name, now.contract.version];
  if (!after) return [];
  const { span } = after;
  if (demand.hasDecreased) {
    const message = `The version went down from \`${before}\` to \`${after.name}\`. Set it to \`${demand.least}\` or higher.`;
    return [{ severity: 'error', message, span }];
  }
  if (!demand.isReached || before !== after.name) return [];
  const next = demand.changes.length > 0 ? nextPreRelease(before) : undefined;
  if (next !== undefined) {
    const message = `The contract changed, but the version is still \`${before}\`. Increase it, for example to \`${next}\`.`;
    return [{ severity: 'hint', message, span }];
  }
  if (bodyOf(old) === bodyOf(now)) return [];
  const message = `The body changed, but the version is still \`${before}\`. Increase it if the prompt has a new meaning.`;
  return [{ severity: 'hint', message, span }];
}

/** Returns the text of the body with `\n` as the line break. */
const bodyOf = ({ text, body }: SkillFile): string =>
  body ? sliceOf(text, body.span).replaceAll('\r\n', '\n').trimEnd() : '';

export interface ComparisonView {
  readonly oldVersion: string | null;
  readonly newVersion: string | null;
  readonly bump: Bump | null;
  readonly demandedVersion: string | null;
  readonly ok: boolean;
  readonly changes: readonly { bump: Bump; path: string; message: string; range: Range }[];
  readonly findings: readonly { severity: Note['severity']; message: string; range: Range }[];
}

export const viewOfComparison = (
  { changes, bump, demanded, isMet, notes }: Comparison,
  old: SkillFile | undefined,
  now: SkillFile,
): ComparisonView => ({
  oldVersion: versionOf(old),
  newVersion: versionOf(now),
  bump: bump ?? null,
  demandedVersion: demanded ?? null,
  ok: isMet,
  changes: changes.map(({ bump: own, path, message, span }) => ({
    bump: own,
    path,
    message: asSentence(message),
    range: rangeOf(now.lines, span),
  })),
  findings: notes.map(({ severity, message, span }) => ({ severity, message, range: rangeOf(now.lines, span) })),
});

export const versionOf = (skill: SkillFile | undefined): string | null => skill?.contract.version?.name ?? null;

export const asSentence = (message: string): string => `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
