/** Dry runs of skills in memory. */
import { createComposer } from '../../server/src/composer/compose.ts';
import type { ComposeRequest } from '../../server/src/composer/composition.ts';
import { run } from '../../server/src/hosts/run/run.ts';
import type { RunRequest, Trace } from '../../server/src/protocol.ts';

export const composer = createComposer();

/** Returns the request of a dry run; `parts` replaces the defaults. */
export const dryRequest = (compose: ComposeRequest, parts: Partial<RunRequest> = {}): RunRequest => ({
  compose,
  ...{ stubs: [], answers: [], answered: [], patches: [], maxSteps: 1000, detailed: false },
  ...parts,
});

/** Runs a skill. Throws if it does not compose. */
export async function dryRun(compose: ComposeRequest, parts: Partial<RunRequest> = {}): Promise<Trace> {
  const result = await run(dryRequest(compose, parts), composer);
  if (!result.ok) throw new Error(result.errors.map(({ message }) => message).join('\n'));
  return result;
}
