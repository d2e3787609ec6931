/**
 * Reads the `evals/` beside a `SKILL.md`, and tests the cases without a model (docs/testing.md, "Evals of a SKILL.md").
 */

import { formatNumber } from '../format-amounts.ts';
import { isJson } from '../languages/yaml/json.ts';
import {
  findEntry,
  findValue,
  isNull,
  listItems,
  stringOf,
  type YamlEntry,
  type YamlMap,
  type YamlNode,
  type YamlScalar,
} from '../languages/yaml/node.ts';
import { MAX_YAML_LENGTH, parseYaml } from '../languages/yaml/parse.ts';
import { closestSlip, closestTypo, didYouMean } from '../nearest.ts';
import type { Span } from '../text.ts';
import { questionAbout } from './model-questions.ts';
import { numbered, type TestResult } from './result.ts';

export interface TriggerCase {
  readonly request: string;
  readonly shouldTrigger: boolean;
  readonly span: Span;
}

/** A case that a model can run. */
export interface EvalCase {
  readonly name: string;
  readonly prompt: string;
  readonly span: Span;
  /** The checks, with the names of their results. */
  readonly checks: readonly { readonly name: string; readonly text: string }[];
}

export interface Evals {
  readonly results: readonly TestResult[];
  /** The paths that the cases need, relative to the skill's folder, each with its span. */
  readonly files: readonly { readonly name: string; readonly of: string; readonly path: string; readonly span: Span }[];
  readonly triggers: readonly TriggerCase[];
  /** The cases without files, because a model cannot receive files. */
  readonly cases: readonly EvalCase[];
}

export const NO_EVALS: Evals = { results: [], files: [], triggers: [], cases: [] };

/** The name of the file with cases. Other files may have any content. */
export const MAIN_FILE = 'evals.json';

/**
 * Reads one file in `evals/`. `isMain` is true for `evals.json`, which must be well formed. Another file may have any
 * content, but what is a request in it must be readable.
 */
export function readEvals(text: string, isMain: boolean, name = MAIN_FILE): Evals {
  const isLong = text.length > MAX_YAML_LENGTH;
  // Data of other programs is not read, unless it may have requests.
  if (!isMain && !text.includes(SHOULD) && (isLong || !isJson(withoutMark(text)))) return NO_EVALS;
  if (isLong) return unreadEvals(name, `\`${name}\` ${TOO_LONG}`);
  const { root, problems, broken } = parseYaml(text, { start: 0, end: text.length });
  if (broken || !root || !isJson(withoutMark(text))) {
    const [problem] = problems;
    return unreadEvals(
      name,
      problem ? `\`${name}\` is not valid JSON: ${problem.message}` : `\`${name}\` is not valid JSON. Correct it.`,
      problem?.span,
    );
  }
  const requests = requestsIn(root, false, MAX_DEPTH);
  const triggers = requests.flatMap((one) => (one.fault ? [] : (triggerCase(one.item) ?? [])));
  const owner = isMain ? '' : `${name} › `;
  const wrong = requests.flatMap(({ item, fault }, at): readonly TestResult[] => {
    if (!fault) return [];
    const of = `${owner}${requestOf(item) ?? `request ${at + 1}`}`;
    return [{ kind: 'evals', name: of, of, status: 'failed', ...fault }];
  });
  const isUsed = isMain || requests.length > 0;
  const repeated = problems.filter(({ kind }) => isUsed && kind === 'duplicate-key');
  const results = withUniqueNames([
    ...repeated.map((one) => failedFile(`${owner}has each key once`, one.message, one.span)),
    ...wrong,
  ]);
  if (!isMain) return { ...NO_EVALS, results, triggers };
  const list = root.kind === 'list' ? root : findValue(root, 'evals');
  if (requests.length === 0 && isForeign(root, list)) return { ...NO_EVALS, results: [...results, foreignFile(name)] };
  if (list?.kind !== 'list') {
    const span = root.kind === 'map' ? root.entries[0]?.key.span : root.span;
    const fault = failedFile(
      'has cases',
      '`evals.json` has no list `evals`. Add the cases in a list under this key.',
      span,
    );
    return { ...NO_EVALS, results: [...results, fault], triggers };
  }
  const found = list.items.filter((item) => !requests.some((one) => one.item === item));
  const names = numbered(found.map(nameOf));
  const others = found.map((item, at) => ({ item, of: names[at] as string }));
  const ids = new Set<string>();
  return {
    results: [...results, ...others.flatMap(({ item, of }) => resultsOf(item, of, ids))],
    files: others.flatMap(({ item, of }) =>
      listItems(findValue(item, 'files')).flatMap((path) => {
        const file = stringOf(path);
        return file === undefined || faultOfPath(path)
          ? []
          : [{ name: `${of} › ${file}`, of, path: file, span: path.span }];
      }),
    ),
    triggers,
    cases: others.flatMap(({ item, of }) => evalCase(item, of)),
  };
}

