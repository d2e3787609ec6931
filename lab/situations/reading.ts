/**
 * Questions about one file. Many of these skills are in one skills folder at once: their names and words differ, so
 * that none affects another.
 */
import { bodyOf, fileSituation, type Situation, skillSituation, usual } from './situation.ts';

const bytes = (text: string, encoding: BufferEncoding): Uint8Array => new Uint8Array(Buffer.from(text, encoding));

const whole = (id: string, word: string): string => `---\n${usual(id, word)}\n---\n\n${bodyOf(id)}`;

/** The first thirty. */
const FIRST: readonly Situation[] = [
  {
    ...skillSituation('s01-plain', 'a plain skill', 'apples', usual('s01-plain', 'apples')),
    files: { 's01-plain/SKILL.md': whole('s01-plain', 'apples'), 's01-plain/references/notes.md': 'Notes.\n' },
  },
  skillSituation('s02-no-name', 'no name', 'pears', 'description: Sorts pears. Use it when someone mentions pears.'),
  skillSituation('s03-folder', 'a name that differs from the folder', 'plums', usual('s03-other', 'plums')),
  skillSituation('s04-no-description', 'no description', 's04-no-description', 'name: s04-no-description'),
  skillSituation('s05-title-name', 'capitals and spaces in the name', 'figs', usual('S05 Title Name', 'figs')),
  skillSituation(
    's06-long',
    'a description of 1,390 characters',
    'ENDMARK06',
    `name: s06-long\ndescription: ${'Sorts dates by size and by colour, and says so. '.repeat(30).slice(0, 1380)}ENDMARK06.`,
  ),
  skillSituation(
    's07-markup',
    'characters of markup in the description',
    'limes',
    `name: s07-markup\ndescription: "Sorts <b>limes</b> & 'kiwis' \\"fast\\" | pipes. Use it for limes."`,
  ),
  skillSituation(
    's08-block',
    'a block description with line breaks',
    'grapes',
    'name: s08-block\ndescription: |\n  Sorts grapes.\n\n  Use it when:\n    - someone mentions grapes\n    - someone mentions raisins',
  ),
  skillSituation(
    's09-folded',
    'a folded description',
    'melons',
    'name: s09-folded\ndescription: >-\n  Sorts melons.\n  Use it when someone\n  mentions melons.',
  ),
  skillSituation(
    's10-colon',
    'a colon in an unquoted description',
    'nuts',
    'name: s10-colon\ndescription: Sorts nuts: first by size. Use it when someone mentions nuts.',
  ),
  skillSituation(
    's11-hash',
    'a comment sign in an unquoted description',
    'issues like',
    'name: s11-hash\ndescription: Sorts issues like #12 by age. Use it when someone mentions issue #12.',
  ),
  skillSituation(
    's12-extra-keys',
    'unknown keys, and metadata with a number',
    'Sorts roots',
    `${usual('s12-extra-keys', 'roots')}\nversion: 1.10\ntags: [a, b]\nmetadata:\n  owner: team\n  level: 3`,
  ),
  skillSituation(
    's13-no-model',
    '`disable-model-invocation: true`',
    'Sorts leaves',
    `${usual('s13-no-model', 'leaves')}\ndisable-model-invocation: true`,
  ),
  skillSituation(
    's14-no-user',
    '`user-invocable: false`',
    'Sorts seeds',
    `${usual('s14-no-user', 'seeds')}\nuser-invocable: false`,
  ),
  fileSituation('s15-crlf', 'CRLF line breaks', 'herbs', whole('s15-crlf', 'herbs').replaceAll('\n', '\r\n')),
  fileSituation('s16-bom', 'a byte order mark', 'teas', `\uFEFF${whole('s16-bom', 'teas')}`),
  fileSituation('s17-lower', 'the file name `skill.md`', 'salts', whole('s17-lower', 'salts'), 's17-lower/skill.md'),
  fileSituation(
    's18-nested',
    'a skill in a folder of skills',
    'oils',
    whole('s18-nested', 'oils'),
    'group/s18-nested/SKILL.md',
  ),
  {
    ...fileSituation('s19-link', 'a link to a folder', 'jams', { link: '/linked/s19-link' }, 's19-link'),
    files: { '/linked/s19-link/SKILL.md': whole('s19-link', 'jams'), 's19-link': { link: '/linked/s19-link' } },
  },
  fileSituation(
    's20-blank-first',
    'an empty line before the frontmatter',
    'rices',
    `\n${whole('s20-blank-first', 'rices')}`,
  ),
  skillSituation(
    's21-when',
    'the key `when_to_use`',
    'beans',
    'name: s21-when\ndescription: Sorts beans.\nwhen_to_use: Use it when someone mentions beans. WHENMARK21',
  ),
  fileSituation('s22-flat', 'a file beside the folders', 'peas', whole('s22-flat', 'peas'), 's22-flat.md'),
  {
    ...skillSituation('s23', 'a number as name, a boolean as description', '123', 'name: 123\ndescription: yes'),
    words: ['s23', '123'],
  },
  skillSituation(
    's24-größe',
    'letters outside ASCII in the name',
    'Äpfel',
    'name: s24-größe\ndescription: Sortiert Äpfel nach Größe. Use it for Äpfel.',
  ),
  skillSituation(
    's25-tools',
    '`allowed-tools` as a string',
    'onions',
    `${usual('s25-tools', 'onions')}\nallowed-tools: Read, Grep, Bash(git status:*)`,
  ),
  fileSituation('s26-hidden', 'a hidden folder', 'leeks', whole('s26-hidden', 'leeks'), '.s26-hidden/SKILL.md'),
  fileSituation(
    's27-dots',
    'a frontmatter closed with `...`',
    'corn',
    `---\n${usual('s27-dots', 'corn')}\n...\n\n${bodyOf('s27-dots')}`,
  ),
  skillSituation(
    's28-yaml',
    'a quoted key, a comment, an anchor and an alias',
    'wheat',
    '"name": s28-yaml # a comment\ndescription: &d Sorts wheat. Use it when someone mentions wheat.\nmetadata:\n  copy: *d',
  ),
  skillSituation(
    's29-duplicate',
    'the same key twice',
    'rye',
    'name: s29-duplicate\ndescription: Sorts rye first. Use it for rye.\ndescription: Sorts rye second. Use it for rye.',
  ),
  skillSituation('s30--double-', 'two hyphens, and one at the end of the name', 'oats', usual('s30--double-', 'oats')),
];

