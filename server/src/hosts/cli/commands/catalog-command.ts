/** The options of `skill-composer catalog` (docs/registry.md). */
import { type Command, Option } from 'commander';
import { type Common, calling, folderOf, formatOf, formatsHelp, OUT } from '../command-options.ts';
import { parseCount } from '../words.ts';
import type { PlannerCatalogWords } from './catalog.ts';

const FORMATS = ['prompt', 'json', 'markdown'] as const;

export function addCatalogCommand(program: Command): void {
  program
    .command('catalog')
    .description(
      'Prints what a planner is given to choose from: the contracts of the skills, within a budget of tokens.',
    )
    .usage('[OPTION…] [PATH…]')
    .argument('[PATH...]')
    .option('--request <TEXT>', 'only the skills that answer this request, the best first')
    .addOption(
      new Option('--top <NUMBER>', 'how many of them at most (default: 8)').argParser((word) =>
        parseCount(word, '--top'),
      ),
    )
    .addOption(
      new Option('--max-tokens <NUMBER>', 'the most tokens that the prompt may have (default: 6000)').argParser(
        (word) => parseCount(word, '--max-tokens'),
      ),
    )
    .option('--profile <NAME>', 'leave out what this caller, a profile of the catalog, may not use')
    .option(...OUT)
    .option('--check', 'compare with the file of --out in place of writing it')
    .addHelpText('after', `${formatsHelp(FORMATS)}${STATUS}`)
    .action(
      calling<Common & PlannerCatalogWords>(async (paths, options, console) => {
        const format = formatOf(options, FORMATS);
        const cwd = await folderOf(options);
        const { config, quiet = false } = options;
        const { runCatalog } = await import('./catalog.ts');
        return runCatalog({ cwd, paths, config, format, quiet, words: options }, console);
      }),
    );
}

const STATUS = `
Exit status: 0 the catalog is printed, or --check finds it in the file, 1 --check does not, 2 wrong usage.`;