/**
 * Returns whether an `evals.json` belongs to another program: it has other keys than `evals` and `skill_name`, or none of its
 * cases has a key of a case.
 */
function isForeign(root: YamlNode, list: YamlNode | undefined): boolean {
  if (list?.kind === 'list' && list.items.length > 0)
    return !list.items.some(
      (item) =>
        item.kind !== 'map' || item.entries.some(({ key }) => meantBy(String(key.value), CASE_KEYS) !== undefined),
    );
  if (root.kind !== 'map' || root.entries.length === 0) return false;
  return !root.entries.some(({ key }) => meantBy(String(key.value), ['evals', 'skill_name']) !== undefined);
}

const foreignFile = (name: string): TestResult => ({
  ...{ kind: 'evals', name, of: name, status: 'skipped', isOfFile: true, span: { start: 0, end: 0 } },
  message: `\`evals/${name}\` has the form of another program, so nothing in it is tested.`,
});

/** Returns the only result of a file in `evals/` that cannot be read. `message` says why. */
export const unreadEvals = (name: string, message: string, span?: Span): Evals => ({
  ...NO_EVALS,
  results: [failedFile(name === MAIN_FILE ? 'is JSON' : `${name} is JSON`, message, span)],
});

const failedFile = (name: string, message: string, span: Span = { start: 0, end: 0 }): TestResult => ({
  ...{ kind: 'evals', name, of: name },
  ...{ status: 'failed', isNotRun: true, isOfFile: true, span, message },
});

const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '');

const TOO_LONG = `has more than ${formatNumber(MAX_YAML_LENGTH)} characters, which is the limit. Move long inputs into files, and name them under \`files\`.`;

function evalCase(item: YamlNode, name: string): readonly EvalCase[] {
  const prompt = stringOf(findValue(item, 'prompt'));
  if (prompt === undefined || faultOf(item) || listItems(findValue(item, 'files')).length > 0) return [];
  return [{ name, prompt, span: placeOf(item), checks: checksOf(item, name) }];
}

/** The largest nesting depth at which requests are found. Other tools write lists of requests in a few maps. */
const MAX_DEPTH = 20;

/** The key that makes an object a request. */
const SHOULD = 'should_trigger';

/** The keys under which tools write a request. */
export const REQUEST_KEYS = ['query', 'prompt', 'input'];

interface FoundRequest {
  readonly item: YamlMap;
  readonly fault: Fault | undefined;
}

/** Returns the objects that are meant as requests, in the order of the file. */
function requestsIn(node: YamlNode, isItem: boolean, depth: number): readonly FoundRequest[] {
  if (depth === 0 || node.kind === 'scalar') return [];
  if (node.kind === 'list') return node.items.flatMap((item) => requestsIn(item, true, depth - 1));
  const should = node.entries.find(({ key }) => meantBy(String(key.value), [SHOULD]) !== undefined);
  if (should) return [{ item: node, fault: faultOfRequest(node, should, isItem) }];
  return node.entries.flatMap(({ value }) => requestsIn(value, false, depth - 1));
}

/** Returns the known key that a key is or misspells. */
const meantBy = (name: string, known: readonly string[]): string | undefined =>
  known.includes(name) ? name : (closestTypo(name, known) ?? closestSlip(name, known));

