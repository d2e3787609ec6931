/** The findings that a workspace has accepted for now: its baseline (docs/ci.md, "Begin with what is there"). */

export const BASELINE_NAME = 'skills.baseline.json';

/** A finding by what does not change when lines move: the digest is of rule, path and the marked line's text. */
export interface KnownFinding {
  readonly rule: string;
  /** Relative to the folder of the baseline, with `/`. */
  readonly file: string;
  readonly digest: string;
  /** How many findings of the file have this digest. */
  readonly count: number;
}

/** What a rule that measures has found in a file: a finding of no more is known. */
export interface KnownMeasure {
  readonly rule: string;
  readonly file: string;
  /** What is measured, such as `tokens`. */
  readonly of: string;
  readonly value: number;
}

export interface Baseline {
  readonly findings: readonly KnownFinding[];
  readonly measures: readonly KnownMeasure[];
}

/** A baseline by file. */
export type KnownFindings = ReadonlyMap<string, Baseline>;

/** Undefined for a text that is no baseline. */
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

export function byFile({ findings, measures }: Baseline): KnownFindings {
  const known = new Map<string, { findings: KnownFinding[]; measures: KnownMeasure[] }>();
  const of = (file: string) => {
    const own = known.get(file) ?? { findings: [], measures: [] };
    known.set(file, own);
    return own;
  };
  for (const one of findings) of(one.file).findings.push(one);
  for (const one of measures) of(one.file).measures.push(one);
  return known;
}

/** Undefined where an entry is of another form. */
function listOf<Entry>(value: unknown, is: (entry: unknown) => entry is Entry): readonly Entry[] | undefined {
  return Array.isArray(value) && value.every(is) ? value : undefined;
}

const isKnownFinding = (entry: unknown): entry is KnownFinding =>
  isObject(entry) && isNamed(entry) && typeof entry.digest === 'string' && isCount(entry.count);

const isKnownMeasure = (entry: unknown): entry is KnownMeasure =>
  isObject(entry) && isNamed(entry) && typeof entry.of === 'string' && Number.isFinite(entry.value);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isNamed = ({ rule, file }: Readonly<Record<string, unknown>>): boolean =>
  typeof rule === 'string' && typeof file === 'string';

const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) > 0;
