/** The composing worker takes a while to start, so it is started before a preview is requested. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import type { Connection, DidOpenTextDocumentParams } from 'vscode-languageserver';
import { handleDocuments } from '../../../server/src/frontends/lsp/handlers/documents.ts';
import type { Composing } from '../../../server/src/services/composing/composing.ts';
import type { Session } from '../../../server/src/services/session/session.ts';

test('starts the composing worker when a file is open and the workspace was read', async () => {
  const order: string[] = [];
  let open: ((params: DidOpenTextDocumentParams) => void) | undefined;
  const ignore = () => {};
  const connection = {
    onDidOpenTextDocument: (handler: typeof open) => {
      open = handler;
    },
    onDidChangeTextDocument: ignore,
    onDidCloseTextDocument: ignore,
    onDidSaveTextDocument: ignore,
    onDidChangeWatchedFiles: ignore,
    onNotification: ignore,
  };
  let read: () => void = ignore;
  const session = {
    receive: ({ kind }: { readonly kind: string }) => order.push(kind),
    read: () =>
      new Promise<void>((resolve) => {
        read = resolve;
      }),
  };
  const warm = () => order.push('warm');
  handleDocuments(connection as unknown as Connection, session as unknown as Session, { warm } as unknown as Composing);
  open?.({ textDocument: { uri: 'file:///w/SKILL.md', languageId: 'skill', version: 1, text: '' } });
  assert.deepEqual(order, ['open']);
  read();
  await Promise.resolve();
  assert.deepEqual(order, ['open', 'warm']);
});
