/**
 * Runs of clients without a person, in the workflow files of a repository (docs/rules/agent-skill-refused-in-workflow.md).
 * Only command lines that are understood completely count. Others may give a permission in a way that is not known.
 */

import { findValue, mapEntries, stringOf, type YamlNode, type YamlScalar } from '../../languages/yaml/node.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { type Span, sliceOf, span } from '../../text.ts';
import { readCommands } from './shell-commands.ts';

/** A run of a client, without its position. */
export interface ClientRun {
  /** The ID of the client. */
  readonly client: string;
  /** The URI of the folder in which the client starts. */
  readonly root: string;
  /** The calls that the command line allows: all, or those that match one of the rules. */
  readonly allows: 'all' | readonly string[];
}

interface RunOptions {
  /** The client answers one prompt and ends. */
  readonly print: readonly string[];
  /** True if the prompt is the value of this option. */
  readonly hasPrompt: boolean;
  /** The options that allow all calls, and those whose values are rules. */
  readonly all: readonly string[];
  readonly rules: readonly string[];
  /** Options that change no permission, with and without a value. With another option, nothing is known about the run. */
  readonly values: readonly string[];
  readonly flags: readonly string[];
}

const OPTIONS_OF_GEMINI: RunOptions = {
  print: ['-p', '--prompt'],
  hasPrompt: true,
  all: ['-y', '--yolo'],
  rules: [],
  values: ['-m', '--model', '-o', '--output-format'],
  flags: ['-d', '--debug'],
};

/**
 * The commands, with the IDs of their clients. All options are accepted by Claude Code 2.1.332, Gemini CLI 0.61.0,
 * Qwen Code 0.24.4 and Pi 1.6.0 (`--help` and runs, observed 2026-11-30).
 */
const COMMANDS: ReadonlyMap<string, readonly [client: string, options: RunOptions]> = new Map([
  [
    'claude',
    [
      'claude-code',
      {
        print: ['-p', '--print'],
        hasPrompt: false,
        all: [],
        rules: ['--allowedTools', '--allowed-tools'],
        values: ['--model', '--fallback-model', '--output-format', '--input-format', '--max-turns'],
        flags: ['--verbose', '--include-partial-messages'],
      },
    ],
  ],
  ['gemini', ['gemini-cli', OPTIONS_OF_GEMINI]],
  ['qwen', ['qwen-code', OPTIONS_OF_GEMINI]],
  [
    'pi',
    [
      'pi',
      {
        print: ['-p', '--print'],
        hasPrompt: false,
        all: ['-a', '--approve'],
        rules: [],
        values: ['--provider', '--model', '--mode', '--thinking', '-n', '--name'],
        flags: ['--no-session', '--verbose', '--offline'],
      },
    ],
  ],
]);

/** Signs that a workflow writes settings, changes or removes folders, or checks out another repository or branch. */
const UNCERTAIN =
  /settings|\bcd\b|\b(?:rm|mv|exit)\b|\bgit (?:checkout|switch|clone|reset)\b|pushd|CONFIG_DIR|\bHOME\b|GIT_STRATEGY|working-directory|\bdefaults:|\bshell:|^[ \t]+(?:path|repository):|\binclude:|<</m;

/** Returns the runs in a workflow file with the spans of their commands. Never throws. */
export const clientRuns = (file: SkillFile): readonly (ClientRun & { readonly span: Span })[] => file.derive(findRuns);

/** Returns the runs in a workflow file without their positions. Never throws. */
export const runsOf = (file: SkillFile): readonly ClientRun[] => clientRuns(file).map(({ span: _, ...run }) => run);

function findRuns({ dialect, text, uri, frontmatter }: SkillFile): readonly (ClientRun & { readonly span: Span })[] {
  if (dialect !== 'workflow' || !/\b(?:claude|gemini|qwen|pi)\b/.test(text) || UNCERTAIN.test(text)) return [];
  const isGitHub = uri.includes('/.github/workflows/');
  if (frontmatter.tree.broken) return [];
  const root = uri.replace(/\/(?:\.github\/workflows\/)?[^/]+$/, '');
  const scripts = isGitHub
    ? stepsIn(frontmatter.tree.root)
    : scriptsIn(frontmatter.tree.root, ['script', 'before_script', 'after_script']);
  return scripts.flatMap((scalar) => {
    const place = scriptOf(text, scalar);
    return place === undefined ? [] : runsIn(sliceOf(text, place), place.start, root);
  });
}

