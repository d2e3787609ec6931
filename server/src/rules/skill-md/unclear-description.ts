import { isHiddenFromModels } from '../../analysis/match-skills.ts';
import { type Draft, type Fix, fixHere, placesHere } from '../../finding.ts';
import { setScalar } from '../../languages/yaml/edit.ts';
import {
  findValue,
  listItems,
  mapEntries,
  stringOf,
  type YamlNode,
  type YamlScalar,
} from '../../languages/yaml/node.ts';
import { sourceSpan } from '../../languages/yaml/source-spans.ts';
import { isDescriptionOfNew, placeholderDraft } from '../../skill/insert-key.ts';
import { originOf } from '../../skill/origin.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { endOfLine, type Span, sliceOf, span } from '../../text.ts';
import { MAX_DESCRIPTION } from '../../vocabulary/agent-skill-keys.ts';
import type { Rule } from '../engine/rule.ts';
import { type Example, exampleOfUse, isEnglish, type WordingProblem, wordingProblem } from './description-wording.ts';
import { STANDARD } from './entries.ts';
import { isSkillTemplate } from './naming.ts';
import { type WhenInBody, whenInBody } from './when-in-body.ts';

/** Reports a description that does not say what the skill does or when to use it, or that is in the first person. */
export const unclearDescription: Rule = {
  name: 'unclear-description',
  severity: 'hint',
  evidence: { kind: 'heuristic', source: `${STANDARD}, \`description\` field (advice)` },
  dialects: ['agent-skill'],
  *check(file) {
    const { root } = file.frontmatter.tree;
    const value = findValue(root, 'description');
    const text = stringOf(value)?.trim();
    if (value?.kind !== 'scalar' || !text || hasOtherDefect(file, value) || !isAuthored(file)) return;
    if (isDescriptionOfNew(text)) {
      const message = 'This is the description of every new skill. Say what this one does and when to use it.';
      yield { span: value.span, message, fixes: describeNew(file, value) };
      return;
    }
    const saysWhenBelow = () => file.derive(whenInBody) !== undefined;
    const isEnglishBelow = () => isEnglish(proseOf(file));
    const problem = wordingProblem(text, { name: file.contract.name?.name, saysWhenBelow, isEnglishBelow });
    if (!problem || (problem.kind !== 'first-person' && TRIGGER_KEYS.some((key) => hasContent(findValue(root, key)))))
      return;
    const start = (stringOf(value) ?? '').indexOf(text);
    if (problem.kind === 'repeats') {
      const at = start + text.lastIndexOf(problem.words);
      yield { span: sourceSpan(file.text, value, at, at + problem.words.length), message: REPEATS };
      return;
    }
    const { length } = problem.kind === 'first-person' ? problem.words : text;
    const place = sourceSpan(file.text, value, start, start + length);
    if (problem.kind === 'first-person') {
      const fixes = beginWithVerb(file, value, problem, start, place);
      yield { span: place, message: messageOf(problem, file), fixes };
      return;
    }
    const below = problem.kind === 'no-what' ? undefined : file.derive(whenInBody);
    const fixes = fixesOf(file, value, problem);
    yield below
      ? saysOnlyBelow(file, value, place, below, fixes)
      : { span: place, message: messageOf(problem, file), fixes };
  },
};

const REPEATS =
  'This sentence only repeats the words before it, so it does not help to choose the skill. Write which requests, files or situations it is for.';

/** The keys that say when to use the skill. Only some clients read them, which other rules report. */
const TRIGGER_KEYS = ['when_to_use', 'triggers', 'trigger'];

const hasContent = (node: YamlNode | undefined): boolean =>
  (stringOf(node)?.trim() ?? '') !== '' || listItems(node).length > 0;

/**
 * Returns the finding for a description that does not say when to use the skill, although the body does. Without a
 * sentence of the body, `fixes` are offered.
 */
