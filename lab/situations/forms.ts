/** Forms of YAML, values, keys and paths that no client was asked while its steps were described. */
import { bodyOf, fileSituation, type Situation, secretOf, skillSituation, usual } from './situation.ts';

const whole = (name: string, word: string): string => `---\n${usual(name, word)}\n---\n\n${bodyOf(name)}`;

/** Forms of YAML that authors write on purpose. */
const YAML: readonly Situation[] = [
  skillSituation(
    's231-block-comment',
    'a comment after the sign of a block description',
    'avocet',
    'name: s231-block-comment\ndescription: | # what it does\n  Sorts avocet.\n  Use it for avocet.',
  ),
  skillSituation(
    's232-indicators',
    'a folded description with a number for its indentation and without its last break',
    'bittern',
    'name: s232-indicators\ndescription: >2-\n    Sorts bittern.\n  Use it for bittern.',
  ),
  skillSituation(
    's233-anchored',
    'an anchor before the name, and an alias of it in `metadata`',
    'curlew',
    'name: &id s233-anchored\ndescription: Sorts curlew. Use it for curlew.\nmetadata:\n  id: *id',
  ),
  skillSituation(
    's234-quoted-keys',
    'both keys in quotes, one with a space before its colon',
    'dunlin',
    `'name': s234-quoted-keys\n"description" : Sorts dunlin. Use it for dunlin.`,
  ),
  skillSituation(
    's235-inner-keys',
    '`name` and `description` in `metadata`, after the outer ones',
    'egret',
    `${usual('s235-inner-keys', 'egret')}\nmetadata:\n  name: s235-inner\n  description: Another text.`,
  ),
  skillSituation(
    's236-inner-colon',
    'the same, and an unquoted colon in the outer description',
    'fulmar',
    'name: s236-inner-colon\ndescription: Sorts fulmar: by size.\nmetadata:\n  name: s236-inner\n  description: Fulmar text.',
  ),
  skillSituation(
    's237-next-line',
    'a description that begins on the line below its key',
    'gannet',
    'name: s237-next-line\ndescription:\n  Sorts gannet. Use it\n  for gannet.',
  ),
  skillSituation(
    's238-continued',
    'a double-quoted description with a backslash at the end of its first line',
    'harrier',
    'name: s238-continued\ndescription: "Sorts \\\n  harrier.\n\n  Use it for harrier."',
  ),
  skillSituation(
    's239-flow-lines',
    'a list in brackets over several lines, before the description',
    'jacana',
    'name: s239-flow-lines\ntags: [\n  a,\n  b,\n]\ndescription: Sorts jacana. Use it for jacana.',
  ),
  fileSituation(
    's240-dots-and-hyphens',
    'a line `...` before the closing line',
    'linnet',
    `---\n${usual('s240-dots-and-hyphens', 'linnet')}\n...\n---\n\n${bodyOf('s240-dots-and-hyphens')}`,
  ),
];

/** Mistakes in YAML. */
const MISTAKES: readonly Situation[] = [
  skillSituation(
    's241-fold-sign',
    'text after `>` on the line of the key',
    'merlin',
    'name: s241-fold-sign\ndescription: > Sorts merlin. Use it for merlin.',
  ),
  skillSituation(
    's242-hash-first',
    'a description that begins with `#`',
    'nuthatch',
    'name: s242-hash-first\ndescription: #birds Sorts nuthatch.',
  ),
  skillSituation(
    's243-ampersand',
    'a description that begins with `&` and a space',
    'ouzel',
    'name: s243-ampersand\ndescription: & sorts ouzel. Use it for ouzel.',
  ),
  skillSituation(
    's244-comment-of-html',
    'an HTML comment between the keys',
    'petrel',
    'name: s244-comment-of-html\n<!-- a note -->\ndescription: Sorts petrel. Use it for petrel.',
  ),
  skillSituation(
    's245-bold-first',
    'a description that begins with bold text of Markdown',
    'redpoll',
    'name: s245-bold-first\ndescription: **Sorts** redpoll, see [notes](https://example.org/a#b).',
  ),
  fileSituation(
    's246-crlf-spaces',
    'CRLF line breaks with spaces before them, also after the closing line',
    'shrike',
    `---  \r\nname: s246-crlf-spaces \r\ndescription: Sorts shrike. \r\n  Use it for shrike. \r\n---  \r\n\r\n${bodyOf('s246-crlf-spaces')}`,
  ),
  skillSituation(
    's247-control',
    'a control character in the description',
    'siskin',
    'name: s247-control\ndescription: Sorts\u0008 siskin. Use it for siskin.',
  ),
];

