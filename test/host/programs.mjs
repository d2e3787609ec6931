/** The programs of others that tests try the project with: they come from the package registry, into the cache. */
import { ensureNode, ensurePackages, NODES, platform } from './registry.mjs';
import { say } from './say.mjs';
import { runSuite } from './suite.mjs';

const YAML = 'yaml-language-server@2.0.0';
const SARIF = '@microsoft/sarif-multitool-linux@5.7.0';

/**
 * Where the suite `test/programs` finds them.
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
 * The installed command line on each newer Node; the tarball is there.
 *
 * @param {string} root
 * @param {string | undefined} filter
 */
export async function onNewerNodes(root, filter = 'command-line') {
  const counts = { passed: 0, failed: 0 };
  for (const version of Object.values(NODES)) {
    process.env.SKILL_COMPOSER_NODE = await ensureNode(version);
    const { passed, failed } = await runSuite(root, 'test/packaged', filter, 20_000);
    say(`  Node ${version}: ${passed} passed, ${failed} failed`);
    counts.passed += passed;
    counts.failed += failed;
  }
  return counts;
}
