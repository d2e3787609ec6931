/** Questions that tell the values of one setting apart (lab/README.md, "Which settings are observed"). */
import { bodyOf, fileSituation, type Situation, skillSituation, usual } from './situation.ts';

const whole = (name: string, word: string): string => `---\n${usual(name, word)}\n---\n\n${bodyOf(name)}`;

/** Returns a file with other lines than `---` around its frontmatter. */
const between = (id: string, word: string, opening: string, closing: string): string =>
  `${opening}\n${usual(id, word)}\n${closing}\n\n${bodyOf(id)}`;

/** The lines around the frontmatter, of which only one is unusual. */
const FENCES: readonly Situation[] = (
  [
    ['s201-close-spaces', 'spaces after the closing line', 'bobstay', '---', '---  '],
    ['s202-close-four', 'four hyphens as the closing line', 'bollard', '---', '----'],
    ['s203-close-text', 'a comment after the closing hyphens', 'capstan', '---', '--- # end'],
    ['s204-close-indented', 'a space before the closing line', 'davit', '---', ' ---'],
    ['s205-open-spaces', 'spaces after the opening line', 'fender', '---  ', '---'],
    ['s206-open-comment', 'a comment after the opening hyphens', 'galley', '--- # skill', '---'],
    ['s207-open-language', 'the word `yaml` after the opening hyphens', 'halyard', '---yaml', '---'],
    ['s208-open-indented', 'a space before the opening line', 'hawser', ' ---', '---'],
    ['s209-open-four', 'four hyphens as the opening line', 'keelson', '----', '---'],
    ['s210-close-no-break-space', 'a no-break space after the closing line', 'mainsail', '---', '---\u00A0'],
  ] as const
).map(([id, question, word, opening, closing]) =>
  fileSituation(id, question, word, between(id, word, opening, closing)),
);

/** Values of the two required keys. */
const VALUES: readonly Situation[] = [
  {
    ...skillSituation('s211-blank-name', 'a name of two spaces', 'rudder', usual('"  "', 'rudder')),
    words: ['s211-blank-name', 'rudder'],
  },
  {
    ...skillSituation('s212-empty-name', 'an empty name', 'tiller', usual('""', 'tiller')),
    words: ['s212-empty-name', 'tiller'],
  },
  skillSituation(
    's213-blank-description',
    'a description of three spaces',
    's213-blank-description',
    'name: s213-blank-description\ndescription: "   "',
  ),
  {
    ...skillSituation(
      's214-spaces-around',
      'spaces around a quoted name',
      'transom',
      usual('" s214-spaces-around "', 'transom'),
    ),
    words: ['s214-spaces-around', 'transom'],
  },
  skillSituation(
    's216-map-name',
    'a map as name',
    'yardarm',
    'name:\n  en: s216-map-name\ndescription: Sorts yardarm. Use it for yardarm.',
  ),
  skillSituation(
    's217-keep-end',
    'a block description with `|+` and an empty line at the end',
    'binnacle',
    'name: s217-keep-end\ndescription: |+\n  Sorts binnacle.\n  Use it for binnacle.\n',
  ),
  {
    ...skillSituation('s218-markup-name', 'characters of markup in the name', 'cleat', usual(`'s218<b>&"x"'`, 'cleat')),
    words: ['s218', 'cleat'],
  },
  fileSituation(
    's219-no-end',
    'a file that ends after the description',
    'gunwale',
    '---\nname: s219-no-end\ndescription: Sorts gunwale. Use it for gunwale.\n',
  ),
];

const LONG = 's222-'.padEnd(64, 'abcdefghi-');
const LONGER = 's223-'.padEnd(65, 'abcdefghi-');

/** Paths of files and links. */
const PATHS: readonly Situation[] = [
  {
    ...fileSituation('s220-file-outside', 'a link to a file outside of the repository', 'lanyard', ''),
    files: {
      '/../elsewhere/s220.md': whole('s220-file-outside', 'lanyard'),
      's220-file-outside/SKILL.md': { link: '/../elsewhere/s220.md' },
    },
  },
  {
    ...fileSituation('s221-file-beside', 'a link to a file in the same folder', 'marlin', ''),
    files: {
      's221-file-beside/source.txt': whole('s221-file-beside', 'marlin'),
      's221-file-beside/SKILL.md': { link: '/{skills}/s221-file-beside/source.txt' },
    },
  },
  fileSituation(LONG, 'a folder and a name of 64 characters', 'mooring', whole(LONG, 'mooring')),
  fileSituation(LONGER, 'a folder and a name of 65 characters', 'outrigger', whole(LONGER, 'outrigger')),
  fileSituation(
    's225-flat-below',
    'a `.md` file in a folder without a `SKILL.md`',
    'porthole',
    whole('s225-flat-below', 'porthole'),
    's225-group/s225-flat-below.md',
  ),
  fileSituation(
    `s226-a&b's`,
    'an ampersand and a quote in the folder and in the name',
    'pulley',
    `---\nname: "s226-a&b's"\ndescription: Sorts pulley. Use it for pulley.\n---\n\n${bodyOf("s226-a&b's")}`,
  ),
];

export const SETTINGS: readonly Situation[] = [...FENCES, ...VALUES, ...PATHS];
