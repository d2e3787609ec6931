/** The part of `check` that composes the declared samples, in a worker. Without a sample no worker is started. */
import { severityOf } from '../../rules/check.ts';
import { sampleFails } from '../../rules/sample-fails.ts';
import { composeSamples } from '../composing/compose-samples.ts';
import { createComposing } from '../composing/composing.ts';
import { startNodeWorker } from '../composing/node-worker.ts';
import { hasSamples } from '../composing/sample-requests.ts';
import type { Progress } from './progress.ts';
import type { Project } from './project.ts';
import { Stop } from './stop.ts';

export async function composeAllSamples({ workspace, named }: Project, progress: Progress): Promise<void> {
  const index = workspace.index();
  const uris = [...named].filter((uri) => hasSamples(index, uri) && severityOf(index, uri, sampleFails) !== 'off');
  if (uris.length === 0) return;
  const composing = createComposing(startNodeWorker());
  let done = 0;
  try {
    for (const uri of uris) {
      const failures = await composeSamples(composing, index, uri);
      if (failures) workspace.apply({ kind: 'samples', uri, failures });
      progress.step('Composing', ++done, uris.length);
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Stop(`The samples cannot be composed: ${reason} \`--rule sample-fails=off\` leaves them out.`);
  } finally {
    composing.dispose();
  }
}