/** Lines before, after and instead of the frontmatter. */
const FRONTMATTER: readonly Situation[] = [
  fileSituation('s31-none', 'no frontmatter, a heading', 's31-none', bodyOf('s31-none')),
  fileSituation(
    's32-none-text',
    'no frontmatter, a paragraph of two lines',
    's32-none-text',
    `First line of s32-none-text,\nsecond line.\n\n${bodyOf('s32-none-text')}`,
  ),
  fileSituation(
    's33-unclosed',
    'a frontmatter that is not closed',
    'barley',
    `---\n${usual('s33-unclosed', 'barley')}\n\n${bodyOf('s33-unclosed')}`,
  ),
  fileSituation(
    's34-no-break',
    'no line break after the closing line, and no body',
    'millet',
    `---\n${usual('s34-no-break', 'millet')}\n---`,
  ),
  fileSituation('s35-empty-body', 'an empty body', 'spelt', `---\n${usual('s35-empty-body', 'spelt')}\n---\n`),
  fileSituation(
    's36-spaces-after',
    'spaces after the opening and the closing line',
    'hops',
    `---  \n${usual('s36-spaces-after', 'hops')}\n---  \n\n${bodyOf('s36-spaces-after')}`,
  ),
  fileSituation(
    's37-four',
    'four hyphens instead of three',
    'flax',
    `----\n${usual('s37-four', 'flax')}\n----\n\n${bodyOf('s37-four')}`,
  ),
  skillSituation(
    's38-hyphens-inside',
    'a line `---` in a block value',
    'hemp',
    'name: s38-hyphens-inside\ndescription: |\n  Sorts hemp.\n  ---\n  Use it for hemp.',
  ),
  fileSituation(
    's39-body-rule',
    'a line `---` in the body',
    'reed',
    `---\n${usual('s39-body-rule', 'reed')}\n---\n\nIntro.\n\n---\n\n${bodyOf('s39-body-rule')}`,
  ),
  fileSituation('s40-empty', 'an empty frontmatter', 's40-empty', `---\n---\n\n${bodyOf('s40-empty')}`),
  fileSituation('s41-empty-file', 'an empty file', 's41-empty-file', ''),
  fileSituation(
    's42-comment-first',
    'an HTML comment before the frontmatter',
    'moss',
    `<!-- A licence. -->\n${whole('s42-comment-first', 'moss')}`,
  ),
  fileSituation(
    's43-indented',
    'a frontmatter of which every line is indented',
    'fern',
    `  ---\n  name: s43-indented\n  description: Sorts fern. Use it for fern.\n  ---\n\n${bodyOf('s43-indented')}`,
  ),
  fileSituation('s44-cr', 'CR line breaks', 'ivy', whole('s44-cr', 'ivy').replaceAll('\n', '\r')),
  fileSituation(
    's45-bom-crlf',
    'a byte order mark and CRLF',
    'yew',
    `\uFEFF${whole('s45-bom-crlf', 'yew')}`.replaceAll('\n', '\r\n'),
  ),
  fileSituation(
    's46-utf16',
    'UTF-16 with a byte order mark',
    'elm',
    bytes(`\uFEFF${whole('s46-utf16', 'elm')}`, 'utf16le'),
  ),
  fileSituation(
    's47-latin1',
    'a byte that is not UTF-8 in the body',
    'ash',
    bytes(whole('s47-latin1', 'ash').replace('The secret', 'Größe. The secret'), 'latin1'),
  ),
];

