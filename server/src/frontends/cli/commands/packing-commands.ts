/** The options of `pack`, `install`, `convert` and `export` (docs/installing.md, docs/command-line.md). */
import { type Command, Option } from 'commander';
import { type ConversionTarget, TARGETS } from '../../../exchange/conversion.ts';
import { UserError } from '../../../io/user-error.ts';
import { listed } from '../../../nearest.ts';
import {
  assertNoFormat,
  assertNotCombined,
  CALLER,
  type CommonOptions,
  commandAction,
  formatOf,
  formatsHelp,
  repeatedOption,
  wordOption,
  workingFolder,
} from '../command-options.ts';

interface PackFlags extends CommonOptions {
  readonly out?: string;
  readonly plugin?: string;
}

export function addPackCommand(program: Command): void {
  program
    .command('pack')
    .description(
      'Writes skills and the files that they need to an archive. The same files always give an identical archive.',
    )
    .usage('[OPTION…] [PATH…] --out FILE')
    .argument('[PATH...]')
    .option('--out <FILE>', 'the archive: a zip (FILE.skill or FILE.zip) or a gzipped tar (FILE.tgz or FILE.tar.gz)')
    .option('--plugin <NAME>', 'writes a plugin of this name, for Claude Code and clients of Agent Plugins 1.0')
    .addHelpText('after', PACK_STATUS)
    .action(
      commandAction<PackFlags>(async (paths, options, console) => {
        assertNoFormat('pack', options, 'it writes an archive');
        const { out, plugin, quiet = false } = options;
        if (out === undefined)
          throw new UserError('Missing option `--out`. Write `--out FILE.skill` or `--out FILE.tgz`.');
        const cwd = await workingFolder(options);
        const { runPack } = await import('./pack.ts');
        return runPack({ cwd, paths, out, plugin, quiet }, console);
      }),
    );
}

const PACK_STATUS = `
Exit status: 0 the archive was written, 2 invalid usage, or skills that cannot be packed.`;

const INSTALL_FORMATS = ['pretty', 'json'] as const;

interface InstallFlags extends CommonOptions {
  readonly to?: string;
  readonly skill?: readonly string[];
  readonly yes?: true;
  readonly force?: true;
  readonly check?: true;
}

export function addInstallCommand(program: Command): void {
  program
    .command('install')
    .description(
      'Shows what the skills of SOURCE may do, asks for confirmation, and installs them. SOURCE is a file, a folder, an archive or another workspace.',
    )
    .usage('[OPTION…] [SOURCE]')
    .argument('[SOURCE]')
    .option('--to <DIR>', 'the folder for the skills (default: `skills`, and `.agents/skills` for `SKILL.md` folders)')
    .addOption(repeatedOption('--skill <NAME>', 'only this skill, and the skills that it composes; may be repeated'))
    .option('--yes', 'install without asking')
    .option('--force', 'overwrite local edits')
    .option('--check', 'write nothing, and compare the files with the lock file; with SOURCE, report what would change')
    .addHelpText('after', `${formatsHelp(INSTALL_FORMATS)}${INSTALL_STATUS}`)
    .action(
      commandAction<InstallFlags>(async ([source], options, console) => {
        const format = formatOf(options, INSTALL_FORMATS);
        const cwd = await workingFolder(options);
        const { config, to, skill: names = [], yes = false, force = false, check = false, quiet = false } = options;
        const { runInstall } = await import('./install.ts');
        return runInstall({ cwd, source, config, format, to, names, yes, force, check, quiet }, console);
      }),
    );
}

const INSTALL_STATUS = `
Exit status: 0 the skills were installed, or --check found no difference, 1 it found one, or the answer was no, \
2 invalid usage, a refused source, local edits without --force, or no terminal without --yes.`;

interface ConvertFlags extends CommonOptions {
  readonly to?: ConversionTarget;
  readonly clients?: readonly string[];
  readonly out?: string;
  readonly report: 'pretty' | 'json';
  readonly force?: true;
  readonly check?: true;
  readonly watch?: true;
}

