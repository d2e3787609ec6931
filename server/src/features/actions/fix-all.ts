/** Applies the safe fixes of many files until nothing changes: for the command of the editor, and for `check --fix`. */
import type { Workspace } from '../../analysis/workspace.ts';
import type { Finding, Fix } from '../../finding.ts';
import { check } from '../../rules/check.ts';
import { applyEdits, type TextEdit } from '../../text.ts';

/** A fix may make another one possible, and two that undo each other must come to an end. */
const ROUNDS = 10;

export interface FixedText {
  readonly text: string;
  /** How many fixes are in it. */
  readonly fixes: number;
}

/** How many findings stay, hints aside. */
export interface Left {
  /** Those with fixes of which a person must choose one. */
  readonly undecided: number;
  readonly unfixable: number;
}

const NOTHING: Left = { undecided: 0, unfixable: 0 };

export class FixAll {
  readonly #workspace: Workspace;
  readonly #uris: ReadonlySet<string>;
  readonly #before = new Map<string, string>();
  readonly #left = new Map<string, Left>();
  #pending: readonly string[];
  #at = 0;
  #round = 0;
  /** The files to look at in the next round. */
  #again = new Set<string>();
  #fixes = 0;

  constructor(workspace: Workspace, uris: ReadonlySet<string>) {
    this.#workspace = workspace;
    this.#uris = uris;
    this.#pending = [...uris];
  }

  /** The texts that the changed files had at first. */
  get before(): ReadonlyMap<string, string> {
    return this.#before;
  }

  get fixes(): number {
    return this.#fixes;
  }

  /** What is left in all files, when all have been looked at. */
  get left(): Left {
    let { undecided, unfixable } = NOTHING;
    for (const left of this.#left.values()) {
      undecided += left.undecided;
      unfixable += left.unfixable;
    }
    return { undecided, unfixable };
  }

  /** The file to look at next; undefined when nothing is left to do. */
  next(): string | undefined {
    if (this.#at === this.#pending.length) {
      if (++this.#round >= ROUNDS) return undefined;
      this.#pending = [...this.#again];
      this.#again = new Set();
      this.#at = 0;
    }
    return this.#pending[this.#at++];
  }

  /** A file with its safe fixes; undefined where it has none. */
  fix(uri: string): FixedText | undefined {
    const { analysis } = this.#workspace;
    const file = analysis.file(uri);
    if (!file) return undefined;
    const findings = check(file, analysis);
    const fixes = safeFixes(uri, findings);
    const counted = findings.filter(({ severity }) => severity !== 'hint');
    const undecided = counted.filter((finding) => finding.fixes.length > 0).length;
    this.#left.set(uri, { undecided, unfixable: counted.length - undecided });
    const edits = fixes.flatMap((fix) => fix.edits.flatMap((edited) => edited.edits));
    const text = applyEdits(file.text, edits);
    return text === file.text ? undefined : { text, fixes: fixes.length };
  }

  /** Takes in what `fix` has given, after which other files may have other findings. */
  take(uri: string, { text, fixes }: FixedText): void {
    const before = this.#workspace.index.files.get(uri)?.text ?? '';
    if (!this.#before.has(uri)) this.#before.set(uri, before);
    this.#fixes += fixes;
    const affected = this.#workspace.apply({ kind: 'text', uri, text });
    for (const other of affected === 'all' ? this.#uris : affected) if (this.#uris.has(other)) this.#again.add(other);
  }
}

// The fixes of a file that may be applied unasked, together.

/** The safe preferred fixes to one file; one that overlaps an earlier one is left out. */
function safeFixes(uri: string, findings: readonly Finding[]): readonly Fix[] {
  const taken: TextEdit[] = [];
  const fixes: Fix[] = [];
  for (const {
    fixes: [fix],
  } of findings) {
    if (!fix?.safe || fix.edits.some((edited) => edited.uri !== uri)) continue;
    const edits = fix.edits.flatMap((edited) => edited.edits);
    if (edits.some((edit) => taken.some((other) => collide(edit, other)))) continue;
    taken.push(...edits);
    fixes.push(fix);
  }
  return fixes;
}

export const safeEdits = (uri: string, findings: readonly Finding[]): readonly TextEdit[] =>
  safeFixes(uri, findings).flatMap((fix) => fix.edits.flatMap(({ edits }) => edits));

/** Two edits collide where they overlap or insert at the same place. */
const collide = ({ span: a }: TextEdit, { span: b }: TextEdit): boolean =>
  (a.start < b.end && b.start < a.end) || a.start === b.start;
