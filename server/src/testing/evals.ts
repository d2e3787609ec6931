/**
 * Reads the `evals/` beside a `SKILL.md`, and tests the cases without a model (docs/testing.md, "Evals of a SKILL.md").
 */
import { isJson } from '../languages/yaml/json.ts';
import { findEntry, findValue, listItems, stringOf, type YamlNode, type YamlScalar } from '../languages/yaml/node.ts';
import { parseYaml } from '../languages/yaml/parse.ts';
import type { Span } from '../text.ts';
import { questionAbout } from './model-questions.ts';
import type { TestResult } from './result.ts';

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

const NONE: Evals = { results: [], files: [], triggers: [], cases: [] };

/**
 * Reads one file in `evals/`. `isMain` is true for `evals.json`, which must be well formed; other files may have any
 * content.
 */
export function readEvals(text: string, isMain: boolean): Evals {
  const { root, problems, broken } = parseYaml(text, { start: 0, end: text.length });
  const whole = { start: 0, end: 0 };
  if (broken || !root || !isJson(text.replace(/^\uFEFF/, ''))) {
    if (!isMain) return NONE;
    const [problem] = problems;
    const message = problem ? `\`evals.json\` is not valid JSON: ${problem.message}` : INVALID_JSON;
    return {
      ...NONE,
      results: [
        { kind: 'evals', name: 'is JSON', of: 'is JSON', status: 'failed', span: problem?.span ?? whole, message },
      ],
    };
  }
  const cases = root.kind === 'list' ? listItems(root) : listItems(findValue(root, 'evals'));
  const triggers = listsIn(root, MAX_DEPTH).flatMap((items) => items.flatMap((item) => triggerCase(item) ?? []));
  if (!isMain) return { ...NONE, triggers };
  if (root.kind === 'map' && findValue(root, 'evals')?.kind !== 'list') {
    const span = root.entries[0]?.key.span ?? whole;
    const message = '`evals.json` has no list `evals`. Add the cases in a list under this key.';
    return {
      ...NONE,
      results: [{ kind: 'evals', name: 'has cases', of: 'has cases', status: 'failed', span, message }],
    };
  }
  const found = cases.filter((item) => !triggerCase(item));
  const names = numbered(found.map(nameOf));
  const others = found.map((item, at) => ({ item, of: names[at] as string }));
  return {
    results: others.flatMap(({ item, of }) => resultsOf(item, of)),
    files: others.flatMap(({ item, of }) =>
      listItems(findValue(item, 'files')).flatMap((path) => {
        const name = stringOf(path);
        return name === undefined ? [] : [{ name: `${of} › ${name}`, of, path: name, span: path.span }];
      }),
    ),
    triggers,
    cases: others.flatMap(({ item, of }) => evalCase(item, of)),
  };
}

function evalCase(item: YamlNode, name: string): readonly EvalCase[] {
  const prompt = stringOf(findValue(item, 'prompt'));
  if (prompt === undefined || faultOf(item) || listItems(findValue(item, 'files')).length > 0) return [];
  return [{ name, prompt, span: placeOf(item), checks: checksOf(item, name) }];
}

/**
 * The largest nesting depth at which lists of requests are found. Other tools write such lists at the root or in a few
 * maps.
 */
const MAX_DEPTH = 4;

function listsIn(node: YamlNode, depth: number): readonly (readonly YamlNode[])[] {
  if (depth === 0 || node.kind === 'scalar') return [];
  if (node.kind === 'map') return node.entries.flatMap(({ value }) => listsIn(value, depth - 1));
  const items = listItems(node);
  return [items, ...items.flatMap((item) => listsIn(item, depth - 1))];
}

/** The keys under which tools write a request. */
const REQUEST_KEYS = ['query', 'prompt', 'input'];

function triggerCase(item: YamlNode): TriggerCase | undefined {
  const should = findValue(item, 'should_trigger');
  if (should?.kind !== 'scalar' || typeof should.value !== 'boolean') return undefined;
  const shouldTrigger = should.value;
  for (const key of REQUEST_KEYS) {
    const node = findValue(item, key);
    const request = stringOf(node);
    if (node && request !== undefined) return { request, shouldTrigger, span: node.span };
  }
  return undefined;
}

/** The keys of the checks that a model decides. */
const CHECK_KEYS = ['assertions', 'expectations'];

function resultsOf(item: YamlNode, name: string): readonly TestResult[] {
  const test = { kind: 'evals', of: name, span: placeOf(item) } as const;
  const fault = faultOf(item);
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
  const all = [...(expected ? [expected] : []), ...checks].map((check, at) => ({
    text: stringOf(check) ?? stringOf(findValue(check, 'text')) ?? `check ${at + 1}`,
    span: check.span,
  }));
  const labels = numbered(all.map(({ text }) => (text.length > 60 ? `${text.slice(0, 59)}…` : text)));
  return all.map((check, at) => ({ ...check, name: `${name} › ${labels[at]}` }));
}

/** Makes the names unique, because the outputs and answers from a model are found by name. */
function numbered(names: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let own = name;
    for (let nth = 2; taken.has(own); nth++) own = `${name} (${nth})`;
    taken.add(own);
    return own;
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

const INVALID_JSON = '`evals.json` is not valid JSON. Correct it.';

function nameOf(item: YamlNode, at: number): string {
  const name = stringOf(findValue(item, 'eval_name')) ?? stringOf(findValue(item, 'name'));
  if (name !== undefined) return name;
  const id = findValue(item, 'id') as YamlScalar | undefined;
  return id?.kind === 'scalar' ? `case ${String(id.value)}` : `case ${at + 1}`;
}

function faultOf(item: YamlNode): Pick<TestResult, 'span' | 'message'> | undefined {
  if (item.kind !== 'map') return { span: item.span, message: 'A case must be an object with a `prompt`.' };
  const prompt = findEntry(item, 'prompt');
  if (!prompt) {
    return {
      span: item.entries[0]?.key.span ?? item.span,
      message: "Missing key `prompt`. Add it with a user's request.",
    };
  }
  const text = stringOf(prompt.value);
  if (text === undefined) return { span: prompt.value.span, message: '`prompt` must be a string.' };
  if (text.trim() === '') {
    return {
      span: prompt.value.span,
      message: "`prompt` is empty. Write a user's request.",
    };
  }
  const files = findValue(item, 'files');
  if (files && files.kind !== 'list') return { span: files.span, message: '`files` must be a list of paths.' };
  return undefined;
}