export function addConvertCommand(program: Command): void {
  program
    .command('convert')
    .description(
      'Converts between skills, `SKILL.md` files, packages of the earlier format and records. Links or copies a `SKILL.md` to the folders that other clients read (--clients).',
    )
    .usage('FILE… [--to TARGET] [OPTION…]')
    .argument('<FILE...>')
    .addOption(wordOption('--to <TARGET>', listed(TARGETS, 'or'), TARGETS))
    .addOption(
      new Option(
        '--clients <ID,…>',
        'write `SKILL.md` folders to the project folders that these clients read (default: the target clients)',
      ).argParser((words) => words.split(',').map((word) => word.trim())),
    )
    .option('--out <DIR>', 'the folder for the results; without it, the result of a single file is printed')
    .addOption(
      wordOption('--report <FORMAT>', 'the format of the report on lost content: pretty or json', [
        'pretty',
        'json',
      ]).default('pretty'),
    )
    .option('--force', 'overwrite existing files, and `SKILL.md` folders that were edited')
    .option('--check', 'write nothing, and compare the `SKILL.md` folders with their sources')
    .option('--watch', 'keep running and convert again after each change; `q` quits')
    .addHelpText('after', CONVERT_STATUS)
    .action(
      commandAction<ConvertFlags>(async (files, options, console) => {
        assertNoFormat(
          'convert',
          options,
          '`--to` sets the format of the result, and `--report json` that of the report',
        );
        const isForClients = options.clients !== undefined || options.check || options.watch;
        const to = options.to ?? (isForClients ? 'agent-skill' : undefined);
        if (to === undefined) {
          throw new UserError(
            'Missing option `--to`. Write `--to skill-md`, `--to record`, `--to agent-skill` or `--to package`, or name the clients of the skills, such as `--clients codex`.',
          );
        }
        const { config, clients, out, report, force = false, check = false, quiet = false } = options;
        const onlyFolders = clients ? '--clients' : check ? '--check' : options.watch ? '--watch' : undefined;
        if (onlyFolders !== undefined && to !== 'agent-skill')
          throw new UserError(`\`${onlyFolders}\` requires \`--to agent-skill\`.`);
        assertNotCombined(options, '--check', 'because it writes nothing', ['--force']);
        assertNotCombined(options, '--watch', 'which applies to a single run', ['--check', '--config']);
        if (options.watch && report !== 'pretty')
          throw new UserError(
            '`--watch` cannot be used with `--report json`, which applies to a single run. Remove one of them.',
          );
        const cwd = await workingFolder(options);
        if (options.watch) {
          const { watchConversions } = await import('../watching/watch-conversions.ts');
          return watchConversions({ cwd, paths: files, clients, out, force, quiet }, console);
        }
        const { runConvert } = await import('./convert.ts');
        return runConvert({ cwd, files, config, to, clients, out, report, force, check, quiet }, console);
      }),
    );
}

const CONVERT_STATUS = `
Lost content is reported on stderr; with --out and --report json, on stdout.
Exit status: 0 converted, 1 the source has errors that the result may still have, two skills have one name, or \
--check found a difference, 2 invalid usage, or not converted.`;

interface ExportFlags extends CommonOptions {
  readonly to?: string;
  readonly out?: string;
  readonly profile?: string;
  readonly force?: true;
}

export function addExportCommand(program: Command): void {
  program
    .command('export')
    .description(
      "Writes a TypeScript project that runs a skill on LangGraph's server. The model and the tools are functions to fill in.",
    )
    .usage('FILE --to langgraph --out DIR [OPTION…]')
    .argument('<FILE>')
    .addOption(wordOption('--to <SERVER>', 'langgraph', ['langgraph']))
    .option('--out <DIR>', 'the folder for the project')
    .option(...CALLER)
    .option('--force', 'overwrite the folder `skill` of an earlier export, and keep the other files')
    .addHelpText('after', EXPORT_STATUS)
    .action(
      commandAction<ExportFlags>(async ([file = ''], options, console) => {
        assertNoFormat('export', options, 'it writes a project');
        const { config, to, out, profile, force = false, quiet = false } = options;
        if (to === undefined) throw new UserError('Missing option `--to`. Write `--to langgraph`.');
        if (out === undefined) throw new UserError('Missing option `--out`. Name a folder for the project.');
        const cwd = await workingFolder(options);
        const { runExport } = await import('./export.ts');
        return runExport({ cwd, file, config, out, profile, force, quiet }, console);
      }),
    );
}

const EXPORT_STATUS = `
Exit status: 0 the project was written, 1 the skill or a sample does not compose, 2 invalid usage, or nothing was \
written.`;
