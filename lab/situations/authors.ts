/** Files as authors write them by hand, copy them from web pages, and carry them over from other formats. */
import { bodyOf, fileSituation, type Situation, secretOf, skillSituation, usual } from './situation.ts';

const SORTS = 'sorts stamps and coins by colour and says so ';

/** Returns text of exactly this length in UTF-16 code units, which ends with the ID in capitals. */
function textOf(id: string, length: number): string {
  const end = ` END-${id}`;
  return `${`It ${SORTS.repeat(Math.ceil(length / SORTS.length))}`.slice(0, length - end.length)}${end}`;
}

/** Returns a situation with a description of this length. */
const longSituation = (id: string, length: number): Situation =>
  skillSituation(
    id,
    `a description of ${length.toLocaleString('en')} characters`,
    `END-${id}`,
    `name: ${id}\ndescription: ${textOf(id, length)}`,
  );

/** Returns a description whose character pairs begin at a position, so that a cut can divide one. */
const emojiAt = (id: string, position: number): string =>
  `${textOf(id, position)}${'\u{1F34E}'.repeat(320)} and the rest.`;

/** Lengths at and over the limits of clients. */
const LENGTHS: readonly Situation[] = [
  longSituation('s121-1024', 1_024),
  longSituation('s122-1025', 1_025),
  longSituation('s123-1536', 1_536),
  longSituation('s124-1537', 1_537),
  skillSituation(
    's125-emoji-even',
    'emoji from position 1,000, so that a cut at an odd position divides a pair',
    'END-s125-emoji-even',
    `name: s125-emoji-even\ndescription: ${emojiAt('s125-emoji-even', 1_000)}`,
  ),
  skillSituation(
    's126-emoji-odd',
    'emoji from position 1,001, so that a cut at an even position divides a pair',
    'END-s126-emoji-odd',
    `name: s126-emoji-odd\ndescription: ${emojiAt('s126-emoji-odd', 1_001)}`,
  ),
  skillSituation(
    's127-code-points',
    'a description of 1,020 characters, which are 1,060 UTF-16 code units',
    'END-s127-code-points',
    `name: s127-code-points\ndescription: ${textOf('s127-code-points', 980)}${'\u{1F34E}'.repeat(40)}`,
  ),
  skillSituation(
    's128-when-long',
    'a description of 900 characters, and `when_to_use` of 900',
    'END-s128-when-long',
    `name: s128-when-long\ndescription: ${textOf('s128-when-long', 900)}\nwhen_to_use: ${textOf('WHEN', 900)}`,
  ),
  skillSituation(
    's129-name-64',
    'a name of 64 characters',
    'pewter',
    usual(`s129-${'long-'.repeat(11)}end1`, 'pewter'),
  ),
  skillSituation(
    's130-name-65',
    'a name of 65 characters',
    'bronze',
    usual(`s130-${'long-'.repeat(11)}end12`, 'bronze'),
  ),
];

/** Characters that an editor or a web page inserts. */
const CHARACTERS: readonly Situation[] = [
  skillSituation(
    's131-tab-value',
    'a tab between the colon and the value',
    'brass',
    'name: s131-tab-value\ndescription:\tSorts brass. Use it for brass.',
  ),
  skillSituation(
    's132-tab-block',
    'a block description that is indented with tabs',
    'nickel',
    'name: s132-tab-block\ndescription: |\n\tSorts nickel.\n\tUse it for nickel.',
  ),
  skillSituation(
    's133-line-separator',
    'U+2028 in an unquoted description',
    'cobalt',
    'name: s133-line-separator\ndescription: Sorts cobalt.\u2028Use it for cobalt.',
  ),
  skillSituation(
    's134-no-break-space',
    'a no-break space after the colon of `description`',
    'chrome',
    'name: s134-no-break-space\ndescription:\u00A0Sorts chrome. Use it for chrome.',
  ),
  skillSituation(
    's135-zero-width',
    'a zero-width space in the description',
    'mercury',
    'name: s135-zero-width\ndescription: Sorts\u200B mercury. Use it for mercury.',
  ),
  skillSituation(
    's136-curly',
    'typographic quotes around the description',
    'silver',
    'name: s136-curly\ndescription: “Sorts silver: first by size.”',
  ),
  skillSituation(
    's137-trailing',
    'spaces after the name and after the description',
    'copper',
    'name: s137-trailing   \ndescription: Sorts copper. Use it for copper.  ',
  ),
  fileSituation(
    's138-crlf-block',
    'CRLF line breaks in a block description',
    'tinfoil',
    `---\r\nname: s138-crlf-block\r\ndescription: |\r\n  Sorts tinfoil.\r\n  Use it for tinfoil.\r\n---\r\n\r\n${bodyOf('s138-crlf-block')}`,
  ),
];

