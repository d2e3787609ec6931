/**
 * Reads how a description of a `SKILL.md` is worded: whether it says what the skill does and when to use it
 * (docs/rules/unclear-description.md). A description in a language without a table is not judged.
 */
import { unitsOf } from '../../matching/words.ts';

/** The defect in the wording of a description. */
export type WordingProblem =
  | {
      readonly kind: 'first-person';
      /** The words in the first person, with which the description begins. */
      readonly words: string;
      /** The verb after these words; undefined if a verb cannot begin the sentence. */
      readonly verb?: string;
    }
  | {
      /** The last sentence says when to use the skill, but only in the words of a short description before it. */
      readonly kind: 'repeats';
      readonly words: string;
    }
  | {
      /** `no-when`: when to use the skill is missing; `no-what`: what it does is missing; `vague`: both are. */
      readonly kind: 'no-when' | 'no-what' | 'vague';
      /** A sentence that says when to use the skill, made of the description's own words; undefined if unknown. */
      readonly example?: Example;
    };

export interface Example {
  readonly sentence: string;
  /** The sentence, which is cut if it is long. */
  readonly short: string;
}

/** The most words of a description that names a subject, but nothing about it. */
const MAX_VAGUE = 2;

/**
 * The most words of a description that needs to say when to use the skill. A longer one has enough words to match. If the
 * body says it, more words are allowed, because the author certainly has something to add.
 */
const MAX_SHORT = 5;
const MAX_SHORT_WITH_BODY = 15;

/** The longest description that is judged, in UTF-16 code units. */
const MAX_TEXT = 2_000;

/** The longest text of the description in an example, in UTF-16 code units. */
const MAX_EXAMPLE = 40;

/** Facts from the other parts of the file. */
export interface Surroundings {
  readonly name: string | undefined;
  /** True if the body says when to use the skill. Called only if the description does not say it. */
  readonly saysWhenBelow: () => boolean;
  /** True if the body is written in English. Called only if the description does not show its language. */
  readonly isEnglishBelow: () => boolean;
}

/** Returns the first defect in the wording of a description; undefined if it is clear, or in an unknown language. */
export function wordingProblem(
  text: string,
  { name, saysWhenBelow, isEnglishBelow }: Surroundings,
): WordingProblem | undefined {
  const description = text.slice(0, MAX_TEXT);
  const first = firstPerson(description);
  if (first) return first;
  const repeated = repeatedUse(description, name);
  const saysWhen = WHEN.test(description);
  const { words, subjects } = contentOf(description);
  const isClear = subjects > MAX_VAGUE && (saysWhen || words > MAX_SHORT_WITH_BODY);
  if (!repeated && isClear) return undefined;
  const language = languageOf(description);
  if (language === undefined) return undefined;
  if (repeated) {
    // The author of a longer text may repeat its words on purpose, but not in the words of a fix.
    const below = repeated.isExample ? saysWhenBelow : () => false;
    const isShort = wordingProblem(repeated.before, { name, saysWhenBelow: below, isEnglishBelow }) !== undefined;
    if (isShort) return { kind: 'repeats', words: repeated.sentence };
  }
  if (isClear) return undefined;
  if (language === 'names' && (subjects > MAX_VAGUE || !(hasGenericWord(description) || isEnglishBelow())))
    return undefined;
  if (saysWhen) return { kind: 'no-what' };
  if (words > MAX_SHORT && !saysWhenBelow()) return undefined;
  const example = exampleOf(description, name, language);
  return { kind: subjects > MAX_VAGUE ? 'no-when' : 'vague', ...(example !== undefined && { example }) };
}

// Languages.

interface Language {
  /** Frequent short words, by which the language is recognized; they do not count as content. */
  readonly short: string;
  /** The start of a sentence that says when to use a skill, and its end. */
  readonly whenTo: readonly [string, string];
}

