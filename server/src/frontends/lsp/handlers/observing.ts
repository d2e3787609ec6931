/**
 * Runs installed clients for an editor (docs/observing.md, "In VS Code"), with the command line in a process of its own: it
 * reads the workspace again and waits for the client while the server works.
 */
import { delimiter, join, resolve } from 'node:path';
import type { CancellationToken, Connection } from 'vscode-languageserver';
import { toPath } from '../../../io/paths.ts';
import { runScript } from '../../../io/processes.ts';
import { type AssertInside, isReallyWithin } from '../../../io/real-path.ts';
import { UserError, userMessage } from '../../../io/user-error.ts';
import { type ListedClient, ObservableRequest, ObserveRequest, PlanObservingRequest } from '../../../protocol.ts';
import { leftOutText } from '../../../reports/observable.ts';
import { differencesIn, observedFromJson, observedSides, observedToMarkdown } from '../../../reports/observed.ts';
import { onRequest } from './guard.ts';
import { ownEnvironment } from './own-environment.ts';

export function handleObserving(
  connection: Connection,
  {
    trusted,
    assertInside,
    roots,
  }: Readonly<{ trusted: boolean; assertInside: AssertInside; roots: () => readonly string[] }>,
): void {
  let count = 0;
  let last:
    | { readonly plan: number; readonly folder: string; readonly words: readonly string[]; readonly program: string }
    | undefined;

  const answer = async <Reply>(work: () => Promise<Reply>): Promise<Reply | { readonly problem: string }> => {
    if (!trusted) return { problem: 'Clients are only run in a trusted workspace. Trust this workspace first.' };
    try {
      return await work();
    } catch (error) {
      return { problem: userMessage(error) };
    }
  };

  /** Runs `observe`, and returns what it printed as JSON. Throws a `UserError` with its message. */
  const observe = async (folder: string, words: readonly string[], token?: CancellationToken): Promise<string> => {
    const end = new AbortController();
    token?.onCancellationRequested(() => end.abort());
    const env = ownEnvironment(process.env);
    // A program of a workspace folder is never run.
    const path: string[] = [];
    for (const one of (env.PATH ?? '').split(delimiter)) if (!(await isReallyWithin(roots(), one))) path.push(one);
    const { status, output, errors } = await runScript(
      join(__dirname, 'cli.cjs'),
      ['observe', ...words, '--format', 'json'],
      {
        ...{ cwd: folder, env: { ...env, PATH: path.join(delimiter) }, signal: end.signal },
      },
    );
    if (status === 0 || status === 1) return output;
    if (end.signal.aborted) throw new UserError('The run was cancelled. The client was ended with its processes.');
    throw new UserError(problemIn(errors));
  };

  /** Throws a `UserError` if a program is in a workspace folder, also through a link from elsewhere. */
  const assertOutside = async (program: string): Promise<void> => {
    if (await isReallyWithin(roots(), program)) throw new UserError(inWorkspace(program));
  };

  const folderOf = async (uri: string): Promise<string> => {
    const folder = resolve(toPath(uri));
    await assertInside(folder);
    return folder;
  };

  onRequest(connection, ObservableRequest, ({ folder }) =>
    answer(async () => {
      const { clients } = JSON.parse(await observe(await folderOf(folder), [])) as { readonly clients: ListedClient[] };
      const listed = clients.map(async (one): Promise<ListedClient> => {
        if (!('program' in one) || one.program === null || !(await isReallyWithin(roots(), one.program))) return one;
        return { id: one.id, name: one.name, reason: inWorkspace(one.program) };
      });
      return { clients: await Promise.all(listed) };
    }),
  );

  onRequest(connection, PlanObservingRequest, ({ folder, client, others }) =>
    answer(async () => {
      const path = await folderOf(folder);
      const words = [client, ...(others.length > 0 ? ['--with', others.join(',')] : [])];
      const { client: named, leftOut, ...plan } = JSON.parse(await observe(path, [...words, '--dry-run']));
      await assertOutside(plan.program);
      last = { plan: ++count, folder: path, words, program: plan.program };
      return { ...plan, ...named, plan: last.plan, leftOut: leftOutText(leftOut) };
    }),
  );

  onRequest(connection, ObserveRequest, ({ plan }, token) =>
    answer(async () => {
      const shown = last;
      last = undefined;
      if (shown?.plan !== plan) throw new UserError('The plan of this run is out of date. Run the command again.');
      await assertOutside(shown.program);
      const words = [...shown.words, '--yes', '--program', shown.program];
      const report = observedFromJson(await observe(shown.folder, words, token));
      const texts = [...report.list, ...report.delivered];
      return {
        ...observedSides(report),
        ...{ name: report.client.name, differences: differencesIn(report), texts: texts.length },
        unknown: texts.filter(({ verdict }) => verdict === 'unknown').length,
        report: observedToMarkdown(report),
      };
    }),
  );
}

const inWorkspace = (program: string): string =>
  `\`${program}\` is in a workspace folder. A program in a workspace folder is never started.`;

/** Returns the message of the command line, which is its last line with this prefix. Other lines are those of Node.js. */
export const problemIn = (errors: string): string =>
  [...errors.matchAll(/^skill-composer: (.+)$/gm)].at(-1)?.[1]?.trimEnd() ?? 'The run was ended.';