/** Quotes and escapes. */
const QUOTES: readonly Situation[] = [
  skillSituation(
    's141-slash',
    '`\\/` in a double-quoted description',
    'walnut',
    'name: s141-slash\ndescription: "Sorts walnut\\/pecan. Use it for walnut."',
  ),
  skillSituation(
    's142-escapes',
    '`\\n`, `\\u00e9` and `\\t` in a double-quoted description',
    'almond',
    'name: s142-escapes\ndescription: "Sorts almond caf\\u00e9.\\nUse it\\tfor almond."',
  ),
  skillSituation(
    's143-single',
    'a doubled quote in a single-quoted description',
    'hazel',
    "name: s143-single\ndescription: 'Sorts the team''s hazel: first by size.'",
  ),
  skillSituation(
    's144-bad-escape',
    '`\\d` in a double-quoted description',
    'cashew',
    'name: s144-bad-escape\ndescription: "Sorts cashew by \\d+. Use it for cashew."',
  ),
  skillSituation(
    's145-after-quote',
    'text after the closing quote',
    'peanut',
    'name: s145-after-quote\ndescription: "Sorts peanut" and more. Use it for peanut.',
  ),
  skillSituation(
    's146-two-lines',
    'a double-quoted description of two lines',
    'acorn',
    'name: s146-two-lines\ndescription: "Sorts acorn.\n  Use it for acorn."',
  ),
  skillSituation(
    's147-quoted-name',
    'a name in single quotes',
    'conker',
    "name: 's147-quoted-name'\ndescription: Sorts conker. Use it for conker.",
  ),
];

