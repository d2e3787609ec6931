/** Keeping a request as a routing case: edits of the skill, or a file in the `evals/` of a `SKILL.md`. */
import { type Connection, LSPErrorCodes, ResponseError } from 'vscode-languageserver';
import { keepRoutingCase } from '../../features/keep-routing-case.ts';
import { type KeepPromptReply, type KeepRoutingCaseParams, KeepRoutingCaseRequest } from '../../protocol.ts';
import { type EvalsFile, keepTrigger } from '../../testing/keep-trigger.ts';
import { folderOf } from '../../vocabulary/dialect.ts';
import { resolvePath } from '../../workspace/links.ts';
import type { Files } from '../disk/files.ts';
import type { Session } from '../session/session.ts';

/** Longer requests are not judged, so they are not kept. */
const MAX_REQUEST = 300;

export function handleRoutingCases(
  connection: Connection,
  session: Session,
  files: Files,
  readKept: (uri: string) => Promise<string | undefined>,
): void {
  const readEvals = async (folder: string): Promise<readonly EvalsFile[]> => {
    const names = (await files.list(folder)).filter(({ name, isFolder }) => !isFolder && name.endsWith('.json'));
    const read = names.map(async ({ name }) => ({ name, text: await readKept(resolvePath(folder, name)) }));
    return (await Promise.all(read)).flatMap(({ name, text }) => (text === undefined ? [] : [{ name, text }]));
  };
  const keep = async ({ uri, request: asked, should }: KeepRoutingCaseParams): Promise<KeepPromptReply> => {
    const request = asked.trim().replace(/\s+/g, ' ');
    if (request === '') return { problem: 'An empty request leads nowhere: write one first.' };
    if (request.length > MAX_REQUEST) {
      return { problem: `A routing case has at most ${MAX_REQUEST} characters: shorten the request.` };
    }
    const file = session.analysis.file(uri);
    if (!file?.isSkill || file.dialect === 'catalog') return { problem: 'This file is no skill.' };
    const version = session.version(uri);
    if (file.dialect !== 'agent-skill') {
      const kept = keepRoutingCase(file, request, should);
      if ('problem' in kept) return kept;
      const edits = kept.edits.map(({ span, newText }) => ({ range: session.locate.range(file, span), newText }));
      return { version, edits, kept: null };
    }
    const folder = resolvePath(folderOf(uri), 'evals');
    const kept = keepTrigger(await readEvals(folder), request, should);
    if (kept === 'there') return { version, edits: [], kept: null };
    if ('problem' in kept) return kept;
    return { version, edits: [], kept: { uri: resolvePath(folder, kept.name), text: kept.text } };
  };
  connection.onRequest<KeepPromptReply, void>(KeepRoutingCaseRequest, (params: KeepRoutingCaseParams) =>
    keep(params).catch((error: unknown) => {
      throw new ResponseError(LSPErrorCodes.RequestFailed, error instanceof Error ? error.message : String(error));
    }),
  );
}
