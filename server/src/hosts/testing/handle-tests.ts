/** The tests of skills: which there are, what comes of them, and what keeps a prompt as the expected one. */
import { type Connection, LSPErrorCodes, ResponseError } from 'vscode-languageserver';
import { mapPlaces } from '../../features/preview/with-ranges.ts';
import {
  type GivenOutput,
  type KeepPromptParams,
  type KeepPromptReply,
  KeepPromptRequest,
  type ModelRunsParams,
  type ModelRunsReply,
  ModelRunsRequest,
  type RunKey,
  type RunTestsParams,
  type RunTestsReply,
  RunTestsRequest,
  type TestsParams,
  type TestsReply,
  TestsRequest,
} from '../../protocol.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { withAnswers } from '../../testing/model-judge.ts';
import { lineStartsOf } from '../../text.ts';
import { folderOf, isSkillDialect, nameFromUri } from '../../vocabulary/dialect.ts';
import type { Composing } from '../composing/composing.ts';
import type { Files } from '../disk/files.ts';
import type { Shown } from '../handlers/client.ts';
import type { Session } from '../session/session.ts';
import { evalFiles } from './eval-files.ts';
import { handleRoutingCases } from './handle-routing-cases.ts';
import { promptToKeep } from './keep-prompt.ts';
import { listAll } from './list-all.ts';
import { modelRuns } from './model-runs.ts';
import type { RunOutcome } from './run-command.ts';
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
    return file?.isSkill && isSkillDialect(file.dialect) ? file : undefined;
  };
  const listed = async (file: SkillFile): Promise<TestsReply> => {
    const { uri, contract, frontmatter } = file;
    const evals = await evalFiles(file, files, readKept);
    session.receive({ kind: 'triggers', uri, isThere: evals.some((one) => one.evals.triggers.length > 0) });
    const tests = frontmatter.tree.broken ? null : listAll(file, evals);
    return {
      uri,
      name: contract.name?.name ?? nameFromUri(uri),
      range: locate.range(file, contract.name?.span ?? { start: 0, end: 0 }),
      tests:
        tests?.map(({ uri: of, located, test: { kind, name, span, semantic } }) => ({
          ...{ kind, name, uri: of, range: locate.range(located, span) },
          semantic: semantic.map((one) => ({ name: one.name, range: locate.range(located, one.span) })),
        })) ?? null,
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
    return file ? await listed(file) : null;
  });

  connection.onRequest<RunTestsReply | null, void>(
    RunTestsRequest,
    ({ uri, only, filter, snapshots = false, given, answers = [] }: RunTestsParams, token) =>
      inTurn(async () => {
        shown.compositions = true;
        const file = await skillAt(uri);
        if (!file || token.isCancellationRequested) return null;
        const { analysis } = session;
        const run = given && ((_: unknown, key: RunKey) => givenFor(given, key));
        const options = { composing, readKept, files, snapshots, filter, only: only && new Set(only), run };
        const tests = await testSkill(analysis, uri, options);
        const told = new Map(answers.map(({ name, answer }) => [name, answer]));
        const results = tests && [
          ...withAnswers(tests.results, told).map((one) => ({ ...one, uri })),
          ...tests.evals.flatMap(({ uri, results }) => withAnswers(results, told).map((one) => ({ ...one, uri }))),
        ];
        const texts = new Map(tests?.evals.map(({ uri, text }) => [uri, { text, lines: lineStartsOf(text) }]));
        const placed = mapPlaces(results ?? null, (of, span) => {
          const located = texts.get(of) ?? analysis.file(of);
          return { uri: of, range: locate.range(located ?? NOWHERE, span) };
        });
        return {
          ...(await listed(file)),
          results: placed as RunTestsReply['results'],
          outputs: tests?.outputs ?? [],
        };
      }),
  );

  connection.onRequest<ModelRunsReply | null, void>(ModelRunsRequest, ({ uri, only }: ModelRunsParams, token) =>
    inTurn(async () => {
      const file = await skillAt(uri);
      if (!file || token.isCancellationRequested) return null;
      const evals = await evalFiles(file, files, readKept);
      return { uri, ...(await modelRuns(session.analysis, file, composing, evals, only && new Set(only))) };
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

const NOWHERE = { text: '', lines: lineStartsOf('') };

async function givenFor(given: readonly GivenOutput[], { kind, sample }: RunKey): Promise<RunOutcome | undefined> {
  return given.find((one) => one.kind === kind && one.sample === sample);
}
