/** The tests of skills: which there are, what comes of them, and what keeps a prompt as the expected one. */
import { type Connection, LSPErrorCodes, ResponseError } from 'vscode-languageserver';
import { withRanges } from '../../features/preview/with-ranges.ts';
import {
  type KeepPromptParams,
  type KeepPromptReply,
  KeepPromptRequest,
  type RunTestsParams,
  type RunTestsReply,
  RunTestsRequest,
  type TestsParams,
  type TestsReply,
  TestsRequest,
} from '../../protocol.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { listTests } from '../../testing/list-tests.ts';
import { folderOf, nameFromUri } from '../../vocabulary/dialect.ts';
import type { Composing } from '../composing/composing.ts';
import type { Files } from '../disk/files.ts';
import type { Shown } from '../handlers/client.ts';
import type { Session } from '../session/session.ts';
import { handleRoutingCases } from './handle-routing-cases.ts';
import { promptToKeep } from './keep-prompt.ts';
import { testSkill } from './test-skill.ts';

export function handleTests(
  connection: Connection,
  session: Session,
  composing: Composing,
  files: Files,
  shown: Shown,
): void {
  const { locate } = session;
  /** One after another: of two compositions of one sample the older would have no result. */
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Reply>(work: () => Promise<Reply>): Promise<Reply> => {
    const done = last.then(work).catch((error: unknown) => {
      throw new ResponseError(LSPErrorCodes.RequestFailed, error instanceof Error ? error.message : String(error));
    });
    last = done.catch(() => undefined);
    return done;
  };
  const skillAt = async (uri: string): Promise<SkillFile | undefined> => {
    if (!session.analysis.file(uri)) await session.read();
    await session.governed(uri);
    const file = session.analysis.file(uri);
    return file?.isSkill && file.dialect !== 'catalog' ? file : undefined;
  };
  const listed = (file: SkillFile): TestsReply => {
    const { uri, contract, frontmatter } = file;
    const place = <Place extends { readonly span: { readonly start: number; readonly end: number } }>({
      span,
      ...rest
    }: Place) => ({ ...rest, range: locate.range(file, span) });
    return {
      uri,
      name: contract.name?.name ?? nameFromUri(uri),
      range: locate.range(file, contract.name?.span ?? { start: 0, end: 0 }),
      tests: frontmatter.tree.broken
        ? null
        : listTests(file).map((test) => ({ ...place(test), semantic: test.semantic.map(place) })),
    };
  };
  const readKept = async (uri: string): Promise<string | undefined> => {
    const content = await files.read(uri, { folders: [], readsItself: () => false });
    if (content.kind === 'text') return content.text;
    if (content.kind === 'absent') return undefined;
    throw new Error(`\`${decodeURIComponent(uri.slice(folderOf(folderOf(uri)).length + 1))}\` cannot be read.`);
  };

  handleRoutingCases(connection, session, files, readKept);

  connection.onRequest<TestsReply | null, void>(TestsRequest, async ({ uri }: TestsParams) => {
    const file = await skillAt(uri);
    return file ? listed(file) : null;
  });

  connection.onRequest<RunTestsReply | null, void>(
    RunTestsRequest,
    ({ uri, only, filter, snapshots = false }: RunTestsParams, token) =>
      inTurn(async () => {
        shown.compositions = true;
        const file = await skillAt(uri);
        if (!file || token.isCancellationRequested) return null;
        const { analysis } = session;
        const options = { composing, readKept, files, snapshots, filter, only: only && new Set(only) };
        const tests = await testSkill(analysis, uri, options);
        const results =
          tests &&
          withRanges(
            analysis,
            locate,
            tests.results.map((one) => ({ ...one, uri })),
          );
        return { ...listed(file), results: results ?? null };
      }),
  );

  connection.onRequest<KeepPromptReply, void>(KeepPromptRequest, ({ uri, sample }: KeepPromptParams) =>
    inTurn(async () => {
      const file = await skillAt(uri);
      if (!file) return { problem: 'This file is no skill, so it has no prompt to keep.' };
      const version = session.version(uri);
      const found = await promptToKeep(session.analysis, uri, sample, { composing, readKept, files });
      if ('problem' in found) return found;
      const edits = found.edits.map(({ span, newText }) => ({ range: locate.range(file, span), newText }));
      return { version, edits, kept: found.kept ?? null };
    }),
  );
}
