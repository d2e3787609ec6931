/**
 * Runs installed clients for an editor (docs/observing.md, "In VS Code"), with the command line in a process of its own: it
 * reads the workspace again and waits for the client while the server works.
 */
import { delimiter, join, resolve } from 'node:path';
import type { CancellationToken, Connection } from 'vscode-languageserver';
import { isWithin, toPath } from '../../../io/paths.ts';
import { runScript } from '../../../io/processes.ts';
import type { AssertInside } from '../../../io/real-path.ts';
import { UserError, userMessage } from '../../../io/user-error.ts';
import { ObservableRequest, ObserveRequest, PlanObservingRequest } from '../../../protocol.ts';
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
  let last: { readonly plan: number; readonly client: string; readonly folder: string } | undefined;

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
    const path = (env.PATH ?? '').split(delimiter).filter((one) => !roots().some((root) => isWithin(root, one)));
    const { status, output, errors } = await runScript(
      join(__dirname, 'cli.cjs'),
      ['observe', ...words, '--format', 'json'],
      {
        ...{ cwd: folder, env: { ...env, PATH: path.join(delimiter) }, signal: end.signal },
      },
    );
    if (status === 0 || status === 1) return output;
    if (end.signal.aborted) throw new UserError('The run was cancelled. The client was ended with its processes.');
    throw new UserError(
      errors
        .trimEnd()
        .split('\n')
        .at(-1)
        ?.replace(/^skill-composer: /, '') || 'The run was ended.',
    );
  };

  const folderOf = async (uri: string): Promise<string> => {
    const folder = resolve(toPath(uri));
    await assertInside(folder);
    return folder;
  };

  onRequest(connection, ObservableRequest, ({ folder }) =>
    answer(async () => JSON.parse(await observe(await folderOf(folder), []))),
  );

  onRequest(connection, PlanObservingRequest, ({ folder, client }) =>
    answer(async () => {
      const path = await folderOf(folder);
      const { client: named, leftOut, ...plan } = JSON.parse(await observe(path, [client, '--dry-run']));
      last = { plan: ++count, client, folder: path };
      return { ...plan, ...named, plan: last.plan, leftOut: leftOutText(leftOut) };
    }),
  );

  onRequest(connection, ObserveRequest, ({ plan, others }, token) =>
    answer(async () => {
      const shown = last;
      last = undefined;
      if (shown?.plan !== plan) throw new UserError('The plan of this run is out of date. Run the command again.');
      const asked = others.length > 0 ? ['--with', others.join(',')] : [];
      const report = observedFromJson(await observe(shown.folder, [shown.client, '--yes', ...asked], token));
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
