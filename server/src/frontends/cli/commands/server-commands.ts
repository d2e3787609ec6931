/** The options of the commands that start or ask servers: `lsp`, `dap`, `mcp` and `tools pull` (docs/command-line.md). */

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Command, Option } from 'commander';
import { absolute, isFolder } from '../../../io/paths.ts';
import { UserError } from '../../../io/user-error.ts';
import type { CommandWords } from '../../../services/testing/runner.ts';
import type { Serving } from '../../mcp/serve.ts';
import {
  type CommonOptions,
  commandAction,
  formatOf,
  formatsHelp,
  maxRunsOption,
  RUNNER,
  repeatedOption,
  workingFolder,
} from '../command-options.ts';
import { parseCount } from '../option-values.ts';

export function addLspCommand(program: Command): void {
  program
    .command('lsp')
    .description('Runs the language server for an editor.')
    .usage('--stdio')
    .option('--stdio', 'communicate over standard input and output')
    // Editors pass this option to every server. The server script reads it.
    .addOption(new Option('--clientProcessId <id>').hideHelp())
    .action(async ({ stdio }: { stdio?: true }) => {
      if (!stdio) throw new UserError('The language server supports only stdio. Run `skill-composer lsp --stdio`.');
      // The server is a separate script in the same folder.
      await import(pathToFileURL(join(__dirname, 'server.js')).href);
    });
}

export function addDapCommand(program: Command): void {
  program
    .command('dap')
    .description('Runs the debug adapter for an editor, over standard input and output.')
    .usage('[OPTION…]')
    .option(...RUNNER)
    .addOption(maxRunsOption('the maximum number of requests to the model in a run (default: 30)'))
    .action(
      commandAction<CommonOptions & CommandWords>(async (_, options) => {
        const cwd = await workingFolder(options);
        const { config, runner, maxRuns } = options;
        const { runDap } = await import('../../dap/stdio.ts');
        await runDap({ cwd, config, runner, maxRuns });
        return 0;
      }),
    );
}

interface McpFlags extends CommonOptions {
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
      commandAction<McpFlags>(async (_, options) => {
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

const TOOLS_PULL_FORMATS = ['pretty', 'json'] as const;

interface ToolsPullFlags extends CommonOptions {
  readonly server?: readonly string[];
  readonly yes?: true;
  readonly check?: true;
  readonly timeout?: number;
  readonly input?: readonly string[];
}

export function addToolsPullCommand(program: Command): void {
  program
    .command('tools')
    .description('Imports the tools of MCP servers: `tools pull`.')
    .usage('pull [OPTION…]')
    .helpCommand(false)
    .command('pull')
    .description(
      'Lists the tools of the servers in the catalogs, and writes them to `skills.tools.json` beside each catalog.',
    )
    .usage('[OPTION…]')
    .addOption(repeatedOption('--server <NAME>', 'only this server; may be repeated'))
    .option('--yes', 'start and call the servers without asking')
    .option('--check', 'write nothing; the exit status is 1 if the snapshot differs')
    .addOption(
      new Option(
        '--timeout <SECONDS>',
        'the time limit for each server, in seconds (default: 120 in total, and 60 to connect)',
      ).argParser((word) => parseCount(word, '--timeout')),
    )
    .addOption(
      repeatedOption('--input <ID=VALUE>', 'the value of an input that a configuration requires; may be repeated'),
    )
    .addHelpText('after', `${formatsHelp(TOOLS_PULL_FORMATS)}${TOOLS_PULL_STATUS}`)
    .action(
      commandAction<ToolsPullFlags>(async (_, options, console) => {
        const format = formatOf(options, TOOLS_PULL_FORMATS);
        const cwd = await workingFolder(options);
        const { config, quiet = false, yes = false, check = false, timeout: seconds } = options;
        const { server: servers = [], input: inputs = [] } = options;
        const { runPull } = await import('./tools-pull.ts');
        return runPull({ cwd, config, format, quiet, yes, check, seconds, servers, inputs }, console);
      }),
    );
}

const TOOLS_PULL_STATUS = `
The servers to start and call are listed before a confirmation. Without a terminal, --yes is required.
Exit status: 0 every server answered, 1 a server did not, or with --check the snapshot differs, 2 invalid usage.`;
