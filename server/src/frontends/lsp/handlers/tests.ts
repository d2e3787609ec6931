/** Handles the requests about tests of skills: listing them, running them, and saving prompts and routing cases. */
import type { Connection } from 'vscode-languageserver';
import type { Analysis } from '../../../analysis/analysis.ts';
import { nameOfCase, routingCases } from '../../../analysis/routing.ts';
import { keepRoutingCase } from '../../../features/keep-routing-case.ts';
import type { Located } from '../../../features/locate.ts';
import { mapPlaces } from '../../../features/preview/with-ranges.ts';
import type { Files } from '../../../io/files.ts';
import {
  type GivenOutput,
  type KeepPromptReply,
  KeepPromptRequest,
  type KeepRoutingCaseParams,
  KeepRoutingCaseRequest,
  ModelRunsRequest,
  type RunKey,
  type RunTestsReply,
  RunTestsRequest,
  type TestsReply,
  TestsRequest,
} from '../../../protocol.ts';
import { fileProblem } from '../../../rules/engine/test-problems.ts';
import type { Composing } from '../../../services/composing/composing.ts';
import { oneAfterAnother } from '../../../services/one-after-another.ts';
import type { Session } from '../../../services/session/session.ts';
import { type EvalFile, evalFiles } from '../../../services/testing/eval-files.ts';
import { modelRuns } from '../../../services/testing/model-runs.ts';
import { keptReaderOf } from '../../../services/testing/run-request.ts';
import {
  type RunOutcome,
  type SkillTests,
  type TestOptions,
  testSkill,
  unreadTests,
} from '../../../services/testing/test-skill.ts';
import type { SkillFile } from '../../../skill/skill-file.ts';
import { resolvePath } from '../../../skill-folder/links.ts';
import { addTrigger, type EvalsFile } from '../../../testing/add-trigger.ts';
import { expectSnapshot } from '../../../testing/expectation.ts';
import { firstOfEach, type ListedTest, listEvals, listTests } from '../../../testing/list-tests.ts';
import { withAnswers } from '../../../testing/model-questions.ts';
import { lineStartsOf, type Span, type TextEdit } from '../../../text.ts';
import { folderOf, nameFromUri } from '../../../vocabulary/dialect.ts';
import type { RequestedData } from './client.ts';
import { onRequest } from './guard.ts';
import { runnableAt, skillAt } from './skill-at.ts';

