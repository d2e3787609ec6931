/** Situations that affect each other, so that each has a workspace of its own. */
import { bodyOf, type Situation, secretOf, usual } from './situation.ts';

const file = (name: string, word: string, id: string): string => `---\n${usual(name, word)}\n---\n\n${bodyOf(id)}`;

/** Returns a situation with skills of equal names. The word of each says where it is. */
const equalNames = (
  id: string,
  question: string,
  places: Readonly<Record<string, string>>,
  start?: string,
): Situation => ({
  id,
  question,
  files: Object.fromEntries(Object.entries(places).map(([path, word]) => [path, file(id, word, id)])),
  words: [...new Set([id, ...Object.keys(places).map(folderOf), ...Object.values(places)])],
  secret: secretOf(id),
  ...(start !== undefined && { start }),
});

/** Returns the folder of a skill, for example `n01-a`. */
const folderOf = (path: string): string => path.split('/').at(-2) ?? '';

const NAMES: readonly Situation[] = [
  equalNames('n01-one-folder', 'two skills of one name in one skills folder', {
    'n01-a/SKILL.md': 'anvils',
    'n01-b/SKILL.md': 'bolts',
  }),
  equalNames('n02-project-home', 'one name in the project and in the home', {
    'n02-project-home/SKILL.md': 'anvils',
    'home:n02-project-home/SKILL.md': 'bolts',
  }),
  equalNames('n03-two-roots', 'one name in the own folder and in `.agents/skills`', {
    'n03-two-roots/SKILL.md': 'anvils',
    '/.agents/skills/n03-two-roots/SKILL.md': 'bolts',
  }),
  equalNames('n04-three-roots', 'one name in `.claude/skills` and in `.agents/skills`', {
    '/.claude/skills/n04-three-roots/SKILL.md': 'anvils',
    '/.agents/skills/n04-three-roots/SKILL.md': 'bolts',
  }),
  equalNames(
    'n05-nearer',
    'one name in the repository and in the folder where the client starts',
    { 'n05-nearer/SKILL.md': 'anvils', '/packages/web/{skills}/n05-nearer/SKILL.md': 'bolts' },
    'packages/web',
  ),
  {
    id: 'n06-other-folder',
    question: 'a name that is the folder of another skill',
    files: {
      'n06-first/SKILL.md': file('n06-second', 'anvils', 'n06-other-folder'),
      'n06-second/SKILL.md': file('n06-third', 'bolts', 'n06-other-folder'),
    },
    words: ['n06-first', 'n06-second', 'n06-third', 'anvils', 'bolts'],
    secret: secretOf('n06-other-folder'),
  },
  equalNames('n07-letter-case', 'two names that differ only in letter case', {
    'n07-a/SKILL.md': 'anvils',
    'n07-b/SKILL.md': 'bolts',
  }),
  equalNames('n08-project-folders', 'one name in `.github/skills`, `.claude/skills` and `.agents/skills`', {
    '/.github/skills/n08-project-folders/SKILL.md': 'anvils',
    '/.claude/skills/n08-project-folders/SKILL.md': 'bolts',
    '/.agents/skills/n08-project-folders/SKILL.md': 'chains',
  }),
  equalNames(
    'n09-home-folders',
    'one name in the own folder and in `.agents/skills` and `.claude/skills` of the home',
    {
      'home:n09-home-folders/SKILL.md': 'anvils',
      '~/.agents/skills/n09-home-folders/SKILL.md': 'bolts',
      '~/.claude/skills/n09-home-folders/SKILL.md': 'chains',
    },
  ),
  {
    ...equalNames('n10-linked-skill', 'a skill in `.agents/skills`, and a link to it in `.claude/skills`', {
      '/.agents/skills/n10-linked-skill/SKILL.md': 'anvils',
    }),
    files: {
      '/.agents/skills/n10-linked-skill/SKILL.md': file('n10-linked-skill', 'anvils', 'n10-linked-skill'),
      '/.claude/skills/n10-linked-skill': { link: '/.agents/skills/n10-linked-skill' },
    },
  },
  {
    ...equalNames('n11-linked-folder', 'skills in `.agents/skills`, and `.claude/skills` as a link to it', {}),
    files: {
      '/.agents/skills/n11-linked-folder/SKILL.md': file('n11-linked-folder', 'anvils', 'n11-linked-folder'),
      '/.claude/skills': { link: '/.agents/skills' },
    },
    words: ['n11-linked-folder', 'anvils'],
  },
  {
    id: 'n12-no-name',
    question: 'a skill without a name in a folder that is the name of another skill',
    files: {
      'n12-first/SKILL.md': file('n12-second', 'anvils', 'n12-no-name'),
      'n12-second/SKILL.md': `---\ndescription: Sorts bolts. Use it for bolts.\n---\n\n${bodyOf('n12-no-name')}`,
    },
    words: ['n12-first', 'n12-second', 'anvils', 'bolts'],
    secret: secretOf('n12-no-name'),
  },
  {
    ...equalNames('n13-two-paths', 'a skill, and a link to its folder beside it', {}),
    files: {
      'n13-real/SKILL.md': file('n13-real', 'anvils', 'n13-two-paths'),
      'n13-link': { link: '/{skills}/n13-real' },
    },
    words: ['n13-real', 'n13-link', 'anvils'],
  },
  {
    ...equalNames('n14-folder-case', 'two folders that differ only in letter case, with their names', {}),
    files: {
      'n14-folder-case/SKILL.md': file('n14-folder-case', 'anvils', 'n14-folder-case'),
      'N14-Folder-Case/SKILL.md': file('N14-Folder-Case', 'bolts', 'n14-folder-case'),
    },
    words: ['n14-folder-case', 'N14-Folder-Case', 'anvils', 'bolts'],
  },
];

