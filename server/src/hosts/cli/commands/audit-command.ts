/** The options of `skill-composer audit` (docs/registry.md). */
import type { Command } from 'commander';
import type { Severity } from '../../../finding.ts';
import {
  type CommonOptions,
  failOnOption,
  formatOf,
  formatsHelp,
  OUT,
  withOutputFile,
  workingFolder,
} from '../command-options.ts';
import type { AuditWords } from './audit.ts';

const FORMATS = ['pretty', 'json', 'markdown'] as const;

interface Given extends CommonOptions, AuditWords {
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
    .option('--calls <FILE>', 'measured calls: one `{"skill", "calls_per_day", "p95_ms"}` per line')
    .option('--synthetic <NAME>', 'print only an input that matches the schema of this skill')
    .addOption(failOnOption('the lowest severity that makes the exit status 1'))
    .option(...OUT)
    .addHelpText('after', `${formatsHelp(FORMATS)}${STATUS}`)
    .action(
      withOutputFile<Given>(async (paths, options, console) => {
        const format = formatOf(options, FORMATS);
        const cwd = await workingFolder(options);
        const { config, failOn } = options;
        const { runAudit } = await import('./audit.ts');
        return runAudit({ cwd, paths, config, format, failOn, words: options }, console);
      }),
    );
}

const STATUS = `
Exit status: 0 no findings at or above --fail-on, 1 findings (an incomplete contract is an error), 2 invalid usage.`;
