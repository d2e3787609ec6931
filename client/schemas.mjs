/** The JSON Schemas for other tools, which are generated from the vocabulary (docs/exchange.md, "Schemas"). */
import { build } from 'esbuild';

/** The folder of the schemas in a build. */
export const SCHEMAS = 'dist/schemas';

/**
 * Generates the schemas.
 *
 * @param {string} root the checkout
 * @returns {Promise<{texts: ReadonlyMap<string, string>, inputs: readonly string[]}>} the texts by file name, and the
 *   files that they are made from, relative to `root`
 */
export async function schemasOf(root) {
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['server/src/vocabulary/published/schemas.ts'],
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    logLevel: 'warning',
  });
  const code = Buffer.from(outputFiles[0]?.contents ?? []).toString('base64');
  const { schemaTexts } = await import(`data:text/javascript;base64,${code}`);
  return { texts: schemaTexts(), inputs: Object.keys(metafile.inputs) };
}