function faultOfRequest(item: YamlMap, { key, value }: YamlEntry, isItem: boolean): Fault | undefined {
  if (key.value !== SHOULD) return misspeltKey(key, SHOULD);
  if (value.kind !== 'scalar' || typeof value.value !== 'boolean') {
    return { span: value.span, message: `\`${SHOULD}\` must be \`true\` or \`false\`.` };
  }
  const request = item.entries.find((entry) => REQUEST_KEYS.includes(String(entry.key.value)));
  if (!request) {
    const near = item.entries.flatMap((entry) => {
      const meant = meantBy(String(entry.key.value), REQUEST_KEYS);
      return meant === undefined ? [] : [misspeltKey(entry.key, meant)];
    });
    return near[0] ?? { span: key.span, message: "Missing key `query`. Add it with a user's request." };
  }
  if (!isItem) return { span: key.span, message: 'A request must be in a list. Put this object in a list.' };
  return faultOfText(request);
}

const misspeltKey = ({ span, value }: YamlScalar, meant: string): Fault => ({
  span,
  message: `Unknown key \`${String(value)}\`.${didYouMean([meant])}`,
});

/** Returns why the value of a key is not a user's request. */
function faultOfText({ key, value }: YamlEntry): Fault | undefined {
  const text = stringOf(value);
  if (text === undefined) return { span: value.span, message: `\`${String(key.value)}\` must be a string.` };
  if (text.trim() !== '') return undefined;
  return { span: value.span, message: `\`${String(key.value)}\` is empty. Write a user's request.` };
}

export const requestOf = (item: YamlNode): string | undefined =>
  REQUEST_KEYS.map((key) => stringOf(findValue(item, key)) ?? '').find((text) => text.trim() !== '');

function triggerCase(item: YamlMap): TriggerCase | undefined {
  const should = findValue(item, SHOULD);
  const request = item.entries.find(({ key }) => REQUEST_KEYS.includes(String(key.value)));
  const text = stringOf(request?.value);
  if (should?.kind !== 'scalar' || !request || text === undefined) return undefined;
  return { request: text, shouldTrigger: should.value === true, span: request.value.span };
}

/** The keys of the checks that a model decides. */
const CHECK_KEYS = ['assertions', 'expectations'];

/** Returns the results of a case. `ids` contains the ids of the cases before it. */
function resultsOf(item: YamlNode, name: string, ids: Set<string>): readonly TestResult[] {
  const test = { kind: 'evals', of: name, span: placeOf(item) } as const;
  const fault = faultOf(item) ?? repeatedId(item, ids);
  if (fault) return [{ ...test, name, status: 'failed', ...fault }];
  return [
    { ...test, name, status: 'passed' },
    ...checksOf(item, name).map(
      (check): TestResult => ({
        ...test,
        ...{ name: check.name, status: 'skipped', span: check.span, message: 'Only a model can decide this.' },
      }),
    ),
  ];
}

const placeOf = (item: YamlNode): Span => (item.kind === 'map' ? (item.entries[0]?.key.span ?? item.span) : item.span);

/** Returns the expected output and the checks of a case, in words. */
function checksOf(item: YamlNode, name: string): readonly (EvalCase['checks'][number] & { readonly span: Span })[] {
  const expected = findValue(item, 'expected_output');
  const checks = CHECK_KEYS.flatMap((key) => listItems(findValue(item, key)));
  const all = [...(expected ? [expected] : []), ...checks].flatMap((check) => {
    const text = textOfCheck(check);
    return text === undefined ? [] : [{ text, span: check.span }];
  });
  const labels = numbered(all.map(({ text }) => (text.length > 60 ? `${text.slice(0, 59)}…` : text)));
  return all.map((check, at) => ({ ...check, name: `${name} › ${labels[at]}` }));
}

/** Numbers results of whole cases with the same name. */
function withUniqueNames(results: readonly TestResult[]): readonly TestResult[] {
  const names = numbered(results.map(({ name }) => name));
  return results.map((one, at) => {
    const name = names[at] ?? one.name;
    return { ...one, name, of: name };
  });
}

