/** Makes the end of a run of what refuses skills. */
import { Refusal } from '../packing/refusal.ts';
import { Stop } from '../user-error.ts';

export async function orStop<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) throw new Stop(error.onCommandLine);
    throw error;
  }
}