/** Folders that clients are known to read, and some that they might read. */
const FOLDERS: readonly string[] = [
  '.agents/skills',
  '.claude/skills',
  '.cline/skills',
  '.clinerules/skills',
  '.codex/skills',
  '.continue/skills',
  '.copilot/skills',
  '.cursor/skills',
  '.factory/skills',
  '.gemini/skills',
  '.github/skills',
  '.kilo/skill',
  '.kilo/skills',
  '.kilocode/skills',
  '.letta/skills',
  '.openclaw/skills',
  '.opencode/skill',
  '.opencode/skills',
  '.pi/agent/skills',
  '.pi/skills',
  '.qwen/skills',
  '.skills',
  'agent/skills',
  'skills',
];

/** More folders of a home. */
const HOME_FOLDERS: readonly string[] = [
  '.config/agents/skills',
  '.config/kilo/skills',
  '.config/opencode/skill',
  '.config/opencode/skills',
];

/** Returns the name of the skill in a folder, for example `only-project-claude-skills`. */
const nameIn = (kind: 'project' | 'home' | 'parent', folder: string): string =>
  `only-${kind}-${folder.replace(/[^a-z]+/g, '-').replace(/^-/, '')}`;

const folders = (kind: 'project' | 'home' | 'parent', prefix: string, names: readonly string[]) =>
  Object.fromEntries(
    names.map((folder) => {
      const name = nameIn(kind, folder);
      return [`${prefix}${folder}/${name}/SKILL.md`, file(name, name, name)];
    }),
  );

/** The starts of the names of these skills. */
const ONLY = ['only-project', 'only-home', 'only-parent'];

