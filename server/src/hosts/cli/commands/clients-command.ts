/** The options of `skill-composer clients` (docs/clients.md). */
import type { Command } from 'commander';
import type { Severity } from '../../../finding.ts';
import {
  type CommonOptions,
  failOnOption,
  formatOf,
  formatsHelp,
  OUT,
  repeatedOption,
  withOutputFile,
  workingFolder,
} from '../command-options.ts';

const FORMATS = ['pretty', 'json', 'markdown'] as const;

interface Given extends CommonOptions {
  readonly client?: readonly string[];
  readonly budget?: true;
  readonly failOn: Severity;
}

export function addClientsCommand(program: Command): void {
  program
    .command('clients')
    .description('Prints how each client loads a `SKILL.md`, and how much of its skill list budget is used.')
    .usage('[OPTION…] [PATH…]')
    .argument('[PATH...]')
    .addOption(repeatedOption('--client <ID>', 'only this client, for example claude-code; may be repeated'))
    .option('--budget', 'only the skill lists of the target clients that have a limit')
    .addOption(failOnOption('the lowest severity of a loss that makes the exit status 1'))
    .option(...OUT)
    .addHelpText('after', `${formatsHelp(FORMATS)}${STATUS}`)
    .action(
      withOutputFile<Given>(async (paths, options, console) => {
        const format = formatOf(options, FORMATS);
        const cwd = await workingFolder(options);
        const { config, client: clients = [], budget = false, failOn } = options;
        const { runClients } = await import('./clients.ts');
        return runClients({ cwd, paths, config, format, failOn, clients, budget }, console);
      }),
    );
}

const STATUS = `
Exit status: 0 no target client loses a skill, 1 a loss at or above --fail-on, 2 invalid usage.`;
