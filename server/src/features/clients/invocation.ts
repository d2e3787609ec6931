/** Creates the prompt that a client sends to its model when a user invokes a `SKILL.md` with arguments. */
import { subjectOf } from '../../agent-skills/subject.ts';
import type { Analysis } from '../../analysis/analysis.ts';
import { targetsOf } from '../../analysis/targets.ts';
import type { ComposeResult, Composition, Segment } from '../../composer/composition.ts';
import { tokensAtLeast } from '../../composer/tokens-at-least.ts';
import { findValue, listItems, stringOf } from '../../languages/yaml/node.ts';
import type { Call, CallFact } from '../../protocol/clients-view.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { span } from '../../text.ts';
import type { ArgumentRules, Client, CommandRules, Fact } from '../../vocabulary/client.ts';
import { findClient } from '../../vocabulary/clients.ts';

type Prompt = Pick<Composition, 'prompt' | 'segments' | 'tokens'>;

export interface CallOptions {
  /** The ID of a client; undefined means the first target. */
  readonly client: string | undefined;
  /** Undefined means that the placeholders are not replaced. */
  readonly arguments: string | undefined;
}

interface Called {
  readonly result: ComposeResult;
  readonly call: Call | undefined;
}

/** Returns the result with the arguments filled in if it belongs to a `SKILL.md`. */
export function withArguments(
  analysis: Analysis,
  file: SkillFile | undefined,
  result: ComposeResult,
  asked: CallOptions,
): Called {
  const made = file && called(analysis, file, result.ok ? result.composition : result.partial, asked);
  if (!made) return { result, call: undefined };
  const { prompt, call } = made;
  const next = result.ok
    ? { ok: true as const, composition: { ...result.composition, ...prompt } }
    : { ...result, partial: prompt };
  return { result: next, call };
}

/** Returns undefined for other files than `SKILL.md`, and for one without arguments and commands. */
function called(
  analysis: Analysis,
  file: SkillFile,
  given: Prompt,
  asked: CallOptions,
): { readonly prompt: Prompt; readonly call: Call } | undefined {
  const { agentSkill } = file.summary;
  if (file.dialect !== 'agent-skill' || !agentSkill) return undefined;
  const names = namesOf(file);
  const hint = stringOf(findValue(file.frontmatter.tree.root, 'argument-hint'))?.trim() || undefined;
  const body = bodyOf(given);
  const placeholders = placeholdersOf(body, names);
  const hasCommands = commandsIn(body).length > 0;
  const takesNone = placeholders.length === 0 && names.length === 0 && hint === undefined;
  if (takesNone && !hasCommands && asked.arguments === undefined) return undefined;
  const client =
    (asked.client === undefined ? undefined : findClient(asked.client)) ??
    targetsOf(analysis, subjectOf(file.uri, agentSkill)).clients[0];
  const prompt = filled(given, client, names, asked.arguments);
  const call: Call = {
    client: client && { id: client.id, name: client.name },
    fills: client && factOf(client, client.arguments),
    runs: client && factOf(client, client.commands),
    placeholders,
    names,
    hint,
    words: wordsOf(asked.arguments ?? ''),
    // A client without command rules gets the commands that any client runs.
    commands: commandsIn(bodyOf(prompt), client?.commands?.value),
  };
  return { prompt, call };
}

const factOf = ({ sources }: Client, fact: Fact<unknown> | undefined): CallFact | undefined => {
  const source = sources[fact?.source ?? ''];
  return fact && source
    ? { note: fact.note, source: source.where, checked: source.checked, certainty: fact.certainty ?? 'read' }
    : undefined;
};

/** Returns the names in `arguments`, which is a string separated by white space, or a list. */
function namesOf({ frontmatter }: SkillFile): readonly string[] {
  const value = findValue(frontmatter.tree.root, 'arguments');
  const text = stringOf(value);
  if (text !== undefined) return text.split(/\s+/).filter((name) => name !== '');
  return listItems(value).flatMap((item) => stringOf(item) ?? []);
}

/** Returns the body, which is the first part of the prompt. */
const bodyOf = ({ prompt, segments }: Prompt): string => prompt.slice(0, endOfBody(segments));

const endOfBody = (segments: readonly Segment[]): number =>
  segments.findLast(({ part }) => part === 'framing')?.end ?? 0;

function filled(given: Prompt, client: Client | undefined, names: readonly string[], text: string | undefined): Prompt {
  if (text === undefined || !client?.arguments) return given;
  const { replacements, appended } = fillArguments(bodyOf(given), client.arguments.value, { text, names });
  const end = endOfBody(given.segments);
  const all = appended === '' ? replacements : [...replacements, { start: end, end, text: appended }];
  return all.length === 0 ? given : replaced(given, all);
}

/** Applies replacements to a prompt. Splits segments at replacements; the parts keep their locations in the file. */
function replaced(given: Prompt, replacements: readonly Replacement[]): Prompt {
  let prompt = '';
  const segments: Segment[] = [];
  const add = (
    segment: Segment,
    text: string,
    tokens: number,
    kind: Segment['kind'],
    source: Segment['source'],
  ): void => {
    if (text === '') return;
    segments.push({ ...segment, start: prompt.length, end: prompt.length + text.length, tokens, kind, source });
    prompt += text;
  };
  for (const segment of given.segments) {
    const own = replacements.filter(
      ({ start, end }) => start >= segment.start && end <= segment.end && (start < segment.end || start === end),
    );
    const keep = (from: number, to: number): void => {
      const share = (to - from) / (segment.end - segment.start);
      add(
        segment,
        given.prompt.slice(from, to),
        Math.round(segment.tokens * share),
        segment.kind,
        partOf(segment, from, to),
      );
    };
    let at = segment.start;
    for (const { start, end, text } of segment.part === 'framing' ? own : []) {
      keep(at, start);
      add(segment, text, tokensAtLeast(text), 'value', partOf(segment, start, end));
      at = end;
    }
    keep(at, segment.end);
  }
  const total = segments.reduce((sum, { tokens }) => sum + tokens, 0);
  return { ...given, prompt, segments, tokens: { ...given.tokens, total } };
}

