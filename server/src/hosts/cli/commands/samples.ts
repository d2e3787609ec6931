/** The part of `check` that composes the declared samples, in a worker that is started for the first of them. */
import type { Workspace } from '../../../analysis/workspace.ts';
import { severityOf } from '../../../rules/check.ts';
import { sampleFails } from '../../../rules/sample-fails.ts';
import { composeSamples, type SampleLimit } from '../../composing/compose-samples.ts';
import { type Composing, createComposing } from '../../composing/composing.ts';
import { startNodeWorker } from '../../composing/node-worker.ts';
import { Stop } from '../stop.ts';

export interface Samples {
  /** Composes the samples of a file, where the rule is on; what fails becomes a fact of the workspace. */
  compose(uri: string): Promise<void>;
  dispose(): void;
}

/** What all samples of a run may take, in milliseconds: some for the run, and some for each skill that is checked. */
const RUN_MS = 10_000;
const MS_OF_SKILL = 1_000;

/** `skills` is the number of skills that the run checks. */
export function openSamples(workspace: Workspace, skills: number): Samples {
  const whole = RUN_MS + skills * MS_OF_SKILL;
  let spent = 0;
  let composing: Composing | undefined;
  return {
    async compose(uri) {
      const { analysis, index } = workspace;
      if (!index.files.get(uri)?.hasSamples || severityOf(analysis, uri, sampleFails) === 'off') return;
      composing ??= createComposing(startNodeWorker());
      const limit: SampleLimit = {
        milliseconds: whole - spent,
        reason: `The samples of this run took ${whole / 1000} s, which is all that they may for ${skills === 1 ? '1 skill' : `${skills} skills`}: check this skill by itself, or fix those before that are slow.`,
      };
      try {
        const composed = await composeSamples(composing, analysis, uri, undefined, limit);
        if (!composed) return;
        spent += composed.milliseconds;
        workspace.apply({ kind: 'samples', uri, failures: composed.failures });
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new Stop(`The samples cannot be composed: ${reason} \`--rule sample-fails=off\` leaves them out.`);
      }
    },
    dispose: () => composing?.dispose(),
  };
}
