/**
 * Returns the safe fixes of a file or of the workspace as edits for the client, and the number of remaining findings.
 */
import { type CancellationToken, type Connection, LSPErrorCodes, ResponseError } from 'vscode-languageserver';
import { Workspace } from '../../../analysis/workspace.ts';
import { FixAll } from '../../../features/actions/fix-all.ts';
import { lineDifferences } from '../../../features/difference.ts';
import { FixAllRequest, onRequest } from '../../../protocol.ts';
import { SkillFile } from '../../../skill/skill-file.ts';
import { systemClock } from '../../session/clock.ts';
import { SLICE } from '../../session/pacing.ts';
import type { Session } from '../../session/session.ts';

export function handleFixAll(connection: Connection, session: Session): void {
  onRequest(connection, FixAllRequest, async ({ uri }, token) => {
    if (uri === undefined) await session.checked();
    else await session.catalogLoaded(uri);
    const uris = uri === undefined ? fixableFiles(session) : new Set([uri]);
    // The session's files do not change until the client has applied the edits.
    const workspace = new Workspace(session.analysis.index);
    const run = new FixAll(workspace, uris);
    const pause = pausing(token);
    for (let next = run.next(); next !== undefined; next = run.next()) {
      await pause();
      const fixed = run.fix(next);
      if (fixed) run.applyFixed(next, fixed);
    }
    const files = [...run.before].flatMap(([changed, before]) => {
      const edits = editsOf(session, changed, before, workspace.index.files.get(changed)?.text ?? before);
      return edits.length > 0 ? [{ uri: changed, before: withoutMark(before), edits }] : [];
    });
    return { files, fixes: run.fixes, left: run.left };
  });
}

/** Returns the files that may be fixed. Closed files of the account are excluded, because all workspaces use them. */
const fixableFiles = (session: Session): ReadonlySet<string> =>
  new Set([...session.analysis.index.files.keys()].filter((uri) => !session.isHidden(uri)));

/** Returns the edits with ranges in the editor's text, which has no byte order mark. */
function editsOf({ locate }: Session, uri: string, before: string, after: string) {
  const file = new SkillFile(uri, withoutMark(before));
  return lineDifferences(file.text, withoutMark(after)).map(({ span, newText }) => ({
    range: locate.range(file, span),
    newText,
  }));
}

const withoutMark = (text: string): string => text.replace(/^\ufeff/, '');

/**
 * Returns a function that lets the server handle other messages after each slice of time. The function throws if
 * the client has cancelled the request.
 */
function pausing(token: CancellationToken): () => Promise<void> {
  let end = systemClock.now() + SLICE;
  return async () => {
    if (systemClock.now() < end) return;
    await new Promise<void>((resolve) => systemClock.soon(resolve));
    if (token.isCancellationRequested) throw new ResponseError(LSPErrorCodes.RequestCancelled, 'Cancelled.');
    end = systemClock.now() + SLICE;
  };
}
