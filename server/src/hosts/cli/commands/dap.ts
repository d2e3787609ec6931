/** `skill-composer dap`: the debug adapter on standard input and output (docs/debugging.md). */
import type { RunQuery, RunReply } from '../../../protocol.ts';
import { createComposing } from '../../composing/composing.ts';
import { SkillDebugSession } from '../../dap/adapter.ts';
import { startNodeWorker } from '../../node/node-worker.ts';
import { absolute, isUri, toPath, toUri } from '../../node/paths.ts';
import { openProject } from '../../node/project.ts';
import { NO_PROGRESS } from '../../node/stderr.ts';
import { runRequestFor } from '../../testing/run-request.ts';
import { UserError } from '../../user-error.ts';
import { type CommandWords, limitReached, modelOf } from '../testing/runner.ts';
import { keptReader } from '../testing/watch-tests.ts';

export interface DapOptions extends CommandWords {
  readonly cwd: string;
  readonly config: string | undefined;
}

/**
 * Serves one debug session. Resolves when the client disconnects or closes the input. Throws a `UserError` for an invalid
 * `--runner`.
 */
export function runDap({ cwd, config, ...words }: DapOptions): Promise<void> {
  const model = modelOf(words, cwd);
  /** The number of requests to the model since the last launch or restart. */
  let requests = 0;
  const failure = (code: string, message: string): RunReply => ({ kind: 'failure', code, message });
  const ask = async (query: RunQuery, signal: AbortSignal): Promise<RunReply> => {
    if (query.kind === 'tool') {
      const advice = `Add the result of \`${query.tool}\` under \`stubs\` of the sample.`;
      return failure('TOOL_FAILED', `Tools are not called. ${advice}`);
    }
    if (!model || requests >= model.most) return failure('MODEL_FAILED', model ? limitReached(model) : '');
    requests++;
    return model.ask(query, signal);
  };
  const composing = createComposing(startNodeWorker());
  composing.warm('run');
  return new Promise((resolve) => {
    const session = new SkillDebugSession({
      prepare: async (launch) => {
        requests = 0;
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
      ...(model && { ask }),
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
