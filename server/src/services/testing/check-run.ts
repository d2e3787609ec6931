/** Compares a run of a sample with the expectations of the sample (docs/testing.md, "Expectations of a run"). */
import { inWords } from '../../nearest.ts';
import { queryText, type RunEnd, type Trace } from '../../protocol/run.ts';
import type { Named } from '../../skill/contract.ts';
import type { SampleCase } from '../../testing/check-sample.ts';
import type { TestResult } from '../../testing/result.ts';

/** Returns whether a sample has expectations that only a run can meet. */
export const expectsRun = ({ expect: { path, exit } }: Pick<SampleCase, 'expect'>): boolean =>
  path !== undefined || exit !== undefined;

/** Returns a result for the expected path, for the expected exit, and for each interrupt that must fire. */
export function checkRun(sample: SampleCase, trace: Pick<Trace, 'path' | 'interrupts' | 'end'>): readonly TestResult[] {
  const { path, exit, interrupts } = sample.expect;
  return [
    ...(path ? [checkPath(sample.name, path, trace)] : []),
    ...(exit ? [checkExit(sample.name, exit, trace.end)] : []),
    ...interrupts.map((one) => checkInterrupt(sample.name, one, trace)),
  ];
}

function checkPath(
  sample: string,
  { names, span }: NonNullable<SampleCase['expect']['path']>,
  { path, end }: Pick<Trace, 'path' | 'end'>,
): TestResult {
  const test = { kind: 'path', name: `${sample} › path`, of: sample } as const;
  const at = names.findIndex(({ name }, index) => name !== path[index]);
  if (at < 0 && names.length === path.length) return { ...test, status: 'passed', span };
  const index = at < 0 ? names.length : at;
  return {
    ...test,
    status: 'failed',
    span: names[index]?.span ?? span,
    message: `${differenceAt(index, names[index]?.name, path)}${hintOf(end)}`,
    expected: names.map(({ name }) => name).join('\n'),
    actual: path.join('\n'),
    comparable: true,
  };
}

/** Returns a sentence about the first difference. `expected` is undefined if the run has more steps than expected. */
function differenceAt(index: number, expected: string | undefined, path: readonly string[]): string {
  const found = path[index];
  const before = path[index - 1];
  const place = before === undefined ? 'At the beginning' : `After \`${before}\``;
  if (expected === undefined) return `${place}, the run continues with \`${found}\`, but the expected path ends.`;
  return found === undefined
    ? `${place}, the expected path continues with \`${expected}\`, but the run stops.`
    : `${place}, the expected path continues with \`${expected}\`, but the run with \`${found}\`.`;
}

function checkExit(sample: string, { name, span }: Named, end: RunEnd): TestResult {
  const test = { kind: 'path', name: `${sample} › exit ${name}`, of: sample, span } as const;
  if (end.kind === 'met' && end.on === name) return { ...test, status: 'passed' };
  const message = end.kind === 'met' ? `The run ended with \`${end.on}\` instead of \`${name}\`.` : reasonOf(end);
  return { ...test, status: 'failed', message, expected: name, actual: describe(end) };
}

function checkInterrupt(
  sample: string,
  { name, span }: Named,
  { interrupts, end }: Pick<Trace, 'interrupts' | 'end'>,
): TestResult {
  const test = { kind: 'path', name: `${sample} › fires ${name}`, of: sample, span } as const;
  if (interrupts.includes(name)) return { ...test, status: 'passed' };
  const fired = interrupts.length > 0 ? ` These interrupts fired: ${inWords(interrupts, 'and')}.` : '';
  const message = `\`${name}\` did not fire in the run.${fired}${hintOf(end)}`;
  return { ...test, status: 'failed', message, expected: name, actual: interrupts.join(', ') };
}

/** Returns why a run ended, if that may be the reason for the difference; with a space before it. */
const hintOf = (end: RunEnd): string => (end.kind === 'met' ? '' : ` ${reasonOf(end)}`);

function reasonOf(end: Exclude<RunEnd, { kind: 'met' }>): string {
  switch (end.kind) {
    case 'unmet':
      return end.message;
    case 'failed':
      return `The run failed with \`${end.code}\`: ${end.message}`;
    case 'waiting': {
      const { name, problem } = end.question;
      return problem === undefined
        ? `The run waits at the interrupt \`${name}\`. Add its answer under \`answers\` of the sample.`
        : `The answer to the interrupt \`${name}\` is not accepted: ${problem}`;
    }
    case 'asking':
      return queryText(end.query);
  }
}

function describe(end: RunEnd): string {
  switch (end.kind) {
    case 'met':
      return end.on;
    case 'unmet':
      return `${end.on}, not met`;
    case 'failed':
      return end.code;
    case 'waiting':
      return `waits at ${end.question.name}`;
    case 'asking':
      return `waits at ${end.query.path}`;
  }
}
