/**
 * The heap that an indexed skill keeps in the server, once its findings are known. Run with `--expose-gc`, as a process
 * of its own.
 */
import { pathToFileURL } from 'node:url';
import { nodeFiles } from '../server/src/hosts/node-files.ts';
import { createTexts } from '../server/src/hosts/texts.ts';
import { check } from '../server/src/rules/check.ts';
import { unread } from '../server/src/skill/document.ts';
import { Workspace } from '../server/src/workspace/workspace.ts';

/** Bytes of heap per byte of file. */
export async function keptPerByte(paths: readonly string[]): Promise<number> {
  const workspace = new Workspace();
  const texts = createTexts(nodeFiles, () => {});
  let bytes = 0;
  const read = async (path: string): Promise<void> => {
    const uri = pathToFileURL(path).href;
    const taken = await texts.take(uri);
    if (!taken) return;
    bytes += Buffer.byteLength(taken.text);
    workspace.apply({ kind: 'text', uri, ...taken });
  };
  const checkAll = async (): Promise<void> => {
    for (const document of workspace.index().documents.values()) {
      check(workspace.index(), unread(document));
      // What is held weakly goes only when the code that used it has come to its end.
      await turn();
    }
  };
  workspace.apply({ kind: 'partial', partial: true });
  // The first files pay for what all of them share.
  for (const path of paths.slice(0, 100)) await read(path);
  await checkAll();
  const before = await heap();
  bytes = 0;
  for (const path of paths.slice(100)) await read(path);
  workspace.apply({ kind: 'partial', partial: false });
  await checkAll();
  return ((await heap()) - before) / bytes;
}

const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

async function heap(): Promise<number> {
  for (let times = 0; times < 3; times++) {
    await turn();
    globalThis.gc?.();
  }
  return process.memoryUsage().heapUsed;
}
