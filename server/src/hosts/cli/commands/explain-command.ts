/** The options of `skill-composer explain` (docs/rules/README.md). */
import type { Command } from 'commander';
import { assertNoFormat, commandAction } from '../command-options.ts';

export function addExplainCommand(program: Command): void {
  program
    .command('explain')
    .description('Prints the page of a rule, by name or number; without RULE, prints the list of rules.')
    .usage('[RULE]')
    .argument('[RULE]')
    .action(
      commandAction(async ([rule], options, console) => {
        assertNoFormat('explain', options, 'it prints only text');
        const { runExplain } = await import('./explain.ts');
        return runExplain(rule, console);
      }),
    );
}
