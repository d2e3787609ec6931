/** The part of `check` that composes the declared samples, in a worker that is started for the first of them. */
import type { Workspace } from '../../../analysis/workspace.ts';
import { severityOf } from '../../../rules/check.ts';
import { sampleFails } from '../../../rules/sample-fails.ts';
import { composeSamples } from '../../composing/compose-samples.ts';
import { type Composing, createComposing } from '../../composing/composing.ts';
import { startNodeWorker } from '../../composing/node-worker.ts';
import { Stop } from '../stop.ts';

export interface Samples {
  /** Composes the samples of a file, where the rule is on; what fails becomes a fact of the workspace. */
  compose(uri: string): Promise<void>;
  dispose(): void;
}

export function openSamples(workspace: Workspace): Samples {
  let composing: Composing | undefined;
  return {
    async compose(uri) {
      const { analysis, index } = workspace;
      if (!index.files.get(uri)?.hasSamples || severityOf(analysis, uri, sampleFails) === 'off') return;
      composing ??= createComposing(startNodeWorker());
      try {
        const failures = await composeSamples(composing, analysis, uri);
        if (failures) workspace.apply({ kind: 'samples', uri, failures });
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new Stop(`The samples cannot be composed: ${reason} \`--rule sample-fails=off\` leaves them out.`);
      }
    },
    dispose: () => composing?.dispose(),
  };
}