/** Returns the location of a part of a segment, if the segment is a literal copy of text in the file. */
function partOf({ source, start, end }: Segment, from: number, to: number): Segment['source'] {
  if (!source || source.span.end - source.span.start !== end - start) return source;
  return { ...source, span: span(source.span.start + from - start, source.span.start + to - start) };
}

/** A replacement; offsets in the prompt, in UTF-16 code units. */
interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The arguments of an invocation: the text after the name of the skill, such as `fix "the old tower" soon`. */
interface CallArguments {
  readonly text: string;
  /** The argument names that the skill declares, in order. */
  readonly names: readonly string[];
}

interface Filled {
  readonly replacements: readonly Replacement[];
  /** The text after the body; may be empty. */
  readonly appended: string;
}

const PLACEHOLDER = /(\\)?\$(?:ARGUMENTS\b(?:\[(\d{1,4})\])?|(\d{1,4})|([A-Za-z_][\w-]*))/g;

/** Replaces the placeholders in a body as one client does. Never runs commands. */
export function fillArguments(body: string, rules: ArgumentRules, { text, names }: CallArguments): Filled {
  const words = wordsOf(text);
  const found = [...body.matchAll(PLACEHOLDER)];
  const last = Math.max(...found.flatMap(([, , , short]) => (short === undefined ? [] : [Number(short)])));
  const replacements: Replacement[] = [];
  let isNamed = false;
  for (const { index, 0: written, 1: backslash, 2: indexed, 3: short, 4: name } of found) {
    const start = index + (backslash ?? '').length;
    const whole = written.slice((backslash ?? '').length);
    const replacement = replacementOf({ whole, indexed, short, name });
    if (replacement === undefined) continue;
    isNamed ||= backslash === undefined || !rules.escape;
    if (backslash !== undefined && rules.escape) replacements.push({ start: index, end: start, text: '' });
    else if (replacement !== whole) replacements.push({ start, end: index + written.length, text: replacement });
  }
  return { replacements, appended: isNamed || text.trim() === '' ? '' : `\n\n${rules.appended}${text}` };

  /** Returns the replacement of a placeholder; undefined if this client does not support it. */
  function replacementOf(one: Written): string | undefined {
    const { whole, indexed, short, name } = one;
    if (short !== undefined) {
      const at = Number(short) - (rules.shortFirst ?? Number.POSITIVE_INFINITY);
      if (rules.lastTakesRest && Number(short) === last && at >= 0 && at < words.length)
        return words.slice(at).join(' ');
      return rules.shortFirst === undefined || at < 0 ? undefined : (words[at] ?? missing(rules.missingIndexed, whole));
    }
    if (name !== undefined) {
      const at = names.indexOf(name);
      return !rules.named || at < 0 ? undefined : (words[at] ?? missing(rules.missingNamed, whole));
    }
    if (indexed === undefined) return text;
    // For a client without this form, `[0]` is text after all arguments.
    if (rules.indexedFirst === undefined) return `${text}[${indexed}]`;
    return words[Number(indexed) - rules.indexedFirst] ?? missing(rules.missingIndexed, whole);
  }
}

interface Written {
  readonly whole: string;
  readonly indexed: string | undefined;
  readonly short: string | undefined;
  readonly name: string | undefined;
}

const missing = (rule: ArgumentRules['missingIndexed'], written: string): string => (rule === 'empty' ? '' : written);

/** Splits a string at white space outside quotes. */
const wordsOf = (text: string): readonly string[] =>
  [...text.matchAll(/"([^"]*)"|'([^']*)'|\S+/g)].map(([word, double, single]) => double ?? single ?? word);

/** Returns the placeholders of any client in a body, as written, without duplicates. */
export function placeholdersOf(body: string, names: readonly string[]): readonly string[] {
  const found = [...body.matchAll(PLACEHOLDER)].filter(
    ({ 1: backslash, 4: name }) => backslash === undefined && (name === undefined || names.includes(name)),
  );
  return [...new Set(found.map(([written]) => written))];
}

interface Command {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Returns the commands in a body; without rules, those that any client runs. */
export function commandsIn(
  body: string,
  rules: CommandRules = { inline: 'anywhere', fenced: true },
): readonly Command[] {
  const inline = rules.inline === 'after-space' ? /(?<![^\s])!`([^`\n]+)`/g : /!`([^`\n]+)`/g;
  const fenced = /^ {0,3}(`{3,})!\s*\n([\s\S]*?)\n {0,3}\1`*[ \t]*$/gm;
  const spans = [
    ...[...body.matchAll(inline)].map(({ index, 0: all, 1: text = '' }) => ({ index, all, text })),
    ...(rules.fenced
      ? [...body.matchAll(fenced)].map(({ index, 0: all, 2: text = '' }) => ({ index, all, text }))
      : []),
  ];
  return spans
    .map(({ index, all, text }) => ({ start: index, end: index + all.length, text }))
    .sort((a, b) => a.start - b.start);
}
