/** Handles the requests of the preview. */
import { type Connection, LSPErrorCodes, ResponseError } from 'vscode-languageserver';
import { MAX_LENGTH } from '../../../abilities/folder.ts';
import type { Analysis } from '../../../analysis/analysis.ts';
import { invocationContextOf } from '../../../analysis/package-of.ts';
import { MAX_CHECKED_CASES, routingCases } from '../../../analysis/routing.ts';
import type { ComposeResult } from '../../../composer/composition.ts';
import { type PrepareOptions, prepareRequest } from '../../../composer/prepare.ts';
import { estimateTokens } from '../../../composer/tokens-estimate.ts';
import { abilitiesView } from '../../../features/abilities-view.ts';
import { choiceQuestions } from '../../../features/clients/choice-question.ts';
import { chosenView } from '../../../features/clients/chosen.ts';
import { clientsView } from '../../../features/clients/clients-view.ts';
import { withArguments } from '../../../features/clients/invocation.ts';
import { samplesOf, saveSample } from '../../../features/preview/samples.ts';
import { mapPlaces, withRanges } from '../../../features/preview/with-ranges.ts';
import type { Files } from '../../../io/files.ts';
import { type FolderReadings, inBatches } from '../../../io/read-folder.ts';
import type { BundledFile, ClientsView } from '../../../protocol/clients-view.ts';
import {
  AbilitiesRequest,
  type CheckedExpectations,
  ChoiceRequest,
  type ChosenReply,
  ChosenRequest,
  ClientsRequest,
  ComposeRequest,
  type Invocation,
  PrepareRunsRequest,
  RunSkillRequest,
  SamplesRequest,
  SaveSampleRequest,
} from '../../../protocol.ts';
import { shownRun } from '../../../reports/run.ts';
import { checkedPackageOf } from '../../../rules/engine/checked-package.ts';
import type { Composing } from '../../../services/composing/composing.ts';
import type { Session } from '../../../services/session/session.ts';
import { evalFiles } from '../../../services/testing/eval-files.ts';
import { keptReaderOf, type ReadKept, runRequestOf } from '../../../services/testing/run-request.ts';
import { checkComposed } from '../../../services/testing/test-skill.ts';
import type { SkillFile } from '../../../skill/skill-file.ts';
import { lineStartsOf } from '../../../text.ts';
import { folderOf, nameFromUri } from '../../../vocabulary/dialect.ts';
import type { RequestedData } from './client.ts';
import { onRequest } from './guard.ts';

export function handlePreview(
  connection: Connection,
  session: Session,
  composing: Composing,
  files: Files,
  shown: RequestedData,
): void {
  const { locate } = session;

  onRequest(connection, ComposeRequest, async (params) => {
    const {
      uri,
      text,
      key = '',
      sample,
      invocation = {},
      without = [],
      omitted = [],
      client,
      arguments: called,
    } = params;
    shown.compositions = true;
    await session.catalogLoaded(uri);
    const analysis = text === undefined ? session.analysis : session.analysis.edited([{ uri, text }]);
    const version = text === undefined ? session.version(uri) : null;
    const prepared = prepare(analysis, uri, sample, { ...invocation, without, omitted });
    if (!prepared) return null;
    const { skillPackage, invocationContext, request, gates, denied } = prepared;
    const composed = await composing.compose(`panel ${key}`, request);
    if (composed === 'superseded') return composed;
    const file = analysis.file(uri);
    const { result, call } = withArguments(analysis, file, composed.result, { client, arguments: called });
    const chosen = skillPackage.samples.find(({ name }) => name === sample);
    const isOfSample = text === undefined && ![invocation, without, omitted].some((one) => Object.keys(one).length > 0);
    const expected =
      file && sample !== undefined && isOfSample
        ? await expectationsOf(analysis, file, sample, composed.result, keptReaderOf(files))
        : undefined;
    return {
      uri,
      version,
      name: skillPackage.name?.name || nameFromUri(uri),
      skillVersion: skillPackage.version ?? '',
      result: withRanges(analysis, locate, result),
      gates: withRanges(analysis, locate, gates),
      denied,
      invocation: {
        ...chosen?.invocation,
        ...invocation,
        request: request.userRequest,
        parameters: request.parameters,
        source: request.invocationSource,
        ...(request.model === undefined ? {} : { model: request.model }),
      } satisfies Invocation,
      madeUp: request.madeUp,
      milliseconds: composed.milliseconds,
      toolsKnown: invocationContext.toolsKnown,
      ...(call && { call }),
      ...(file?.dialect === 'agent-skill' && result.ok && { estimate: estimateTokens(result.composition.prompt) }),
      ...(expected && { expected: withRanges(analysis, locate, expected) }),
    };
  });

  onRequest(connection, RunSkillRequest, async (params) => {
    const { uri, key = '', sample, invocation, without = [], omitted = [], answered } = params;
    // A run needs all composed skills.
    await session.read();
    await session.catalogLoaded(uri);
    const { analysis } = session;
    const file = analysis.file(uri);
    const prepared = prepare(analysis, uri, sample, { ...invocation, without, omitted });
    if (!file || !prepared) return null;
    const request = await runRequestOf(analysis, file, sample, prepared.request, keptReaderOf(files), { answered });
    const result = await composing.run(`panel ${key}`, request);
    return result === 'superseded' ? result : shownRun(uri, result);
  });

  onRequest(connection, PrepareRunsRequest, async () => {
    composing.warm('run');
    return null;
  });

  onRequest(connection, SamplesRequest, async ({ uri }) => {
    shown.compositions = true;
    await session.catalogLoaded(uri);
    return samplesOf(session.analysis, uri, locate) ?? null;
  });

  onRequest(connection, ClientsRequest, async ({ uri }, token) => {
    shown.compositions = true;
    // The targets and the duplicate names depend on all files of the workspace.
    if (session.analysis.partial) await session.checked();
    if (token.isCancellationRequested) throw new ResponseError(LSPErrorCodes.RequestCancelled, 'Cancelled.');
    const { analysis } = session;
    const file = analysis.file(uri);
    const view = file && clientsView(analysis, file);
    return view ? withRanges(analysis, locate, await withTokens(view, files)) : null;
  });

  onRequest(connection, ChosenRequest, async ({ uri, client, request, arguments: called }, token) => {
    shown.compositions = true;
    // The list of a client depends on all files of the workspace.
    if (session.analysis.partial) await session.checked();
    const evals = await evalCases(session.analysis.file(uri), files);
    if (token.isCancellationRequested) throw new ResponseError(LSPErrorCodes.RequestCancelled, 'Cancelled.');
    const { analysis } = session;
    const file = analysis.file(uri);
    if (!file) return null;
    const own = routingCases(file)
      .slice(0, MAX_CHECKED_CASES)
      .map((one) => ({ ...one, uri }));
    const view = chosenView(analysis, file, { client, request, arguments: called, cases: [...own, ...evals.cases] });
    if (!view) return null;
    return mapPlaces(view, (of, span) => ({
      uri: of,
      range: locate.range(evals.texts.get(of) ?? file, span),
    })) as ChosenReply;
  });

  onRequest(connection, ChoiceRequest, async ({ uri, client, requests }) => {
    if (session.analysis.partial) await session.checked();
    const { analysis } = session;
    const file = analysis.file(uri);
    return (file && choiceQuestions(analysis, file, client, requests)) ?? null;
  });

  onRequest(connection, SaveSampleRequest, ({ uri, name, invocation }) => {
    const file = session.analysis.file(uri);
    if (!file?.isSkill) return { problem: 'This file is not a skill, so it cannot have samples.' };
    const saved = saveSample(file, name, invocation);
    if ('problem' in saved) return saved;
    const edits = saved.edits.map(({ span, newText }) => ({ range: locate.range(file, span), newText }));
    return { version: session.version(uri), edits };
  });
}

