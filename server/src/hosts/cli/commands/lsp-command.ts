/** `skill-composer lsp`: its options, and the start of the language server (docs/editors.md). */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Command, Option } from 'commander';
import { UserError } from '../../user-error.ts';

export function addLspCommand(program: Command): void {
  program
    .command('lsp')
    .description('Runs the language server for an editor.')
    .usage('--stdio')
    .option('--stdio', 'communicate over standard input and output')
    // Editors pass this option to every server. The server script reads it.
    .addOption(new Option('--clientProcessId <id>').hideHelp())
    .action(async ({ stdio }: { stdio?: true }) => {
      if (!stdio) throw new UserError('The language server supports only stdio. Run `skill-composer lsp --stdio`.');
      // The server is a separate script in the same folder.
      await import(pathToFileURL(join(__dirname, 'server.js')).href);
    });
}
