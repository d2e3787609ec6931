/**
 * The text that a client adds to the body of a skill, and the permission that a call needs (docs/clients.md,
 * "Delivered").
 */

import type { Client } from '../../clients/facts/client.ts';
import type { ClientRow, Reason } from '../../clients/matrix/cell.ts';
import { admit, keysBehind } from '../../clients/pipeline/admit.ts';
import { type Call, type CallRules, type Delivered, deliver } from '../../clients/pipeline/deliver.ts';
import { readFields } from '../../clients/pipeline/fields.ts';
import { splitPath } from '../../clients/pipeline/file.ts';
import { knownOf, type Pipeline } from '../../clients/pipeline/pipeline.ts';
import { pipelineOf } from '../../clients/pipeline/pipelines.ts';
import { FileReader } from '../../clients/pipeline/read.ts';
import { isStop } from '../../clients/pipeline/reading.ts';
import { type Ask, isChoice, type Result, resultsOf, type Setting } from '../../clients/pipeline/setting.ts';
import { formatNumber } from '../../format-amounts.ts';
import { listed } from '../../nearest.ts';
import type { DeliveredFrame } from '../../protocol/chosen.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { decoded } from '../../vocabulary/dialect.ts';

/** The calls of a skill in a client whose steps are known. */
export interface DeliveredCalls {
  readonly frames: readonly DeliveredFrame[];
  /** Sentences about the content, the text around it, and the permission. */
  readonly texts: readonly string[];
  /** The kinds of call in which the client fills in placeholders for arguments; undefined if it is not known. */
  readonly fillsFor: readonly Call[] | undefined;
  /** True if the text of a call is too long for the client. */
  readonly isCut: boolean;
  readonly reasons: readonly Reason[];
}

/** The largest number of characters before or after the content that are returned. */
const MAX_FRAME = 5_000;

const CALLS: readonly Call[] = ['model', 'person'];

/**
 * Returns the calls of a skill in the client of a row.
 *
 * @param files the other files in the folder of the skill, relative to it; undefined if they are not known
 * @param given the arguments of a call by name
 * @returns undefined if the client's steps are not described, or if the client cannot read the file
 */
export function deliveredCalls(
  file: SkillFile,
  { client, name }: Pick<ClientRow, 'client' | 'name'>,
  files: readonly string[] | undefined,
  given: string,
): DeliveredCalls | undefined {
  const pipeline = pipelineOf(client.id);
  const rules = pipeline?.deliver;
  if (!pipeline || !rules) return undefined;
  const skill = readSkill(file, name, pipeline, files, first);
  if (!skill) return undefined;
  const { path } = skill;
  const answers = admit(pipeline.admit, skill, false, first);
  const calls = CALLS.filter((call) => answers[call] !== 'no');
  const place = { start: startOf(path), repository: startOf(path) };
  const made = calls.map((call) => {
    const results = resultsOf((ask) => {
      const one = readSkill(file, name, pipeline, files, ask);
      return one && deliver(rules, call, one, { text: given }, place, ask);
    });
    return { call, results: results ?? [], isWhole: rules[call].files === undefined || files !== undefined };
  });
  return {
    frames: framesOf(made),
    texts: [
      ...made.flatMap(({ call, results }) => [...contentText(call, rules[call], name), ...cutTexts(call, results)]),
      ...(calls.includes('model') && answers.permission !== 'no' ? permissionTexts(skill, pipeline) : []),
    ],
    fillsFor: fillsFor(pipeline),
    isCut: made.some(({ results }) => results[0]?.value?.cut !== undefined),
    reasons: reasonsFor(client, pipeline),
  };
}

/** Returns the sources of both kinds of call, each once. */
function reasonsFor({ sources }: Client, pipeline: Pipeline): readonly Reason[] {
  const ids = CALLS.map((call) => knownOf(pipeline, `deliver.${call}.text`)?.source ?? '');
  return [...new Set(ids)].flatMap((id) => {
    const source = (id === 'run' ? sources.run : undefined) ?? pipeline.sources[id];
    return source
      ? [{ text: 'The text of a call.', source: source.where, checked: source.checked, certainty: 'read' as const }]
      : [];
  });
}

/** Returns the skill as a client reads it; undefined if it drops the file. */
function readSkill(
  { text, uri }: SkillFile,
  name: string,
  { open, parse, fields }: Pipeline,
  files: readonly string[] | undefined,
  ask: Ask,
) {
  const path = decoded(uri.replace(/^[a-z][a-z\d+.-]*:\/\/[^/]*/i, '')).replace(/^\/([a-z]:\/)/i, '$1');
  const reading = new FileReader(text).read({ open, parse }, ask);
  if (isStop(reading)) return undefined;
  const body = text.slice(reading.bodyStart);
  const named = readFields(fields, path, { keys: reading.keys, body, isBodyEmpty: body.trim() === '' }, ask);
  if ('code' in named) return undefined;
  const { description } = named;
  return {
    ...{ name, path, text, bodyStart: reading.bodyStart, scope: 'project', keys: reading.keys },
    ...(description !== undefined && { description }),
    ...(files && { files }),
  };
}

