/** `skill-composer audit`: the review of a registry. */

import { resolve } from 'node:path';
import type { Analysis } from '../../../analysis/analysis.ts';
import { type Audit, type AuditedSkill, audit, syntheticInput } from '../../../audit/audit.ts';
import { type Measured, type Measurement, measuredSkills } from '../../../audit/calls.ts';
import { type Overlaps, overlaps, similarVectors } from '../../../audit/overlap.ts';
import type { Severity } from '../../../finding.ts';
import { assertCatalogsParse, openProject, type Project } from '../../../io/project.ts';
import { readLines } from '../../../io/read-file.ts';
import { toUserError, UserError } from '../../../io/user-error.ts';
import { isUsable } from '../../../languages/schema/schema.ts';
import { OVERLAP_THRESHOLD } from '../../../matching/overlap-index.ts';
import { didYouMean, nearestNames } from '../../../nearest.ts';
import { type AuditReport, auditToJson, auditToMarkdown, auditToPretty } from '../../../reports/audit.ts';
import { atLeast, byFile } from '../../../reports/check-report.ts';
import { fitted } from '../../../reports/fitted.ts';
import { printedJson } from '../../../reports/json.ts';
import { today } from '../../../services/session/pacing.ts';
import type { Console } from '../console.ts';

export interface AuditWords {
  readonly threshold?: string;
  readonly vectors?: string;
  readonly calls?: string;
  readonly synthetic?: string;
}

export interface AuditCommand {
  readonly cwd: string;
  readonly paths: readonly string[];
  readonly config: string | undefined;
  readonly format: 'pretty' | 'json' | 'markdown';
  readonly failOn: Severity;
  readonly words: AuditWords;
}

/**
 * Prints the review. Returns 1 if it contains anything at or above `failOn`, else 0. Throws a `UserError` for status 2.
 */
export async function runAudit(command: AuditCommand, console: Console): Promise<number> {
  const { cwd, paths, config, format, failOn, words } = command;
  const threshold = parseThreshold(words);
  const lines = words.calls === undefined ? undefined : await readCalls(cwd, words.calls);
  const vectors = words.vectors === undefined ? undefined : await readVectors(cwd, words.vectors);
  const { progress, colors } = console;
  const project = await openProject({ cwd, paths, config, progress }).finally(() => progress.end());
  assertCatalogsParse(project);
  project.workspace.apply({ kind: 'today', date: today() });
  if (words.synthetic !== undefined) {
    console.print(printedJson(syntheticOf(project, words.synthetic)));
    return 0;
  }
  const { analysis } = project.workspace;
  const calls = lines && measuredSkills(analysis, lines);
  if (calls) noteUnknownSkills(analysis, calls, console);
  const uris = [...project.listed].map((uri) => ({ uri, file: project.fileOf(uri) })).sort(byFile);
  const result = audit(
    analysis,
    uris.map(({ uri }) => uri),
    {
      calls,
      compare: (skills, texts) => (vectors ? byVectors(skills, vectors, threshold) : overlaps(texts, threshold)),
    },
  );
  if (vectors) noteSkillsWithoutVector(result.compared, vectors, console);
  const report: AuditReport = { audit: result, threshold, fileOf: project.fileOf };
  if (result.overlaps.isCut) console.note('More than 10,000 pairs overlap. Only the first 10,000 are reported.');
  if (format === 'json') console.print(printedJson(auditToJson(report)));
  else
    console.print(
      format === 'markdown' ? auditToMarkdown(report) : fitted(auditToPretty(report, colors), console.columns),
    );
  return fails(result, failOn) ? 1 : 0;
}

/** The default threshold for embeddings. The threshold for words was chosen by measurement (docs/registry.md). */
const FOR_VECTORS = 0.85;

function parseThreshold({ threshold, vectors }: AuditWords): number {
  if (threshold === undefined) return vectors === undefined ? OVERLAP_THRESHOLD : FOR_VECTORS;
  const value = threshold.trim() === '' ? Number.NaN : Number(threshold);
  if (value > 0 && value <= 1) return value;
  throw new UserError(`\`--threshold ${threshold}\` is not a number above 0 and up to 1. Write for example \`0.6\`.`);
}

/** Compares only the skills that have a vector. */
function byVectors(
  skills: readonly AuditedSkill[],
  vectors: ReadonlyMap<string, Float64Array>,
  threshold: number,
): Overlaps {
  const places = skills.flatMap(({ name }, at) => (vectors.has(name) ? [at] : []));
  const given = places.flatMap((at) => vectors.get(skills[at]?.name ?? '') ?? []);
  const { pairs, isCut } = similarVectors(given, threshold);
  return { isCut, pairs: pairs.map((pair) => ({ ...pair, a: places[pair.a] ?? 0, b: places[pair.b] ?? 0 })) };
}

function noteSkillsWithoutVector(
  skills: readonly AuditedSkill[],
  vectors: ReadonlyMap<string, Float64Array>,
  console: Console,
): void {
  const missing = skills.filter(({ name }) => !vectors.has(name));
  if (missing.length === 0) return;
  const [first] = missing;
  const more = missing.length > 1 ? ` and ${missing.length - 1} more` : '';
  console.note(
    `\`${first?.name}\`${more}: not checked for overlap, because \`--vectors\` has no vector with this name.`,
  );
}

