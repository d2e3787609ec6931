/** The options of `skill-composer catalog` (docs/registry.md). */
import { type Command, Option } from 'commander';
import {
  type CommonOptions,
  commandAction,
  formatOf,
  formatsHelp,
  OUT,
  SURFACE,
  workingFolder,
} from '../command-options.ts';
import { parseCount } from '../option-values.ts';
import type { PlannerCatalogWords } from './catalog.ts';

const FORMATS = ['prompt', 'json', 'markdown'] as const;

export function addCatalogCommand(program: Command): void {
  program
    .command('catalog')
    .description('Prints the catalog for a planner: the contracts of the skills, within a token budget.')
    .usage('[OPTION…] [PATH…]')
    .argument('[PATH...]')
    .option('--request <TEXT>', 'only the skills that match this request, best matches first')
    .addOption(
      new Option('--top <NUMBER>', 'the maximum number of skills for --request (default: 8)').argParser((word) =>
        parseCount(word, '--top'),
      ),
    )
    .addOption(
      new Option('--max-tokens <NUMBER>', 'the maximum number of tokens in the prompt (default: 6000)').argParser(
        (word) => parseCount(word, '--max-tokens'),
      ),
    )
    .option('--profile <NAME>', 'omit the skills that this caller (a profile in the catalog) may not use')
    .option(...SURFACE)
    .option(...OUT)
    .option('--check', 'compare the result with the --out file instead of writing the file')
    .addHelpText('after', `${formatsHelp(FORMATS)}${STATUS}`)
    .action(
      commandAction<CommonOptions & PlannerCatalogWords>(async (paths, options, console) => {
        const format = formatOf(options, FORMATS);
        const cwd = await workingFolder(options);
        const { config, quiet = false } = options;
        const { runCatalog } = await import('./catalog.ts');
        return runCatalog({ cwd, paths, config, format, quiet, words: options }, console);
      }),
    );
}

const STATUS = `
Exit status: 0 the catalog was printed, or --check found no difference, 1 --check found one, 2 invalid usage.`;
