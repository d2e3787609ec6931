/** Values out of a text that nobody vouches for: each reader gives back what has its form, and throws at anything else. */
import type { Diagnostic } from 'vscode-languageserver-types';
import type { PlanNode } from '../../skill/execution.ts';
import type { SkillSummary } from '../../skill/summary.ts';
import type { SampleFailure } from '../../workspace/workspace-index.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

type Reader<T> = (json: Json | undefined) => T;

function expect(isSo: boolean): asserts isSo {
  if (!isSo) throw new Error('not of its form');
}

export const readText: Reader<string> = (json) => {
  expect(typeof json === 'string');
  return json;
};

const readFlag: Reader<boolean> = (json) => {
  expect(typeof json === 'boolean');
  return json;
};

const readNumber: Reader<number> = (json) => {
  expect(typeof json === 'number');
  return json;
};

/** What is not there is written as null. */
const optional =
  <T>(read: Reader<T>): Reader<T | undefined> =>
  (json) =>
    json === null || json === undefined ? undefined : read(json);

export function readList<T>(json: Json | undefined, read: Reader<T>): readonly T[] {
  expect(Array.isArray(json));
  return json.map(read);
}

const readNames: Reader<readonly string[]> = (json) => readList(json, readText);

const readMap: Reader<{ readonly [key: string]: Json }> = (json) => {
  expect(typeof json === 'object' && json !== null && !Array.isArray(json));
  return json as { readonly [key: string]: Json };
};

const readJson: Reader<Json> = (json) => {
  expect(json !== undefined);
  return json;
};

const DIALECTS: readonly SkillSummary['dialect'][] = ['composer', 'contract', 'agent-skill', 'catalog'];

const readSchema: Reader<NonNullable<SkillSummary['inputs']>> = (json) => {
  const { fields, digest } = readMap(json);
  return { fields: optional(readNames)(fields), digest: readText(digest) };
};

const readPlan: Reader<readonly PlanNode[]> = (json) => readList(json, readPlanNode);

const readPlanNode: Reader<PlanNode> = (json) => {
  const { kind, step, steps, arms, until } = readMap(json);
  if (kind === 'step') return { kind, step: readText(step) };
  if (kind === 'branch') return { kind, arms: readList(arms, readPlan) };
  if (kind === 'parallel') return { kind, steps: readPlan(steps) };
  expect(kind === 'speculate');
  return { kind, steps: readPlan(steps), until: optional(readText)(until) };
};

/** One for every value of a summary, so that none is forgotten. */
const SUMMARY: { readonly [Key in keyof SkillSummary]-?: Reader<SkillSummary[Key]> } = {
  dialect: (json) => {
    const dialect = DIALECTS.find((one) => one === json);
    expect(dialect !== undefined);
    return dialect;
  },
  broken: readFlag,
  name: optional(readText),
  version: optional(readText),
  level: optional(readNumber),
  deprecated: readFlag,
  successor: optional(readText),
  sunset: optional(readText),
  isTool: readFlag,
  inputs: optional(readSchema),
  outputs: optional(readSchema),
  requiredScopes: readNames,
  allowedRoles: readNames,
  interrupts: readNames,
  effects: readNames,
  operation: optional(readText),
  policy: readJson,
  composes: (json) =>
    readList(json, (item) => {
      const { skill, step, inputMapping, outputMapping } = readMap(item);
      return {
        ...{ skill: readText(skill), step: readText(step) },
        ...{ inputMapping: readJson(inputMapping), outputMapping: readJson(outputMapping) },
      };
    }),
  execution: optional(readPlan),
  requires: (json) =>
    readList(json, (item) => {
      const { skill, range } = readMap(item);
      return { skill: readText(skill), range: optional(readText)(range) };
    }),
  mentions: readNames,
};

const KEYS = Object.keys(SUMMARY) as readonly (keyof SkillSummary)[];

/** A summary as a list of its values. */
export const valuesOf = (summary: SkillSummary): readonly unknown[] => KEYS.map((key) => summary[key]);

export const readSummary: Reader<SkillSummary> = (json) => {
  const values = readList(json, (item) => item);
  return Object.fromEntries(KEYS.map((key, i) => [key, SUMMARY[key](values[i])])) as unknown as SkillSummary;
};

export const readDiagnostics: Reader<readonly Diagnostic[]> = (json) =>
  readList(json, (item) => {
    const { range, message, relatedInformation } = readMap(item);
    readRange(range);
    readText(message);
    for (const related of readList(relatedInformation ?? [], readMap)) {
      const { uri, range: place } = readMap(related.location);
      readText(uri);
      readRange(place);
      readText(related.message);
    }
    return item as unknown as Diagnostic;
  });

function readRange(json: Json | undefined): void {
  const { start, end } = readMap(json);
  for (const { line, character } of [readMap(start), readMap(end)]) {
    readNumber(line);
    readNumber(character);
  }
}

export const readFailures: Reader<readonly SampleFailure[]> = (json) =>
  readList(json, (item) => {
    const { sample, message, cause } = readMap(item);
    return { sample: readText(sample), message: readText(message), cause: optional(readCause)(cause) };
  });

const readCause: Reader<NonNullable<SampleFailure['cause']>> = (json) => {
  const { uri, span } = readMap(json);
  const { start, end } = readMap(span);
  return { uri: readText(uri), span: { start: readNumber(start), end: readNumber(end) } };
};
