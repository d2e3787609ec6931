/** The options of `skill-composer tools pull` (docs/tools.md). */
import { type Command, Option } from 'commander';
import { type Common, calling, folderOf, formatOf, formatsHelp, repeatedOption } from '../command-options.ts';
import { parseCount } from '../words.ts';

const FORMATS = ['pretty', 'json'] as const;

interface Given extends Common {
  readonly server?: readonly string[];
  readonly yes?: true;
  readonly check?: true;
  readonly timeout?: number;
  readonly input?: readonly string[];
}

export function addToolsPullCommand(program: Command): void {
  program
    .command('tools')
    .description('Takes the tools of MCP servers in: `tools pull`.')
    .usage('pull [OPTION…]')
    .helpCommand(false)
    .command('pull')
    .description(
      'Asks the servers that catalogs name for their tools, and writes them to `skills.tools.json` beside the catalog.',
    )
    .usage('[OPTION…]')
    .addOption(repeatedOption('--server <NAME>', 'only this server; may be repeated'))
    .option('--yes', 'start and call the servers without a question')
    .option('--check', 'write nothing; the exit status is 1 where the snapshot differs')
    .addOption(
      new Option(
        '--timeout <SECONDS>',
        'the most time that a server may take (default: 120, of which 60 to connect)',
      ).argParser((word) => parseCount(word, '--timeout')),
    )
    .addOption(
      repeatedOption('--input <ID=VALUE>', 'the value of an input that a configuration asks for; may be repeated'),
    )
    .addHelpText('after', `${formatsHelp(FORMATS)}${STATUS}`)
    .action(
      calling<Given>(async (_, options, console) => {
        const format = formatOf(options, FORMATS);
        const cwd = await folderOf(options);
        const { config, quiet = false, yes = false, check = false, timeout: seconds } = options;
        const { server: servers = [], input: inputs = [] } = options;
        const { runPull } = await import('./tools-pull.ts');
        return runPull({ cwd, config, format, quiet, yes, check, seconds, servers, inputs }, console);
      }),
    );
}

const STATUS = `
What is going to be started and called is listed first; without a terminal to ask at, --yes is needed.
Exit status: 0 every server has answered, 1 one has not, or with --check the snapshot differs, 2 wrong usage.`;
