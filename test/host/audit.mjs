/** Asks the registry for known vulnerabilities of the shipped packages. */
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
