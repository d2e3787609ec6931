/** The commands that take skills out of a workspace and into one (docs/installing.md). */
import type { Command } from 'commander';
import { type Calling, folderOf } from './calling.ts';
import type { Common } from './command-options.ts';
import { INSTALL_STATUS, PACK_STATUS } from './status-texts.ts';
import { Stop } from './stop.ts';

interface ForPack extends Common {
  readonly out?: string;
}

interface ForInstall extends Common {
  readonly to?: string;
  readonly skill: readonly string[];
  readonly yes?: true;
  readonly force?: true;
  readonly check?: true;
}

export function addPackingCommands(program: Command, calling: Calling): void {
  program
    .command('pack')
    .description('Writes skills and all that they need into an archive: the same bytes for the same files.')
    .usage('[OPTION…] [PATH…] --out FILE')
    .argument('[PATH...]')
    .option('--out <FILE>', 'the archive: FILE.skill or FILE.zip is a zip, FILE.tgz or FILE.tar.gz a gzipped tar')
    .addHelpText('after', PACK_STATUS)
    .action(
      calling<ForPack>(async (paths, { out, quiet = false, format, ...options }, console) => {
        if (format !== 'pretty') throw new Stop(`\`pack\` does not take \`--format ${format}\`: it writes an archive.`);
        if (out === undefined)
          throw new Stop('`pack` writes a file: name it with `--out FILE.skill` or `--out FILE.tgz`.');
        const cwd = await folderOf({ ...options, format });
        const { runPack } = await import('./commands/pack.ts');
        return runPack({ cwd, paths, out, quiet }, console);
      }),
    );

  program
    .command('install')
    .description(
      'Shows what the skills of SOURCE may do, asks, and installs them. SOURCE is a file, a folder, an archive or another workspace.',
    )
    .usage('[OPTION…] [SOURCE]')
    .argument('[SOURCE]')
    .option(
      '--to <DIR>',
      'the folder for the skills; without one, `skills`, and `.agents/skills` for `SKILL.md` folders',
    )
    .option('--skill <NAME>', 'only this skill, and what it composes; may be repeated', collect, [])
    .option('--yes', 'install without asking')
    .option('--force', 'write over local edits')
    .option('--check', 'write nothing: is there what the lock file says? With SOURCE: would anything change?')
    .addHelpText('after', INSTALL_STATUS)
    .action(
      calling<ForInstall>(async ([source], options, console) => {
        const { parseFormat } = await import('./words.ts');
        const format = parseFormat(options.format);
        const cwd = await folderOf(options);
        const { config, to, skill, yes = false, force = false, check = false, quiet = false } = options;
        const { runInstall } = await import('./commands/install.ts');
        return runInstall({ cwd, source, config, format, to, names: skill, yes, force, check, quiet }, console);
      }),
    );
}

const collect = (word: string, before: readonly string[]): readonly string[] => [...before, word];
