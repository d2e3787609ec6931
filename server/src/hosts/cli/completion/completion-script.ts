/** The script that completes the program's command lines in a shell. */
import type { Command } from 'commander';
import { toBash } from './bash.ts';
import { completedCommands } from './completed.ts';
import { toFish } from './fish.ts';
import type { Shell } from './shells.ts';
import { toZsh } from './zsh.ts';

export { SHELLS } from './shells.ts';

const SCRIPTS = { bash: toBash, zsh: toZsh, fish: toFish };

export const completionScript = (program: Command, shell: Shell): string => SCRIPTS[shell](completedCommands(program));