/** Values of the two required keys. */
const VALUES: readonly Situation[] = [
  skillSituation(
    's51-empty-description',
    'an empty description',
    's51-empty-description',
    'name: s51-empty-description\ndescription: ""',
  ),
  skillSituation(
    's52-null-description',
    'a description without a value',
    's52-null-description',
    'name: s52-null-description\ndescription:',
  ),
  skillSituation(
    's53-number-description',
    'a number as description',
    '53053',
    'name: s53-number-description\ndescription: 53053',
  ),
  skillSituation(
    's54-true-description',
    '`true` as description',
    's54-true-description',
    'name: s54-true-description\ndescription: true',
  ),
  skillSituation(
    's55-list-description',
    'a list as description',
    'cloves',
    'name: s55-list-description\ndescription:\n  - Sorts cloves.\n  - Use it for cloves.',
  ),
  skillSituation(
    's56-map-description',
    'a map as description',
    'mint',
    'name: s56-map-description\ndescription:\n  what: Sorts mint.\n  when: Use it for mint.',
  ),
  skillSituation(
    's57-date-description',
    'a date as description',
    '2031-05-07',
    'name: s57-date-description\ndescription: 2031-05-07',
  ),
  skillSituation(
    's58-space-description',
    'white space around and in a quoted description',
    'sage',
    'name: s58-space-description\ndescription: "  Sorts sage.\\t Use  it for sage.  "',
  ),
  skillSituation(
    's59-list-name',
    'a list as name',
    'thyme',
    'name: [s59-list-name]\ndescription: Sorts thyme. Use it for thyme.',
  ),
  skillSituation(
    's60-null-name',
    'a name without a value',
    'basil',
    'name:\ndescription: Sorts basil. Use it for basil.',
  ),
  {
    ...skillSituation(
      's61-long-name',
      'a name of 80 characters',
      'cress',
      usual(`s61-${'long-'.repeat(14)}name01`, 'cress'),
    ),
  },
  skillSituation('s62-reserved', 'the word `claude` in the name', 'dill', usual('claude-s62', 'dill')),
  skillSituation('s63-underscore', 'an underscore in the name', 'chard', usual('s63_under_score', 'chard')),
  skillSituation('s64-slash-name', 'a slash in the name', 'kale', usual('tools/s64', 'kale')),
  skillSituation('s65-colon-name', 'a colon in the name', 'beet', usual('"tools:s65"', 'beet')),
  skillSituation('s66-dot-name', 'dots in the name', 'okra', usual('s66.v1.2', 'okra')),
  fileSituation('S67-Folder', 'capitals in the folder and in the name', 'yams', whole('S67-Folder', 'yams')),
  fileSituation('s68 spaced', 'a space in the folder and in the name', 'taro', whole('s68 spaced', 'taro')),
  skillSituation(
    's69-tags',
    'a tag that looks like a frame in the description',
    'cumin',
    'name: s69-tags\ndescription: Sorts cumin. </description></skill> Use it for cumin.',
  ),
  skillSituation(
    's70-dollar',
    'dollar signs in the description',
    'anise',
    'name: s70-dollar\ndescription: Sorts anise for $1, $& and $ARGUMENTS. Use it for anise.',
  ),
  skillSituation(
    's71-backslash',
    'backslashes and backticks in the description',
    'caper',
    'name: s71-backslash\ndescription: Sorts caper in C:\\new with `tools`. Use it for caper.',
  ),
];

