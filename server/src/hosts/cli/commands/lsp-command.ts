/** `skill-composer lsp`: its options, and the start of the language server (docs/editors.md). */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Command, Option } from 'commander';
import { UserError } from '../../user-error.ts';

export function addLspCommand(program: Command): void {
  program
    .command('lsp')
    .description('The language server, for any editor.')
    .usage('--stdio')
    .option('--stdio', 'speak over standard input and output')
    // Editors pass it to every server, and the server itself reads it.
    .addOption(new Option('--clientProcessId <id>').hideHelp())
    .action(async ({ stdio }: { stdio?: true }) => {
      if (!stdio) throw new UserError('The language server speaks over stdio only: run `skill-composer lsp --stdio`.');
      // The server is a script of its own, beside this one.
      await import(pathToFileURL(join(__dirname, 'server.js')).href);
    });
}
