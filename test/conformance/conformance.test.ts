/**
 * Tests the authoring server with the conformance programs of the protocol. The programs require a newer Node and the
 * registry, so only `npm run test:all` runs them. `test/protocol` tests the same behaviour with a protocol client.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { CLI, folderWith, skill } from '../protocol/cli.ts';
import { serveOverHttp } from './over-http.ts';

const run = promisify(execFile);
/** The paths of the programs, which `test/run.mjs` installs. */
const { node, conformance, inspector } = JSON.parse(process.env.SKILL_COMPOSER_CONFORMANCE ?? '{}') as Readonly<
  Record<'node' | 'conformance' | 'inspector', string>
>;

const SKILL = '---\nname: tidy-notes\ndescription: Tidies notes. Use it for notes.\n---\n\nTidy them.\n';
const FILES = {
  '.agents/skills/tidy-notes/SKILL.md': SKILL,
  '.agents/skills/tidy-notes/references/form.md': '# Form\n',
  'skills/sort-notes/SKILL.md': SKILL.replace('tidy-notes', 'sort-notes'),
  'skills/outline.skill.md': skill('outline'),
};

describe('the authoring server in the MCP conformance suite', () => {
  let served: Awaited<ReturnType<typeof serveOverHttp>>;
  before(async () => {
    served = await serveOverHttp(folderWith(FILES));
  });
  after(() => {
    served.server.closeAllConnections();
    served.server.close();
  });

  const ask = async (scenario: string): Promise<string> => {
    const words = [conformance, 'server', '--url', served.url, '--scenario', scenario];
    const said = await run(node, words).catch(
      (failure: { readonly stdout: string; readonly stderr: string }) => failure,
    );
    return `${said.stdout}${said.stderr}`;
  };

  for (const scenario of [
    'server-initialize',
    'ping',
    'tools-list',
    'resources-list',
    'sep-2164-resource-not-found',
    'http-header-validation',
    'sep-2640-skills-enumeration',
    'sep-2640-skills-manifest',
    'sep-2640-skills-directory',
  ]) {
    it(`passes ${scenario}`, async () => {
      assert.match(await ask(scenario), /Passed: ([1-9]\d*)\/\1, 0 failed/);
    });
  }

  // Some checks require special tools or prompts, which this server does not have.
  for (const [scenario, least] of [
    ['server-stateless', 24],
    ['caching', 7],
  ] as const) {
    it(`passes the checks of ${scenario} for a server without prompts`, async () => {
      const said = await ask(scenario);
      const faults = [...said.matchAll(/^ *Error: (.*)$/gm)].map(([, fault = '']) => fault);
      const wanted =
        /^Not testable: server does not list the diagnostic tool|^prompts\/list returned .*Method not found/;
      assert.deepEqual(
        faults.filter((fault) => !wanted.test(fault)),
        [],
      );
      assert.ok(Number(/Passed: (\d+)\//.exec(said)?.[1]) >= least, said);
    });
  }
});

describe('`mcp` in the MCP Inspector', () => {
  const inspect = (folder: string, more: readonly string[], ...words: readonly string[]) =>
    run(node, [inspector, '--cli', process.execPath, CLI, 'mcp', '--root', folder, ...more, ...words], { cwd: folder });

  it('serves skill files with the listed digests', async () => {
    const { stdout } = await inspect(
      folderWith(FILES),
      ['--serve'],
      ...['--method', 'skills/list', '--verify', '--require-digests'],
    );
    const skills = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { name: string; outcome: string });
    assert.deepEqual(
      skills.map(({ name, outcome }) => [name, outcome]),
      [
        ['tidy-notes', 'verified'],
        ['sort-notes', 'verified'],
      ],
    );
  });

  it('describes its tools with schemas that every client supports', async () => {
    const { stderr } = await inspect(folderWith(FILES), [], '--method', 'tools/list', '--strict');
    assert.doesNotMatch(stderr, /^Error/m);
  });
});