/** Forms of YAML. */
const YAML: readonly Situation[] = [
  skillSituation(
    's81-colon-and-twice',
    'an unquoted colon, and a key twice',
    'agave',
    'name: s81-colon-and-twice\ndescription: Sorts agave: first. Use it for agave.\ndescription: Sorts agave second. Use it for agave.',
  ),
  skillSituation(
    's82-tab',
    'a tab as indentation in another key',
    'aloe',
    `${usual('s82-tab', 'aloe')}\nmetadata:\n\towner: team`,
  ),
  skillSituation(
    's83-bad-yaml',
    'a quote that is not closed',
    'sorrel',
    'name: s83-bad-yaml\ndescription: "Sorts sorrel. Use it for sorrel.',
  ),
  skillSituation(
    's84-tag',
    'a tag for a type',
    'gorse',
    'name: !!str s84-tag\ndescription: !!str Sorts gorse. Use it for gorse.',
  ),
  skillSituation(
    's85-unknown-tag',
    'a tag that no library knows',
    'heath',
    'name: s85-unknown-tag\ndescription: !about Sorts heath. Use it for heath.',
  ),
  skillSituation(
    's86-merge',
    'a merge key',
    'larch',
    'base: &base\n  description: Sorts larch. Use it for larch.\n<<: *base\nname: s86-merge',
  ),
  skillSituation(
    's87-flow',
    'the frontmatter as one map in braces',
    'maple',
    '{ name: s87-flow, description: "Sorts maple. Use it for maple." }',
  ),
  skillSituation(
    's88-json',
    'keys and values in quotes as in JSON',
    'nettle',
    '{\n  "name": "s88-json",\n  "description": "Sorts nettle. Use it for nettle."\n}',
  ),
  skillSituation(
    's89-capital-keys',
    'keys with capitals',
    'palm',
    'Name: s89-capital-keys\nDescription: Sorts palm. Use it for palm.',
  ),
  skillSituation(
    's90-multi-plain',
    'a plain value of two lines',
    'pine',
    'name: s90-multi-plain\ndescription: Sorts pine.\n  Use it when someone mentions pine.',
  ),
  skillSituation(
    's91-not-indented',
    'a second line that is not indented',
    'rush',
    'name: s91-not-indented\ndescription: Sorts rush.\nUse it when someone mentions rush.',
  ),
  skillSituation(
    's92-at-sign',
    'a value that begins with `@`',
    'sedge',
    'name: s92-at-sign\ndescription: @team sorts sedge. Use it for sedge.',
  ),
  skillSituation(
    's93-star',
    'a value that begins with `*`',
    'thorn',
    'name: s93-star\ndescription: *Sorts* thorn. Use it for thorn.',
  ),
  skillSituation(
    's94-bracket',
    'a value that begins with `[`',
    'vetch',
    'name: s94-bracket\ndescription: [team] sorts vetch. Use it for vetch.',
  ),
  skillSituation(
    's95-percent',
    'a value that begins with `%`',
    'woad',
    'name: s95-percent\ndescription: %50 of all woad is sorted. Use it for woad.',
  ),
  skillSituation(
    's96-comment-only',
    'a comment line between the keys',
    'zinnia',
    'name: s96-comment-only\n# A comment: with a colon.\ndescription: Sorts zinnia. Use it for zinnia.',
  ),
  skillSituation(
    's97-block-keep',
    'a block description with `|+` and `>`',
    'clover',
    'name: s97-block-keep\ndescription: >\n  Sorts clover.\n\n  Use it for clover.\n\n',
  ),
];

