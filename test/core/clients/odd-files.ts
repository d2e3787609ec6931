/**
 * Files with one defect each that clients read in different ways. A line `^^^ rule` marks the place of the only finding,
 * and `^^^ rule?` that of a finding that only some clients cause.
 */

/** A marked place of a finding. */
export interface MarkedPlace {
  readonly start: number;
  readonly end: number;
  readonly rule: string;
  /** True if there is a finding only for clients that the defect affects. */
  readonly isOfClient: boolean;
}

export interface OddFile {
  readonly title: string;
  readonly path: string;
  readonly text: string;
  readonly places: readonly MarkedPlace[];
  /** The reason why no fix is possible. */
  readonly noFix: string | undefined;
}

interface Options {
  readonly path?: string;
  readonly noFix?: string;
  /** The line break, if it is not LF. */
  readonly lineBreak?: string;
}

const MARKER = /^( *)(\^+) ([a-z-]+)(\??)$/;

/** Makes a file of its lines, some of which are markers. The last two lines are a body. */
function odd(title: string, lines: readonly string[], { path, noFix, lineBreak = '\n' }: Options = {}): OddFile {
  const places: MarkedPlace[] = [];
  let text = '';
  let start = 0;
  for (const line of lines) {
    const [, indent = '', marks = '', rule = '', mark] = MARKER.exec(line) ?? [];
    if (rule === '') {
      start = text.length;
      text += line + lineBreak;
    } else {
      const from = start + indent.length;
      places.push({ start: from, end: from + marks.length, rule, isOfClient: mark === '?' });
    }
  }
  return { title, path: path ?? 'tidy-notes/SKILL.md', text, places, noFix };
}

const NAME = 'name: tidy-notes';
const DESCRIPTION = "description: Tidies a novelist's notes. Use it when the folder has grown.";
const BODY = ['', 'Merge notes about the same person.'];

/** Returns a file with lines between two fences. */
const between = (title: string, lines: readonly string[], options: Options = {}): OddFile =>
  odd(title, ['---', ...lines, '---', ...BODY], options);

const inFolder = (folder: string): Options => ({ path: `${folder}/SKILL.md` });

