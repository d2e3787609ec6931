/** Creates the prompt that a client sends to its model when a user invokes a `SKILL.md` with arguments. */

import {
  argumentNames,
  fillArguments,
  placeholdersIn,
  type Replacement,
  wordsOf,
} from '../../abilities/placeholders.ts';
import { commandsIn } from '../../abilities/self-running.ts';
import type { Analysis } from '../../analysis/analysis.ts';
import { targetsOf } from '../../analysis/targets.ts';
import type { Client, Fact } from '../../clients/facts/client.ts';
import { subjectOf } from '../../clients/matrix/subject.ts';
import type { ComposeResult, Composition, Segment } from '../../composer/composition.ts';
import { tokensAtLeast } from '../../composer/tokens-estimate.ts';
import { findValue, stringOf } from '../../languages/yaml/node.ts';
import type { Call, CallFact } from '../../protocol/clients-view.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { span } from '../../text.ts';

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
  const names = argumentNames(file);
  const hint = stringOf(findValue(file.frontmatter.tree.root, 'argument-hint'))?.trim() || undefined;
  const body = bodyOf(given);
  const placeholders = distinctPlaceholders(body, names);
  const hasCommands = commandsIn(body).length > 0;
  const takesNone = placeholders.length === 0 && names.length === 0 && hint === undefined;
  if (takesNone && !hasCommands && asked.arguments === undefined) return undefined;
  const client =
    (asked.client === undefined ? undefined : analysis.clientsById.find(asked.client)) ??
    targetsOf(analysis, subjectOf(file.uri, agentSkill)).clients[0];
  const prompt = filled(given, client, names, asked.arguments);
  const call: Call = {
    client: client && { id: client.id, name: client.name },
    fills: client && factOf(client, client.arguments),
    runs: client && factOf(client, client.commands),
    placeholders,
    names,
    hint,
    words: wordsOf(asked.arguments ?? '', client?.arguments?.value ?? undefined),
    // A client that runs no commands, or is not known to, gets the commands of other clients.
    commands: commandsIn(bodyOf(prompt), client?.commands?.value ?? undefined).map(
      ({ span: { start, end }, command }) => ({
        start,
        end,
        text: command,
      }),
    ),
  };
  return { prompt, call };
}

const factOf = ({ sources }: Client, fact: Fact<unknown> | undefined): CallFact | undefined => {
  const source = sources[fact?.source ?? ''];
  return fact && source
    ? {
        does: fact.value !== null,
        note: fact.note,
        source: source.where,
        checked: source.checked,
        certainty: fact.certainty ?? 'read',
      }
    : undefined;
};

/** Returns the placeholders of any client in a body, as written, without duplicates. */
export const distinctPlaceholders = (body: string, names: readonly string[]): readonly string[] => [
  ...new Set(placeholdersIn(body, names).flatMap(({ backslashes, written }) => (backslashes === 1 ? [] : [written]))),
];

/** Returns the body, which is the first part of the prompt. */
const bodyOf = ({ prompt, segments }: Prompt): string => prompt.slice(0, endOfBody(segments));

const endOfBody = (segments: readonly Segment[]): number =>
  segments.findLast(({ part }) => part === 'framing')?.end ?? 0;

function filled(given: Prompt, client: Client | undefined, names: readonly string[], text: string | undefined): Prompt {
  const rules = client?.arguments?.value;
  if (text === undefined || !rules) return given;
  const { replacements, appended } = fillArguments(bodyOf(given), rules, { text, names });
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