/** Returns the scripts of a GitHub workflow after the checkout in their job. Without it, the client finds no skill. */
function stepsIn(root: YamlNode | undefined): readonly YamlScalar[] {
  const jobs = findValue(root, 'jobs');
  return mapEntries(jobs).flatMap(({ value }) => {
    const steps = findValue(value, 'steps');
    const items = steps?.kind === 'list' ? steps.items : [];
    const checkout = items.findIndex((step) => stringOf(findValue(step, 'uses'))?.startsWith('actions/checkout@'));
    if (checkout < 0) return [];
    return items.slice(checkout + 1).flatMap((step) => {
      const run = findValue(step, 'run');
      return run?.kind === 'scalar' ? [run] : [];
    });
  });
}

/** Returns the scalars below keys with these names, in text order. */
function scriptsIn(root: YamlNode | undefined, keys: readonly string[]): readonly YamlScalar[] {
  const found: YamlScalar[] = [];
  const open: { readonly node: YamlNode; readonly isScript: boolean }[] = root ? [{ node: root, isScript: false }] : [];
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, isScript } = next;
    if (node.kind === 'list') open.push(...node.items.map((item) => ({ node: item, isScript })));
    else if (node.kind === 'map')
      open.push(...node.entries.map(({ key, value }) => ({ node: value, isScript: keys.includes(String(key.value)) })));
    else if (isScript) found.push(node);
  }
  return found.sort((a, b) => a.span.start - b.span.start);
}

/** Returns the place of a script whose text in the file is the text that runs; undefined for other styles. */
function scriptOf(text: string, { span: place, style }: YamlScalar): Span | undefined {
  const written = sliceOf(text, place);
  if (style === 'plain') return /^[&*!]|[\r\n]/.test(written) ? undefined : place;
  const head = /^\|[-+]?[ \t]*\r?\n/.exec(written)?.[0];
  return style === 'literal' && head !== undefined ? span(place.start + head.length, place.end) : undefined;
}

function runsIn(script: string, start: number, root: string): readonly (ClientRun & { readonly span: Span })[] {
  return (readCommands(script) ?? []).flatMap(({ words: [name = '', ...words], isPlain, span: place }) => {
    const [client, options] = COMMANDS.get(name) ?? [];
    const allows = client !== undefined && options && isPlain ? allowedBy(words, options) : undefined;
    if (client === undefined || allows === undefined) return [];
    return [{ client, root, allows, span: span(start + place.start, start + place.end) }];
  });
}

/** Returns what the options allow; undefined if the client waits for a person, or if an option is not known. */
function allowedBy(words: readonly string[], options: RunOptions): ClientRun['allows'] | undefined {
  const rules: string[] = [];
  let prints = false;
  let isAll = false;
  for (let at = 0; at < words.length; at++) {
    const [name = '', ...rest] = (words[at] ?? '').split('=');
    const hasValue = rest.length > 0;
    if (!name.startsWith('-')) continue;
    if (options.all.includes(name)) isAll = true;
    else if (options.print.includes(name)) {
      prints = true;
      if (options.hasPrompt && !hasValue) at++;
    } else if (options.values.includes(name)) at += hasValue ? 0 : 1;
    else if (options.rules.includes(name)) {
      rules.push(rest.join('='));
      // The option takes all words up to the next option.
      while (!hasValue && at + 1 < words.length && !words[at + 1]?.startsWith('-')) rules.push(words[++at] ?? '');
    } else if (!options.flags.includes(name)) return undefined;
  }
  if (!prints) return undefined;
  return isAll ? 'all' : rules.flatMap(rulesIn);
}

/** Returns the rules in a value: words, each with the text in parentheses after it. Linear time. */
function rulesIn(value: string): readonly string[] {
  // A parenthesis that is not closed is looked for once.
  const end = value.lastIndexOf(')') + 1;
  const rules = value.slice(0, end).match(/[^\s,()]+(?:\([^)]*\))?/g) ?? [];
  return [...rules, ...(value.slice(end).match(/[^\s,()]+/g) ?? [])];
}
