/** Applies the safe fixes in many files until no file changes, for the editor command and for `check --fix`. */
import type { Workspace } from '../../analysis/workspace.ts';
import { type Finding, type Fix, isOnlyIn } from '../../finding.ts';
import { check } from '../../rules/engine/check.ts';
import { applyEdits, type TextEdit } from '../../text.ts';

/**
 * The maximum number of rounds. A fix can make another fix possible, but two fixes that undo each other must not loop.
 */
const ROUNDS = 10;

export interface FixedText {
  readonly text: string;
  /** The number of applied fixes. */
  readonly fixes: number;
}

/** The numbers of remaining findings, excluding hints. */
export interface RemainingFindings {
  /** The findings with fixes that are not applied automatically, because a user must choose or confirm a fix. */
  readonly undecided: number;
  readonly unfixable: number;
}

/** The decisions of a user on the fixes of `fixChoices`, by their IDs. */
export interface FixDecisions {
  /** The fixes that are not safe, and that are applied. */
  readonly also: ReadonlySet<string>;
  /** The safe fixes that are not applied. */
  readonly leave: ReadonlySet<string>;
  /** The names of the rules whose fixes are also applied if they are the only ones of their findings. */
  readonly rules: ReadonlySet<string>;
}

const NO_DECISIONS: FixDecisions = { also: new Set(), leave: new Set(), rules: new Set() };

/** A fix that can be applied without others: a safe one, or the only one of its finding. */
export interface FixChoice {
  readonly id: string;
  readonly fix: Fix;
  readonly finding: Finding;
}

/** Returns the fixes among which a user can choose in one file, in the order of the findings. Never throws. */
export const fixChoices = (uri: string, findings: readonly Finding[]): readonly FixChoice[] =>
  findings.flatMap((finding) => {
    const { fixes, rule, message } = finding;
    const [fix] = fixes;
    if (!fix || !isOnlyIn(uri, fix) || !(fix.safe || fixes.length === 1)) return [];
    // The ID contains no offset, because every fix changes the offsets.
    return [{ id: [uri, rule, message, fix.title].join('\n'), fix, finding }];
  });

const NOTHING: RemainingFindings = { undecided: 0, unfixable: 0 };

export class FixAll {
  readonly #workspace: Workspace;
  readonly #uris: ReadonlySet<string>;
  readonly #before = new Map<string, string>();
  readonly #left = new Map<string, RemainingFindings>();
  #pending: readonly string[];
  #at = 0;
  #round = 0;
  /** The URIs of the files for the next round. */
  #again = new Set<string>();
  #fixes = 0;
  readonly #decisions: FixDecisions;

  constructor(workspace: Workspace, uris: ReadonlySet<string>, decisions: Partial<FixDecisions> = {}) {
    this.#workspace = workspace;
    this.#uris = uris;
    this.#decisions = { ...NO_DECISIONS, ...decisions };
    this.#pending = [...uris];
  }

  /** The original text of each changed file. */
  get before(): ReadonlyMap<string, string> {
    return this.#before;
  }

  get fixes(): number {
    return this.#fixes;
  }

  /** The remaining findings in all files; complete when `next` returns undefined. */
  get left(): RemainingFindings {
    let { undecided, unfixable } = NOTHING;
    for (const left of this.#left.values()) {
      undecided += left.undecided;
      unfixable += left.unfixable;
    }
    return { undecided: undecided, unfixable };
  }

  /** Returns the URI of the next file to fix; undefined when the work is done. */
  next(): string | undefined {
    if (this.#at === this.#pending.length) {
      if (++this.#round >= ROUNDS) return undefined;
      this.#pending = [...this.#again];
      this.#again = new Set();
      this.#at = 0;
    }
    return this.#pending[this.#at++];
  }

  /** Returns the text of a file with its safe fixes applied; undefined if the text does not change. */
  fix(uri: string): FixedText | undefined {
    const { analysis } = this.#workspace;
    const file = analysis.file(uri);
    if (!file) return undefined;
    const findings = check(file, analysis);
    const fixes = this.#wanted(uri, findings);
    const counted = findings.filter(({ severity }) => severity !== 'hint');
    const undecided = counted.filter((finding) => finding.fixes.length > 0).length;
    this.#left.set(uri, { undecided: undecided, unfixable: counted.length - undecided });
    const edits = fixes.flatMap((fix) => fix.edits.flatMap((edited) => edited.edits));
    const text = applyEdits(file.text, edits);
    return text === file.text ? undefined : { text, fixes: fixes.length };
  }

  #wanted(uri: string, findings: readonly Finding[]): readonly Fix[] {
    const { also, leave, rules } = this.#decisions;
    if (also.size + leave.size + rules.size === 0) return safeFixes(uri, findings);
    const isWanted = ({ id, fix, finding }: FixChoice): boolean =>
      fix.safe ? !leave.has(id) : also.has(id) || rules.has(finding.rule);
    return withoutOverlap(fixChoices(uri, findings).flatMap((one) => (isWanted(one) ? one.fix : [])));
  }

  /** Stores a result of `fix`, and schedules the files whose findings it may change. */
  applyFixed(uri: string, { text, fixes }: FixedText): void {
    const before = this.#workspace.index.files.get(uri)?.text ?? '';
    if (!this.#before.has(uri)) this.#before.set(uri, before);
    this.#fixes += fixes;
    const affected = this.#workspace.apply({ kind: 'text', uri, text });
    for (const other of affected === 'all' ? this.#uris : affected) if (this.#uris.has(other)) this.#again.add(other);
  }
}

/** Returns the safe preferred fixes of one file, without fixes that overlap an earlier fix. */
const safeFixes = (uri: string, findings: readonly Finding[]): readonly Fix[] =>
  withoutOverlap(
    findings.flatMap(({ fixes: [fix] }) => (fix?.safe && fix.edits.every((edited) => edited.uri === uri) ? fix : [])),
  );

function withoutOverlap(all: readonly Fix[]): readonly Fix[] {
  const taken: TextEdit[] = [];
  const fixes: Fix[] = [];
  for (const fix of all) {
    const edits = fix.edits.flatMap((edited) => edited.edits);
    if (edits.some((edit) => taken.some((other) => collide(edit, other)))) continue;
    taken.push(...edits);
    fixes.push(fix);
  }
  return fixes;
}

export const safeEdits = (uri: string, findings: readonly Finding[]): readonly TextEdit[] =>
  safeFixes(uri, findings).flatMap((fix) => fix.edits.flatMap(({ edits }) => edits));

/** Returns whether two edits overlap or insert at the same offset. */
const collide = ({ span: a }: TextEdit, { span: b }: TextEdit): boolean =>
  (a.start < b.end && b.start < a.end) || a.start === b.start;