/** The Latin languages whose forms are known, apart from English. */
const LANGUAGES = {
  de: {
    short: 'der die das den dem des ein eine einen einer eines und oder mit von vom fur zu zum zur im auf aus bei ist',
    whenTo: ['Zu verwenden für: ', ''],
  },
  fr: {
    short: 'le la les l un une du des de d et ou avec pour par sur dans en au aux ce cette vos votre est',
    whenTo: ['À utiliser pour : ', ''],
  },
  es: {
    short: 'el la los las un una unos de del y o a con para por en al su sus tu es',
    whenTo: ['Úsalo para: ', ''],
  },
  pt: {
    short: 'o a os as um uma de do da dos das e ou com para por em no na nos nas ao seu sua',
    whenTo: ['Use para: ', ''],
  },
  it: {
    short: 'il lo la gli le un uno una di del della dei delle e o a con per da in nel nella su',
    whenTo: ['Da usare per: ', ''],
  },
} satisfies Record<string, Language>;

/** Frequent words of other languages, whose descriptions are not judged. */
const OTHER_LANGUAGES =
  'het een voor bij naar van och att som av af paa det dan untuk yang dari dengan ke ve ile icin ze oraz jest dla cua cho theo cac';

/** Frequent English words that other languages also have, with any meaning. */
const ALSO_ENGLISH: ReadonlySet<string> = new Set(
  'a am an as at be by can do for he i in is it m me my no of on or s so t to we d do'.split(' '),
);

const EASTERN = {
  zh: { whenTo: ['当用户需要', '时使用'] },
  ja: { whenTo: ['', 'ときに使う'] },
  ko: { whenTo: ['다음 요청이 있을 때 사용: ', ''] },
} as const;

const ENGLISH = { toDo: ['Use when the user wants to ', ''], about: ['Use when the user asks about ', ''] } as const;

/** The start and the end of each sentence that `exampleOfUse` makes. */
const EXAMPLES: readonly (readonly [string, string])[] = [
  ...Object.values(ENGLISH),
  ...[LANGUAGES, EASTERN].flatMap((forms) => Object.values(forms).map(({ whenTo }) => whenTo)),
];

type Name = 'en' | 'names' | keyof typeof LANGUAGES | keyof typeof EASTERN | 'ambiguous';

const LETTER = /\p{L}/u;
const OTHER_LETTER = /(?=\p{L})\P{Script=Latin}/u;
const EASTERN_LETTER = /(?=\p{L})[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** English words with content that are frequent in descriptions. */
const ENGLISH_WORD =
  /\b(?:helps?|helper|tools?|skills?|best|practices|guides?|guidance|guidelines?|workflows?|standards|advanced|comprehensive|powerful|easy|files?|tasks?|things?|users?|requests?|components|principles|sessions?|strategies|patterns|code)\b/i;

/** The smallest number of different short words, and their smallest share, that show a language other than English. */
const MIN_SHORT_WORDS = 2;
const MIN_SHARE = 0.25;

/**
 * Returns the language of a text; `names` for a few words that could be of any language, `ambiguous` for several of the
 * known ones, undefined for others.
 */
function languageOf(text: string): Name | undefined {
  if (EASTERN_LETTER.test(text)) {
    return /\p{Script=Hangul}/u.test(text)
      ? 'ko'
      : /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)
        ? 'ja'
        : 'zh';
  }
  if (!LETTER.test(text) || OTHER_LETTER.test(text)) return undefined;
  const units = unitsOf(text);
  const words = units.map((unit) => folded(unit.text));
  const begins = [...text.matchAll(/(?:^|:\s+)(\p{L}+)/gu)].some(([, word = '']) => baseOf(word) !== undefined);
  const stops = units.flatMap(({ kind }, at) => (kind === 'stop' ? (words[at] ?? []) : []));
  const isEnglish =
    begins || stops.some((word) => !ALSO_ENGLISH.has(word)) || (stops.length > 0 && ENGLISH_WORD.test(text));
  const counts = new Map<Name | 'other', number>([['en', isEnglish ? stops.length : 0]]);
  for (const [language, short] of SHORT_WORDS) {
    const own = words.filter((word) => short.has(word));
    const isKnown = new Set(own).size >= MIN_SHORT_WORDS && own.length >= words.length * MIN_SHARE;
    if (language === 'other' || isKnown) counts.set(language, own.length);
  }
  const most = Math.max(...counts.values());
  if (most === 0) return begins ? 'en' : /[^\p{ASCII}\p{P}\p{S}]/u.test(text) ? undefined : 'names';
  const likely = [...counts].flatMap(([language, count]) => (count === most ? [language] : []));
  if (likely.includes('other')) return undefined;
  // Some short words are also English.
  if (likely.includes('en') && words.some((word) => baseOf(word) !== undefined)) return 'en';
  const [only, ...more] = likely;
  return more.length > 0 ? 'ambiguous' : (only as Name);
}

