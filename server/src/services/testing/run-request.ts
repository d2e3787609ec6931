/**
 * Reads the parts of a sample that affect its run (docs/format.md, "Stubs" and "Answers"), and its recorded output
 * (docs/testing.md, "Recorded outputs").
 */
import type { Analysis } from '../../analysis/analysis.ts';
import { invocationContextOf } from '../../analysis/package-of.ts';
import type { ComposeRequest } from '../../composer/composition.ts';
import { prepareRequest } from '../../composer/prepare.ts';
import type { Files } from '../../io/files.ts';
import { UserError } from '../../io/user-error.ts';
import { isJson } from '../../languages/yaml/json.ts';
import {
  findEntry,
  findValue,
  type Json,
  jsonOf,
  listItems,
  mapEntries,
  numberOf,
  stringOf,
  type YamlNode,
} from '../../languages/yaml/node.ts';
import type { RunRequest, Stub } from '../../protocol.ts';
import { checkedPackageOf } from '../../rules/engine/checked-package.ts';
import { assertionFault } from '../../skill/assertion-problems.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { resolvePath } from '../../skill-folder/links.ts';
import { OUTPUTS, savedName } from '../../testing/saved-files.ts';
import { folderOf, nameFromUri } from '../../vocabulary/dialect.ts';
import { reasonBeside } from '../../workspace/unreadable.ts';
import { skillsNamed } from '../../workspace/workspace-index.ts';
import { chooseSample } from '../composing/compose-samples.ts';

/** The default of `RunRequest.maxSteps`. */
export const DEFAULT_MAX_STEPS = 1_000;

/** A skill to run, as an editor or a debugger names it. */
export interface RunTarget {
  readonly uri: string;
  /** The default is the first sample, or generated values if there are parameters or no samples. */
  readonly sample?: string | undefined;
  readonly parameters?: Readonly<Record<string, Json>> | undefined;
  readonly maxSteps?: number | undefined;
  /** The default is `dry`. */
  readonly mode?: 'dry' | 'model' | undefined;
}

/**
 * Returns the text of a file beside a skill; undefined if it does not exist. Rejects with a `UserError` if the file
 * cannot be read.
 */
export type ReadKept = (uri: string) => Promise<string | undefined>;

/** Returns a function that reads saved files with the access of a server. It throws a `UserError` if a file cannot be read. */
export const keptReaderOf =
  (files: Files): ReadKept =>
  async (uri) => {
    const content = await files.read(uri, { folders: [], isReadDirectly: () => false });
    if (content.kind === 'text') return content.text;
    if (content.kind === 'absent') return undefined;
    const reason = reasonBeside(content.kind === 'unreadable' ? content.reason : 'outside');
    throw new UserError(
      `\`${decodeURIComponent(uri.slice(folderOf(folderOf(uri)).length + 1))}\` cannot be read: ${reason}.`,
    );
  };

/** The rest of a request. Stubs and answers replace those of the sample with the same names. */
export type RunOptions = Partial<Omit<RunRequest, 'compose' | 'recorded'>>;

/**
 * Returns the stubs and answers of a sample, without invalid values, which `check` reports. Both are empty for
 * undefined.
 */
export function runInputs(sample: YamlNode | undefined): Pick<RunRequest, 'stubs' | 'answers'> {
  const stubs = uniqueEntries(findValue(sample, 'stubs')).flatMap(({ name, value }) => stubOf(name, value));
  const answers = uniqueEntries(findValue(sample, 'answers')).map(({ name, value }) => ({
    name,
    value: jsonOf(value),
  }));
  return { stubs, answers };
}

function stubOf(name: string, node: YamlNode): readonly Stub[] {
  if (node.kind !== 'map') return [];
  const returns = findEntry(node, 'returns');
  const fails = stringOf(findValue(node, 'fails'));
  const times = numberOf(findValue(node, 'times'));
  const isLimited = fails !== undefined && times !== undefined && Number.isInteger(times) && times > 0;
  return [
    {
      name,
      ...(returns ? { returns: jsonOf(returns.value) } : {}),
      ...(fails === undefined ? {} : { fails }),
      ...(isLimited ? { times } : {}),
    },
  ];
}

/** Returns the entries of a map, without those that repeat the name of an earlier entry. */
function uniqueEntries(node: YamlNode | undefined): readonly { readonly name: string; readonly value: YamlNode }[] {
  const found = new Map<string, YamlNode>();
  for (const { key, value } of mapEntries(node)) {
    const name = String(key.value);
    if (!found.has(name)) found.set(name, value);
  }
  return [...found].map(([name, value]) => ({ name, value }));
}

/**
 * Returns the request for a run of a sample, or of the skill without a sample if `sample` is undefined or not in the
 * file. Rejects with a `UserError` if the recorded output cannot be used, and like `readKept`.
 */
