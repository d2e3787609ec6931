/** The options of `skill-composer tools pull` (docs/tools.md). */
import { type Command, Option } from 'commander';
import {
  type CommonOptions,
  commandAction,
  formatOf,
  formatsHelp,
  repeatedOption,
  workingFolder,
} from '../command-options.ts';
import { parseCount } from '../option-values.ts';

const FORMATS = ['pretty', 'json'] as const;

interface Given extends CommonOptions {
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
    .addHelpText('after', `${formatsHelp(FORMATS)}${STATUS}`)
    .action(
      commandAction<Given>(async (_, options, console) => {
        const format = formatOf(options, FORMATS);
        const cwd = await workingFolder(options);
        const { config, quiet = false, yes = false, check = false, timeout: seconds } = options;
        const { server: servers = [], input: inputs = [] } = options;
        const { runPull } = await import('./tools-pull.ts');
        return runPull({ cwd, config, format, quiet, yes, check, seconds, servers, inputs }, console);
      }),
    );
}

const STATUS = `
The servers to start and call are listed before a confirmation. Without a terminal, --yes is required.
Exit status: 0 every server answered, 1 a server did not, or with --check the snapshot differs, 2 invalid usage.`;
