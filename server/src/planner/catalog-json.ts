/** The planner catalog as data, in full (docs/registry.md, "The planner catalog"). */
import type { PlannerEntry } from './entry.ts';

export function catalogJson(entries: readonly { readonly file: string; readonly entry: PlannerEntry }[]): object {
  return {
    version: 1,
    skills: entries.map(({ file, entry: { name, version, purpose, input, output, errors, examples } }) => ({
      name,
      version: version ?? null,
      file,
      purpose: purpose ?? null,
      input: input ?? null,
      output: output ?? null,
      errors: errors.map(({ code, retry }) => ({ code, retry: retry ?? null })),
      examples,
    })),
  };
}
