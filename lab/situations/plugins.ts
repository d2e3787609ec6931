/**
 * Situations with plugins, each in a workspace of its own. Claude Code loads a plugin in the skills folder of the home, Codex
 * prefixes the skills below a manifest, and Gemini CLI and Qwen Code load extensions from their folders in the home.
 */
import { bodyOf, type Situation, secretOf, usual } from './situation.ts';

const skill = (name: string, word: string, id: string): string => `---\n${usual(name, word)}\n---\n\n${bodyOf(id)}`;
const json = (data: object): string => `${JSON.stringify(data)}\n`;

/** Returns a situation with plugins. Its words are those that its skills have, and the names of its plugins. */
const situation = (
  id: string,
  question: string,
  files: Readonly<Record<string, string>>,
  words: readonly string[],
): Situation => ({ id, question, files, words: [id, ...words], secret: secretOf(id) });

const MANIFEST = '.claude-plugin/plugin.json';

/** Returns a plugin in the skills folder of the home. */
const inHome = (
  id: string,
  question: string,
  manifest: object,
  files: Readonly<Record<string, string>>,
  words: readonly string[],
): Situation => {
  const all = Object.entries({ [MANIFEST]: json(manifest), ...files });
  return situation(id, question, Object.fromEntries(all.map(([path, text]) => [`home:${id}/${path}`, text])), words);
};

/** Returns an extension in the folders of Gemini CLI and Qwen Code. */
const extension = (
  id: string,
  question: string,
  manifest: object,
  files: Readonly<Record<string, string>>,
  words: readonly string[],
): Situation =>
  situation(
    id,
    question,
    Object.fromEntries(
      ['gemini', 'qwen'].flatMap((client) => [
        [`~/.${client}/extensions/${id}/${client}-extension.json`, json({ version: '1.0.0', ...manifest })],
        ...Object.entries(files).map(([path, text]) => [`~/.${client}/extensions/${id}/${path}`, text]),
      ]),
    ) as Readonly<Record<string, string>>,
    words,
  );

