/** The findings that `check` accepts: the baseline of a workspace (docs/ci.md, "Accept the current findings"). */

export const BASELINE_NAME = 'skills.baseline.json';

/**
 * An accepted finding. The digest covers the rule, the path and the line's text, so it does not change when lines move.
 */
export interface AcceptedFinding {
  readonly rule: string;
  /** The path relative to the folder of the baseline, with `/` separators. */
  readonly file: string;
  readonly digest: string;
  /** The number of findings with this digest in the file. */
  readonly count: number;
}

/** An accepted measurement: a finding of the rule with this value or a lower value is accepted. */
export interface AcceptedMeasure {
  readonly rule: string;
  readonly file: string;
  /** The measured quantity, such as `tokens`. */
  readonly of: string;
  readonly value: number;
}

export interface Baseline {
  readonly findings: readonly AcceptedFinding[];
  readonly measures: readonly AcceptedMeasure[];
}

/** The entries of a baseline by file. */
export type BaselineByFile = ReadonlyMap<string, Baseline>;

/** Parses the JSON text of a baseline; undefined if it is not valid. Never throws. */
export function parseBaseline(text: string): Baseline | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value) || value.version !== 1) return undefined;
  const findings = listOf(value.findings, isKnownFinding);
  const measures = listOf(value.measures ?? [], isKnownMeasure);
  return findings && measures && { findings, measures };
}

/** Groups the entries of a baseline by their `file`. Never throws. */
export function byFile({ findings, measures }: Baseline): BaselineByFile {
  const known = new Map<string, { findings: AcceptedFinding[]; measures: AcceptedMeasure[] }>();
  const of = (file: string) => {
    const own = known.get(file) ?? { findings: [], measures: [] };
    known.set(file, own);
    return own;
  };
  for (const one of findings) of(one.file).findings.push(one);
  for (const one of measures) of(one.file).measures.push(one);
  return known;
}

/** Returns the list if all its entries pass `is`; undefined otherwise. */
function listOf<Entry>(value: unknown, is: (entry: unknown) => entry is Entry): readonly Entry[] | undefined {
  return Array.isArray(value) && value.every(is) ? value : undefined;
}

const isKnownFinding = (entry: unknown): entry is AcceptedFinding =>
  isObject(entry) && isNamed(entry) && typeof entry.digest === 'string' && isCount(entry.count);

const isKnownMeasure = (entry: unknown): entry is AcceptedMeasure =>
  isObject(entry) && isNamed(entry) && typeof entry.of === 'string' && Number.isFinite(entry.value);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isNamed = ({ rule, file }: Readonly<Record<string, unknown>>): boolean =>
  typeof rule === 'string' && typeof file === 'string';

const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) > 0;