function folded(word: string): string {
  const lower = word.toLowerCase();
  return NOT_ASCII.test(lower) ? lower.normalize('NFD').replace(/\p{M}+/gu, '') : lower;
}

const SHORT_WORDS: ReadonlyMap<keyof typeof LANGUAGES | 'other', ReadonlySet<string>> = new Map([
  ...Object.entries(LANGUAGES).map(
    ([language, { short }]) => [language as keyof typeof LANGUAGES, new Set(short.split(' '))] as const,
  ),
  ['other', new Set(OTHER_LANGUAGES.split(' '))],
]);

const ALL_SHORT_WORDS: ReadonlySet<string> = new Set([...SHORT_WORDS.values()].flatMap((words) => [...words]));

/** The smallest share of short English words in English text; text about code has fewer than other text. */
const MIN_ENGLISH_SHARE = 0.15;

/** Returns whether text of several sentences, without code, is certainly English. */
export function isEnglish(text: string): boolean {
  const units = unitsOf(text.slice(0, MAX_TEXT));
  const short = units.filter((unit) => unit.kind === 'stop' && !ALSO_ENGLISH.has(folded(unit.text)));
  return short.length >= Math.max(1, units.length * MIN_ENGLISH_SHARE) && languageOf(text.slice(0, MAX_TEXT)) === 'en';
}

// When to use a skill.

/** The forms that say when to use a skill. Words that other languages write in the same way are in one list. */
const WHEN = new RegExp(
  [
    // English
    '\\b(?:when|whenever|if|before|after|while|during|once|until|upon|trigger\\w*|invok\\w*|activat\\w*|asks?|asked|requested|on request|users? requests?|mention\\w*|wants?|needs?|proactive\\w*)\\b',
    '\\b(?:useful|suitable|ideal|intended|designed)\\b|\\buse[ds]? (?:it|this|for|to|as|in|with|on|by|only|at)\\b|\\bfor use\\b',
    // German, French, Spanish, Portuguese, Italian
    '\\b(?:wenn|sobald|falls|bevor|nachdem|beim|immer|verwend\\w*|nutz\\w*|benutz\\w*|einsetz\\w*|anwend\\w*|ausl[oö]s\\w*)(?!\\p{L})',
    '\\b(?:quand|lorsqu\\w*|si|avant|apr[eè]s|utilis\\w*|d[eé]clench\\w*|usage)(?!\\p{L})|(?<!\\p{L})à utiliser',
    '(?<!\\p{L})(?:cuando|si|al|antes|despu[eé]s|usa\\w*|[uú]sa\\w*|use|utili[cz]\\w*|activa\\w*|quando|ao|depois|aciona\\w*|se|prima|dopo)(?!\\p{L})',
    // The purpose of the skill
    '^(?:for|pour|para|per)\\b|\\b(?:sirve|serve) (?:para|per|a)(?!\\p{L})|\\bsert à|\\bdient (?:zu[mr]?|der|dazu)\\b',
    // Chinese, Japanese, Korean
    '[当當时時用]|适合|適合|触发|觸發|场景|場景|需要|如果|とき|際|場合|使[うっい]|トリガー|때|경우|사용|트리거',
  ].join('|'),
  'iu',
);