/** Keys that change who may call a skill. */
const INVOCATION: readonly Situation[] = [
  skillSituation(
    's101-no-model-yes',
    '`disable-model-invocation: yes`',
    'agate',
    `${usual('s101-no-model-yes', 'agate')}\ndisable-model-invocation: yes`,
  ),
  skillSituation(
    's102-no-model-text',
    '`disable-model-invocation: "true"`',
    'amber',
    `${usual('s102-no-model-text', 'amber')}\ndisable-model-invocation: "true"`,
  ),
  skillSituation(
    's103-no-model-one',
    '`disable-model-invocation: 1`',
    'beryl',
    `${usual('s103-no-model-one', 'beryl')}\ndisable-model-invocation: 1`,
  ),
  skillSituation(
    's104-nobody',
    'neither the model nor people may call it',
    'coral',
    `${usual('s104-nobody', 'coral')}\ndisable-model-invocation: true\nuser-invocable: false`,
  ),
  skillSituation(
    's105-tools-list',
    '`allowed-tools` as a list',
    'flint',
    `${usual('s105-tools-list', 'flint')}\nallowed-tools:\n  - Read\n  - Grep`,
  ),
  skillSituation(
    's106-tools-empty',
    '`allowed-tools` as an empty list',
    'jasper',
    `${usual('s106-tools-empty', 'jasper')}\nallowed-tools: []`,
  ),
  skillSituation('s107-paths', 'the key `paths`', 'onyx', `${usual('s107-paths', 'onyx')}\npaths:\n  - "src/**/*.ts"`),
  skillSituation(
    's108-license',
    '`license`, `compatibility` and `metadata` of the standard',
    'opal',
    `${usual('s108-license', 'opal')}\nlicense: MIT\ncompatibility: Any agent\nmetadata:\n  author: team`,
  ),
];

/** Paths of files. */
const PATHS: readonly Situation[] = [
  fileSituation(
    's111-upper',
    'the file name `Skill.md`',
    'quartz',
    whole('s111-upper', 'quartz'),
    's111-upper/Skill.md',
  ),
  fileSituation(
    's112-deep',
    'a skill three folders deep',
    'sapphire',
    whole('s112-deep', 'sapphire'),
    'one/two/s112-deep/SKILL.md',
  ),
  {
    ...fileSituation('s113-below', 'a skill in the folder of another skill', 'topaz', ''),
    files: {
      's113-parent/SKILL.md': whole('s113-parent', 'zircon'),
      's113-parent/s113-below/SKILL.md': whole('s113-below', 'topaz'),
    },
    words: ['s113-below', 'topaz', 's113-parent', 'zircon'],
  },
  {
    ...fileSituation('s114-file-link', 'a link to a `SKILL.md`', 'basalt', ''),
    files: {
      '/linked/s114.md': whole('s114-file-link', 'basalt'),
      's114-file-link/SKILL.md': { link: '/linked/s114.md' },
    },
  },
  fileSituation(
    's115-modules',
    'a skill in `node_modules`',
    'limestone',
    whole('s115-modules', 'limestone'),
    'node_modules/s115-modules/SKILL.md',
  ),
  {
    ...fileSituation('s116-ignored', 'a skill that `.gitignore` names', 'gneiss', ''),
    files: { '/.gitignore': 's116-ignored/\n', 's116-ignored/SKILL.md': whole('s116-ignored', 'gneiss') },
  },
  fileSituation(
    's118-readme',
    'a folder with only a `README.md`',
    'schist',
    whole('s118-readme', 'schist'),
    's118-readme/README.md',
  ),
];

export const READING: readonly Situation[] = [...FIRST, ...FRONTMATTER, ...VALUES, ...YAML, ...INVOCATION, ...PATHS];
