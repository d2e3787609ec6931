/** `skill-composer install`. */

import { assertCatalogsParse, openProject } from '../../../io/project.ts';
import { UserError } from '../../../io/user-error.ts';
import { isAsLocked } from '../../../packing/checked-skill.ts';
import { printLock } from '../../../packing/lock.ts';
import type { InstallView } from '../../../protocol/packing.ts';
import { checkToPretty, previewToPretty } from '../../../reports/install.ts';
import { printedJson } from '../../../reports/json.ts';
import { applyInstall, conflictsIn } from '../../../services/packing/apply.ts';
import { diskFolder } from '../../../services/packing/disk-folder.ts';
import { checkInstalled } from '../../../services/packing/installed.ts';
import { type Prepared, prepareInstall } from '../../../services/packing/prepare.ts';
import type { Console } from '../console.ts';

export interface InstallCommand {
  readonly cwd: string;
  readonly source: string | undefined;
  readonly config: string | undefined;
  readonly format: 'pretty' | 'json';
  readonly to: string | undefined;
  readonly names: readonly string[];
  readonly yes: boolean;
  readonly force: boolean;
  readonly check: boolean;
  /** True to print nothing if there is nothing to report. */
  readonly quiet: boolean;
}

/** Installs or checks. Returns the exit status 0 or 1. Throws a `UserError` for status 2. */
export async function runInstall(command: InstallCommand, console: Console): Promise<number> {
  const { cwd, source, config, check } = command;
  if (source === undefined && !check)
    throw new UserError('`install` requires a source. Name a file, a folder or an archive.');
  const folder = diskFolder(cwd, console.note);
  const readIndex = async () => {
    const { progress } = console;
    const opened = openProject({ cwd, paths: [], config, progress, mayBeEmpty: true });
    const project = await opened.finally(() => progress.end());
    assertCatalogsParse(project);
    return project.workspace.index;
  };
  if (source === undefined) return checkAll(command, await checkInstalled(folder, await readIndex()), console);
  const { to, names } = command;
  const prepare = async () => prepareInstall({ folder, index: await readIndex(), source, to, names });
  if (check) return checkSource(command, await prepare(), console);
  // Without a question, the command holds the turn from the reading of the lock file until the file is written.
  if (command.yes) return folder.alone(async () => install(command, await prepare(), console));
  await folder.settle();
  return install(command, await prepare(), console);
}

function checkAll(
  { format, quiet }: InstallCommand,
  checked: Awaited<ReturnType<typeof checkInstalled>>,
  console: Console,
): number {
  const isFine = checked.every(isAsLocked);
  if (format === 'json') {
    console.print(
      printedJson({ version: 1, ok: isFine, skills: checked.map((one) => ({ ...one, ok: isAsLocked(one) })) }),
    );
  } else if (!isFine || !quiet) console.print(checkToPretty(checked, console.colors));
  return isFine ? 0 : 1;
}

/** Reports what an update would change. Returns 1 if anything would change, else 0. */
function checkSource(command: InstallCommand, prepared: Prepared, console: Console): number {
  const isSame = isDone(prepared);
  if (!isSame || !command.quiet) show(command, prepared, console);
  return isSame ? 0 : 1;
}

const isDone = ({ view }: Prepared): boolean =>
  view.files.every(({ state }) => state === 'same') && view.skills.every(({ state }) => state === 'same');

async function install(command: InstallCommand, prepared: Prepared, console: Console): Promise<number> {
  const { format, yes, force, source = '' } = command;
  if (format === 'json' || !command.quiet) show(command, prepared, console);
  if (prepared.view.conflicts.length > 0 && !force) throw conflictsIn(prepared);
  const isSame = isDone(prepared) && printLock(prepared.nextLock) === prepared.lockFile.text;
  if (!yes && !isSame) {
    const consent = await console.confirm(questionFor(prepared.view));
    if (consent === undefined) {
      throw new UserError(
        'Not installed: no terminal is available to confirm. Check the preview, then run with `--yes`.',
      );
    }
    if (!consent) {
      console.note('Nothing was installed.');
      return 1;
    }
  }
  const written = await applyInstall(prepared, force);
  if (format === 'json') return 0;
  if (written.length === 0) console.note(`\`${source}\` is already installed and up to date.`);
  else console.note(`Installed from \`${source}\`: ${amount(written.length, 'file')} changed.`);
  return 0;
}

const amount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

function questionFor({ skills, conversion }: InstallView): string {
  const writing = skills.filter(({ writes, state }) => writes && state !== 'affected').length;
  const own = skills.filter(({ state }) => state !== 'affected').length;
  const automatic = new Set(skills.flatMap((skill) => skill.automatic.map(({ path }) => path))).size;
  const asides = [
    ...(writing > 0 ? [`${writing} may write`] : []),
    ...(automatic > 0
      ? [`${amount(automatic, 'file')} ${automatic === 1 ? 'runs by itself' : 'run by themselves'}`]
      : []),
  ];
  const aside = asides.length > 0 ? ` (${asides.join(', ')})` : '';
  return `${conversion ? 'Convert and install' : 'Install'} ${amount(own, 'skill')}${aside}?`;
}

function show({ format }: InstallCommand, { view }: Prepared, console: Console): void {
  console.print(format === 'json' ? printedJson({ version: 1, ...view }) : previewToPretty(view, console.colors));
}
