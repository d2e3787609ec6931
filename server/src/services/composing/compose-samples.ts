/** Selects declared samples of a skill, and finds samples that fail for a reason that no other rule reports. */
import type { Analysis } from '../../analysis/analysis.ts';
import { invocationContextOf } from '../../analysis/package-of.ts';
import type { ComposeRequest, SkillPackage } from '../../composer/composition.ts';
import { prepareRequest } from '../../composer/prepare.ts';
import { UserError } from '../../io/user-error.ts';
import { counted } from '../../languages/schema/model.ts';
import { isUnclosed } from '../../languages/yaml/frontmatter.ts';
import { didYouMean, inWords, nearestNames } from '../../nearest.ts';
import { checkedPackageOf } from '../../rules/engine/checked-package.ts';
import { findSampleFailures, type SampleOutcome } from '../../rules/engine/sample-failures.ts';
import type { SampleFailure } from '../../workspace/workspace-index.ts';
import type { Composed, Composing } from './composing.ts';
import { templateOf } from './ended-result.ts';

export interface ComposedSamples {
  readonly failures: readonly SampleFailure[];
  /** True if a template was stopped; without a change to the file, the template would be stopped again. */
  readonly isStopped: boolean;
  /** The total time in the worker. */
  readonly milliseconds: number;
}

/**
 * The time limit for the samples of one skill, in milliseconds: enough for two samples that are stopped at the
 * deadline.
 */
const SKILL_MS = 5_000;

/** The maximum number of samples that are composed while the user types. */
const MAX_SAMPLES = 50;

export interface SampleLimit {
  readonly milliseconds: number;
  /** The reason, as a sentence, why the remaining samples are not composed. */
  readonly reason: string;
}

const SKILL_LIMIT: SampleLimit = {
  milliseconds: SKILL_MS,
  reason: `The samples before it took ${SKILL_MS / 1000} s, the limit for one skill. Simplify the template, or remove samples.`,
};

/**
 * Composes the samples of a skill. Samples whose template was stopped, and samples after the time limit, are skipped;
 * one failure reports them. Returns undefined if the file is not a skill or its frontmatter does not parse, or once
 * `isOutdated` returns true. Rejects if `Composing` rejects.
 */
export async function composeSamples(
  composing: Composing,
  analysis: Analysis,
  uri: string,
  isOutdated: () => boolean = () => false,
  ownLimit: SampleLimit = SKILL_LIMIT,
): Promise<ComposedSamples | undefined> {
  const file = analysis.file(uri);
  if (!file?.isSkill || file.frontmatter.tree.broken || isUnclosed(file.frontmatter)) return undefined;
  const limit = ownLimit.milliseconds < SKILL_MS ? ownLimit : SKILL_LIMIT;
  const outcomes: SampleOutcome[] = [];
  const left = new Map<string, string[]>();
  const stopped = new Map<string, string>();
  let milliseconds = 0;
  for (const { sample, request } of sampleRequests(analysis, uri, MAX_SAMPLES)) {
    const template = stopReason(request, stopped);
    const reason = template ?? (milliseconds >= limit.milliseconds ? limit.reason : undefined);
    if (reason !== undefined) {
      left.set(reason, [...(left.get(reason) ?? []), sample]);
      continue;
    }
    const composed = await composing.compose(`sample ${sample} of ${uri}`, request, 'later');
    if (composed === 'superseded' || isOutdated()) return undefined;
    milliseconds += composed.milliseconds;
    if (composed.ended) stopped.set(templateOf(request)?.id ?? '', sample);
    outcomes.push({ sample, errors: errorsOf(composed) });
  }
  const skipped = [...left].map(([reason, samples]) => skippedSamples(samples, reason));
  const failures = [...findSampleFailures(analysis, file, outcomes), ...skipped];
  return { failures, isStopped: stopped.size > 0, milliseconds };
}

const errorsOf = ({ result }: Composed) => (result.ok ? [] : result.errors);

/** Returns the reason for skipping a sample if its template was stopped for another sample; otherwise undefined. */
function stopReason(request: ComposeRequest, stopped: ReadonlyMap<string, string>): string | undefined {
  const template = templateOf(request);
  const before = stopped.get(template?.id ?? '');
  if (before === undefined) return undefined;
  const what = template ? `The template \`${template.name}\`` : 'The skill';
  return `${what} was stopped while composing the sample \`${before}\`. Fix that sample first.`;
}

/** Returns one failure for all samples that are skipped for the same reason. */
function skippedSamples([sample = '', ...more]: readonly string[], reason: string): SampleFailure {
  const others =
    more.length === 0 ? '' : ` ${counted(more.length, 'more sample')} ${more.length === 1 ? 'is' : 'are'} skipped.`;
  return { sample, message: `${reason}${others}`, cause: undefined, isSkipped: true };
}

/** A declared sample of a skill as a request to the composer. */
interface SampleRequest {
  readonly sample: string;
  readonly request: ComposeRequest;
}

/**
 * Returns the requests for the first `most` samples; an empty list if the file declares no samples or cannot be read.
 */
export function sampleRequests(
  analysis: Analysis,
  uri: string,
  most = Number.POSITIVE_INFINITY,
): readonly SampleRequest[] {
  if (!analysis.index.files.get(uri)?.hasSamples) return [];
  const skillPackage = checkedPackageOf(analysis, uri);
  if (!skillPackage) return [];
  const invocationContext = invocationContextOf(analysis, uri);
  const names = new Set(skillPackage.samples.map(({ name }) => name));
  return [...names].slice(0, most).map((sample) => ({
    sample,
    request: prepareRequest(skillPackage, invocationContext, sample).request,
  }));
}

/**
 * Returns the name of the sample to compose: `named`, or the only sample if the caller passes neither a name nor
 * parameters. Throws a `UserError` if the skill has no sample with this name.
 */
export function chooseSample(
  { samples }: Pick<SkillPackage, 'samples'>,
  named: string | undefined,
  hasParameters: boolean,
): string | undefined {
  const names = [...new Set(samples.map(({ name }) => name))];
  if (named === undefined) return !hasParameters && names.length === 1 ? names[0] : undefined;
  if (names.includes(named)) return named;
  const problem = `nknown sample \`${named}\`.${knownNames(named, names, 'samples')}`;
  throw new UserError(`U${problem}`, `\`--sample\`: u${problem}`);
}

/**
 * Returns the end of a message about an unknown name: the nearest name and all known names. `what` is the plural noun
 * for the names.
 */
export function knownNames(word: string, names: readonly string[], what: string): string {
  if (names.length === 0) return ` There are no ${what}.`;
  return `${didYouMean(nearestNames(word, names, 1))} Known ${what}: ${inWords(names, 'and')}.`;
}