/** YAML that authors do not mean, or mean differently. */
const SURPRISES: readonly Situation[] = [
  {
    ...skillSituation('s151-number', 'a number as name', '151151', usual('151151', 'grain')),
    words: ['s151-number', '151151', 'grain'],
  },
  {
    ...skillSituation('s152-date', 'a date as name', '2032-06-08', usual('2032-06-08', 'pollen')),
    words: ['s152-date', '2032-06-08', 'pollen'],
  },
  {
    ...skillSituation('s153-decimal', 'a number with an exponent as name', '153e2', usual('153e2', 'nectar')),
    words: ['s153-decimal', '153e2', '15300', 'nectar'],
  },
  skillSituation(
    's154-dates',
    'dates and numbers in other keys',
    'honey',
    `${usual('s154-dates', 'honey')}\nupdated: 2033-01-02\nversion: 1.0\ncommit: 12e4567`,
  ),
  skillSituation(
    's155-comments',
    'comments after the name and after a quoted description',
    'resin',
    'name: s155-comments # the name\ndescription: "Sorts resin. Use it for resin." # what it does',
  ),
  skillSituation(
    's156-alias',
    'a description that is an alias',
    'amberwood',
    'metadata:\n  about: &about Sorts amberwood. Use it for amberwood.\nname: s156-alias\ndescription: *about',
  ),
  skillSituation(
    's157-no-space',
    'no space after the colon of `name`',
    'cedar',
    'name:s157-no-space\ndescription: Sorts cedar. Use it for cedar.',
  ),
  skillSituation(
    's158-dash',
    'a description that begins with a dash',
    'willow',
    'name: s158-dash\ndescription: - Sorts willow. Use it for willow.',
  ),
  skillSituation(
    's159-backtick',
    'a description that begins with a backtick',
    'poplar',
    'name: s159-backtick\ndescription: `poplar` is sorted. Use it for poplar.',
  ),
  skillSituation(
    's160-colon-end',
    'an unquoted description that ends with a colon, and a list below it',
    'aspen',
    'name: s160-colon-end\ndescription: Sorts aspen. Use it when:\n  - someone mentions aspen\n  - someone asks',
  ),
  skillSituation(
    's161-hyphens-line',
    '`---` inside an unquoted description',
    'hickory',
    'name: s161-hyphens-line\ndescription: Sorts hickory --- all of it. Use it for hickory.',
  ),
  skillSituation(
    's162-indented-keys',
    'keys that are all indented by two spaces',
    'mahogany',
    '  name: s162-indented-keys\n  description: Sorts mahogany. Use it for mahogany.',
  ),
  skillSituation(
    's163-one-indented',
    'a second key that is indented by one space',
    'teak',
    'name: s163-one-indented\n description: Sorts teak. Use it for teak.',
  ),
  skillSituation(
    's164-colon-space',
    'a space before the colon',
    'ebony',
    'name : s164-colon-space\ndescription : Sorts ebony. Use it for ebony.',
  ),
  fileSituation(
    's165-two-blocks',
    'two frontmatters, one after the other',
    'balsa',
    `---\n${usual('s165-two-blocks', 'balsa')}\n---\n---\nowner: team\n---\n\n${bodyOf('s165-two-blocks')}`,
  ),
  fileSituation(
    's166-heading-first',
    'a heading before the frontmatter',
    'rowan',
    `# Rowan\n\n---\n${usual('s166-heading-first', 'rowan')}\n---\n\n${bodyOf('s166-heading-first')}`,
  ),
  fileSituation(
    's167-fence',
    'the whole file in a fence of Markdown',
    'alder',
    `\`\`\`markdown\n---\n${usual('s167-fence', 'alder')}\n---\n\n${bodyOf('s167-fence')}\`\`\`\n`,
  ),
  skillSituation(
    's168-null-word',
    'the word `null` as description',
    's168-null-word',
    'name: s168-null-word\ndescription: null',
  ),
  skillSituation(
    's169-spaces',
    'a name with spaces, without capitals',
    'juniper',
    usual('s169 spaced name', 'juniper'),
  ),
];

/** Keys that change who may call a skill, in the words that authors use. */
const WORDS: readonly Situation[] = [
  ...(
    [
      ['s171-on', 'on', 'pearl'],
      ['s172-capital-true', 'True', 'garnet'],
      ['s173-upper-true', 'TRUE', 'topazite'],
      ['s174-upper-yes', 'Yes', 'jade'],
      ['s175-single-true', "'true'", 'lapis'],
      ['s176-comment', 'true # only for people', 'onyxite'],
      ['s177-false', 'false', 'rubellite'],
    ] as const
  ).map(([id, value, word]) =>
    skillSituation(
      id,
      `\`disable-model-invocation: ${value}\``,
      word,
      `${usual(id, word)}\ndisable-model-invocation: ${value}`,
    ),
  ),
  skillSituation(
    's178-user-no',
    '`user-invocable: no`',
    'spinel',
    `${usual('s178-user-no', 'spinel')}\nuser-invocable: no`,
  ),
  skillSituation(
    's179-underscores',
    '`disable_model_invocation: true`, with underscores',
    'zirconia',
    `${usual('s179-underscores', 'zirconia')}\ndisable_model_invocation: true`,
  ),
  skillSituation(
    's180-tools-quoted',
    '`allowed-tools` as text in quotes, without a pattern',
    'malachite',
    `${usual('s180-tools-quoted', 'malachite')}\nallowed-tools: "Read, Write"`,
  ),
  skillSituation(
    's181-disallowed',
    '`disallowed-tools`',
    'obsidian',
    `${usual('s181-disallowed', 'obsidian')}\ndisallowed-tools: Write`,
  ),
  skillSituation(
    's182-hooks',
    '`hooks` with a command',
    'pumice',
    `${usual('s182-hooks', 'pumice')}\nhooks:\n  PostToolUse:\n    - matcher: Write\n      hooks:\n        - type: command\n          command: "true"`,
  ),
  skillSituation(
    's183-internal',
    '`metadata` with `internal: true`',
    'slate',
    `${usual('s183-internal', 'slate')}\nmetadata:\n  internal: true`,
  ),
  skillSituation(
    's184-model-fork',
    '`model` and `context: fork`',
    'granite',
    `${usual('s184-model-fork', 'granite')}\nmodel: inherit\ncontext: fork`,
  ),
];

