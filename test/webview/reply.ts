/** Messages of the preview's panel: real compositions of skills given as text, or of the samples. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ComposeReply, SamplesReply, ShownFinding, ToPage } from '../../client/src/panels/preview/messages.ts';
import type { Analysis } from '../../server/src/analysis/analysis.ts';
import { invocationContextOf } from '../../server/src/analysis/package-of.ts';
import { Workspace } from '../../server/src/analysis/workspace.ts';
import { prepareRequest } from '../../server/src/composer/prepare.ts';
import { estimateTokens } from '../../server/src/composer/tokens-estimate.ts';
import { withArguments } from '../../server/src/features/clients/invocation.ts';
import { utf16 } from '../../server/src/features/locate.ts';
import { samplesOf } from '../../server/src/features/preview/samples.ts';
import { withRanges } from '../../server/src/features/preview/with-ranges.ts';
import type { Json } from '../../server/src/languages/yaml/node.ts';
import type { Invocation } from '../../server/src/protocol.ts';
import { shownRun } from '../../server/src/reports/run.ts';
import { checkedPackageOf } from '../../server/src/rules/engine/checked-package.ts';
import { run } from '../../server/src/services/run/run.ts';
import { runInputs } from '../../server/src/services/testing/run-request.ts';
import { compose } from '../core/composer/composing.ts';
import { composer, dryRequest } from '../langgraph/dry.ts';

export type Show = Extract<ToPage, { type: 'show' }>;

export interface Ask {
  readonly sample?: string;
  readonly invocation?: Invocation;
  readonly without?: readonly string[];
  readonly client?: string;
  readonly arguments?: string;
}

/** The message that shows the file at `path`; `files` are contents by path. */
export function show(files: Readonly<Record<string, string>>, path: string, ask: Ask = {}): Show {
  const analysis = analysisOf(files);
  const uri = uriOf(path);
  const skillPackage = checkedPackageOf(analysis, uri);
  const samples: SamplesReply | undefined = samplesOf(analysis, uri, utf16);
  if (!skillPackage || !samples) throw new Error(`${path} is no skill`);
  const { sample, invocation, without = [] } = ask;
  const invocationContext = invocationContextOf(analysis, uri);
  const { request, gates, denied } = prepareRequest(skillPackage, invocationContext, sample, {
    ...invocation,
    without,
    madeUp: sample === undefined,
  });
  const { client, arguments: called } = ask;
  const file = analysis.file(uri);
  const { result, call } = withArguments(analysis, file, compose(request), { client, arguments: called });
  const reply: ComposeReply = {
    uri,
    version: 1,
    name: skillPackage.name?.name ?? '',
    skillVersion: skillPackage.version ?? '',
    result: withRanges(analysis, utf16, result),
    gates: withRanges(analysis, utf16, gates),
    denied,
    invocation: {
      ...skillPackage.samples.find(({ name }) => name === sample)?.invocation,
      ...invocation,
      request: request.userRequest,
      parameters: request.parameters,
      source: request.invocationSource,
    },
    madeUp: request.madeUp,
    milliseconds: 2.1,
    toolsKnown: invocationContext.toolsKnown,
    ...(call && { call }),
    ...(file?.dialect === 'agent-skill' && result.ok && { estimate: estimateTokens(result.composition.prompt) }),
  };
  return { type: 'show', serial: 1, reply, samples, asked: { ...ask, without }, locked: false };
}

/** The message with the dry run of the file at `path`, as the server makes it. */
export async function runOf(
  files: Readonly<Record<string, string>>,
  path: string,
  sample?: string,
  answered: readonly Json[] = [],
): Promise<Extract<ToPage, { type: 'run' }>> {
  const analysis = analysisOf(files);
  const uri = uriOf(path);
  const skillPackage = checkedPackageOf(analysis, uri);
  if (!skillPackage) throw new Error(`${path} is no skill`);
  const options = { madeUp: sample === undefined };
  const { request } = prepareRequest(skillPackage, invocationContextOf(analysis, uri), sample, options);
  const entry = analysis.file(uri)?.contract.samples.find(({ name }) => name === sample);
  const result = await run(dryRequest(request, { ...runInputs(entry?.value), answered }), composer);
  return { type: 'run', run: shownRun(uri, result) };
}

const analyses = new WeakMap<object, Analysis>();

/** Returns the analysis of a set of files. Each analysis is created only once. */
export function analysisOf(files: Readonly<Record<string, string>>): Analysis {
  const known = analyses.get(files);
  if (known) return known;
  const workspace = new Workspace();
  for (const [name, text] of Object.entries(files)) workspace.apply({ kind: 'text', uri: uriOf(name), text });
  const analysis = workspace.analysis;
  analyses.set(files, analysis);
  return analysis;
}

export const uriOf = (path: string): string => `file:///skills-here/${path}`;

let samples: Readonly<Record<string, string>> | undefined;

/** All files of `samples/` that a workspace reads, as contents by path. */
export function sampleFiles(): Readonly<Record<string, string>> {
  samples ??= readSamples();
  return samples;
}

function readSamples(): Readonly<Record<string, string>> {
  const paths = readdirSync('samples', { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.(md|ya?ml|json)$/.test(path) && !path.startsWith('mistakes/'));
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join('samples', path), 'utf8')]));
}

/** The text of a skill with the mandatory keys; `head` adds further keys. */
export const skill = (head: string, body: string): string =>
  `---\nname: test-skill\ndescription: Tests one thing.\nversion: 1.0.0\n${head}---\n${body}`;

/** The message that shows one skill, `test.skill.md`, with this text. */
export const showText = (text: string, ask: Ask = {}): Show => show({ 'test.skill.md': text }, 'test.skill.md', ask);

/** A finding with a fix, as the panel sends it. */
export const finding: ShownFinding = {
  range: { start: { line: 3, character: 0 }, end: { line: 3, character: 4 } },
  severity: 'error',
  message: 'Unknown parameter `topci`.',
  rule: 'undefined-variable',
  fix: 'Replace with `topic`',
};
