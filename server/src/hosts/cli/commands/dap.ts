/** `skill-composer dap`: the debug adapter on standard input and output (docs/debugging.md). */
import { createComposing } from '../../composing/composing.ts';
import { SkillDebugSession } from '../../dap/adapter.ts';
import { startNodeWorker } from '../../node/node-worker.ts';
import { absolute, isUri, toPath, toUri } from '../../node/paths.ts';
import { openProject } from '../../node/project.ts';
import { NO_PROGRESS } from '../../node/stderr.ts';
import { runRequestFor } from '../../testing/run-request.ts';
import { UserError } from '../../user-error.ts';
import { keptReader } from '../testing/watch-tests.ts';

export interface DapOptions {
  readonly cwd: string;
  readonly config: string | undefined;
}

/** Serves one debug session. Resolves when the client disconnects or closes the input. */
export function runDap({ cwd, config }: DapOptions): Promise<void> {
  const composing = createComposing(startNodeWorker());
  composing.warm('run');
  return new Promise((resolve) => {
    const session = new SkillDebugSession({
      prepare: async (launch) => {
        const path = isUri(launch.program) ? toPath(launch.program) : absolute(cwd, launch.program);
        const project = await openProject({ cwd, paths: [path], config, progress: NO_PROGRESS });
        const { analysis } = project.workspace;
        const uri = toUri(path);
        if (!project.named.has(uri)) throw new UserError(`\`${launch.program}\` is not a skill file.`);
        const target = { ...launch, uri };
        return {
          ...(await runRequestFor(analysis, target, keptReader(project))),
          text: (of) => analysis.index.files.get(of)?.text,
        };
      },
      run: (request) => composing.run('debug', request),
      evaluate: (questions) => composing.evaluate(questions),
      ended: () => {
        composing.dispose();
        // An open input keeps the process running.
        process.stdin.destroy();
        resolve();
      },
    });
    // The library would end the process after an invalid message.
    session.removeAllListeners('error');
    session.on('error', () => {});
    process.stdin.on('end', () => session.end());
    session.start(process.stdin, process.stdout);
  });
}
