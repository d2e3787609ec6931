/** `skill-composer dap`: the debug adapter on standard input and output (docs/debugging.md). */

import { keptReader } from '../../io/kept-reader.ts';
import { absolute, isUri, toPath, toUri } from '../../io/paths.ts';
import { openProject } from '../../io/project.ts';
import { NO_PROGRESS } from '../../io/stderr.ts';
import { UserError } from '../../io/user-error.ts';
import type { RunQuery, RunReply } from '../../protocol.ts';
import { createComposing } from '../../services/composing/composing.ts';
import { startNodeWorker } from '../../services/composing/node-worker.ts';
import { SkillDebugSession } from '../../services/debugging/adapter.ts';
import { runRequestFor } from '../../services/testing/run-request.ts';
import { type CommandWords, limitReached, modelOf } from '../../services/testing/runner.ts';

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