const PLACES: readonly Situation[] = [
  {
    id: 'f01-folders',
    question: 'which folders of the project and of the home are read',
    files: { ...folders('project', '/', FOLDERS), ...folders('home', '~/', [...FOLDERS, ...HOME_FOLDERS]) },
    words: ONLY,
    secret: secretOf('only'),
  },
  {
    id: 'f02-start-below',
    question: 'which folders are read if the client starts in a folder of the repository',
    files: { ...folders('parent', '/', FOLDERS), ...folders('project', '/packages/web/', FOLDERS) },
    words: ONLY,
    secret: secretOf('only'),
    start: 'packages/web',
  },
  {
    id: 'f03-root-file',
    question: 'a `SKILL.md` in the skills folder itself, beside a skill',
    files: {
      'SKILL.md': file('f03-root-file', 'anvils', 'f03-root-file'),
      'f03-beside/SKILL.md': file('f03-beside', 'bolts', 'f03-beside'),
    },
    words: ['f03-root-file', 'f03-beside', 'anvils', 'bolts'],
    secret: secretOf('f03-root-file'),
  },
  {
    id: 'f04-broken-link',
    question: 'a link to a folder that does not exist, beside a skill',
    files: { 'f04-gone': { link: '/linked/gone' }, 'f04-beside/SKILL.md': file('f04-beside', 'bolts', 'f04-beside') },
    words: ['f04-gone', 'f04-beside', 'bolts'],
    secret: secretOf('f04-beside'),
  },
  {
    id: 'f05-loop',
    question: 'a link to the skills folder itself in a group, beside a skill',
    files: {
      'f05-group/loop': { link: '/{skills}' },
      'f05-beside/SKILL.md': file('f05-beside', 'bolts', 'f05-beside'),
    },
    words: ['f05-group', 'f05-beside', 'bolts'],
    secret: secretOf('f05-beside'),
  },
  {
    id: 'f06-package',
    question: 'a skills folder in a package below the folder where the client starts',
    files: {
      '/packages/web/{skills}/f06-package/SKILL.md': file('f06-package', 'anvils', 'f06-package'),
      'f06-beside/SKILL.md': file('f06-beside', 'bolts', 'f06-beside'),
    },
    words: ['f06-package', 'f06-beside', 'anvils', 'bolts'],
    secret: secretOf('f06-package'),
  },
  {
    id: 'f07-hidden',
    question: 'hidden folders of skills in `.claude/skills` and in `.agents/skills`, of the project and of the home',
    files: {
      '/.claude/skills/.f07-a/SKILL.md': file('f07-a', 'anvils', 'f07-hidden'),
      '/.agents/skills/.f07-b/SKILL.md': file('f07-b', 'bolts', 'f07-hidden'),
      '~/.claude/skills/.f07-c/SKILL.md': file('f07-c', 'chisels', 'f07-hidden'),
      '~/.agents/skills/.f07-d/SKILL.md': file('f07-d', 'drills', 'f07-hidden'),
    },
    words: ['f07-a', 'f07-b', 'f07-c', 'f07-d', 'anvils', 'bolts', 'chisels', 'drills'],
    secret: secretOf('f07-hidden'),
  },
  {
    id: 'f08-modules',
    question: 'a `SKILL.md` in `node_modules` itself, beside a skill',
    files: {
      'node_modules/SKILL.md': file('f08-modules', 'anvils', 'f08-modules'),
      'f08-beside/SKILL.md': file('f08-beside', 'bolts', 'f08-beside'),
    },
    words: ['f08-modules', 'node_modules', 'f08-beside', 'anvils', 'bolts'],
    secret: secretOf('f08-modules'),
  },
  {
    id: 'f09-true-name',
    question: 'a boolean as name',
    files: { 'f09-true-name/SKILL.md': file('true', 'anvils', 'f09-true-name') },
    words: ['f09-true-name', 'anvils'],
    secret: secretOf('f09-true-name'),
  },
];

const SORTS =
  'sorts stamps coins shells pebbles buttons by colour and size and says what it found when a user asks for it ';

/** Returns the files of skills whose descriptions have exactly this length. */
function skillsOf(count: number, length: number): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => {
      const number = String(index + 1).padStart(3, '0');
      const [start, end] = [`Number ${index + 1} `, ` END${number}`];
      const text = SORTS.repeat(Math.ceil(length / SORTS.length)).slice(0, length - start.length - end.length);
      const name = `m${number}-skill`;
      return [
        `${name}/SKILL.md`,
        `---\nname: ${name}\ndescription: ${start}${text}${end}\n---\n\n# ${name}\n\nBody.\n`,
      ];
    }),
  );
}

/** The length of each description in the long list, in characters. */
export const MANY_LENGTH = 600;

/** The list that is too long for most budgets. The report gives its lengths, not its texts. */
export const MANY: Situation = {
  id: 'm01-many',
  question: '120 skills with descriptions of 600 characters',
  files: skillsOf(120, MANY_LENGTH),
  words: [],
  secret: secretOf('m01-many'),
};

/** The skill that is written while the client runs. */
export const LATER: Situation = {
  id: 'l01-later',
  question: 'a skill that is written while the client runs',
  files: { 'l01-later/SKILL.md': file('l01-later', 'marigolds', 'l01-later') },
  words: ['l01-later', 'marigolds'],
  secret: secretOf('l01-later'),
};

export const ALONE: readonly Situation[] = [
  ...NAMES.map((one) =>
    one.id === 'n07-letter-case'
      ? { ...one, files: differingInCase(one), words: [...one.words, 'N07-Letter-Case'] }
      : one,
  ),
  ...PLACES,
];

function differingInCase({ files }: Situation): Situation['files'] {
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => [
      path,
      path.startsWith('n07-b') ? String(text).replace('name: n07-letter-case', 'name: N07-Letter-Case') : text,
    ]),
  );
}