/** Words that fit each sentence about the use of a skill. */
const OF_EACH_USE: ReadonlySet<string> = new Set(
  unitsOf('skill use user users agent assistant claude need want').map(({ key }) => key),
);

/**
 * Returns the last sentence and the text before it if only the sentence says when to use the skill, and it has the same
 * words as this text, or is the example of a message.
 */
function repeatedUse(
  description: string,
  name: string | undefined,
): { readonly before: string; readonly sentence: string; readonly isExample: boolean } | undefined {
  const [, before = '', end = ''] = /^(.*[.!?。！？])([^.!?。！？]+[.!?。！？]?)$/su.exec(description) ?? [];
  const sentence = end.trim();
  if (sentence === '' || WHEN.test(before) || !WHEN.test(sentence)) return undefined;
  const bare = sentence.replace(/[.!?。！？]$/u, '');
  const wordsOf = (text: string): ReadonlySet<string> =>
    new Set(
      unitsOf(text).flatMap(({ key, kind, text: word }) =>
        kind === 'stop' || OF_EACH_USE.has(key) || ALL_SHORT_WORDS.has(folded(word)) ? [] : [key],
      ),
    );
  const known = wordsOf(before);
  const repeated = wordsOf(bare.replace(new RegExp(WHEN, 'giu'), ' '));
  const isKnown =
    !EASTERN_LETTER.test(bare) &&
    [...repeated].every((word) => known.has(word)) &&
    [...known].every((word) => repeated.has(word) || GENERIC.has(word));
  const isExample =
    EXAMPLES.some(([start, after]) => bare.startsWith(start) && bare.endsWith(after)) &&
    exampleOfUse(before, name)?.sentence === bare;
  return isKnown || isExample ? { before, sentence, isExample } : undefined;
}

// Words with content.

/** Words that fit every skill, so that they tell no two skills apart. */
const GENERIC_WORDS =
  'help helps helper helping assist assists assistant assistance handle handles handling manage manages management support supports provide provides work works working make makes do use uses used using utility utilities tool tools toolkit tooling skill skills agent agents claude codex copilot ai user users task tasks thing things stuff various general generic common best practice practices good guide guides guidance guideline guidelines expert expertise specialist advanced comprehensive powerful simple easy complete standard standards workflow workflows process processes related everything anything request requests problem problems file files data document documents project projects code ' +
  'hilft helfen hilfe verwaltet werkzeug aide aider gerer outil outils ayuda ayudar gestiona gestionar herramienta herramientas ajuda ajudar gerencia ferramenta aiuta aiutare gestisce strumento';

const GENERIC: ReadonlySet<string> = new Set(unitsOf(GENERIC_WORDS).map(({ key }) => key));

/** Returns whether a description has a generic word, which all are of known languages. */
const hasGenericWord = (description: string): boolean => unitsOf(description).some(({ key }) => GENERIC.has(key));

/** Generic words in scripts without spaces. */
const GENERIC_CHARACTERS =
  /帮助|帮忙|处理|管理|相关|技能|工具|助手|各种|支持|提供|一个|我们|幫助|處理|相關|スキル|ツール|支援|サポート|処理|します|する|です|ます|ための|도움|관리|처리|스킬|도구|지원|합니다/gu;

/** Counts the words of a description, and the different ones that are not generic. Two characters count as one word. */
function contentOf(description: string): { readonly words: number; readonly subjects: number } {
  const words = unitsOf(description).flatMap(({ key, kind, text }) =>
    kind === 'word' && !ALL_SHORT_WORDS.has(folded(text)) ? [key] : [],
  );
  const subjects = new Set(words.filter((word) => !GENERIC.has(word)));
  const rest = description.replace(GENERIC_CHARACTERS, '');
  return {
    words: words.length + charactersIn(description) / 2,
    subjects: subjects.size + charactersIn(rest) / 2,
  };
}