export const ODD_FILES: readonly OddFile[] = [
  // The fences.
  odd('a fence with four hyphens', ['----', '^^^^ missing-frontmatter', NAME, DESCRIPTION, '----', ...BODY]),
  odd('a first fence with four hyphens', ['----', '^^^^ missing-frontmatter', NAME, DESCRIPTION, '---', ...BODY]),
  odd('a last fence with four hyphens', ['---', NAME, DESCRIPTION, '----', '^^^^ invalid-yaml', ...BODY]),
  odd('an end with dots', ['---', NAME, DESCRIPTION, '...', '^^^ invalid-yaml', ...BODY]),
  odd('dots before the fence', ['---', NAME, DESCRIPTION, '...', '^^^ invalid-yaml', '---', ...BODY]),
  odd('no end', ['---', '^^^ invalid-yaml', NAME, DESCRIPTION, ...BODY]),
  odd('an indented end', ['---', NAME, DESCRIPTION, ' ---', '^^^^ invalid-yaml', ...BODY]),
  odd('text before the fence', [
    'Copyright the press',
    '^^^^^^^^^^^^^^^^^^^ missing-frontmatter',
    ...['---', NAME, DESCRIPTION, '---', ...BODY],
  ]),
  odd('an empty line before the fence', [' ', '^ missing-frontmatter', '---', NAME, DESCRIPTION, '---', ...BODY]),
  odd('a space before the fence', [' ---', '^^^^ missing-frontmatter', NAME, DESCRIPTION, '---', ...BODY]),
  odd('a comment before the fence', [
    '<!-- Copyright -->',
    '^^^^^^^^^^^^^^^^^^ missing-frontmatter',
    ...['---', NAME, DESCRIPTION, '---', ...BODY],
  ]),
  odd('a code fence around the file', [
    '```markdown',
    '^^^^^^^^^^^ missing-frontmatter',
    ...['---', NAME, DESCRIPTION, '---', ...BODY, '```'],
  ]),
  odd('TOML', [
    '+++',
    '^^^ missing-frontmatter',
    ...['name = "tidy-notes"', 'description = "Tidies notes."', '+++', ...BODY],
  ]),
  odd('no frontmatter', ['Merge notes.', '^^^^^^^^^^^^ missing-frontmatter']),
  odd('two documents', [
    '---',
    NAME,
    '---',
    DESCRIPTION,
    '^^^^^^^^^^^ agent-skill-split-frontmatter',
    ...['---', ...BODY],
  ]),
  // Characters.
  odd('a byte order mark', ['\uFEFF---', '^ agent-skill-not-loaded?', NAME, DESCRIPTION, '---', ...BODY]),
  odd('CR', ['---', '^^^ agent-skill-not-loaded?', NAME, DESCRIPTION, '---', ...BODY], { lineBreak: '\r' }),
  odd('CRLF', ['---', NAME, DESCRIPTION, '---', ...BODY], { lineBreak: '\r\n' }),
  between('a tab after the colon', ['name:\ttidy-notes', '     ^ agent-skill-not-loaded?', DESCRIPTION]),
  between('a tab at the end of a line', [`${NAME}\t`, '                ^ agent-skill-not-loaded?', DESCRIPTION]),
  between('a tab in a text', [NAME, 'description: Tidies\tnotes.', '                   ^ agent-skill-not-loaded?']),
  between('a tab as indentation', [NAME, DESCRIPTION, 'metadata:', '\tauthor: ines', '^ invalid-yaml']),
  between('a tab before a key', [NAME, `\t${DESCRIPTION}`, '^ invalid-yaml']),
  between('U+2028', [
    NAME,
    'description: Tidies notes.\u2028Use it.',
    '                          ^ agent-skill-not-loaded?',
  ]),
  between('U+0085', [
    NAME,
    'description: Tidies notes.\u0085Use it.',
    '                          ^ agent-skill-not-loaded?',
  ]),
  between('an escaped slash', [
    NAME,
    'description: "Tidies notes\\/texts."',
    '                          ^^ agent-skill-not-loaded?',
  ]),
  between('an unknown escape', [NAME, 'description: "Tidies \\d notes."', '                     ^^ invalid-yaml']),
  between('a no-break space after the colon', [NAME, 'description:\u00A0Tidies notes.', '^^^^^^^^^^^^^ invalid-yaml']),
  between('a no-break space before a key', [NAME, `\u00A0${DESCRIPTION}`, '^^^^^^^^^^^^ agent-skill-missing-key']),
  between('a control character', [NAME, 'description: Tidies\u0000 notes.', '                   ^ invalid-yaml']),
  between(
    'bytes that are not UTF-8',
    [NAME, 'description: Tidies \uFFFD', '                    ^ agent-skill-not-loaded?'],
    {
      noFix: 'the bytes are lost',
    },
  ),
  // YAML.
  between('a colon in a text', [
    NAME,
    'description: Use when: there are many',
    '             ^^^^^^^^^^^^^^^^^^^^^^^^ invalid-yaml',
  ]),
  between('an open quote', [NAME, 'description: "Tidies notes.', '             ^^^^^^^^^^^^^^ invalid-yaml']),
  between('text after a quote', [NAME, 'description: "Tidy" notes.', '             ^^^^^^^^^^^^^ invalid-yaml']),
  between('a sign at the start', [NAME, 'description: @desk counts.', '             ^^^^^^^^^^^^^ invalid-yaml']),
  between('no space after the colon', ['name:tidy-notes', '^^^^^ invalid-yaml', DESCRIPTION]),
  between('a key that is indented too deep', [NAME, '  description: Tidies notes.', '  ^^^^^^^^^^^ invalid-yaml']),
  between('text on the line of a block', [
    NAME,
    'description: > Tidies notes.',
    '             ^^^^^^^^^^^^^^^ invalid-yaml',
  ]),
  between('a list', ['- name: tidy-notes', '^^^^^^^^^^^^^^^^^^ agent-skill-missing-key', `- ${DESCRIPTION}`]),
  between('a scalar', ['Tidies notes.', '^^^^^^^^^^^^^ agent-skill-missing-key']),
  between('a key twice', [NAME, DESCRIPTION, DESCRIPTION, '^^^^^^^^^^^ duplicate-key']),
  between('two names', [NAME, 'name: tidy', '^^^^ duplicate-key', DESCRIPTION]),
  between('two licenses', [NAME, DESCRIPTION, 'license: MIT', 'license: ISC', '^^^^^^^ duplicate-key']),
  between('a merge conflict', [
    '<<<<<<< HEAD',
    '^^^^^^^^^^^^ invalid-yaml',
    ...[NAME, DESCRIPTION, '=======', NAME, 'description: Tidies all notes.', '>>>>>>> feature'],
  ]),
  between('a merge conflict with the common version', [
    NAME,
    '<<<<<<< HEAD',
    '^^^^^^^^^^^^ invalid-yaml',
    ...[
      DESCRIPTION,
      '||||||| 1234567',
      'description: Tidies.',
      '=======',
      'description: Tidies all notes.',
      '>>>>>>> feature',
    ],
  ]),
  odd('a merge conflict that contains a fence', [
    ...['---', NAME, '<<<<<<< HEAD', '^^^^^^^^^^^^ invalid-yaml', DESCRIPTION, '---', ...BODY],
    ...['=======', 'description: Tidies all notes.', '---', ...BODY, '>>>>>>> feature'],
  ]),
  odd('a merge conflict of the whole file', [
    ...['<<<<<<< HEAD', '^^^^^^^^^^^^ missing-frontmatter', '---', NAME, DESCRIPTION, '---', ...BODY],
    ...['=======', '---', NAME, 'description: Tidies all notes.', '---', ...BODY, '>>>>>>> feature'],
  ]),
  // Keys and values.
  between('a name without a value', ['name:', '^^^^^ agent-skill-missing-key', DESCRIPTION]),
  between('a null as name', ['name: null', '^^^^^^^^^^ agent-skill-missing-key', DESCRIPTION]),
  between('a tilde as name', ['name: ~', '^^^^^^^ agent-skill-missing-key', DESCRIPTION]),
  between('an empty name', ['name: ""', '      ^^ agent-skill-name', DESCRIPTION]),
  between('a description without a value', [NAME, 'description:', '^^^^^^^^^^^^ agent-skill-missing-key']),
  between('an empty description', [NAME, 'description: ""', '             ^^ agent-skill-description'], {
    noFix: 'only the author knows it',
  }),
  between('a comment as description', [
    NAME,
    'description: #1 for notes',
    '             ^^^^^^^^^^^^ agent-skill-missing-key',
  ]),
  odd('no name', ['---', '^^^ agent-skill-missing-key', DESCRIPTION, '---', ...BODY]),
  between('no description', [NAME, '^^^^^^^^^^^^^^^^ agent-skill-missing-key']),
  between('a name in another case', ['Name: tidy-notes', '^^^^ agent-skill-missing-key', DESCRIPTION]),
  between('a description in another case', [NAME, 'DESCRIPTION: Tidies notes.', '^^^^^^^^^^^ agent-skill-missing-key']),
  between('a number as name', ['name: 123', '      ^^^ agent-skill-name', DESCRIPTION], inFolder('123')),
  between('a hexadecimal number as name', ['name: 0x1f', '      ^^^^ agent-skill-name', DESCRIPTION], inFolder('0x1f')),
  between('a commit as name', ['name: 1234e56', '      ^^^^^^^ agent-skill-name', DESCRIPTION], inFolder('1234e56')),
  between(
    'a commit of digits as name',
    ['name: 0123456', '      ^^^^^^^ agent-skill-name', DESCRIPTION],
    inFolder('0123456'),
  ),
  between('a boolean as name', ['name: true', '      ^^^^ agent-skill-name', DESCRIPTION], inFolder('true')),
  between(
    'a word of YAML 1.1 as name',
    ['name: yes', '      ^^^ agent-skill-not-loaded?', DESCRIPTION],
    inFolder('yes'),
  ),
  between(
    'a date as name',
    ['name: 2024-01-01', '      ^^^^^^^^^^ agent-skill-not-loaded?', DESCRIPTION],
    inFolder('2024-01-01'),
  ),
  between('a time as name', ['name: 12:30:45', '      ^^^^^^^^ agent-skill-name', DESCRIPTION]),
  between('a list as name', ['name: [tidy-notes]', '      ^^^^^^^^^^^^ agent-skill-name', DESCRIPTION]),
  between('a map as name', ['name: {a: b}', '      ^^^^^^ agent-skill-name', DESCRIPTION]),
  between('a name with capital letters', ['name: Tidy-Notes', '      ^^^^^^^^^^ agent-skill-name', DESCRIPTION]),
  between(
    'another name than the folder',
    [NAME, '      ^^^^^^^^^^ agent-skill-name-folder', DESCRIPTION],
    inFolder('notes'),
  ),
  between('a date as description', [
    NAME,
    'description: 2024-01-01',
    '             ^^^^^^^^^^ agent-skill-not-loaded?',
  ]),
  between('a number as description', [NAME, 'description: 123', '             ^^^ agent-skill-description']),
  between('a list as description', [
    NAME,
    'description:',
    '  - Tidies notes.',
    '  ^^^^^^^^^^^^^^^ agent-skill-description',
    '  - Sorts them.',
  ]),
  between('a list in brackets as description', [
    NAME,
    'description: [Tidies notes]',
    '             ^^^^^^^^^^^^^^ agent-skill-description',
  ]),
  between(
    'a map as description',
    [NAME, 'description: {what: notes}', '             ^^^^^^^^^^^^^ agent-skill-description'],
    {
      noFix: 'the text is not known',
    },
  ),
  between('tags in the description', [
    NAME,
    'description: Tidies <b>notes</b>.',
    '             ^^^^^^^^^^^^^^^^^^^^ agent-skill-not-loaded?',
  ]),
  between(
    'a long compatibility',
    [
      NAME,
      DESCRIPTION,
      `compatibility: ${'a'.repeat(501)}`,
      `${' '.repeat(15)}${'^'.repeat(501)} agent-skill-compatibility`,
    ],
    {
      noFix: 'only the author can shorten it',
    },
  ),
  between('a number as license', [NAME, DESCRIPTION, 'license: 1', '         ^ agent-skill-key-value']),
  between('an unknown key', [NAME, DESCRIPTION, 'mood: good', '^^^^ agent-skill-unknown-key']),
  between('a misspelt key', [NAME, DESCRIPTION, 'licence: MIT', '^^^^^^^ agent-skill-unknown-key']),
  between(
    'a map as allowed-tools',
    [NAME, DESCRIPTION, 'allowed-tools: {a: b}', '               ^^^^^^ agent-skill-allowed-tools'],
    {
      noFix: 'the tools are not known',
    },
  ),
  odd('an empty body', ['---', NAME, '^^^^^^^^^^^^^^^^ missing-framing', DESCRIPTION, '---'], {
    noFix: 'only the author knows it',
  }),
];
