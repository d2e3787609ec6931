/** The options of `skill-composer explain` (docs/rules/README.md). */
import type { Command } from 'commander';
import { assertNoFormat, calling } from '../command-options.ts';

export function addExplainCommand(program: Command): void {
  program
    .command('explain')
    .description("Prints a rule's page, by the rule's name or number; without one, the list of rules.")
    .usage('[RULE]')
    .argument('[RULE]')
    .action(
      calling(async ([rule], options, console) => {
        assertNoFormat('explain', options, 'it prints text only');
        const { runExplain } = await import('./explain.ts');
        return runExplain(rule, console);
      }),
    );
}
