/**
 * The heap that an indexed skill keeps in the server. Run as a process of its own, with `--expose-gc`, and without optimizing
 * compilers: the code that they go on making is no skill's.
 */
import { pathToFileURL } from 'node:url';
import { diagnostics } from '../server/src/features/diagnostics.ts';
import { utf16 } from '../server/src/features/locate.ts';
import { nodeFiles } from '../server/src/hosts/node-files.ts';
import { createTexts } from '../server/src/hosts/texts.ts';
import { unread } from '../server/src/skill/document.ts';
import { Workspace } from '../server/src/workspace/workspace.ts';
import { reportsOf } from '../test/reports.ts';

/** Bytes of heap per byte of file. */
export interface Kept {
  /** What is known of a skill that has been read and judged. */
  readonly index: number;
  /** The same, with what was said of it. */
  readonly withFindings: number;
}

export async function keptPerByte(paths: readonly string[]): Promise<Kept> {
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
  const judge = (uri: string) => {
    const document = workspace.index().documents.get(uri);
    return document ? diagnostics(workspace.index(), unread(document), utf16) : [];
  };
  const judgeAll = async (): Promise<void> => {
    for (const uri of workspace.index().documents.keys()) {
      judge(uri);
      // What is held weakly goes only when the code that used it has come to its end.
      await turn();
    }
  };
  const reports = reportsOf(workspace, judge);
  const sayAll = async (): Promise<void> => {
    reports.mark('all');
    await reports.settled();
  };
  workspace.apply({ kind: 'partial', partial: true });
  // Every second one pays for what all of them share; side by side in a folder stand those of one kind.
  const [first, rest] = [0, 1].map((half) => paths.filter((_, at) => at % 2 === half));
  for (const path of first ?? []) await read(path);
  // What rules over the graph need for themselves is no skill's either.
  workspace.apply({ kind: 'partial', partial: false });
  await judgeAll();
  await sayAll();
  const before = await heap();
  bytes = 0;
  workspace.apply({ kind: 'partial', partial: true });
  for (const path of rest ?? []) await read(path);
  workspace.apply({ kind: 'partial', partial: false });
  await judgeAll();
  const indexed = await heap();
  await sayAll();
  const kept = await heap();
  return { index: (indexed - before) / bytes, withFindings: (kept - before) / bytes };
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
