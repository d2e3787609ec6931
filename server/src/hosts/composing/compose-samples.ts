/** The declared samples of a skill: which one is meant, and which fail for a reason that no other rule sees. */
import type { Analysis } from '../../analysis/analysis.ts';
import { invocationContextOf, packageOf } from '../../analysis/package-of.ts';
import type { ComposeRequest, SkillPackage } from '../../composer/composition.ts';
import { prepareRequest } from '../../composer/prepare.ts';
import { isUnclosed } from '../../languages/yaml/frontmatter.ts';
import { didYouMean, inWords, nearestNames } from '../../nearest.ts';
import { findSampleFailures, type SampleOutcome } from '../../rules/sample-failures.ts';
import type { SampleFailure } from '../../workspace/workspace-index.ts';
import { UserError } from '../user-error.ts';
import type { Composed, Composing } from './composing.ts';
import { templateOf } from './ended.ts';

export interface ComposedSamples {
  readonly failures: readonly SampleFailure[];
  /** True where a template had to be stopped: composing again gives the same as long as the file is the same. */
  readonly isStopped: boolean;
  /** What all of them took in the worker. */
  readonly milliseconds: number;
}

/** What the samples of one skill may take, in milliseconds: two that are stopped at the deadline, and some more. */
const SKILL_MS = 5_000;

/** Nobody reads more while typing, and a file that has more was written to be slow. */
const MAX_SAMPLES = 50;

export interface SampleLimit {
  readonly milliseconds: number;
  /** Why there is no more time, as a sentence. */
  readonly reason: string;
}

const SKILL_LIMIT: SampleLimit = {
  milliseconds: SKILL_MS,
  reason: `Those before took ${SKILL_MS / 1000} s, which is all that the samples of one skill may take: make its template do less, or keep fewer samples.`,
};

/**
 * A sample whose template was stopped before is left out, and so are those for which no time is left; the first of them
 * says so. Undefined where nothing new is known: the file is no skill, its frontmatter does not parse, as in the midst of
 * typing, or `isOutdated` says so on the way. Rejects as `Composing` does.
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

/** Why a sample is not tried: another one with its template had to be stopped. */
function stopReason(request: ComposeRequest, stopped: ReadonlyMap<string, string>): string | undefined {
  const template = templateOf(request);
  const before = stopped.get(template?.id ?? '');
  if (before === undefined) return undefined;
  const what = template ? `the template \`${template.name}\`` : 'the skill';
  return `It would render ${what}, which was stopped with \`${before}\`: fix that first.`;
}

/** One finding for all samples that are left out for one reason. */
function skippedSamples([sample = '', ...more]: readonly string[], reason: string): SampleFailure {
  const others = more.length === 0 ? '' : ` Nor ${more.length === 1 ? 'is 1 more' : `are ${more.length} more`}.`;
  return { sample, message: `${reason}${others}`, cause: undefined, isSkipped: true };
}

/** The declared samples of a skill as requests to the composer. */
interface SampleRequest {
  readonly sample: string;
  readonly request: ComposeRequest;
}

/** The first `most` of them; none where the file declares no samples, or cannot be read. */
export function sampleRequests(
  analysis: Analysis,
  uri: string,
  most = Number.POSITIVE_INFINITY,
): readonly SampleRequest[] {
  if (!analysis.index.files.get(uri)?.hasSamples) return [];
  const skillPackage = packageOf(analysis, uri);
  if (!skillPackage) return [];
  const invocationContext = invocationContextOf(analysis, uri);
  const names = new Set(skillPackage.samples.map(({ name }) => name));
  return [...names].slice(0, most).map((sample) => ({
    sample,
    request: prepareRequest(skillPackage, invocationContext, sample).request,
  }));
}

/**
 * The sample to compose: the named one. Without a name, the only one that the skill has, unless there are parameters.
 * Throws a `UserError` where the skill has no sample of the name.
 */
export function chooseSample(
  { samples }: Pick<SkillPackage, 'samples'>,
  named: string | undefined,
  hasParameters: boolean,
): string | undefined {
  const names = [...new Set(samples.map(({ name }) => name))];
  if (named === undefined) return !hasParameters && names.length === 1 ? names[0] : undefined;
  if (names.includes(named)) return named;
  const problem = `he skill has no sample \`${named}\`.${knownNames(named, names, 'samples')}`;
  throw new UserError(`T${problem}`, `\`--sample\`: t${problem}`);
}

/** What a message says of a name that is not there: the nearest one, and all that are. `what` is their noun. */
export function knownNames(word: string, names: readonly string[], what: string): string {
  if (names.length === 0) return ` It has no ${what} at all.`;
  return `${didYouMean(nearestNames(word, names, 1))} It has ${inWords(names, 'and')}.`;
}
