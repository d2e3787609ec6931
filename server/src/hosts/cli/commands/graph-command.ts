/** The options of `skill-composer graph` (docs/graph.md). */
import type { Command } from 'commander';
import { folderOf, formatOf, formatsHelp, OUT, printing } from '../command-options.ts';

const FORMATS = ['mermaid', 'dot', 'json'] as const;

export function addGraphCommand(program: Command): void {
  program
    .command('graph')
    .description('Prints the composition graph: the skills that PATH names, and all that they compose.')
    .usage('[OPTION…] [PATH…]')
    .argument('[PATH...]')
    .option(...OUT)
    .addHelpText('after', `${formatsHelp(FORMATS)}${STATUS}`)
    .action(
      printing(async (paths, options, console) => {
        const format = formatOf(options, FORMATS);
        const cwd = await folderOf(options);
        const { runGraph } = await import('./graph.ts');
        return runGraph({ cwd, paths, config: options.config, format }, console);
      }),
    );
}

const STATUS = `
Exit status: 0 the graph is printed, whatever \`check\` says of it, 2 wrong usage, or a catalog that cannot be relied on.`;
