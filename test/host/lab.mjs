/** Builds and starts the lab (lab/README.md). */
import { parseArgs } from 'node:util';
import { say } from './say.mjs';
import { bundleTests } from './suite.mjs';

/**
 * @param {string} root
 * @param {readonly string[]} args
 * @returns {Promise<number>} the exit status
 */
export async function lab(root, args) {
  await bundleTests(root, 'out/lab.mjs', [], {}, "export { runLab, USAGE } from './lab/main.ts';");
  const { runLab, USAGE } = await import(new URL('../../out/lab.mjs', import.meta.url).href);
  const texts = /** @type {const} */ ({ type: 'string', multiple: true });
  const flag = /** @type {const} */ ({ type: 'boolean' });
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        client: texts,
        situation: texts,
        new: flag,
        calls: flag,
        newest: flag,
        report: flag,
        pinned: flag,
        converted: flag,
        agents: flag,
        tools: flag,
        dialects: flag,
        validate: flag,
        list: flag,
        help: flag,
      },
    });
    if (values.help) {
      say(USAGE);
      return 0;
    }
    const { client = [], situation = [], new: isNew = false, newest = false, report = false } = values;
    const {
      calls = false,
      pinned = false,
      converted = false,
      agents = false,
      tools = false,
      dialects = false,
      validate = false,
      list = false,
    } = values;
    if (converted) {
      const { buildAll } = await import('../../client/build.mjs');
      await buildAll({ minify: false });
    }
    const asked = { clients: client, situations: situation, isNew, calls };
    return await runLab({ root, ...asked, newest, report, pinned, converted, agents, tools, dialects, validate, list });
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 2;
  }
}
