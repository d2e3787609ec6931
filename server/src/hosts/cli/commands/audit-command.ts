/** The options of `skill-composer audit` (docs/registry.md). */
import type { Command } from 'commander';
import type { Severity } from '../../../finding.ts';
import { type Common, failOnOption, folderOf, formatOf, formatsHelp, OUT, printing } from '../command-options.ts';
import type { AuditWords } from './audit.ts';

const FORMATS = ['pretty', 'json', 'markdown'] as const;

interface Given extends Common, AuditWords {
  readonly failOn: Severity;
}

export function addAuditCommand(program: Command): void {
  program
    .command('audit')
    .description(
      'Prints the review of a registry: skills that overlap, what their upkeep asks for, contracts with gaps.',
    )
    .usage('[OPTION…] [PATH…]')
    .argument('[PATH...]')
    .option('--threshold <NUMBER>', 'the least similarity of two descriptions, above 0 and up to 1')
    .option('--vectors <FILE>', 'embeddings to compare in place of words: a line `{"name", "vector"}` each')
    .option('--calls <FILE>', 'what was measured: a line `{"skill", "calls_per_day", "p95_ms"}` each')
    .option('--synthetic <NAME>', 'only print an input that fits the skill of this name')
    .addOption(failOnOption('the least severity that makes the exit status 1'))
    .option(...OUT)
    .addHelpText('after', `${formatsHelp(FORMATS)}${STATUS}`)
    .action(
      printing<Given>(async (paths, options, console) => {
        const format = formatOf(options, FORMATS);
        const cwd = await folderOf(options);
        const { config, failOn } = options;
        const { runAudit } = await import('./audit.ts');
        return runAudit({ cwd, paths, config, format, failOn, words: options }, console);
      }),
    );
}

const STATUS = `
Exit status: 0 nothing at or above --fail-on, 1 an incomplete contract, or with --fail-on more, 2 wrong usage.`;