/** Names and descriptions. */
const VALUES: readonly Situation[] = [
  fileSituation('s251-鳥の棚', 'Japanese letters in the folder and in the name', 'skua', whole('s251-鳥の棚', 'skua')),
  {
    ...fileSituation(
      's252-cafe\u0301',
      'a folder with a combining accent, and the name with the single character',
      'turnstone',
      whole('s252-caf\u00e9', 'turnstone'),
    ),
    words: ['s252-cafe\u0301', 's252-caf\u00e9', 'turnstone'],
  },
  fileSituation('s253.v2.1', 'dots in the folder and in the name', 'whimbrel', whole('s253.v2.1', 'whimbrel')),
  {
    ...skillSituation('s254', 'a decimal number with a zero at its end as name', 'xenops', usual('254.50', 'xenops')),
    words: ['s254', '254.50', '254.5', 'xenops'],
  },
  {
    ...fileSituation(
      's255 two  spaces',
      'two spaces in the folder, and a name with hyphens',
      'wigeon',
      whole('s255-two-spaces', 'wigeon'),
    ),
    words: ['s255 two  spaces', 's255-two-spaces', 'wigeon'],
  },
  skillSituation('s256-tilde', 'a tilde as description', 's256-tilde', 'name: s256-tilde\ndescription: ~'),
  skillSituation(
    's257-emoji',
    'joined emoji and letters that are written from right to left in the description',
    'teal',
    'name: s257-emoji\ndescription: "Sorts teal \u{1F469}\u200D\u{1F4BB} \u05E9\u05DC\u05D5\u05DD. Use it for teal."',
  ),
  fileSituation(
    's258-long-first-line',
    'no description, and a first line of 250 characters in the body',
    'smew',
    `---\nname: s258-long-first-line\n---\n${'Smew are sorted by size. '.repeat(10).trim()}\n\n${bodyOf('s258-long-first-line')}`,
  ),
  fileSituation(
    's259-fence-first',
    'no description, and a code block with a frontmatter at the start of the body',
    'scaup',
    `---\nname: s259-fence-first\n---\n\n\`\`\`yaml\n---\nname: s259-inner\ndescription: Scaup.\n---\n\`\`\`\n\nSorts scaup.\n\n${bodyOf('s259-fence-first')}`,
  ),
  fileSituation(
    's260-braces',
    '`{env:HOME}` and `{file:./notes.md}` in the body',
    'tern',
    `---\n${usual('s260-braces', 'tern')}\n---\n\nThe home is {env:HOME}. Notes: {file:./notes.md}\n\n${bodyOf('s260-braces')}`,
  ),
];

/** Other keys. */
const KEYS: readonly Situation[] = (
  [
    ['s261-license-list', '`license` as a list', 'pochard', 'license:\n  - MIT\n  - Apache-2.0'],
    [
      's262-tools-patterns',
      '`allowed-tools` as a list of patterns',
      'pintail',
      'allowed-tools: [Read, "Bash(git log:*)"]',
    ],
    ['s263-tools-map', '`allowed-tools` as a map', 'mallard', 'allowed-tools:\n  read: true\n  write: false'],
    ['s264-tools-null', '`allowed-tools` without a value', 'goldeneye', 'allowed-tools:'],
    [
      's265-compatibility',
      '`compatibility` of 600 characters',
      'gadwall',
      `compatibility: ${'Any agent. '.repeat(55).slice(0, 599)}.`,
    ],
    ['s266-metadata-list', '`metadata` as a list', 'eider', 'metadata: [a, b]'],
    ['s267-metadata-null', '`metadata` without a value', 'brant', 'metadata:'],
    ['s268-model-zero', '`disable-model-invocation: 0`', 'shelduck', 'disable-model-invocation: 0'],
    ['s269-model-null', '`disable-model-invocation` without a value', 'grebe', 'disable-model-invocation:'],
    ['s270-user-text', '`user-invocable: "false"`', 'coot', 'user-invocable: "false"'],
    ['s271-enabled', '`enabled: false`', 'moorhen', 'enabled: false'],
    ['s272-when-list', '`when_to_use` as a list', 'crake', 'when_to_use:\n  - crake one\n  - crake two'],
    ['s273-version', '`version` as a number, and `author` as a map', 'rail', 'version: 2\nauthor:\n  name: team'],
  ] as const
).map(([id, question, word, keys]) => skillSituation(id, question, word, `${usual(id, word)}\n${keys}`));

