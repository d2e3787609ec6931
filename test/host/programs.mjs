/** Installs third-party programs for tests from the package registry into the cache. */
import { ensureNode, ensurePackages, NODES, platform } from './registry.mjs';

const YAML = 'yaml-language-server@2.0.0';
const SARIF = '@microsoft/sarif-multitool-linux@5.7.0';

/**
 * Returns the environment variables of the suite `test/programs`, with the paths of the programs.
 *
 * @returns {Promise<NodeJS.ProcessEnv>}
 */
export async function programs() {
  return {
    // The newest language server for YAML does not run on the oldest Node.
    SKILL_COMPOSER_NODE: await ensureNode(NODES[24]),
    SKILL_COMPOSER_YAML_LANGUAGE_SERVER: await ensurePackages('yaml-language-server-2.0.0', [YAML]),
    ...(platform() === 'linux-x64' && {
      SKILL_COMPOSER_SARIF_MULTITOOL: await ensurePackages('sarif-multitool-5.7.0', [SARIF]),
    }),
  };
}

/**
 * Runs a suite with each newer Node, and returns the sum of the counts.
 *
 * @param {(node: string) => Promise<import('./jobs.mjs').Counts>} run takes the path of a Node
 * @param {import('./jobs.mjs').Print} print
 */
export async function onNewerNodes(run, print) {
  const counts = { passed: 0, failed: 0 };
  for (const version of Object.values(NODES)) {
    const { passed, failed } = await run(await ensureNode(version));
    print(`  Node ${version}: ${passed} passed, ${failed} failed\n`);
    counts.passed += passed;
    counts.failed += failed;
  }
  return counts;
}