/** Adds a model's output to the results of a case. Each check of the case becomes a question for a model. */
export function withModelOutput(
  { name, span, checks }: EvalCase,
  outcome: { readonly output: string } | { readonly problem: string },
  results: readonly TestResult[],
): readonly TestResult[] {
  const test = { kind: 'evals', name: `${name} › output`, of: name, span } as const;
  if ('problem' in outcome) return [...results, { ...test, status: 'failed', message: outcome.problem }];
  const { output } = outcome;
  const texts = new Map(checks.map((check) => [check.name, check.text]));
  const asked = results.map((result): TestResult => {
    const text = result.of === name && result.status === 'skipped' ? texts.get(result.name) : undefined;
    if (text === undefined) return result;
    const question = questionAbout(`Does the text meet this expectation? ${text}`, null, output);
    return { ...result, actual: output, question: { text: question, otherwise: 'failed' } };
  });
  return [
    ...asked,
    output.trim() === '' ? { ...test, status: 'failed', message: EMPTY } : { ...test, status: 'passed' },
  ];
}

const EMPTY = 'The model gave no output.';

function nameOf(item: YamlNode, at: number): string {
  const name = stringOf(findValue(item, 'eval_name')) ?? stringOf(findValue(item, 'name'));
  if (name !== undefined) return name;
  const id = findValue(item, 'id') as YamlScalar | undefined;
  return id?.kind === 'scalar' ? `case ${String(id.value)}` : `case ${at + 1}`;
}

type Fault = Pick<TestResult, 'span'> & { readonly message: string };

/** The keys of a case that the tests read, and the key of a request. Cases may have keys for other programs. */
const CASE_KEYS = ['prompt', 'files', 'expected_output', ...CHECK_KEYS];

/** Adds the id of a case to `ids`, and returns a fault if an earlier case has this id. */
function repeatedId(item: YamlNode, ids: Set<string>): Fault | undefined {
  const id = findValue(item, 'id');
  if (id?.kind !== 'scalar' || isNull(id)) return undefined;
  const written = String(id.value);
  if (!ids.has(written)) {
    ids.add(written);
    return undefined;
  }
  return { span: id.span, message: `An earlier case has the id \`${written}\`, too. Give each case its own id.` };
}

function faultOf(item: YamlNode): Fault | undefined {
  if (item.kind !== 'map') return { span: item.span, message: 'A case must be an object with a `prompt`.' };
  const known = new Set(item.entries.map(({ key }) => String(key.value)));
  for (const { key } of item.entries) {
    const meant = meantBy(String(key.value), CASE_KEYS);
    if (meant !== undefined && !known.has(meant)) return misspeltKey(key, meant);
  }
  const prompt = findEntry(item, 'prompt');
  if (!prompt) {
    return {
      span: item.entries[0]?.key.span ?? item.span,
      message: "Missing key `prompt`. Add it with a user's request.",
    };
  }
  const wrong = faultOfText(prompt);
  if (wrong) return wrong;
  const files = findValue(item, 'files');
  if (files && files.kind !== 'list') return { span: files.span, message: '`files` must be a list of paths.' };
  const expected = findValue(item, 'expected_output');
  // Programs write null for a missing text.
  if (expected && !isNull(expected) && stringOf(expected) === undefined) {
    return { span: expected.span, message: '`expected_output` must be a string.' };
  }
  const checks = CHECK_KEYS.flatMap((key) => faultOfChecks(key, findValue(item, key)) ?? []);
  return checks[0] ?? listItems(files).flatMap((path) => faultOfPath(path) ?? [])[0];
}

function faultOfChecks(key: string, checks: YamlNode | undefined): Fault | undefined {
  if (!checks) return undefined;
  if (checks.kind !== 'list') return { span: checks.span, message: `\`${key}\` must be a list of strings.` };
  const wrong = checks.items.find((one) => (textOfCheck(one) ?? '').trim() === '');
  return (
    wrong && { span: wrong.span, message: `An item of \`${key}\` must be a string, or an object with a \`text\`.` }
  );
}

const textOfCheck = (check: YamlNode): string | undefined => stringOf(check) ?? stringOf(findValue(check, 'text'));

/** Returns why an item of `files` is not the path of a file. */
function faultOfPath(path: YamlNode): Fault | undefined {
  const text = stringOf(path);
  if (text === undefined) return { span: path.span, message: 'An item of `files` must be a path.' };
  const isFolder = text.trim() === '' || text.split(/[/\\]/).every((step) => step === '' || step === '.');
  return isFolder ? { span: path.span, message: `\`${text}\` in \`files\` is not the path of a file.` } : undefined;
}
