/** Finds the version that the changes to a skill require (docs/format.md, section 4, "Breaking changes"). */
import {
  type Bump,
  bumpFor,
  type ContractChange,
  changesBetween,
  isAtLeastVersion,
  isLowerVersion,
  nextPreRelease,
  versionAfter,
} from '../skill/breaking-changes.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { type Range, rangeOf, type Span, sliceOf } from '../text.ts';

export interface Comparison {
  readonly changes: readonly ContractChange[];
  readonly bump: Bump | undefined;
  /**
   * The lowest version that the changes require; undefined if the changes require no new version, or if the old version
   * is invalid.
   */
  readonly demanded: string | undefined;
  readonly isMet: boolean;
  /** Other findings about the version. */
  readonly notes: readonly Note[];
}

/** The version that the changes require. */
interface Demand extends Pick<Comparison, 'changes' | 'demanded'> {
  readonly isReached: boolean;
}

interface Note {
  readonly severity: 'error' | 'hint';
  readonly message: string;
  readonly span: Span;
}

/** Compares a skill with its old state. If there is no old state, the comparison contains no changes. */
export function compareContracts(old: SkillFile | undefined, now: SkillFile): Comparison {
  const changes = old ? changesBetween(old.contract, now.contract) : [];
  const bump = bumpFor(changes);
  const demanded = bump && versionAfter(old?.contract.version?.name, bump);
  // Changes that only require a patch do not require a new version immediately.
  const isReached = !demanded || bump === 'patch' || isAtLeastVersion(now.contract.version?.name, demanded) !== false;
  const notes = old ? notesOn(old, now, { changes, demanded, isReached }) : [];
  const isMet = isReached && !notes.some(({ severity }) => severity === 'error');
  return { changes, bump, demanded, isMet, notes };
}

/** Reports a version that decreased, or a body or a pre-release that changed without a new version. */
function notesOn(old: SkillFile, now: SkillFile, { changes, demanded, isReached }: Demand): readonly Note[] {
  const [before, after] = [old.contract.version?.name, now.contract.version];
  if (!after) return [];
  const { span } = after;
  if (isLowerVersion(before, after.name)) {
    const least = demanded ?? before;
    const message = `The version went down from \`${before}\` to \`${after.name}\`. Set it to \`${least}\` or higher.`;
    return [{ severity: 'error', message, span }];
  }
  if (!isReached || before !== after.name) return [];
  const next = changes.length > 0 ? nextPreRelease(before) : undefined;
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
