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
    "^\\P{L}*(?:when to (?:use|invoke|activate|apply|trigger|reach)\\b|when this skill\\b|when should\\b.*\\b(?:use|invoke|activate|apply|trigger)|use (?:this skill )?when\\b|wann (?:brauch|dies|nutz|einsetz|verwend|anwend|greif)|quand (?:l[’']|utiliser)|cu[áa]ndo (?:usar|utilizar|aplicar|activar)|quando (?:usar|utilizar|usare))",
    '(?:何时|何時|什么时候)(?:使用|激活|啟用|启用|调用|触发|觸發|应用)|使用场景|适用场景|触发条件|いつ使|使うとき|使用(?:する)?(?:タイミング|場面)|언제|사용 시점',
  ].join('|'),
  'iu',
);

/** Words that reverse what a heading or a sentence says. */
const NEGATION = /\b(?:not|never|avoid|nicht|kein\w*|pas|jamais|no|nunca|não|non|mai)\b|n['’]t\b|不|别|しない|않/iu;

/** Text that no reader sees, or that is an example. */
const HIDDEN = /<!--.*?(?:-->|(?!.))|^[ \t]*(```|~~~).*?(?:^[ \t]*\1|(?!.))/gms;

/** The longest text that is read below the heading, and the longest sentence made of it, in UTF-16 code units. */
const MAX_TEXT = 1_500;
const MAX_SENTENCE = 220;

const MAX_ITEMS = 3;

/** Returns the part of the body that says when to use the skill (docs/rules/unclear-description.md). */
export function whenInBody({ text, body }: SkillFile): WhenInBody | undefined {
  const at = body?.headings.findIndex((heading) => saysWhen(heading.text)) ?? -1;
  const heading = body?.headings[at];
  if (!body || !heading) return undefined;
  const end = body.headings[at + 1]?.span.start ?? body.span.end;
  if (NEGATION.test(heading.text)) return { heading };
  const below = text.slice(heading.span.end, Math.min(end, heading.span.end + MAX_TEXT)).replace(HIDDEN, '');
  const sentence = writtenSentence(below) ?? sentenceOfItems(below);
  return sentence === undefined || sentence.length > MAX_SENTENCE ? { heading } : { heading, sentence };
}

/** Returns whether a heading begins with words such as `When to use`; `and when not` may follow. */
function saysWhen(heading: string): boolean {
  const [first = ''] = heading.split(/[,/(&]|\b(?:and|or|und|oder|et|y|e)\b/u, 1);
  return HEADING.test(first) && !NEGATION.test(first);
}

/** Returns the first sentence that begins with words such as `Use this skill when`. */
function writtenSentence(below: string): string | undefined {
  const [found] =
    /(?<!\b(?:[Nn]ot|[Nn]ever|n['’]t)\W{1,4})\b(?:Use|Invoke) (?:this skill |it )?(?:when|whenever|if|before|after)\b[^:!?\n]{1,300}(?:\n[ \t]*[^\s*+:!?\n-][^:!?\n]{0,300}){0,4}/.exec(
      below,
    ) ?? [];
  const sentence = found && /^.*?\.(?=\s|$)/s.exec(found)?.[0].replace(/\s+/g, ' ');
  return sentence !== undefined && isPlain(sentence) ? sentence : undefined;
}

/** Returns a sentence made of the first items of a list, such as `- Reviewing a pull request`. */
function sentenceOfItems(below: string): string | undefined {
  const items: string[] = [];
  for (const [, item = ''] of below.matchAll(/^[ \t]*[-*+][ \t]+(.+)$/gm)) {
    const [, activity] =
      /^(?:when )?((?:\p{L}+ing|you|the user|users?) (?:[^.:;—(]|\.(?=[\p{L}\p{N}])){3,90})/iu.exec(item) ?? [];
    // A colon after a word such as `says` begins what the item is about.
    if (
      activity === undefined ||
      !isPlain(activity) ||
      /\b(?:says?|asks?|writes?|types?|mentions?|like)$/.test(activity)
    )
      break;
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