function noteUnknownSkills({ graph }: Analysis, { unknown }: Measured, console: Console): void {
  const [first] = unknown;
  if (first === undefined) return;
  const more = unknown.length > 1 ? ` and ${unknown.length - 1} more` : '';
  const near = more === '' ? didYouMean(nearestNames(first, [...graph.byName.keys()], 1)) : '';
  console.note(`\`--calls\`: unknown skill \`${first}\`${more}.${near}`);
}

function syntheticOf({ workspace: { analysis }, listed }: Project, name: string): object {
  const uris = analysis.skillsNamed(name).flatMap(({ uri }) => (listed.has(uri) ? [uri] : []));
  const file = uris[0] === undefined ? undefined : analysis.file(uris[0]);
  if (!file) {
    const names = [...analysis.graph.byName.keys()];
    throw new UserError(
      `\`--synthetic ${name}\`: unknown skill \`${name}\`.${didYouMean(nearestNames(name, names, 1))}`,
    );
  }
  const input = syntheticInput(file);
  if (input) return input;
  const schema = file.contract.input?.schema;
  throw new UserError(
    schema && isUsable(schema)
      ? `\`--synthetic ${name}\`: no input that matches \`input_schema\` can be generated.`
      : `\`--synthetic ${name}\`: the skill has no valid \`input_schema\`.`,
  );
}

/** Returns whether the audit fails. An overlap has the severity `info`. */
function fails({ overlaps: { pairs }, upkeep, contracts }: Audit, failOn: Severity): boolean {
  const isCounted = atLeast(failOn);
  return (
    (contracts.length > 0 && isCounted({ severity: 'error' })) ||
    upkeep.some(isCounted) ||
    (pairs.length > 0 && isCounted({ severity: 'info' }))
  );
}

// Reads the measurements of skills for `audit`, from JSON Lines files.

type Line = Readonly<Record<string, unknown>>;

/** Reads `{"skill", "version", "surface", "calls_per_day", "p95_ms"}` from each line. */
async function readCalls(cwd: string, path: string): Promise<readonly Measurement[]> {
  const shape = '{"skill": "NAME", "version": "1.0.0", "calls_per_day": 12, "p95_ms": 340}';
  const calls: Measurement[] = [];
  await readObjects(cwd, path, '--calls', shape, (line) => {
    const { skill, version, surface, calls_per_day: perDay, p95_ms: p95 } = line;
    if (typeof skill !== 'string' || !isName(version) || !isName(surface)) return false;
    if (!isAmount(perDay) || !isAmount(p95)) return false;
    calls.push({ skill, version, surface, callsPerDay: perDay, p95Ms: p95 });
    return true;
  });
  return calls;
}

/**
 * Reads `{"name", "vector"}` from each line. Throws a `UserError` for a vector that is shorter or longer than the
 * first.
 */
async function readVectors(cwd: string, path: string): Promise<ReadonlyMap<string, Float64Array>> {
  const shape = '{"name": "NAME", "vector": [0.1, 0.2]}';
  const vectors = new Map<string, Float64Array>();
  let length: number | undefined;
  await readObjects(cwd, path, '--vectors', shape, ({ name, vector }, number) => {
    if (typeof name !== 'string' || !Array.isArray(vector) || vector.length === 0) return false;
    if (!vector.every((value) => typeof value === 'number' && Number.isFinite(value))) return false;
    length ??= vector.length;
    if (vector.length !== length) {
      throw new UserError(
        `\`--vectors ${path}\`, line ${number}: the vector has ${vector.length} numbers, but the first one has ${length}. Give all vectors the same length.`,
      );
    }
    if (vector.every((value) => value === 0)) {
      throw new UserError(`\`--vectors ${path}\`, line ${number}: the vector contains only zeros. Remove the line.`);
    }
    vectors.set(name, Float64Array.from(vector as number[]));
    return true;
  });
  return vectors;
}

const isName = (value: unknown): value is string | undefined => value === undefined || typeof value === 'string';

const isAmount = (value: unknown): value is number | undefined =>
  value === undefined || (typeof value === 'number' && Number.isFinite(value) && value >= 0);

/** Reads the objects in a JSON Lines file. `take` returns false for an object without the expected form. */
async function readObjects(
  cwd: string,
  path: string,
  option: string,
  shape: string,
  take: (line: Line, number: number) => boolean,
): Promise<void> {
  const wrong = (number: number): UserError =>
    new UserError(`\`${option} ${path}\`, line ${number}: write each line as \`${shape}\`.`);
  try {
    await readLines(resolve(cwd, path), (text, number) => {
      const json = parsed(number === 1 ? text.replace(/^\uFEFF/, '') : text);
      if (typeof json !== 'object' || json === null || Array.isArray(json)) throw wrong(number);
      if (!take(json as Line, number)) throw wrong(number);
    });
  } catch (error) {
    throw toUserError(error, (reason) => `\`${option} ${path}\` cannot be read: ${reason}.`);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
