/** The suite that runs in the extension host, and its two entry points. */
import { writeFileSync } from 'node:fs';
import { type Result, table } from './table.ts';

const inside = table<void>();

/** Adds a test that runs in the extension host, in which `vscode` is the real module. */
export const test = inside.test;

/** Options as JSON in `$SKILL_COMPOSER_E2E`, set by the program that started the host. */
interface Request {
  /** A file for the results. */
  readonly results?: string;
  readonly filter?: string;
  /** `true` by default. */
  readonly extended?: boolean;
}

const request = (): Request => JSON.parse(process.env.SKILL_COMPOSER_E2E ?? '{}') as Request;

/** Runs the chosen tests. `test/e2e/helper` calls this function in a served VS Code. */
export function runAll(): Promise<readonly Result[]> {
  const { filter, extended = true } = request();
  return inside.run(undefined, { filter, extended }, async () => undefined);
}

/** Entry point of a desktop VS Code, which treats a rejection as a failure. */
export async function run(): Promise<void> {
  const results = await runAll();
  const { results: path } = request();
  if (path !== undefined) writeFileSync(path, JSON.stringify(results));
  const failed = results.filter(({ error }) => error !== undefined);
  if (failed.length > 0) throw new Error(failed.map(({ name, error }) => `${name}\n${error}`).join('\n\n'));
}