function saysOnlyBelow(
  file: SkillFile,
  value: YamlScalar,
  place: Span,
  { heading, sentence }: WhenInBody,
  fixes: readonly Fix[],
): Draft {
  const here = sentence === undefined ? '.' : `: \`${beginning(sentence)}\`.`;
  return {
    span: place,
    message: `Agents choose a skill by its description, but only the body says when to use it. Say it here${here}`,
    related: placesHere(file, [heading], 'The body says it here.'),
    fixes: sentence === undefined ? fixes : added(file, value, sentence),
  };
}

/** Returns the fix that writes the missing part of a description, which the author completes. */
function fixesOf(file: SkillFile, value: YamlScalar, { kind, example }: UnclearProblem): readonly Fix[] {
  const own = firstInstruction(file);
  if (kind === 'no-what') return own === undefined ? [] : beginWith(file, value, own);
  if (example === undefined) return [];
  const whole = kind === 'vague' && own !== undefined ? describe(file, value, own, example) : [];
  return whole.length > 0 ? whole : asPlaceholder(added(file, value, example.sentence), example.sentence);
}

/** Returns the fix that adds a sentence at the end of the description. */
function added(file: SkillFile, value: YamlScalar, sentence: string): readonly Fix[] {
  const text = (stringOf(value) ?? '').trim().replace(/[,;:]$/, '');
  const isEastern = /[^\p{ASCII}\p{Script=Latin}\p{P}\s]$/u.test(text.replace(/\p{P}+$/u, ''));
  const [end, gap] = isEastern && !/\p{Script=Hangul}/u.test(text) ? ['。', ''] : ['.', ' '];
  const ended = (words: string): string => (/[.!?。！？]$/u.test(words) ? words : words + end);
  return rewritten(file, value, `Add ‘${beginning(sentence)}’`, `${ended(text)}${gap}${ended(sentence)}`);
}

/** Returns the fix that begins the description with an instruction of the body. */
function beginWith(file: SkillFile, value: YamlScalar, own: string): readonly Fix[] {
  const text = `${own}. ${(stringOf(value) ?? '').trim()}`;
  return saysWhat(text) ? asPlaceholder(rewritten(file, value, `Begin with ‘${own}’`, text), own) : [];
}

/** Returns the fix that replaces the description with an instruction of the body and an example of when to use it. */
function describe(file: SkillFile, value: YamlScalar, own: string, example: Example | undefined): readonly Fix[] {
  const text = example && `${own}. ${example.sentence}.`;
  return text !== undefined && saysWhat(text)
    ? asPlaceholder(rewritten(file, value, `Write ‘${beginning(text)}’`, text), text)
    : [];
}

/** Returns the fix that replaces the description of a new skill. */
function describeNew(file: SkillFile, value: YamlScalar): readonly Fix[] {
  const own = firstInstruction(file);
  return own === undefined ? [] : describe(file, value, own, exampleOfUse(own, file.contract.name?.name));
}

/** Returns whether a description with an instruction says what the skill does. An instruction such as `Do it` does not. */
const saysWhat = (text: string): boolean => {
  const surroundings = { name: undefined, saysWhenBelow: () => false, isEnglishBelow: () => true };
  return (wordingProblem(text, surroundings)?.kind ?? 'repeats') === 'repeats';
};

const rewritten = (file: SkillFile, value: YamlScalar, title: string, text: string): readonly Fix[] =>
  [...text].length > MAX_DESCRIPTION ? [] : fixHere(file, title, setScalar(file.text, value, text));

const asPlaceholder = (fixes: readonly Fix[], placeholder: string): readonly Fix[] =>
  fixes.map((fix) => ({ ...fix, placeholder }));