/** Returns the failed expectations of a sample; undefined if none can be checked. */
async function expectationsOf(
  analysis: Analysis,
  file: SkillFile,
  name: string,
  result: ComposeResult,
  readKept: ReadKept,
): Promise<CheckedExpectations | undefined> {
  const { uri } = file;
  const checked = await checkComposed(analysis, file, name, result, readKept);
  return (
    checked && {
      isPartial: checked.isPartial,
      failed: checked.failed.map((one) => ({
        ...{ uri, span: one.span, isSoft: one.status === 'warned' },
        message: `Test \`${one.name}\` fails.${one.message === undefined ? '' : ` ${one.message}`}`,
      })),
    }
  );
}

/** Returns the request of the preview for a skill, with generated values if it has no sample; undefined without a skill. */
function prepare(analysis: Analysis, uri: string, sample: string | undefined, options: PrepareOptions) {
  const skillPackage = checkedPackageOf(analysis, uri);
  if (!skillPackage) return undefined;
  const invocationContext = invocationContextOf(analysis, uri);
  const own = { ...options, madeUp: sample === undefined };
  return { skillPackage, invocationContext, ...prepareRequest(skillPackage, invocationContext, sample, own) };
}

/** Returns the requests in the `evals/` beside a `SKILL.md`, and the texts of these files. */
async function evalCases(file: SkillFile | undefined, files: Files) {
  const found = file ? await evalFiles(file, files, keptReaderOf(files)) : [];
  return {
    cases: found.flatMap(({ uri, evals }) =>
      evals.triggers.map(({ request, shouldTrigger: should, span }) => ({ request, should, span, uri })),
    ),
    texts: new Map(found.map(({ uri, text }) => [uri, { text, lines: lineStartsOf(text) }])),
  };
}

/** Adds token counts for the files that a `SKILL.md` links to. Reads only files in the folder of the `SKILL.md`. */
async function withTokens(view: ClientsView, files: Files): Promise<ClientsView> {
  const counted: BundledFile[] = [];
  const folder = folderOf(view.uri);
  for await (const file of inBatches(view.files, (one) => withCount(one, folder, files))) counted.push(file);
  return { ...view, files: counted };
}

async function withCount(file: BundledFile, folder: string, files: Files): Promise<BundledFile> {
  if (file.isThere === false || !file.uri.startsWith(`${folder}/`)) return file;
  const content = await files.read(file.uri, { folders: [folder], isReadDirectly: () => false }).catch(() => undefined);
  if (content?.kind === 'unreadable' && content.reason === 'too-large') return { ...file, isTooLarge: true };
  if (content?.kind !== 'text' || content.text.includes('\0')) return file;
  if (content.text.length > MAX_LENGTH) return { ...file, isTooLarge: true };
  return { ...file, isThere: true, tokens: estimateTokens(content.text) };
}

/** Handles `skill/abilities`: reads the folder of a `SKILL.md` on each request, without caching it. */
export function handleAbilities(connection: Connection, session: Session, readings: FolderReadings): void {
  onRequest(connection, AbilitiesRequest, async ({ uri }) => {
    if (!session.analysis.file(uri)) await session.read();
    if (session.analysis.file(uri)?.dialect !== 'agent-skill') return null;
    const inFolder = await readings.current(folderOf(uri));
    const skill = session.analysis.file(uri);
    return (skill && abilitiesView(skill, inFolder, session.locate)) ?? null;
  });
}
