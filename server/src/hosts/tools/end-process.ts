/** Ends a process together with all that it has started. */
import { spawnSync } from 'node:child_process';
import { win32 } from 'node:path';

/** What the operating system offers for it; tests give others. */
export interface System {
  readonly platform: NodeJS.Platform;
  readonly kill: (pid: number, signal: NodeJS.Signals) => void;
  readonly run: (program: string, args: readonly string[]) => void;
}

const here: System = {
  platform: process.platform,
  kill: (pid, signal) => void process.kill(pid, signal),
  run: (program, args) => void spawnSync(program, args, { stdio: 'ignore', windowsHide: true }),
};

/** Whether a process can have a group of its own, which is ended as a whole. */
export const CAN_GROUP = here.platform !== 'win32';

/** `pid` is that of a process with a group of its own, where there are groups. Never throws. */
export function endProcess(pid: number, signal: NodeJS.Signals, { platform, kill, run }: System = here): void {
  if (platform === 'win32') {
    // Windows knows of no request to end, and who has started whom only while both are there.
    run(win32.join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', 'taskkill.exe'), [
      '/PID',
      `${pid}`,
      '/T',
      '/F',
    ]);
    return;
  }
  try {
    kill(-pid, signal);
  } catch {
    // It has ended by itself.
  }
}