/** Returns the start of the body without headings, code and comments. */
function proseOf({ text, body }: SkillFile): string {
  const start = body ? sliceOf(text, body.span).slice(0, MAX_PROSE) : '';
  return start.replace(
    /^[ \t]*(```|~~~)[\s\S]*?(?:^[ \t]*\1|(?![\s\S]))|<!--[\s\S]*?(?:-->|(?![\s\S]))|`[^`\n]*`|^#.*$/gm,
    '',
  );
}

/** The longest part of the body that shows its language, in UTF-16 code units. */
const MAX_PROSE = 4_000;

type FirstPerson = WordingProblem & { readonly kind: 'first-person' };
type UnclearProblem = WordingProblem & { readonly kind: 'no-when' | 'no-what' | 'vague' };

/** The longest text of the body in a message, in UTF-16 code units. */
const MAX_QUOTED = 60;

const beginning = (sentence: string): string =>
  sentence.length <= MAX_QUOTED ? sentence : `${sentence.slice(0, MAX_QUOTED).replace(/\s+\S*$/, '')} …`;

/** Returns whether another rule reports the description: it is a placeholder, too long, cut by a comment or written twice. */
function hasOtherDefect(file: SkillFile, { span: { end }, value }: YamlScalar): boolean {
  const { root, comments } = file.frontmatter.tree;
  const lineEnd = endOfLine(file.text, end);
  return (
    placeholderDraft(file) !== undefined ||
    [...String(value)].length > MAX_DESCRIPTION ||
    comments.some(({ span: { start } }) => start >= end && start < lineEnd) ||
    mapEntries(root).filter(({ key }) => key.value === 'description').length > 1
  );
}

/**
 * Returns false for a skill that only people call, for a template of skills, and for a copy or a conversion, which has
 * its description from another file.
 */
const isAuthored = (file: SkillFile): boolean =>
  !isHiddenFromModels(file) && !isSkillTemplate(file, file.contract.name?.name ?? '') && !originOf(file);

function messageOf(problem: UnclearProblem | FirstPerson, file: SkillFile): string {
  if (problem.kind === 'first-person') {
    const { verb } = problem;
    const example = verb === undefined ? '' : `: \`${capital(verb)} …\``;
    return `This description is in the first person, but the agent reads it in a list of skills. Begin with the verb${example}.`;
  }
  if (problem.kind === 'no-what') {
    const own = firstInstruction(file);
    return `This description does not say what the skill does. Begin with it${own === undefined ? '' : `, for example \`${own}\``}.`;
  }
  const example = problem.example === undefined ? '' : `, for example \`${problem.example.short}\``;
  return problem.kind === 'no-when'
    ? `This description does not say when to use the skill. Add it${example}.`
    : `This description is too vague to choose the skill by. Say what the skill does and when to use it${example}.`;
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** A word that refers to text before it, which a description does not have. */
const REFERENCE = /\b(?:it|its|this|that|these|those|they|them|their)\b/i;

/** Returns the first sentence of the body, apart from headings; undefined if it needs other text or is not plain text. */
function firstInstruction({ text, body }: SkillFile): string | undefined {
  const lines = body ? sliceOf(text, body.span).split(/\r\n|\n|\r/) : [];
  const line = lines.find((one) => /^\p{Lu}/u.test(one));
  const sentence = line?.split(/[.!?:;]/u)[0]?.trim() ?? '';
  const isPlain = sentence !== '' && sentence.length <= MAX_QUOTED && !/[`<>{}[\]|*#]/.test(sentence);
  return isPlain && !REFERENCE.test(sentence) ? sentence : undefined;
}

/** Returns the fix that removes the words in the first person before a verb. */
function beginWithVerb(
  file: SkillFile,
  value: YamlScalar,
  { words, verb }: FirstPerson,
  start: number,
  place: Span,
): readonly Fix[] {
  if (verb === undefined) return [];
  const text = stringOf(value) ?? '';
  const at = text.indexOf(verb, start + words.length);
  const first = sourceSpan(file.text, value, at, at + 1);
  if (place === value.span || first === value.span) return [];
  const edit = { span: span(place.start, first.end), newText: capital(verb).charAt(0) };
  return fixHere(file, `Remove ‘${words}’`, [edit]);
}
