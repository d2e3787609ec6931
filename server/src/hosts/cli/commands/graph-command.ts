/** The options of `skill-composer graph` (docs/graph.md). */
import type { Command } from 'commander';
import {
  type CommonOptions,
  formatOf,
  formatsHelp,
  OUT,
  SURFACE,
  withOutputFile,
  workingFolder,
} from '../command-options.ts';

const FORMATS = ['mermaid', 'dot', 'json'] as const;

export function addGraphCommand(program: Command): void {
  program
    .command('graph')
    .description('Prints the composition graph: the skills in PATH, and all skills that they compose.')
    .usage('[OPTION…] [PATH…]')
    .argument('[PATH...]')
    .option(...SURFACE)
    .option(...OUT)
    .addHelpText('after', `${formatsHelp(FORMATS)}${STATUS}`)
    .action(
      withOutputFile<CommonOptions & { readonly surface?: string }>(async (paths, options, console) => {
        const format = formatOf(options, FORMATS);
        const cwd = await workingFolder(options);
        const { runGraph } = await import('./graph.ts');
        return runGraph({ cwd, paths, config: options.config, format, surface: options.surface }, console);
      }),
    );
}

const STATUS = `
Exit status: 0 the graph was printed (even if \`check\` reports errors), 2 invalid usage, or an invalid catalog.`;
