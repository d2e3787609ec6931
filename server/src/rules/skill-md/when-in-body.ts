import type { Heading } from '../../languages/markdown/blocks.ts';
import type { SkillFile } from '../../skill/skill-file.ts';

/** The part of a body that says when to use the skill. */
export interface WhenInBody {
  readonly heading: Heading;
  /** A sentence for the description, made of the words of the part; undefined if they do not fit into a sentence. */
  readonly sentence?: string;
}

/** A heading above text that says when to use the skill, in the languages whose forms are known. */
const HEADING = new RegExp(
  [
    "^\\P{L}*(?:when to (?:use|invoke|activate|apply|trigger|reach)\\b|when (?:should|this skill)\\b|use (?:this skill )?when\\b|wann (?:brauch|dies|nutz|einsetz|verwend|anwend|greif)|quand (?:l[’']|utiliser)|cu[áa]ndo (?:usar|utilizar|aplicar|activar)|quando (?:usar|utilizar|usare))",
    '(?:何时|何時|什么时候)(?:使用|激活|啟用|启用|调用|触发|觸發|应用)|使用场景|适用场景|触发条件|いつ使|使うとき|使用(?:する)?(?:タイミング|場面)|언제|사용 시점',
  ].join('|'),
  'iu',
);

/** The longest text that is read below the heading, and the longest sentence made of it, in UTF-16 code units. */
const MAX_TEXT = 1_500;
const MAX_SENTENCE = 220;

const MAX_ITEMS = 3;

/** Returns the part of the body that says when to use the skill (docs/rules/unclear-description.md). */
export function whenInBody({ text, body }: SkillFile): WhenInBody | undefined {
  const at = body?.headings.findIndex((heading) => HEADING.test(heading.text)) ?? -1;
  const heading = body?.headings[at];
  if (!body || !heading) return undefined;
  const end = body.headings[at + 1]?.span.start ?? body.span.end;
  const below = text.slice(heading.span.end, Math.min(end, heading.span.end + MAX_TEXT));
  const sentence = writtenSentence(below) ?? sentenceOfItems(below);
  return sentence === undefined || sentence.length > MAX_SENTENCE ? { heading } : { heading, sentence };
}

/** Returns the first sentence that begins with words such as `Use this skill when`. */
function writtenSentence(below: string): string | undefined {
  const [found] =
    /\b(?:Use|Invoke) (?:this skill |it )?(?:when|whenever|if|before|after)\b[^:!?\n]{1,300}(?:\n[ \t]*[^\s*+:!?\n-][^:!?\n]{0,300}){0,4}/.exec(
      below,
    ) ?? [];
  const sentence = found && /^.*?\.(?=\s|$)/s.exec(found)?.[0].replace(/\s+/g, ' ');
  return sentence !== undefined && isPlain(sentence) ? sentence : undefined;
}

/** Returns a sentence made of the first items of a list, such as `- Reviewing a pull request`. */
function sentenceOfItems(below: string): string | undefined {
  const items: string[] = [];
  for (const [, item = ''] of below.matchAll(/^[ \t]*[-*+][ \t]+(.+)$/gm)) {
    const [, activity] = /^(?:when )?((?:\p{L}+ing|you|the user|users?) [^.:;—(]{3,90})/iu.exec(item) ?? [];
    if (activity === undefined || !isPlain(activity)) break;
    items.push(
      activity
        .trim()
        .replace(/,$/, '')
        .replace(/^\p{Lu}(?=\p{Ll})/u, (letter) => letter.toLowerCase()),
    );
    if (items.length === MAX_ITEMS) break;
  }
  const last = items.at(-1);
  if (last === undefined) return undefined;
  const others = items.slice(0, -1);
  return `Use when ${others.length === 0 ? last : `${others.join(', ')}${others.length > 1 ? ',' : ''} or ${last}`}.`;
}

const isPlain = (text: string): boolean => !/[`*<>[\]{}|#]/.test(text);