export async function runRequestOf(
  analysis: Analysis,
  file: SkillFile,
  sample: string | undefined,
  compose: ComposeRequest,
  readKept: ReadKept,
  options: RunOptions = {},
): Promise<RunRequest> {
  const entry = file.contract.samples.find(({ name }) => name === sample);
  const { stubs, answers } = runInputs(entry?.value);
  // A run with a model does not use the recorded output.
  const recorded =
    entry && !options.replies && (await readRecorded(keptUri(analysis, file, OUTPUTS, entry.name), readKept));
  return {
    compose,
    ...(recorded ? { recorded: { value: recordedValue(recorded), text: recorded.text } } : {}),
    expected: listItems(findValue(findValue(entry?.value, 'expect'), 'output')).map((node) => ({
      ...{ uri: file.uri, span: node.span, assertion: jsonOf(node) },
      ...(assertionFault(node) !== undefined && { isInvalid: true as const }),
    })),
    stubs: withOverrides(stubs, options.stubs),
    answers: withOverrides(answers, options.answers),
    answered: options.answered ?? [],
    patches: options.patches ?? [],
    ...(options.replies && { replies: options.replies }),
    maxSteps: options.maxSteps ?? DEFAULT_MAX_STEPS,
    detailed: options.detailed ?? false,
  };
}

/**
 * Returns the request for a detailed run of a skill. Rejects with a `UserError` if the file is not a skill that
 * composes, or the sample is unknown, and like `runRequestOf`.
 */
export async function runRequestFor(
  analysis: Analysis,
  { uri, sample: wanted, parameters, maxSteps, mode }: RunTarget,
  readKept: ReadKept,
): Promise<{ readonly name: string; readonly sample: string | undefined; readonly request: RunRequest }> {
  const file = analysis.file(uri);
  const skillPackage = file && checkedPackageOf(analysis, uri);
  if (!file || !skillPackage) throw new UserError(`\`${uri}\` is not a skill that can run. Name a skill file.`);
  const usual = parameters === undefined ? skillPackage.samples[0]?.name : undefined;
  const sample = wanted === undefined ? usual : chooseSample(skillPackage, wanted, parameters !== undefined);
  const options = { ...(parameters && { parameters }), madeUp: sample === undefined };
  const { request } = prepareRequest(skillPackage, invocationContextOf(analysis, uri), sample, options);
  const rest = {
    detailed: true,
    ...(maxSteps === undefined ? {} : { maxSteps }),
    ...(mode === 'model' && { replies: [] }),
  };
  return { name: nameOf(file), sample, request: await runRequestOf(analysis, file, sample, request, readKept, rest) };
}

const withOverrides = <One extends { readonly name: string }>(
  own: readonly One[],
  others: readonly One[] = [],
): readonly One[] => [...own.filter(({ name }) => !others.some((other) => other.name === name)), ...others];

/** Returns the URI of a sample's saved files, without an extension. */
export function keptUri(analysis: Analysis, file: SkillFile, folder: string, sample: string): string {
  const { name, version } = file.contract;
  const own = folderOf(file.uri);
  const beside = name
    ? skillsNamed(analysis.graph, name.name, file.uri).filter(({ uri }) => folderOf(uri) === own)
    : [];
  const saved = savedName(nameOf(file), beside.length > 1 ? version?.name : undefined, sample);
  return resolvePath(own, `${folder}/${saved}`);
}

export const nameOf = ({ contract, uri }: SkillFile): string => contract.name?.name ?? nameFromUri(uri);

interface Recorded {
  readonly text: string;
  readonly isJson: boolean;
}

/**
 * Returns the recorded output at a URI without an extension; otherwise undefined. Rejects with a `UserError` if
 * there are two, or if a file `.json` is not JSON.
 */
export async function readRecorded(base: string, readKept: ReadKept): Promise<Recorded | undefined> {
  const [json, text] = await Promise.all([readKept(`${base}.json`), readKept(`${base}.txt`)]);
  if (json !== undefined && text !== undefined) {
    throw new UserError('The sample has two recorded outputs, `.json` and `.txt`. Delete one of the files.');
  }
  if (json !== undefined && !isJson(json.replace(/^\uFEFF/, ''))) {
    throw new UserError('The recorded output of the sample is not valid JSON. Fix it, or rename the file to `.txt`.');
  }
  if (json !== undefined) return { text: json, isJson: true };
  return text === undefined ? undefined : { text, isJson: false };
}

const recordedValue = ({ text, isJson: isParsed }: Recorded): Json =>
  isParsed ? (JSON.parse(text.replace(/^\uFEFF/, '')) as Json) : text;
