/** The options of `match`, `catalog` and `audit` (docs/command-line.md). */
import { type Command, Option } from 'commander';
import type { Severity } from '../../../finding.ts';
import { listed } from '../../../nearest.ts';
import type { InvocationSource } from '../../../skill/package.ts';
import { INVOCATION_SOURCES } from '../../../skill/package-samples.ts';
import {
  CALLER,
  CHANNEL,
  type CommonOptions,
  commandAction,
  failOnOption,
  formatOf,
  formatsHelp,
  OUT,
  SURFACE,
  withOutputFile,
  wordOption,
  workingFolder,
} from '../command-options.ts';
import { parseCount } from '../option-values.ts';
import type { AuditWords } from './audit.ts';
import type { PlannerCatalogWords } from './catalog.ts';

const MATCH_FORMATS = ['pretty', 'json'] as const;

interface MatchFlags extends CommonOptions {
  readonly top: number;
  readonly profile?: string;
  readonly source: InvocationSource;
  readonly channel?: string;
  readonly surface?: string;
}

export function addMatchCommand(program: Command): void {
  program
    .command('match')
    .description(
      'Ranks the skills that match a request. PATH selects the skills to rank (default: the working folder). A skill has 100 % if its name contains every word of the request.',
    )
    .usage('REQUEST [OPTION…] [PATH…]')
    .argument('<REQUEST>')
    .argument('[PATH...]')
    .addOption(
      new Option('--top <N>', 'the maximum number of skills')
        .default(10)
        .argParser((word) => parseCount(word, '--top')),
    )
    .option(...CALLER)
    .option(...SURFACE)
    .addOption(
      wordOption(
        '--source <SOURCE>',
        `the source of the invocation: ${listed(INVOCATION_SOURCES, 'or')}`,
        INVOCATION_SOURCES,
      ).default('agent-selected'),
    )
    .option(...CHANNEL)
    .option(...OUT)
    .addHelpText('after', `${formatsHelp(MATCH_FORMATS)}${MATCH_STATUS}`)
    .action(
      withOutputFile<MatchFlags>(async ([request = '', ...paths], options, console) => {
        const format = formatOf(options, MATCH_FORMATS);
        const cwd = await workingFolder(options);
        const { config, top, source, profile, channel, surface } = options;
        const { runMatch } = await import('./match.ts');
        return runMatch({ cwd, paths, config, format, request, top, source, profile, channel, surface }, console);
      }),
    );
}

const MATCH_STATUS = `
Exit status: 0 the ranking was printed, even an empty one, 2 invalid usage, or an invalid catalog.`;

const CATALOG_FORMATS = ['prompt', 'json', 'markdown'] as const;

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
    .addHelpText('after', `${formatsHelp(CATALOG_FORMATS)}${CATALOG_STATUS}`)
    .action(
      commandAction<CommonOptions & PlannerCatalogWords>(async (paths, options, console) => {
        const format = formatOf(options, CATALOG_FORMATS);
        const cwd = await workingFolder(options);
        const { config, quiet = false } = options;
        const { runCatalog } = await import('./catalog.ts');
        return runCatalog({ cwd, paths, config, format, quiet, words: options }, console);
      }),
    );
}

const CATALOG_STATUS = `
Exit status: 0 the catalog was printed, or --check found no difference, 1 --check found one, 2 invalid usage.`;

const AUDIT_FORMATS = ['pretty', 'json', 'markdown'] as const;

interface AuditFlags extends CommonOptions, AuditWords {
  readonly failOn: Severity;
}

export function addAuditCommand(program: Command): void {
  program
    .command('audit')
    .description('Reviews a registry: prints overlapping skills, due upkeep and incomplete contracts.')
    .usage('[OPTION…] [PATH…]')
    .argument('[PATH...]')
    .option('--threshold <NUMBER>', 'the minimum similarity of two descriptions, above 0 and up to 1')
    .option('--vectors <FILE>', 'embeddings to compare instead of words: one `{"name", "vector"}` per line')
    .option(
      '--calls <FILE>',
      'measured calls: one `{"skill", "version", "surface", "calls_per_day", "p95_ms"}` per line',
    )
    .option('--synthetic <NAME>', 'print only an input that matches the schema of this skill')
    .addOption(failOnOption('the lowest severity that makes the exit status 1'))
    .option(...OUT)
    .addHelpText('after', `${formatsHelp(AUDIT_FORMATS)}${AUDIT_STATUS}`)
    .action(
      withOutputFile<AuditFlags>(async (paths, options, console) => {
        const format = formatOf(options, AUDIT_FORMATS);
        const cwd = await workingFolder(options);
        const { config, failOn } = options;
        const { runAudit } = await import('./audit.ts');
        return runAudit({ cwd, paths, config, format, failOn, words: options }, console);
      }),
    );
}

const AUDIT_STATUS = `
Exit status: 0 no findings at or above --fail-on, 1 findings (an incomplete contract is an error), 2 invalid usage.`;
