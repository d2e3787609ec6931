/** `skill-composer mcp`: its options, and the start of the authoring server (docs/mcp.md). */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { Serving } from '../../mcp/serve.ts';
import { absolute, isFolder } from '../../node/paths.ts';
import { UserError } from '../../user-error.ts';
import { type Common, calling, folderOf } from '../command-options.ts';

interface Given extends Common {
  readonly root?: string;
  readonly account?: string;
  readonly readOnly?: true;
  readonly serve?: true;
}

export function addMcpCommand(program: Command): void {
  program
    .command('mcp')
    .description(
      'Serves tools that read, check, compose and write skills to agents, by MCP over standard input and output.',
    )
    .usage('[OPTION…]')
    .option('--root <DIR>', 'the folder that is read and written; without one, the working folder')
    .option('--account <DIR>', "the folder of the account's skills, which is served as well")
    .option('--read-only', 'leave the tools away that write')
    .option('--serve', 'serve the `SKILL.md` folders as well, by the extension of MCP for skills')
    .action(
      calling<Given>(async (_, options) => {
        const cwd = await folderOf(options);
        const folder = async (dir: string, option: string): Promise<string> => {
          const path = absolute(cwd, dir);
          if (!(await isFolder(path))) throw new UserError(`\`${option} ${dir}\` is not a folder.`);
          return path;
        };
        const root = options.root === undefined ? cwd : await folder(options.root, '--root');
        const account = options.account === undefined ? undefined : await folder(options.account, '--account');
        const readOnly = options.readOnly === true;
        // The protocol is a script of its own, beside this one. Node takes much longer to import such a script than to require it.
        const { serve } = createRequire(join(__dirname, 'cli.cjs'))('./mcp.cjs') as {
          readonly serve: (serving: Serving) => Promise<string | undefined>;
        };
        const load = async () => {
          const { openAuthoring } = await import('../../mcp/authoring.ts');
          return openAuthoring({ root, account, readOnly });
        };
        const failure = await serve({ readOnly, load, skillsOf: options.serve ? root : undefined });
        if (failure !== undefined) throw new UserError(`The connection has failed: ${failure}.`);
        return 0;
      }),
    );
}