/** Paths of files and links. */
const PATHS: readonly Situation[] = [
  fileSituation(
    '_s191-underscore',
    'a folder that begins with an underscore',
    'gypsum',
    skillText('_s191-underscore', 'gypsum'),
  ),
  {
    ...fileSituation('s192-outside', 'a link to a folder outside of the repository', 'shale', ''),
    files: {
      '/../elsewhere/s192-outside/SKILL.md': skillText('s192-outside', 'shale'),
      's192-outside': { link: '/../elsewhere/s192-outside' },
    },
  },
  {
    ...fileSituation('s193-both-cases', '`SKILL.md` and `skill.md` in one folder', 'marl', ''),
    files: {
      's193-both-cases/SKILL.md': skillText('s193-both-cases', 'marl'),
      's193-both-cases/skill.md': skillText('s193-lower', 'marlstone'),
    },
    words: ['s193-both-cases', 's193-lower', 'marl', 'marlstone'],
  },
  {
    ...fileSituation('s194-linked-name', 'a link whose name is not that of the folder', 'chalk', ''),
    files: {
      '/linked/s194-target/SKILL.md': skillText('s194-target', 'chalk'),
      's194-linked-name': { link: '/linked/s194-target' },
    },
    words: ['s194-linked-name', 's194-target', 'chalk'],
  },
];

/** The text that arrives when a skill is called. */
const DELIVERED: readonly Situation[] = [
  skillSituation(
    's195-body-space',
    'white space around a body without placeholders',
    'tonalite',
    usual('s195-body-space', 'tonalite'),
    `\n    # s195-body-space\n\nThe secret word of this skill is ${secretOf('s195-body-space')}.\n\n\n`,
  ),
  {
    ...fileSituation('s196-many-files', 'more files in the folder than a client may name', 'dolerite', ''),
    files: {
      's196-many-files/SKILL.md': skillText('s196-many-files', 'dolerite'),
      ...Object.fromEntries(
        [
          ...['.hidden/a.md', '.note.md', 'LICENSE', 'extra.md', 'other/b.md', 'scripts/c.py', 'scripts/deep/d.py'],
          ...['assets/e.csv', 'node_modules/f/index.js', 'references/deep/er/g.md'],
          ...Array.from({ length: 12 }, (_, at) => `references/n${String(at + 1).padStart(2, '0')}.md`),
        ].map((path) => [`s196-many-files/${path}`, 'Notes.\n']),
      ),
    },
  },
];

function skillText(name: string, word: string): string {
  return `---\n${usual(name, word)}\n---\n\n${bodyOf(name)}`;
}

export const AUTHORS: readonly Situation[] = [
  ...LENGTHS,
  ...CHARACTERS,
  ...QUOTES,
  ...SURPRISES,
  ...WORDS,
  ...PATHS,
  ...DELIVERED,
];