const charactersIn = (text: string): number =>
  NOT_ASCII.test(text) ? unitsOf(text).filter(({ kind }) => kind === 'character').length : 0;

const NOT_ASCII = /\P{ASCII}/u;

// The first person.

/** The start of a description in which the skill speaks of itself. Later sentences may be what users say. */
const FIRST_PERSON = new RegExp(
  `^(?:${[
    "(?:I(?:['’](?:m|ll|ve|d))?|We(?:['’](?:re|ll|ve))?) (?:(?:can|will|could|am|are|be|able|here|also|happily) |to )*(?:(?:help|assist|support)(?: you| users| people)?(?: to)? )?(?=\\p{Ll})",
    'Let me (?:(?:help|assist)(?: you)?(?: to)? )?(?=\\p{Ll})',
    'Ich (?=(?:kann|helfe|werde|bin|unterstütze|erstelle|schreibe|prüfe)\\b)',
    "(?:Je (?=(?:peux|vais|suis|vous|te|t['’]|crée|rédige|génère)\\b)|J['’]aide )",
    '(?:Yo |Puedo ayudar|Te (?:puedo )?ayud)',
    '(?:Eu |Posso ajudar|Posso aiutar|Ti aiuto )',
    '我(?=可以|能|会|會|将|將|来|來)',
    '私(?=は|が)',
    '(?:저는|제가) ',
  ].join('|')})`,
  'u',
);

const QUOTED = /"[^"\n]*"|“[^”]*”|‘[^’]*’|«[^»]*»|「[^」]*」|`[^`]*`|(?<![\p{L}\p{N}])'[^'\n]*'(?![\p{L}\p{N}])/gu;

/** Words after which the speaker of a sentence is the user. */
const OF_USER = /^(?:want|need|ask|say|have|prefer|like|use|work|mention|request)\b/;

function firstPerson(description: string): WordingProblem | undefined {
  const [words] = FIRST_PERSON.exec(description) ?? [];
  if (words === undefined) return undefined;
  const rest = description.slice(words.length);
  if (/^(?:I|We)\b/.test(words) && OF_USER.test(rest)) return undefined;
  const [verb] = /^[a-z]+(?=\s)/.exec(rest) ?? [];
  const isAlone = !/\b(?:I|me|my|we|us|our)\b/i.test(rest.replace(QUOTED, ''));
  const canBegin = verb !== undefined && VERBS.has(verb) && isAlone;
  return { kind: 'first-person', words: words.trimEnd(), ...(canBegin && { verb }) };
}

// Examples.

/** Verbs that often begin a description. */
const VERBS: ReadonlySet<string> = new Set(
  'add adapt adjust administer analyze analyse answer append apply archive assess audit automate browse build bump calculate capture check choose clean collect combine compare compose compress configure connect convert copy create crop customize debug define delete deploy describe design detect diagnose discover display document download draft draw edit enforce estimate evaluate examine execute explain explore export extract fetch fill filter find fix forecast format forward gather generate handle identify implement import improve index insert inspect install integrate investigate keep lint list load log look maintain make manage map measure merge migrate model monitor move name navigate open optimize organize organise outline parse plan play polish post predict prepare preview print prioritize process produce profile publish pull push query read rebase record refactor release remove rename render reply report resize resolve restore retrieve review rewrite route run save scaffold scan schedule scrape screen search secure send set share show simplify solve sort split start store subscribe summarize summarise sync test tidy trace track train transcribe transform translate troubleshoot tune turn update upgrade upload validate verify visualize watch write'.split(
    ' ',
  ),
);

/** The start of a description that is common to many skills. */
const OPENING =
  /^(?:(?:this|the|an?|get|sample)\s+)?(?:(?:skills?|tools?|toolkit|utilit(?:y|ies)|helpers?|assistant|guides?|guidelines?|standards?|(?:best )?practices|patterns|system|expert)\s+(?:that|which|to|for|on|of)\s+)?(?:(?:helps?|assists?|supports?|is used)\s+)?(?:(?:you|users?|people)\s+)?(?:(?:to|with|for|in)\s+)?(?:do(?:es|ing)?\s+)?(?:(?:an?|the|your)\s+)?/i;

