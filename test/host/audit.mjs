/** Asks the registry for known vulnerabilities of the shipped packages, and lists old facts about clients. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './process.mjs';
import { say } from './say.mjs';

/**
 * Counts known vulnerabilities as failures. A registry that does not respond is reported, but is not a failure.
 *
 * @param {string} root
 * @returns {Promise<{passed: number, failed: number}>}
 */
export async function audit(root) {
  const words = ['audit', '--omit=dev', '--json', '--fetch-retries=0', '--fetch-timeout=20000', '--loglevel=silent'];
  const { output } = await run('npm', words, { cwd: root });
  const report = parse(output);
  const found = report?.vulnerabilities;
  if (found === undefined) {
    say(`  The registry did not respond${report?.message === undefined ? '' : `: ${report.message}`}`);
    return { passed: 0, failed: 0 };
  }
  for (const { name, severity, range } of Object.values(found)) say(`  ✗ ${name} ${range}: ${severity}`);
  const failed = Object.keys(found).length;
  return { passed: failed === 0 ? 1 : 0, failed };
}

/**
 * Prints the sources of facts about clients that were read more than six months ago. Old facts are not failures.
 *
 * @param {string} root
 * @returns {{passed: number, failed: number}}
 */
export function auditFacts(root) {
  const old = oldFacts(root, new Date());
  for (const line of old) say(`  ${line}`);
  return { passed: old.length === 0 ? 1 : 0, failed: 0 };
}

/**
 * Returns a line for each source that was read more than six months before a day, the oldest first.
 *
 * @param {string} root
 * @param {Date} today
 * @returns {readonly string[]}
 */
export function oldFacts(root, today) {
  const folder = join(root, 'server/src/clients/facts/data');
  const limit = new Date(today);
  limit.setUTCMonth(limit.getUTCMonth() - 6);
  const oldest = limit.toISOString().slice(0, 10);
  return readdirSync(folder)
    .flatMap((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      return Object.entries(JSON.parse(text).sources ?? {}).map(([key, { where, checked }]) => ({
        checked,
        facts: text.split(`"source": "${key}"`).length - 1,
        line: `${name}, source ${key}, read on ${checked}: ${where}`,
      }));
    })
    .filter(({ checked }) => checked < oldest)
    .sort((a, b) => (a.checked < b.checked ? -1 : 1))
    .map(({ line, facts }) => `${line} (${facts} ${facts === 1 ? 'fact' : 'facts'})`);
}

/**
 * @param {string} output
 * @returns {{message?: string, vulnerabilities?: Record<string, {name: string, severity: string, range: string}>} | undefined}
 */
function parse(output) {
  try {
    return JSON.parse(output);
  } catch {
    return undefined;
  }
}
