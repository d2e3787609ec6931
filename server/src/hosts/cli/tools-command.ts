/** The command that takes the tools of servers in (docs/tools.md). */
import type { Command } from 'commander';
import { type Calling, folderOf } from './calling.ts';
import type { Common } from './command-options.ts';

interface ForPull extends Common {
  readonly server: readonly string[];
  readonly input: readonly string[];
  readonly yes?: true;
  readonly check?: true;
  readonly timeout?: string;
}

const collect = (word: string, before: readonly string[]): readonly string[] => [...before, word];

export function addToolsCommand(program: Command, calling: Calling): void {
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
    .option('--server <NAME>', 'only this server; may be repeated', collect, [])
    .option('--yes', 'start and call the servers without a question')
    .option('--check', 'write nothing; the exit status is 1 where the snapshot differs')
    .option('--timeout <SECONDS>', 'the most time that a server may take (default: 120, of which 60 to connect)')
    .option('--input <ID=VALUE>', 'the value of an input that a configuration asks for; may be repeated', collect, [])
    .addHelpText('after', PULL_STATUS)
    .action(
      calling<ForPull>(async (_, options, console) => {
        const { PULL_FORMATS, runPull } = await import('./commands/tools-pull.ts');
        const { parseCount, parseWord } = await import('./words.ts');
        const format = parseWord(options.format, PULL_FORMATS, '--format');
        const seconds = options.timeout === undefined ? undefined : parseCount(options.timeout, '--timeout');
        const cwd = await folderOf(options);
        const { config, quiet = false, server, input, yes = false, check = false } = options;
        const how = { yes, check, seconds, servers: server, inputs: input };
        return runPull({ cwd, config, format, quiet, ...how }, console);
      }),
    );
}

const PULL_STATUS = `
What is going to be started and called is listed first; without a terminal to ask at, --yes is needed.
Exit status: 0 every server has answered, 1 one has not, or with --check the snapshot differs, 2 wrong usage.`;
