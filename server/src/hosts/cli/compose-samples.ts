/** The part of `check` that composes the declared samples, in a worker. Without a sample no worker is started. */
import { severityOf } from '../../rules/check.ts';
import { sampleFails } from '../../rules/sample-fails.ts';
import { composeSamples } from '../composing/compose-samples.ts';
import { type Composing, createComposing } from '../composing/composing.ts';
import { startNodeWorker } from '../composing/node-worker.ts';
import type { Project } from './project.ts';
import { Stop } from './stop.ts';

export interface Samples {
  /** Whether a file declares samples that somebody wants to know about. */
  has(uri: string): boolean;
  /** Composes the samples of a file; what failed becomes a fact of the workspace. */
  compose(uri: string): Promise<void>;
  dispose(): void;
}

/** The samples of a project as it is now. */
export function openSamples({ workspace }: Project): Samples {
  const index = workspace.index();
  let composing: Composing | undefined;
  return {
    has: (uri) => index.documents.get(uri)?.hasSamples === true && severityOf(index, uri, sampleFails) !== 'off',
    async compose(uri) {
      composing ??= createComposing(startNodeWorker());
      try {
        const failures = await composeSamples(composing, index, uri);
        if (failures) workspace.apply({ kind: 'samples', uri, failures });
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new Stop(`The samples cannot be composed: ${reason} \`--rule sample-fails=off\` leaves them out.`);
      }
    },
    dispose: () => composing?.dispose(),
  };
}