export const PLUGINS: readonly Situation[] = [
  inHome(
    't01-plugin',
    'a plugin in the skills folder of the home, whose skill has another name than its folder',
    { name: 't01-name' },
    { 'skills/t01-folder/SKILL.md': skill('t01-own', 'anvils', 't01-plugin') },
    ['anvils'],
  ),
  inHome(
    't02-root',
    'the same with a `SKILL.md` beside the manifest, and with `skills/`',
    { name: 't02-name' },
    {
      'SKILL.md': skill('t02-own', 'anvils', 't02-root'),
      'skills/t02-below/SKILL.md': skill('t02-below', 'bolts', 't02-root'),
    },
    ['anvils', 'bolts'],
  ),
  inHome(
    't03-direct',
    'the same with `skills/SKILL.md` beside another skill',
    { name: 't03-name' },
    {
      'skills/SKILL.md': skill('t03-top', 'anvils', 't03-direct'),
      'skills/t03-below/SKILL.md': skill('t03-below', 'bolts', 't03-direct'),
    },
    ['anvils', 'bolts'],
  ),
  inHome(
    't04-key',
    'the same with a folder in `skills` of the manifest',
    { name: 't04-name', skills: './t04-more' },
    {
      'skills/t04-a/SKILL.md': skill('t04-a', 'anvils', 't04-key'),
      't04-more/t04-b/SKILL.md': skill('t04-b', 'bolts', 't04-key'),
      't04-more/t04-c/t04-d/SKILL.md': skill('t04-d', 'chains', 't04-key'),
    },
    ['anvils', 'bolts', 'chains'],
  ),
  inHome(
    't05-no-dot',
    'the same with a path without `./`',
    { name: 't05-name', skills: 't05-more' },
    {
      'skills/t05-a/SKILL.md': skill('t05-a', 'anvils', 't05-no-dot'),
      't05-more/t05-b/SKILL.md': skill('t05-b', 'bolts', 't05-no-dot'),
    },
    ['anvils', 'bolts'],
  ),
  inHome(
    't06-unusual',
    'the same with unusual folders, without a description, and with a command of the same name',
    { name: 't06_Name' },
    {
      'skills/.t06-a/SKILL.md': skill('t06-a', 'anvils', 't06-unusual'),
      'skills/t06.b/SKILL.md': skill('t06-other', 'bolts', 't06-unusual'),
      'skills/t06-c/SKILL.md': `---\nname: t06-c\n---\n\nSorts chains.\n\n${bodyOf('t06-unusual')}`,
      'skills/t06-d/SKILL.md': skill('t06-d', 'dowels', 't06-unusual'),
      'commands/t06-d.md': 'Sort them.\n',
    },
    ['anvils', 'bolts', 'chains', 'dowels', 't06-d'],
  ),
  situation(
    't07-two-plugins',
    'two plugins of one name, and one with a manifest that is not valid JSON',
    {
      [`home:t07-a/${MANIFEST}`]: json({ name: 't07-name' }),
      'home:t07-a/skills/t07-one/SKILL.md': skill('t07-one', 'anvils', 't07-two-plugins'),
      [`home:t07-b/${MANIFEST}`]: json({ name: 't07-name' }),
      'home:t07-b/skills/t07-two/SKILL.md': skill('t07-two', 'bolts', 't07-two-plugins'),
      [`home:t07-c/${MANIFEST}`]: '{"name": "t07-c",}\n',
      'home:t07-c/skills/t07-three/SKILL.md': skill('t07-three', 'chains', 't07-two-plugins'),
    },
    ['anvils', 'bolts', 'chains'],
  ),
  situation(
    't08-above',
    'a manifest in the root of the repository',
    { [`/${MANIFEST}`]: json({ name: 't08-name' }), 't08-above/SKILL.md': skill('t08-above', 'anvils', 't08-above') },
    ['anvils'],
  ),
  situation(
    't09-nearest',
    'manifests above a skill: two in one folder, one without a name, one in the folder of GitHub',
    {
      't09-a/.codex-plugin/plugin.json': json({ name: 't09-codex' }),
      [`t09-a/${MANIFEST}`]: json({ name: 't09-claude' }),
      't09-a/SKILL.md': skill('t09-a', 'anvils', 't09-nearest'),
      't09-b/.cursor-plugin/plugin.json': json({}),
      't09-b/SKILL.md': skill('t09-b', 'bolts', 't09-nearest'),
      't09-c/.github/plugin/plugin.json': json({ name: 't09-github' }),
      't09-c/SKILL.md': skill('t09-c', 'chains', 't09-nearest'),
    },
    ['t09-a', 't09-b', 't09-c', 'anvils', 'bolts', 'chains'],
  ),
  extension(
    't10-extension',
    'an extension with skills in several places, and the key `skills`',
    { name: 't10-name', skills: './t10-more' },
    {
      'SKILL.md': skill('t10-root', 'anvils', 't10-extension'),
      'skills/SKILL.md': skill('t10-top', 'bolts', 't10-extension'),
      'skills/t10-a/SKILL.md': skill('t10-own', 'chains', 't10-extension'),
      'skills/.t10-b/SKILL.md': skill('t10-b', 'dowels', 't10-extension'),
      'skills/t10-c/t10-d/SKILL.md': skill('t10-d', 'eyelets', 't10-extension'),
      't10-more/t10-e/SKILL.md': skill('t10-e', 'flanges', 't10-extension'),
    },
    ['anvils', 'bolts', 'chains', 'dowels', 'eyelets', 'flanges'],
  ),
  extension(
    't11-no-name',
    'an extension without a name',
    {},
    { 'skills/t11-a/SKILL.md': skill('t11-a', 'anvils', 't11-no-name') },
    ['anvils'],
  ),
];