/** Answers with the first value of each setting. */
const first: Ask = <Value>(_: string, value: Setting<Value>): Value =>
  isChoice(value) ? (value.oneOf[0] as Value) : value;

/** Returns the folder that contains the first hidden folder of a path: where a client most likely starts. */
function startOf(path: string): string {
  const at = path.search(/\/\.[^/]+\//);
  return at > 0 ? path.slice(0, at) : splitPath(splitPath(path).folder).folder;
}

type Made = readonly {
  readonly call: Call;
  readonly results: readonly Result<Delivered | undefined>[];
  /** False if the client names the files of the folder, which are not known. */
  readonly isWhole: boolean;
}[];

/** Returns the texts around the content. Calls with equal texts share one. */
function framesOf(made: Made): readonly DeliveredFrame[] {
  const frames: DeliveredFrame[] = [];
  for (const { call, results, isWhole } of made) {
    const [value] = results.flatMap((one) => one.value ?? []);
    if (!value || value.gives === 'nothing' || value.before + value.after === '') continue;
    const isSame = (one: DeliveredFrame): boolean =>
      !value.cut && one.before === value.before && one.after === value.after;
    const known = frames.find(isSame);
    const isExact =
      isWhole && results.every((one) => one.value && isEqual(one.value, value)) && value.files?.isExact !== false;
    if (known) frames.splice(frames.indexOf(known), 1, { ...known, calls: [...known.calls, call] });
    else {
      const { gives, before, content, after, cut: isCut } = value;
      // The body is not in a text that is too long.
      if (isCut)
        frames.push({ calls: [call], gives: 'nothing', before: cut(before + content + after), after: '', isExact });
      else frames.push({ calls: [call], gives, before: cut(before), after: cut(after), isExact });
    }
  }
  return frames;
}

const isEqual = (one: Delivered, other: Delivered): boolean => one.before === other.before && one.after === other.after;
const cut = (text: string): string => (text.length > MAX_FRAME ? `${text.slice(0, MAX_FRAME)}…` : text);

/** Returns sentences about what arrives after one kind of call. */
function contentText(call: Call, { by, gives, text, headless }: CallRules, name: string): readonly string[] {
  if (isChoice(gives)) return [];
  const how = `\`${(by ?? '').replaceAll('{name}', name)}\``;
  if (call === 'model') {
    if (gives === 'nothing') return ['The model reads the file itself, with its frontmatter.'];
    return [
      `The model's call (tool ${how}) returns ${CONTENTS[gives]}${text === null ? '' : ' with text of the client around it'}.`,
    ];
  }
  const sent =
    isChoice(headless) || headless === 'works'
      ? []
      : [`Without a person at the terminal, ${how} goes to the model as plain text.`];
  if (text === null) return [`It is not known what a call by name (${how}) sends.`, ...sent];
  return [`A call by name (${how}) sends ${CONTENTS[gives]}.`, ...sent];
}

const CONTENTS = {
  body: 'the body',
  file: 'the whole file with its frontmatter',
  name: 'only the name, so that the model must read the file',
  nothing: 'nothing',
} as const;

/** Returns a sentence about a text that is too long for the client. */
function cutTexts(call: Call, [first]: readonly Result<Delivered | undefined>[]): readonly string[] {
  const cut = first?.value?.cut;
  if (!cut) return [];
  const [start, end, of] = [cut.start, cut.end, cut.of].map(formatNumber);
  const kept = cut.end > 0 ? `the first ${start} and the last ${end}` : `only the first ${start}`;
  const who = call === 'model' ? "The text of the model's call" : 'The text of a call by name';
  return [`${who} is too long: of ${of} characters, the model gets ${kept}, and must read a file for the rest.`];
}

/** Returns a sentence about the permission that the model's call of this skill needs. */
function permissionTexts(
  skill: NonNullable<ReturnType<typeof readSkill>>,
  { admit: rules, deliver: delivery }: Pipeline,
): readonly string[] {
  if (!delivery?.permission) return [];
  const keys = keysBehind(rules, skill, 'permission', first);
  const { command, by, allow, otherwise } = delivery.permission;
  const because = keys.length === 0 ? '' : `, because the skill has ${listed(keys.map((key) => `\`${key}\``))}`;
  const refuses = otherwise === 'not-offered' ? 'does not offer the tool' : 'refuses it';
  const option = by === 'rule' ? `a rule for \`${allow.replaceAll('{name}', skill.name)}\`` : `\`${allow}\``;
  return [`The model's call needs a permission${because}; \`${command}\` ${refuses} without ${option}.`];
}

/** Returns the kinds of call in which a client fills in placeholders; undefined if it is not known for one of them. */
function fillsFor({ deliver: rules }: Pipeline): readonly Call[] | undefined {
  if (!rules || CALLS.some((call) => isChoice(rules[call].arguments))) return undefined;
  return CALLS.filter((call) => rules[call].arguments === 'filled');
}
