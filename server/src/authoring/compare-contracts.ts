/** What a change of a skill asks of its version (docs/format.md, section 4, "Breaking changes"). */
import {
  type Bump,
  bumpFor,
  type ContractChange,
  changesBetween,
  reaches,
  versionAfter,
  wentDown,
} from '../skill/breaking-changes.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { type Range, rangeOf, type Span, sliceOf } from '../text.ts';

export interface Comparison {
  readonly changes: readonly ContractChange[];
  readonly bump: Bump | undefined;
  /** The lowest version that the changes demand; undefined where they demand none, or the old one is no version. */
  readonly demanded: string | undefined;
  readonly isMet: boolean;
  /** What is to be said of the version besides. */
  readonly notes: readonly Note[];
}

interface Note {
  readonly severity: 'error' | 'hint';
  readonly message: string;
  readonly span: Span;
}

/** Without an old file nothing has changed. */
export function compareContracts(old: SkillFile | undefined, now: SkillFile): Comparison {
  const changes = old ? changesBetween(old.contract, now.contract) : [];
  const bump = bumpFor(changes);
  const demanded = bump && versionAfter(old?.contract.version?.name, bump);
  // A patch may wait for the next version.
  const isReached = !demanded || bump === 'patch' || reaches(now.contract.version?.name, demanded) !== false;
  const notes = old ? notesOn(old, now, demanded, isReached) : [];
  const isMet = isReached && !notes.some(({ severity }) => severity === 'error');
  return { changes, bump, demanded, isMet, notes };
}

/** A version that went down, and a body that changed while the version stayed. */
function notesOn(old: SkillFile, now: SkillFile, demanded: string | undefined, isReached: boolean): readonly Note[] {
  const [before, after] = [old.contract.version?.name, now.contract.version];
  if (!after) return [];
  const { span } = after;
  if (wentDown(before, after.name)) {
    const message = `The version went down from ${before} to ${after.name}. Make it ${demanded ?? before} or more.`;
    return [{ severity: 'error', message, span }];
  }
  if (!isReached || before !== after.name || bodyOf(old) === bodyOf(now)) return [];
  const message = `The body has changed, and the version is still ${before}. Raise it where the prompt is another one now.`;
  return [{ severity: 'hint', message, span }];
}

/** With the line breaks of one kind. */
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
