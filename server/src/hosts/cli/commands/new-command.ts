/** The options of `skill-composer new` (docs/command-line.md). */
import type { Command } from 'commander';
import { assertNoFormat, type CommonOptions, commandAction, workingFolder } from '../command-options.ts';

interface Given extends CommonOptions {
  readonly kind: string;
  readonly description?: string;
}

export function addNewCommand(program: Command): void {
  program
    .command('new')
    .description(
      'Creates a skill from a template. PATH is its folder (default: `skills` if it exists, else the working folder).',
    )
    .usage('NAME [OPTION…] [PATH]')
    .argument('<NAME>')
    .argument('[PATH]')
    .option(
      '--kind <KIND>',
      'literal: prose; template: a prompt with variables; staged: an approach in stages and an example; contract: a tool contract in YAML; agent-skill: NAME/SKILL.md',
      'literal',
    )
    .option('--description <TEXT>', 'what the skill does and when to use it')
    .action(
      commandAction<Given>(async ([name = '', path], options, console) => {
        assertNoFormat('new', options, 'it prints only text');
        const cwd = await workingFolder(options);
        const { kind, description } = options;
        const { runNew } = await import('./new.ts');
        return runNew({ cwd, name, kind, description, path }, console);
      }),
    );
}
