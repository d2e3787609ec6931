/** The options of `skill-composer check` (docs/ci.md). */
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { SEVERITIES, type Severity } from '../../../finding.ts';
import { optimizeLess } from '../../../io/engine.ts';
import { UserError } from '../../../io/user-error.ts';
import { listed } from '../../../nearest.ts';
import {
  assertNotCombined,
  type CommonOptions,
  commandAction,
  EXIT_STATUS,
  failOnOption,
  formatOf,
  formatsHelp,
  repeatedOption,
  SHARD,
  workingFolder,
} from '../command-options.ts';
import { parseWord } from '../option-values.ts';

const FORMATS = ['pretty', 'json', 'sarif', 'github', 'gitlab', 'junit', 'rdjson', 'checkstyle'] as const;

interface Given extends CommonOptions {
  readonly fix?: true;
  readonly fixRule?: readonly string[];
  readonly watch?: true;
  readonly failOn: Severity;
  readonly rule?: readonly string[];
  readonly out?: readonly string[];
  readonly changed?: string;
  readonly shard?: string;
  readonly baseline?: string | false;
  readonly writeBaseline?: true;
  readonly today?: string;
}

export function addCheckCommand(program: Command): void {
  program
    .command('check')
    .description('Prints findings. PATH is a file, a folder or a glob in quotes (default: the working folder).')
    .usage('[OPTION…] [PATH…]')
    .argument('[PATH...]')
    .option('--fix', 'apply the safe fixes, then print the remaining findings')
    .addOption(
      repeatedOption(
        '--fix-rule <NAME>',
        'also apply the fixes of a rule that are not safe, if a finding has only one; may be repeated',
      ),
    )
    .option('--watch', 'keep running and print the findings after each change; `f` applies the safe fixes, `q` quits')
    .addOption(failOnOption(`the lowest severity that makes the exit status 1: ${listed(SEVERITIES, 'or')}`))
    .addOption(
      repeatedOption('--rule <NAME=SEVERITY>', 'set a rule to off, hint, info, warning or error; may be repeated'),
    )
    .addOption(
      repeatedOption('--out <FORMAT=FILE>', 'also write the result to a file, in this format; may be repeated'),
    )
    .addOption(
      new Option(
        '--changed [REF]',
        'only files that differ from a commit (default: HEAD), and files that depend on them',
      ).preset('HEAD'),
    )
    .option(...SHARD)
    .option('--baseline <FILE>', 'hide the findings that this file lists (default: skills.baseline.json)')
    .option('--no-baseline', 'use no baseline')
    .option('--write-baseline', 'write the findings of the checked files to the baseline')
    // Only for tests: the date that is compared with `sunset`.
    .addOption(new Option('--today <DATE>').hideHelp())
    .addHelpText('after', `${formatsHelp(FORMATS)}${EXIT_STATUS}`)
    .action(
      commandAction<Given>(async (paths, options, console) => {
        assertNotCombined(options, '--watch', 'which applies to a single run', SINGLE_RUN);
        const format = formatOf(options, FORMATS);
        const out = parseOutputs(options.out ?? []);
        const cwd = await workingFolder(options);
        const { config, quiet = false, failOn, changed } = options;
        if (options.watch) {
          const { watchChecks } = await import('../watching/watch-checks.ts');
          return watchChecks({ cwd, paths, quiet, failOn }, console);
        }
        optimizeLess();
        const { parseOverrides, parseRules, parseToday, runCheck } = await import('./check.ts');
        const fixRules = parseRules(options.fixRule ?? [], '--fix-rule');
        const fix = options.fix === true || fixRules.size > 0;
        const overrides = parseOverrides(options.rule ?? []);
        const today = parseToday(options.today);
        const { parseShard } = await import('../../../io/select-files.ts');
        const shard = parseShard(options.shard);
        return runCheck(
          {
            cwd,
            paths,
            config,
            format,
            out,
            fix,
            fixRules,
            failOn,
            quiet,
            overrides,
            today,
            changed,
            shard,
            baseline: options,
          },
          console,
        );
      }),
    );
}

const SINGLE_RUN = [
  '--format',
  '--config',
  '--shard',
  '--out',
  '--fix',
  '--fix-rule',
  '--rule',
  '--changed',
  '--baseline',
  '--write-baseline',
  '--today',
];

/** Parses the values `FORMAT=FILE` of `--out`. */
function parseOutputs(words: readonly string[]) {
  const outputs = words.map((word) => {
    const equals = word.indexOf('=');
    const path = word.slice(equals + 1);
    if (equals < 0 || path === '')
      throw new UserError(`\`--out ${word}\` does not name a file. Write for example \`--out sarif=skills.sarif\`.`);
    const format = parseWord(word.slice(0, equals), FORMATS, '--out');
    if (path === '-')
      throw new UserError(`\`--out ${word}\` does not name a file. Use \`--format ${format}\` to print the result.`);
    return { format, path };
  });
  const twice = outputs.find(({ path }, at) => outputs.findIndex((one) => resolve(one.path) === resolve(path)) !== at);
  if (twice)
    throw new UserError(`\`--out\` names the file \`${twice.path}\` twice. Use a different file for each format.`);
  return outputs;
}