export function handleTests(
  connection: Connection,
  session: Session,
  composing: Composing,
  files: Files,
  shown: RequestedData,
): void {
  const { locate } = session;
  /** Requests run one after another, because a newer composition of a sample would supersede an older composition. */
  const inTurn = oneAfterAnother();
  const listed = async (file: SkillFile): Promise<TestsReply> => {
    const { uri, contract } = file;
    const evals = await evalFiles(file, files, readKept);
    const triggers = evals.flatMap((one) => one.evals.triggers);
    const requests = triggers.map(({ request, shouldTrigger: should }) => ({ request, should }));
    session.receive({ kind: 'triggers', uri, requests });
    const tests = fileProblem(session.analysis, file) ? null : listAll(file, evals);
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
  const readKept = keptReaderOf(files);

  handleRoutingCases(connection, session, files, readKept);

  onRequest(connection, TestsRequest, async ({ uri }) => {
    const file = await skillAt(session, uri);
    return file ? await listed(file) : null;
  });

  onRequest(connection, RunTestsRequest, ({ uri, only, filter, snapshots = false, given, answers = [] }, token) =>
    inTurn(async () => {
      shown.compositions = true;
      const file = await runnableAt(session, uri);
      if (!file || token.isCancellationRequested) return null;
      const { analysis } = session;
      const run = given && ((_: unknown, key: RunKey) => givenFor(given, key));
      const options = { composing, readKept, files, snapshots, filter, only: only && new Set(only), run };
      const tests = (await testSkill(analysis, uri, options)) ?? unreadTests(analysis, uri);
      const answersByName = new Map(answers.map(({ name, answer }) => [name, answer]));
      const results = tests && [
        ...withAnswers(tests.results, answersByName).map((one) => ({ ...one, uri })),
        ...tests.evals.flatMap(({ uri, results }) =>
          withAnswers(results, answersByName).map((one) => ({ ...one, uri })),
        ),
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

  onRequest(connection, ModelRunsRequest, ({ uri, only }, token) =>
    inTurn(async () => {
      const file = await runnableAt(session, uri);
      if (!file || token.isCancellationRequested) return null;
      const evals = await evalFiles(file, files, readKept);
      // The list of a client depends on all files of the workspace.
      if (session.analysis.partial) await session.checked();
      return { uri, ...(await modelRuns(session.analysis, file, composing, evals, only && new Set(only))) };
    }),
  );

  onRequest(connection, KeepPromptRequest, ({ uri, sample }) =>
    inTurn(async () => {
      const file = await runnableAt(session, uri);
      if (!file) return { problem: 'This file is not a skill, so it has no prompt to save.' };
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

/** The changes that save the current prompt of a sample as the expected prompt (docs/testing-vscode.md). */
type PromptToKeep =
  | {
      readonly edits: readonly TextEdit[];
      /** Undefined if the saved prompt is up to date. */
      readonly kept: SkillTests['outdated'][number] | undefined;
    }
  | { readonly problem: string };

/** Returns the changes that save the current prompt. Rejects in the same cases as `testSkill`. */
async function promptToKeep(
  analysis: Analysis,
  uri: string,
  sample: string,
  options: Pick<TestOptions, 'composing' | 'readKept' | 'files'>,
): Promise<PromptToKeep> {
  const file = analysis.file(uri);
  if (!file?.contract.samples.some(({ name }) => name === sample)) {
    return { problem: `Unknown sample \`${sample}\`. Save the values as a sample first.` };
  }
  const tests = await testSkill(analysis, uri, { ...options, snapshots: true, only: new Set([sample]) });
  if (!tests) return { problem: 'The frontmatter is invalid. Fix its YAML first.' };
  const { results, outdated } = tests;
  const snapshot = results.find(({ kind }) => kind === 'snapshot');
  if (snapshot?.status === 'failed' && outdated.length === 0) return { problem: snapshot.message ?? '' };
  if (!snapshot) {
    const why = results.find(({ kind, isNotRun }) => isNotRun || kind === 'composes')?.message;
    return {
      problem: `The sample \`${sample}\` has no prompt to save.${why === undefined ? '' : ` ${why}`}`,
    };
  }
  const edits = expectSnapshot(file, sample);
  if (edits) return { edits, kept: outdated[0] };
  return {
    problem: `The sample \`${sample}\` cannot be edited automatically. Add \`expect: {snapshot: true}\` yourself.`,
  };
}

/** A test of a skill, in the skill file or in a file beside it (docs/testing-vscode.md). */
interface PlacedTest {
  readonly uri: string;
  /** The text that the spans of the test refer to. */
  readonly located: Located;
  readonly test: ListedTest;
}

/** Returns all tests of a skill and of the files beside it, before any of them runs. */
export function listAll(file: SkillFile, evals: readonly EvalFile[]): readonly PlacedTest[] {
  const routing = (name: string, span: Span): ListedTest => ({ kind: 'routing', name, span, semantic: [] });
  const own = [...listTests(file), ...routingCases(file).map((one) => routing(nameOfCase(one), one.span))];
  const beside = evals.flatMap(({ uri, text, evals: { triggers, ...rest } }) => {
    const located = { text, lines: lineStartsOf(text) };
    const cases = triggers.map(({ request, shouldTrigger: should, span }) =>
      routing(nameOfCase({ request, should, span }), span),
    );
    return [...listEvals({ triggers, ...rest }), ...cases].map((test) => ({ uri, located, test }));
  });
  const all: readonly PlacedTest[] = [...own.map((test) => ({ uri: file.uri, located: file, test })), ...beside];
  return firstOfEach(all, ({ test }) => test);
}

// Saves a request as a routing case, either in the skill or in a file in the `evals/` folder beside a `SKILL.md`.

/** The maximum length of a request. Longer requests are not tested, so they are not saved. */
const MAX_REQUEST = 300;

function handleRoutingCases(
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
    if (request === '') return { problem: 'The request is empty. Enter a request first.' };
    if (request.length > MAX_REQUEST) {
      return { problem: `The request has ${request.length} characters; the limit is ${MAX_REQUEST}. Shorten it.` };
    }
    const file = session.analysis.file(uri);
    if (!file?.isSkill || file.dialect === 'catalog') return { problem: 'This file is not a skill.' };
    const version = session.version(uri);
    if (file.dialect !== 'agent-skill') {
      const kept = keepRoutingCase(file, request, should);
      if ('problem' in kept) return kept;
      const edits = kept.edits.map(({ span, newText }) => ({ range: session.locate.range(file, span), newText }));
      return { version, edits, kept: null };
    }
    const folder = resolvePath(folderOf(uri), 'evals');
    const kept = addTrigger(await readEvals(folder), request, should);
    if (kept === 'there') return { version, edits: [], kept: null };
    if ('problem' in kept) return kept;
    return { version, edits: [], kept: { uri: resolvePath(folder, kept.name), text: kept.text } };
  };
  onRequest(connection, KeepRoutingCaseRequest, keep);
}