/** Generic words at the end of a description. */
const ENDING =
  /(?:\s+(?:skills?|tools?|experts?|specialist|assistant|helper|guides?|utilit(?:y|ies)|standards|strategies|patterns|things|stuff))+$/i;

/**
 * Returns a sentence that says when to use a skill, made of the words of a text about it, in the language of the text.
 * Returns undefined for a language whose forms are not known.
 */
export function exampleOfUse(text: string, name: string | undefined): Example | undefined {
  const language = languageOf(text);
  return language && exampleOf(text, name, language);
}

/** Returns a sentence that says when to use the skill, made of the words of its description or its name. */
function exampleOf(description: string, name: string | undefined, language: Name): Example | undefined {
  if (language === 'ambiguous') return undefined;
  const [clause = '', next = ''] = withoutCode(description)
    .split(/[.;:,](?=\s|$)|[(。；：（，!?！？\n]|\s[-–—]+\s/u)
    .map((part) => part.trim());
  if (language === 'ja') return within(EASTERN.ja.whenTo, inDictionaryForm(clause));
  if (language === 'zh' || language === 'ko') return within(EASTERN[language].whenTo, clause);
  if (language !== 'en' && language !== 'names') return within(LANGUAGES[language].whenTo, clause);
  const text = clause.replace(OPENING, '').replace(ENDING, '').trim();
  const activity = activityOf(text) ?? (/^[^.:]*:/.test(description) ? activityOf(next) : undefined);
  if (activity !== undefined) return within(ENGLISH.toDo, activity);
  const named = (name ?? '').replace(/[-_:]+/g, ' ').trim();
  const subject =
    /^[A-Z0-9]/.test(text) ||
    clause.startsWith(text) ||
    /(?:for|on|of|with|to|do(?:es|ing)?|an?|the|your)\s+$/i.test(clause.slice(0, clause.indexOf(text)))
      ? text
      : '';
  const about =
    contentOf(subject).subjects === 0 || /^(?:that|which|is|only|[a-z]+ed)\b|^\//.test(subject)
      ? named
      : uncapitalized(subject);
  return about === '' ? undefined : within(ENGLISH.about, about);
}

/** Returns a Japanese clause in the form that comes before `とき`. */
const inDictionaryForm = (clause: string): string => {
  const plain = clause.replace(/します$/, 'する');
  return /[うくぐすつぬぶむる]$/.test(plain) ? plain : `${plain}の`;
};

/** Returns a text that begins with a verb, with its infinitive; undefined for other texts. */
function activityOf(text: string): string | undefined {
  const [, start = '', rest = ''] = /^(\S+)\s+(.+)$/u.exec(text) ?? [];
  const verb = rest === '' ? undefined : baseOf(start);
  return verb === undefined ? undefined : `${verb} ${rest}`;
}

/** Writes the first word in lower case, unless it is probably a name. */
const uncapitalized = (text: string): string =>
  /^\p{Lu}\p{Ll}+ \p{Ll}/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;

/** Removes the signs that would end the code in a message. */
const withoutCode = (text: string): string => text.replaceAll('`', '');

/** Returns the infinitive of a verb that begins a description, such as `writes`; undefined for other words. */
function baseOf(word: string): string | undefined {
  const lower = word.toLowerCase();
  const forms = [lower, lower.replace(/s$/, ''), lower.replace(/es$/, ''), lower.replace(/ies$/, 'y')];
  return forms.find((form) => VERBS.has(form));
}

function within([start, end]: readonly [string, string], text: string): Example | undefined {
  if (text === '') return undefined;
  const cut = text.length <= MAX_EXAMPLE ? text : `${text.slice(0, MAX_EXAMPLE).replace(/\s+\S*$/u, '')}…`;
  return { sentence: `${start}${text}${end}`, short: `${start}${cut}${end}` };
}
