/** Pulls tools for an editor: the servers are shown first, and only shown servers are started. */

import { dirname, resolve } from 'node:path';
import type { Connection } from 'vscode-languageserver';
import { isBelow } from '../../../io/globs.ts';
import { toPath } from '../../../io/paths.ts';
import type { AssertInside } from '../../../io/real-path.ts';
import { userMessage } from '../../../io/user-error.ts';
import { PullToolsRequest, ToolServersRequest } from '../../../protocol.ts';
import type { Session } from '../../../services/session/session.ts';
import { shownPath } from '../../../services/tools/plan.ts';
import { LIMITS, loadAskServer } from '../../../services/tools/pull.ts';
import {
  askAll,
  catalogSources,
  isBreaking,
  missedLines,
  type PlannedCatalog,
  planCatalogs,
  pullLines,
  serversToStart,
  updateSnapshot,
} from '../../../services/tools/pull-catalogs.ts';
import { onRequest } from './guard.ts';
import { ownEnvironment } from './own-environment.ts';

interface ShownPlan {
  readonly id: number;
  readonly folder: string;
  readonly planned: readonly PlannedCatalog[];
}

export function handlePull(
  connection: Connection,
  session: Session,
  { trusted, assertInside }: { readonly trusted: boolean; readonly assertInside: AssertInside },
): void {
  let count = 0;
  let last: ShownPlan | undefined;
  const answer = async <Reply>(work: () => Promise<Reply>): Promise<Reply | { readonly problem: string }> => {
    if (!trusted)
      return { problem: 'Servers can only be started and called in a trusted workspace. Trust this workspace first.' };
    try {
      return await work();
    } catch (error) {
      return { problem: userMessage(error) };
    }
  };

  onRequest(connection, ToolServersRequest, ({ folder, inputs }) =>
    answer(async () => {
      await session.read();
      const root = resolve(toPath(folder));
      await assertInside(root);
      const options = {
        inputs: new Map(Object.entries(inputs ?? {})),
        environment: ownEnvironment(process.env),
        shown: shownPath(root),
      };
      const sources = catalogSources(session.analysis, toPath, (uri) => isBelow(uri, [folder]));
      // An open catalog can be in a linked folder.
      for (const { path } of sources) await assertInside(dirname(path));
      const planned = await planCatalogs(sources, options);
      last = { id: ++count, folder: root, planned };
      return {
        plan: last.id,
        servers: serversToStart(planned),
        inputs: planned
          .flatMap(({ plan }) => plan.inputs)
          .map(({ description, initial, options, ...input }) => ({
            ...input,
            description: description ?? null,
            initial: initial ?? null,
            options: options ?? null,
          })),
      };
    }),
  );

  onRequest(connection, PullToolsRequest, ({ plan }) =>
    answer(async () => {
      const shown = last;
      last = undefined;
      if (shown?.id !== plan) return { problem: 'The list of servers is out of date. Run the command again.' };
      const pulled = await askAll(shown.planned, await loadAskServer(), LIMITS, () => undefined);
      const options = { check: false, shown: shownPath(shown.folder), assertInside };
      const fileOf = (uri: string): string => options.shown(toPath(uri));
      const catalogs = [];
      for (const one of pulled) catalogs.push(await updateSnapshot(session.analysis, one, options, fileOf));
      return {
        tools: pulled.reduce((sum, { pull }) => sum + pull.snapshot.tools.length, 0),
        lines: catalogs.flatMap(pullLines),
        missed: catalogs.flatMap(missedLines),
        breaking: catalogs.flatMap(({ changes }) => changes.filter(isBreaking)).length,
      };
    }),
  );
}
