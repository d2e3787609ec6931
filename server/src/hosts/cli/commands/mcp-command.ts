/** `skill-composer mcp`: its options, and the start of the authoring server (docs/mcp.md). */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { Serving } from '../../mcp/serve.ts';
import { absolute, isFolder } from '../../node/paths.ts';
import { UserError } from '../../user-error.ts';
import { type CommonOptions, commandAction, workingFolder } from '../command-options.ts';

interface Given extends CommonOptions {
  readonly root?: string;
  readonly account?: string;
  readonly readOnly?: true;
  readonly serve?: true;
}

export function addMcpCommand(program: Command): void {
  program
    .command('mcp')
    .description(
      'Runs an MCP server over standard input and output, with tools to read, check, compose and write skills.',
    )
    .usage('[OPTION…]')
    .option('--root <DIR>', 'the folder to read and write (default: the working folder)')
    .option('--account <DIR>', "the folder with the account's skills, which are also served")
    .option('--read-only', 'omit the tools that write')
    .option('--serve', 'also serve the `SKILL.md` folders, with the MCP extension for skills')
    .action(
      commandAction<Given>(async (_, options) => {
        const cwd = await workingFolder(options);
        const folder = async (dir: string, option: string): Promise<string> => {
          const path = absolute(cwd, dir);
          if (!(await isFolder(path))) throw new UserError(`\`${option} ${dir}\` is not a folder.`);
          return path;
        };
        const root = options.root === undefined ? cwd : await folder(options.root, '--root');
        const account = options.account === undefined ? undefined : await folder(options.account, '--account');
        const readOnly = options.readOnly === true;
        // The protocol is a separate script in the same folder. Node loads it much faster with `require` than with
        // `import`.
        const { serve } = createRequire(join(__dirname, 'cli.cjs'))('./mcp.cjs') as {
          readonly serve: (serving: Serving) => Promise<string | undefined>;
        };
        const load = async () => {
          const { openAuthoring } = await import('../../mcp/authoring.ts');
          return openAuthoring({ root, account, readOnly });
        };
        const failure = await serve({ readOnly, load, skillsOf: options.serve ? root : undefined });
        if (failure !== undefined) throw new UserError(`The connection failed: ${failure}.`);
        return 0;
      }),
    );
}
