/** The command that prints what a shell needs to complete a command line (docs/ci.md, "Completion in the shell"). */
import type { Command } from 'commander';
import { UserError } from '../../user-error.ts';
import type { Calling } from '../calling.ts';

export function addCompletionCommand(program: Command, calling: Calling): void {
  program
    .command('completion')
    .description('Prints a script that completes commands, options and their values in a shell: bash, zsh or fish.')
    .usage('SHELL')
    .argument('<SHELL>')
    .addHelpText('after', COMPLETION_STATUS)
    .action(
      calling(async ([word = ''], { format }, console) => {
        if (format !== 'pretty') throw new UserError('`completion` does not take `--format`: it prints a script.');
        const { completionScript } = await import('./completion-script.ts');
        const { parseWord, SHELLS } = await import('../words.ts');
        console.print(completionScript(program, parseWord(word, SHELLS, 'completion')));
        return 0;
      }),
    );
}

const COMPLETION_STATUS = `
In bash: source <(skill-composer completion bash)
In zsh, after compinit: source <(skill-composer completion zsh)
In fish: skill-composer completion fish | source`;
