/** The suite that runs in the extension host, and its entry: VS Code calls `run` and takes a rejection for a failure. */
import { writeFileSync } from 'node:fs';
import { table } from './table.ts';

const inside = table<void>();

/** Adds a test that runs in the extension host, where `vscode` is the real one. */
export const test = inside.test;

/** Given as JSON in `$SKILL_COMPOSER_E2E` by whoever started the host. */
interface Request {
  /** A file for the results. */
  readonly results?: string;
  readonly filter?: string;
}

export async function run(): Promise<void> {
  const request = JSON.parse(process.env.SKILL_COMPOSER_E2E ?? '{}') as Request;
  const results = await inside.run(undefined, request.filter, async () => {});
  if (request.results !== undefined) writeFileSync(request.results, JSON.stringify(results));
  const failed = results.filter(({ error }) => error !== undefined);
  if (failed.length > 0) throw new Error(failed.map(({ name, error }) => `${name}\n${error}`).join('\n\n'));
}
