/** The heap that an indexed skill keeps, once its findings are known. Run with `--expose-gc`, as a process of its own. */
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { check } from '../server/src/rules/check.ts';
import { unread } from '../server/src/skill/document.ts';
import { Workspace } from '../server/src/workspace/workspace.ts';

/** Bytes of heap per byte of file. */
export async function keptPerByte(paths: readonly string[]): Promise<number> {
  const workspace = new Workspace();
  let bytes = 0;
  const read = (path: string): void => {
    const text = readFileSync(path, 'utf8');
    bytes += Buffer.byteLength(text);
    workspace.apply({ kind: 'text', uri: pathToFileURL(path).href, text });
  };
  const checkAll = (): void => {
    for (const document of workspace.index().documents.values()) check(workspace.index(), unread(document));
  };
  workspace.apply({ kind: 'partial', partial: true });
  // The first files pay for what all of them share.
  for (const path of paths.slice(0, 100)) read(path);
  checkAll();
  const before = await heap();
  bytes = 0;
  for (const path of paths.slice(100)) read(path);
  workspace.apply({ kind: 'partial', partial: false });
  checkAll();
  return ((await heap()) - before) / bytes;
}

/** What is held weakly goes only when the code that used it has come to its end. */
async function heap(): Promise<number> {
  for (let times = 0; times < 3; times++) {
    await new Promise((resolve) => void setImmediate(resolve));
    globalThis.gc?.();
  }
  return process.memoryUsage().heapUsed;
}
