/** Handles the requests that rewrite files: formatting, safe fixes and conversion. */
import {
  type CancellationToken,
  type Connection,
  DocumentFormattingRequest,
  DocumentOnTypeFormattingRequest,
  DocumentRangeFormattingRequest,
  LSPErrorCodes,
  ResponseError,
  type TextEdit,
} from 'vscode-languageserver';
import { Workspace } from '../../../analysis/workspace.ts';
import { FixAll, fixChoices } from '../../../features/actions/fix-all.ts';
import { lineDifferences } from '../../../features/difference.ts';
import { type Formatted, format, formatOnType } from '../../../features/format/format.ts';
import { ConvertRequest, DEFAULT_FILES, FixAllRequest, FixesRequest, type OfferedFix } from '../../../protocol.ts';
import { check } from '../../../rules/engine/check.ts';
import { SLICE, systemClock } from '../../../services/session/pacing.ts';
import type { Session } from '../../../services/session/session.ts';
import { SkillFile } from '../../../skill/skill-file.ts';
import { asTitle, lineStartsOf, rangeOf, span } from '../../../text.ts';
import { ON_TYPE } from '../capabilities.ts';
import type { ClientRequests, Registered } from '../client-requests.ts';
import { onRequest, skillRequests } from './guard.ts';
import type { FeatureSettings } from './read-settings.ts';

export function handleFormatting(connection: Connection, session: Session, settings: FeatureSettings): void {
  const onSkillRequest = skillRequests(connection, session);
  const { locate } = session;
  const answer = (file: SkillFile, make: () => Formatted): TextEdit[] => {
    if (!settings.formats) return [];
    const { edits, problem } = make();
    if (problem) connection.console.info(`${file.uri}: ${problem}`);
    return edits.map(({ span: place, newText }) => ({ range: locate.range(file, place), newText }));
  };
  onSkillRequest(DocumentFormattingRequest.type, (_, file) => answer(file, () => format(file)));
  onSkillRequest(DocumentRangeFormattingRequest.type, (_, file, { range }) =>
    answer(file, () => format(file, span(locate.offset(file, range.start), locate.offset(file, range.end)))),
  );
  onSkillRequest(DocumentOnTypeFormattingRequest.type, (_, file, { position }) =>
    answer(file, () => formatOnType(file, locate.offset(file, position))),
  );
}

/**
 * Registers formatting of the files that match the globs, except JSON, if the setting enables it, else unregisters it.
 */
export function formattingRegistration(
  requests: ClientRequests,
): (formats: boolean, globs?: readonly string[]) => void {
  let registered: Registered | undefined;
  let patterns = '';
  return (formats, globs = DEFAULT_FILES) => {
    const wanted = globs.filter((glob) => !glob.endsWith('.json'));
    if (formats === (registered !== undefined) && patterns === wanted.join()) return;
    patterns = wanted.join();
    registered?.dispose();
    // An editor asks the user to choose among several formatters, and it has its own formatter of JSON.
    const documentSelector = [{ scheme: 'untitled', language: 'skillmd' }, ...wanted.map((pattern) => ({ pattern }))];
    const capabilities = [
      { method: DocumentFormattingRequest.method, registerOptions: { documentSelector } },
      { method: DocumentRangeFormattingRequest.method, registerOptions: { documentSelector } },
      { method: DocumentOnTypeFormattingRequest.method, registerOptions: { documentSelector, ...ON_TYPE } },
    ];
    registered = formats ? requests.register('The client may not format skills.', capabilities) : undefined;
  };
}

export function handleFixAll(connection: Connection, session: Session): void {
  onRequest(connection, FixAllRequest, async ({ uri, also = [], leave = [] }, token) => {
    if (uri === undefined) await session.checked();
    else await session.catalogLoaded(uri);
    const uris = uri === undefined ? fixableFiles(session) : new Set([uri]);
    // The session's files do not change until the client has applied the edits.
    const workspace = new Workspace(session.analysis.index);
    const run = new FixAll(workspace, uris, { also: new Set(also), leave: new Set(leave) });
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
  onRequest(connection, FixesRequest, async (_, token) => {
    await session.checked();
    const { analysis, locate } = session;
    const pause = pausing(token);
    const offered: OfferedFix[] = [];
    for (const uri of fixableFiles(session)) {
      await pause();
      const file = analysis.file(uri);
      for (const { id, fix, finding } of file ? fixChoices(uri, check(file, analysis)) : []) {
        const range = locate.range(file as SkillFile, finding.span);
        offered.push({ id, uri, range, title: asTitle(fix.title), message: finding.message, isSafe: fix.safe });
      }
    }
    return offered;
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

export function handleConvert(connection: Connection, session: Session): void {
  onRequest(connection, ConvertRequest, async ({ uri, text: given, to }) => {
    await session.read();
    await session.catalogLoaded(uri);
    // Loaded only when a document is converted.
    const { convert } = await import('../../../exchange/convert.ts');
    const { analysis } = session;
    const text = analysis.file(uri)?.text ?? given;
    if (text === undefined) return null;
    const made = convert({ uri, text }, to, analysis);
    const lines = lineStartsOf(text);
    if ('problem' in made) {
      return { problem: made.problem, range: made.span === undefined ? null : rangeOf(lines, made.span) };
    }
    const lost = made.losses.map(({ what, span, why }) => ({ what, range: rangeOf(lines, span), why }));
    const linked = (made.linked ?? []).map(({ from, path }) => ({ from, path }));
    return { files: made.files, lost, along: made.copied?.from ?? null, linked };
  });
}