/** Questions that a wrong prediction about a held-out one left open. */
const AGAIN: readonly Situation[] = [
  {
    ...fileSituation(
      's284 space',
      'a space in the folder, and a name with a hyphen',
      'merganser',
      whole('s284-space', 'merganser'),
    ),
    words: ['s284 space', 's284-space', 'merganser'],
  },
  fileSituation(
    's285 two  same',
    'two spaces in the folder and in the name',
    'dipper',
    whole('s285 two  same', 'dipper'),
  ),
  skillSituation(
    's286-when-map',
    '`when_to_use` as a map',
    'bunting',
    `${usual('s286-when-map', 'bunting')}\nwhen_to_use:\n  one: bunting`,
  ),
  skillSituation(
    's287-when-number',
    '`when_to_use` as a number',
    'serin',
    `${usual('s287-when-number', 'serin')}\nwhen_to_use: 1.50`,
  ),
  skillSituation(
    's288-metadata-text',
    '`metadata` as a text',
    'twite',
    `${usual('s288-metadata-text', 'twite')}\nmetadata: text`,
  ),
  skillSituation(
    's289-tools-number',
    '`allowed-tools` as a number',
    'dunnock',
    `${usual('s289-tools-number', 'dunnock')}\nallowed-tools: 3`,
  ),
  fileSituation(
    's290-many-lines',
    'no description, and headings, list items and empty lines in the body',
    'garganey',
    `---\nname: s290-many-lines\n---\n\n# Garganey\n\nSorts garganey.  \n\n- by size\n## By colour\n\n  by colour\nby age\n\n${bodyOf('s290-many-lines')}`,
  ),
];

/** Paths of files, which may share a workspace. */
const PATHS: readonly Situation[] = [
  {
    ...fileSituation('s281-sibling', 'two skills, of which one links to the other', 'snipe', ''),
    files: {
      's281-sibling/SKILL.md': `---\n${usual('s281-sibling', 'snipe')}\n---\n\nSee [the other](../s281-other/SKILL.md).\n\n${bodyOf('s281-sibling')}`,
      's281-other/SKILL.md': whole('s281-other', 'godwit'),
    },
    words: ['s281-sibling', 's281-other', 'snipe', 'godwit'],
  },
  {
    ...fileSituation('s282-readme', 'a `README.md` with a frontmatter beside a `SKILL.md`', 'dowitcher', ''),
    files: {
      's282-readme/SKILL.md': whole('s282-readme', 'dowitcher'),
      's282-readme/README.md': whole('s282-other', 'sanderling'),
    },
    words: ['s282-readme', 's282-other', 'dowitcher', 'sanderling'],
  },
  fileSituation('s283-mdx', 'the file name `SKILL.mdx`', 'stilt', whole('s283-mdx', 'stilt'), 's283-mdx/SKILL.mdx'),
];

/** Questions that were held out until the steps of clients were described (lab/held-out.txt). */
export const FORMS: readonly Situation[] = [...YAML, ...MISTAKES, ...VALUES, ...KEYS, ...PATHS, ...AGAIN];

/** Questions of the same kind whose skills affect each other. */
export const FORMS_ALONE: readonly Situation[] = [
  {
    id: 'n15-case-home',
    question: 'two skills of the project and of the home whose names differ only in letter case',
    files: {
      'n15-case-home/SKILL.md': whole('n15-case-home', 'anvils'),
      'home:N15-Case-Home/SKILL.md': whole('N15-Case-Home', 'bolts'),
    },
    words: ['n15-case-home', 'N15-Case-Home', 'anvils', 'bolts'],
    secret: secretOf('n15-case-home'),
  },
  {
    id: 'f10-link-chain',
    question: 'a link to a link to the folder of a skill',
    files: {
      '/linked/f10-real/SKILL.md': whole('f10-link-chain', 'anvils'),
      '/linked/f10-middle': { link: '/linked/f10-real' },
      'f10-link-chain': { link: '/linked/f10-middle' },
    },
    words: ['f10-link-chain', 'f10-real', 'anvils'],
    secret: secretOf('f10-link-chain'),
  },
  {
    id: 'f11-root-outside',
    question: 'the skills folder as a link to a folder outside of the repository',
    files: {
      '/../elsewhere/f11/f11-root-outside/SKILL.md': whole('f11-root-outside', 'anvils'),
      '/{skills}': { link: '/../elsewhere/f11' },
    },
    words: ['f11-root-outside', 'anvils'],
    secret: secretOf('f11-root-outside'),
  },
  {
    id: 'f12-file-is-folder',
    question: 'a folder named `SKILL.md` in the folder of a skill, beside another skill',
    files: {
      'f12-group/SKILL.md/SKILL.md': whole('f12-inner', 'anvils'),
      'f12-beside/SKILL.md': whole('f12-beside', 'bolts'),
    },
    words: ['f12-group', 'f12-inner', 'f12-beside', 'anvils', 'bolts'],
    secret: secretOf('f12-inner'),
  },
];
