/** Installs the conformance programs of the protocol in the cache, with the required Node. */
import { join } from 'node:path';
import { ensureNode, ensurePackages, NODES } from './registry.mjs';

const SCOPE = '@modelcontextprotocol';
const CONFORMANCE = '0.2.0-alpha.12';
const INSPECTOR = '2.12.0';

/** @returns {Promise<{node: string, conformance: string, inspector: string}>} paths */
export async function ensureConformance() {
  const [node, conformance, inspector] = await Promise.all([
    ensureNode(NODES[24]),
    ensurePackages(`mcp-conformance-${CONFORMANCE}`, [`${SCOPE}/conformance@${CONFORMANCE}`]),
    ensurePackages(`mcp-inspector-${INSPECTOR}`, [`${SCOPE}/inspector@${INSPECTOR}`]),
  ]);
  return {
    node,
    conformance: join(conformance, 'node_modules', SCOPE, 'conformance', 'dist', 'index.js'),
    inspector: join(inspector, 'node_modules', SCOPE, 'inspector', 'clients', 'launcher', 'build', 'index.js'),
  };
}
