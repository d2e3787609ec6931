/**
 * The skills that clients find in plugins, and their names: the observations of Claude Code 2.1.332, Codex 0.171.0, Copilot CLI
 * 1.0.102, Gemini CLI 0.61.0 and Qwen Code 0.24.4 of 2026-11-29 and 2026-11-30.
 */
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { findClient } from '../../../server/src/clients/facts/clients.ts';
import type { ClientRow } from '../../../server/src/clients/matrix/cell.ts';
import { listLine } from '../../../server/src/clients/matrix/list-line.ts';
import { stepsOf } from '../../../server/src/clients/matrix/prediction.ts';
import { predict } from '../../../server/src/clients/pipeline/predict.ts';
import { check } from '../../../server/src/rules/engine/check.ts';

type Tree = Readonly<Record<string, unknown>>;

const M = '.claude-plugin/plugin.json';
const CODEX = '.codex-plugin/plugin.json';
const GEMINI = 'gemini-extension.json';

/** A `SKILL.md` with this name; without a name for an empty one, and without a description for null. */
const skill = (name: string | null): string =>
  name === null ? '---\nname: x\n---\nBody.\n' : `---\n${name && `name: ${name}\n`}description: Does it.\n---\nBody.\n`;

function open(tree: Tree): Workspace {
  const workspace = new Workspace();
  workspace.apply({ kind: 'roots', folders: ['file:///w'] });
  for (const [path, content] of Object.entries(tree)) {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    workspace.apply({ kind: 'text', uri: `file:///w/${path.split('/').map(encodeURIComponent).join('/')}`, text });
  }
  return workspace;
}

const rowOf = ({ analysis }: Workspace, id: string, path: string): ClientRow => {
  const uri = `file:///w/${path.split('/').map(encodeURIComponent).join('/')}`;
  const [row] = analysis.clientRows(analysis.file(uri) ?? assert.fail(uri), [findClient(id) ?? assert.fail(id)]);
  return row ?? assert.fail();
};

/** Returns the skills in a client's list: their names with the label, by path. */
function listedBy(workspace: Workspace, id: string): Readonly<Record<string, string>> {
  const client = findClient(id) ?? assert.fail(id);
  const { agentSkills } = workspace.analysis;
  const subjects = [...agentSkills.subjects].sort((a, b) => (a.uri < b.uri ? -1 : 1));
  return Object.fromEntries(
    subjects.flatMap((subject) => {
      const path = decodeURIComponent(subject.uri.slice('file:///w/'.length));
      const row = rowOf(workspace, id, path);
      if ([row.found, row.loaded, row.listed].some(({ outcome }) => outcome !== 'yes')) return [];
      const rivals = agentSkills.rivalsOf(client, subject);
      const line =
        id === 'claude-code' ? listLine(client, subject, { outcome: 'name-only' }, rivals)?.text.slice(2) : row.name;
      return [[path.replace(/\/?SKILL\.md$/, ''), line ?? '']];
    }),
  );
}

interface Case {
  readonly title: string;
  readonly tree: Tree;
  /** The names of the skills in the list of each client, by the path of the folder. */
  readonly seen: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const CASES: readonly Case[] = [
  {
    title: '`./` in `skills`, with a SKILL.md in the root: its `name` counts',
    tree: { [M]: { name: 'n01', skills: ['./'] }, 'SKILL.md': skill('own01') },
    seen: { 'claude-code': { '': 'n01:own01' }, 'copilot-cli': { '': 'own01' }, codex: {} },
  },
  {
    title: 'only a SKILL.md in the root',
    tree: { [M]: { name: 'n02' }, 'SKILL.md': skill('own02') },
    seen: { 'claude-code': { '': 'n02:own02' }, 'copilot-cli': { '': 'own02' }, codex: {} },
  },
  {
    title: 'a SKILL.md in the root beside `skills/`',
    tree: { [M]: { name: 'n03' }, 'SKILL.md': skill('own03'), 'skills/a/SKILL.md': skill('a') },
    seen: {
      'claude-code': { 'skills/a': 'n03:a' },
      codex: { 'skills/a': 'n03:a' },
      'copilot-cli': { 'skills/a': 'a' },
    },
  },
  {
    title: 'the root, `skills/` and another folder',
    tree: {
      [M]: { name: 'n03', skills: ['./', './more'] },
      'SKILL.md': skill('own03'),
      'skills/a/SKILL.md': skill('a'),
      'more/b/SKILL.md': skill('b'),
    },
    seen: {
      'claude-code': { '': 'n03:own03', 'skills/a': 'n03:a', 'more/b': 'n03:b' },
      codex: { 'more/b': 'n03:b' },
    },
  },
  {
    title: 'an empty `skills`, and a SKILL.md in the root',
    tree: { [M]: { name: 'q8', skills: [] }, 'SKILL.md': skill('rooty') },
    seen: { 'claude-code': {} },
  },
  {
    title: '`skills/SKILL.md` beside others',
    tree: { [M]: { name: 'n04' }, 'skills/SKILL.md': skill('own04'), 'skills/a/SKILL.md': skill('a') },
    seen: {
      'claude-code': { skills: 'n04:own04' },
      'copilot-cli': { skills: 'own04' },
      codex: { skills: 'n04:own04', 'skills/a': 'n04:a' },
    },
  },
  {
    title: 'the same in an extension of Gemini CLI',
    tree: {
      [GEMINI]: { name: 'n04', version: '1.0.0' },
      'skills/SKILL.md': skill('own04'),
      'skills/a/SKILL.md': skill('a'),
    },
    seen: { 'gemini-cli': { skills: 'own04', 'skills/a': 'a' } },
  },
  {
    title: 'another name than the folder: the folder is the command, the name a label',
    tree: { [M]: { name: 'n07' }, 'skills/x/SKILL.md': skill('y') },
    seen: { 'claude-code': { 'skills/x': 'n07:x (n07:y)' }, codex: { 'skills/x': 'n07:y' } },
  },
  {
    title: 'unusual characters in folders',
    tree: {
      [M]: { name: 'q' },
      'skills/.hidden/SKILL.md': skill('hidden'),
      'skills/a.b/SKILL.md': skill('a-b'),
      'skills/größe/SKILL.md': skill('g'),
      'skills/with space/SKILL.md': skill('with-space'),
    },
    seen: {
      'claude-code': {
        'skills/.hidden': 'q:-hidden (q:hidden)',
        'skills/a.b': 'q:a-b',
        'skills/größe': 'q:gr--e (q:g)',
        'skills/with space': 'q:with-space',
      },
      codex: { 'skills/a.b': 'q:a-b', 'skills/größe': 'q:g', 'skills/with space': 'q:with-space' },
    },
  },
  {
    title: 'names that are labels, and names that are none',
    tree: {
      [M]: { name: 'pe' },
      'skills/q/SKILL.md': skill('x@y').replace('x@y', '"x@y"'),
      'skills/r/SKILL.md': skill('x!'),
      'skills/t/SKILL.md': skill('"tab\\there"'),
      'skills/u/SKILL.md': skill('a.b_c'),
      'skills/v/SKILL.md': skill('größe'),
      'skills/w/SKILL.md': skill('UPPER'),
      'skills/x/SKILL.md': skill('my label'),
      'skills/y/SKILL.md': skill('x:y'),
      'skills/z/SKILL.md': skill('a/b'),
    },
    seen: {
      'claude-code': {
        'skills/q': 'pe:q',
        'skills/r': 'pe:r',
        'skills/t': 'pe:t',
        'skills/u': 'pe:u (pe:a.b_c)',
        'skills/v': 'pe:v (pe:größe)',
        'skills/w': 'pe:w (pe:UPPER)',
        'skills/x': 'pe:x',
        'skills/y': 'pe:y (pe:x:y)',
        'skills/z': 'pe:z',
      },
    },
  },
  ...(
    [
      [['./more/x.md'], { 'skills/a': 'p:a', 'skills/y': 'p:y' }],
      ['./more', { 'skills/a': 'p:a', 'skills/y': 'p:y' }],
      [[], { 'skills/a': 'p:a', 'skills/x': 'p:x', 'skills/y': 'p:y' }],
      [['./gone.md'], { 'skills/a': 'p:a', 'skills/x': 'p:x', 'skills/y': 'p:y' }],
      [['./commands/', './more/x.md'], { 'skills/y': 'p:y' }],
      [{ y: { source: './more/x.md' }, x: { content: 'Do it.', description: 'Does it.' } }, { 'skills/a': 'p:a' }],
    ] as const
  ).map(([commands, seen]) => ({
    title: `\`commands: ${JSON.stringify(commands)}\`, which replaces the folder \`commands\``,
    tree: {
      [M]: { name: 'p', commands },
      'commands/a.md': skill('a'),
      'more/x.md': skill('x'),
      'more/sub/y.md': skill('y'),
      'skills/a/SKILL.md': skill('a'),
      'skills/x/SKILL.md': skill('x'),
      'skills/y/SKILL.md': skill('y'),
    },
    seen: { 'claude-code': seen },
  })),
  {
    title: 'a SKILL.md in a folder of `commands`, which is a command with the name of its folder',
    tree: {
      [M]: { name: 'pc' },
      'commands/pack/SKILL.md': skill('pack'),
      'commands/two/SKILL.md': skill('other-name'),
      'skills/pack/SKILL.md': skill('pack'),
      'skills/a/SKILL.md': skill('a'),
    },
    seen: {
      'claude-code': { 'commands/pack': 'pc:pack', 'commands/two': 'pc:two (pc:other-name)', 'skills/a': 'pc:a' },
    },
  },
  {
    title: 'a name of a skill that is the name, or the second name, of a command',
    tree: {
      [M]: { name: 'pd' },
      'commands/one.md': skill('lab'),
      'commands/two.md': skill('same'),
      'skills/s/SKILL.md': skill('one'),
      'skills/t/SKILL.md': skill('same'),
    },
    seen: { 'claude-code': { 'skills/s': 'pd:s', 'skills/t': 'pd:t' } },
  },
  {
    title: 'commands in folders, which have other names than the skills',
    tree: {
      [M]: { name: 'pg' },
      'commands/c/d/e/SKILL.md': skill('cde'),
      'commands/low/skill.md': skill('low'),
      'commands/nod/SKILL.md': skill(null),
      'commands/sub/y.md': skill('y'),
      'skills/nod/SKILL.md': skill('nod'),
      'skills/y/SKILL.md': skill('y'),
    },
    seen: {
      'claude-code': {
        'commands/c/d/e': 'pg:c:d:e (pg:c:d:cde)',
        'commands/low/skill.md': 'pg:low',
        'skills/nod': 'pg:nod',
        'skills/y': 'pg:y',
      },
    },
  },
  {
    title: 'a SKILL.md directly in `commands`, which hides all other commands',
    tree: {
      [M]: { name: 'pg' },
      'commands/SKILL.md': skill('root'),
      'commands/pack/SKILL.md': skill('pack'),
      'commands/s.md': skill('s'),
      'skills/s/SKILL.md': skill('s'),
    },
    seen: { 'claude-code': { commands: 'pg:commands (pg:root)', 'skills/s': 'pg:s' } },
  },
  {
    title: 'the commands of entries of a marketplace, which are added to the others',
    tree: {
      '.claude-plugin/marketplace.json': {
        name: 'mk1',
        owner: { name: 'x' },
        plugins: [
          { name: 'e1', source: './e1', commands: ['./more/x.md'] },
          { name: 'e2', source: './e2', commands: ['./more/x.md'] },
          { name: 'e3', source: './e3', commands: { go: { content: 'Go now.', description: 'Goes.' } } },
        ],
      },
      'e2/.claude-plugin/plugin.json': { name: 'e2', commands: ['./other/k.md'] },
      ...Object.fromEntries(
        ['e1', 'e2', 'e3'].flatMap((folder) => [
          ...['a', 'x', 'k', 'go'].map((name) => [`${folder}/skills/${name}/SKILL.md`, skill(name)]),
          ...['commands/a', 'more/x', 'other/k'].map((path) => [`${folder}/${path}.md`, skill(path.slice(-1))]),
        ]),
      ),
    },
    seen: {
      'claude-code': {
        'e1/skills/go': 'e1:go',
        'e1/skills/k': 'e1:k',
        'e2/skills/a': 'e2:a',
        'e2/skills/go': 'e2:go',
        'e3/skills/go': 'e3:go',
        'e3/skills/k': 'e3:k',
        'e3/skills/x': 'e3:x',
      },
    },
  },
  {
    title: 'a skill without a description',
    tree: { [M]: { name: 'n25' }, 'skills/x/SKILL.md': skill(null), '.claude/skills/x/SKILL.md': skill(null) },
    seen: { 'claude-code': { '.claude/skills/x': 'x' } },
  },
  {
    title: 'two skills of one name, of which the first has the label',
    tree: { [M]: { name: 'n23' }, 'skills/a/SKILL.md': skill('same'), 'skills/b/SKILL.md': skill('same') },
    seen: { 'claude-code': { 'skills/a': 'n23:a (n23:same)', 'skills/b': 'n23:b' } },
  },
  {
    title: 'a plugin in the folder `skills` of another one',
    tree: {
      [M]: { name: 'q20' },
      'skills/c/SKILL.md': skill('c'),
      'skills/c/.claude-plugin/plugin.json': { name: 'inner' },
      'skills/c/skills/d/SKILL.md': skill('d'),
    },
    seen: { 'claude-code': { 'skills/c': 'q20:c' }, codex: { 'skills/c': 'q20:c', 'skills/c/skills/d': 'q20:d' } },
  },
  {
    title: 'a plugin in another folder of a plugin',
    tree: {
      [M]: { name: 'outer' },
      'sub/.claude-plugin/plugin.json': { name: 'sub' },
      'sub/skills/e/SKILL.md': skill('e'),
    },
    seen: { 'claude-code': { 'sub/skills/e': 'sub:e' } },
  },
  {
    title: 'skills two levels deep',
    tree: {
      [M]: { name: 'q12', skills: './deep' },
      'deep/g/t/SKILL.md': skill('t'),
      'skills/g/u/SKILL.md': skill('u'),
      'skills/p/SKILL.md': skill('p'),
      'skills/p/r/SKILL.md': skill('r'),
    },
    seen: {
      'claude-code': { 'skills/p': 'q12:p' },
      codex: { 'deep/g/t': 'q12:t' },
      'copilot-cli': { 'deep/g/t': 't' },
    },
  },
  {
    title: 'seven levels in Codex',
    tree: {
      [CODEX]: { name: 'p1' },
      'skills/1/2/3/4/5/6/SKILL.md': skill('d6'),
      'skills/1/2/3/4/5/6/7/SKILL.md': skill('d7'),
    },
    seen: { codex: { 'skills/1/2/3/4/5/6': 'p1:d6' } },
  },
  {
    title: 'two levels in Gemini CLI, and a SKILL.md in the root',
    tree: {
      [GEMINI]: { name: 'g', version: '1.0.0' },
      'SKILL.md': skill('root'),
      'skills/a/SKILL.md': skill('a'),
      'skills/b/c/SKILL.md': skill('c'),
    },
    seen: { 'gemini-cli': { 'skills/a': 'a' } },
  },
  {
    title: 'another folder in `skills`: it adds, replaces or has no effect',
    tree: {
      [M]: { name: 'e', skills: './extra' },
      [GEMINI]: { name: 'e', version: '1.0.0', skills: './extra' },
      'skills/a/SKILL.md': skill('a'),
      'extra/b/SKILL.md': skill('b'),
    },
    seen: {
      'claude-code': { 'skills/a': 'e:a', 'extra/b': 'e:b' },
      codex: { 'extra/b': 'e:b' },
      'copilot-cli': { 'extra/b': 'b' },
      'gemini-cli': { 'skills/a': 'a' },
      'qwen-code': { 'skills/a': 'e:a' },
    },
  },
  {
    title: 'an empty list in `skills` beside `skills/`',
    tree: { [M]: { name: 'e', skills: [] }, 'skills/a/SKILL.md': skill('a') },
    seen: { 'claude-code': { 'skills/a': 'e:a' }, codex: { 'skills/a': 'e:a' } },
  },
  ...[['./'], ['./x/../more']].map((skills) => ({
    title: `${skills[0] ?? ''} in Codex`,
    tree: {
      [CODEX]: { name: 'r', skills },
      'SKILL.md': skill('root'),
      'skills/a/SKILL.md': skill('a'),
      'more/b/SKILL.md': skill('b'),
    },
    seen: { codex: { 'skills/a': 'r:a' } },
  })),
  {
    title: 'a folder in `skills` that is a skill, named by its `name`',
    tree: {
      [M]: { name: 'q1', skills: ['./extra/foo'] },
      'extra/foo/SKILL.md': skill('bar'),
      'extra/foo/sub/SKILL.md': skill('sub'),
    },
    seen: { 'claude-code': { 'extra/foo': 'q1:bar' }, 'copilot-cli': { 'extra/foo': 'bar' } },
  },
  {
    title: 'a root skill with a name with spaces, and one without a name in `skills/`',
    tree: {
      'a/.claude-plugin/plugin.json': { name: 'q4' },
      'a/SKILL.md': skill('Own Skill'),
      'b/.claude-plugin/plugin.json': { name: 'q11' },
      'b/skills/SKILL.md': skill(''),
    },
    seen: { 'claude-code': { a: 'q4:Own-Skill', 'b/skills': 'q11:skills' } },
  },
  {
    title: '`skills` without `./`',
    tree: { [M]: { name: 'f', skills: ['extra'] }, 'skills/a/SKILL.md': skill('a'), 'extra/b/SKILL.md': skill('b') },
    seen: { 'claude-code': {}, codex: { 'skills/a': 'f:a' }, 'copilot-cli': { 'extra/b': 'b' } },
  },
  {
    title: 'a missing folder, a file and a path that leads out of the plugin',
    tree: {
      [M]: { name: 'q14', skills: ['./gone', './x/SKILL.md', './../q1/extra'] },
      'skills/s/SKILL.md': skill('s'),
      'x/SKILL.md': skill('xx'),
    },
    seen: { 'claude-code': { 'skills/s': 'q14:s' }, codex: {}, 'copilot-cli': {} },
  },
  {
    title: 'a path that begins with `../`',
    tree: { [M]: { name: 'q5b', skills: '../q1/extra' }, 'skills/s/SKILL.md': skill('s') },
    seen: { 'claude-code': {}, codex: { 'skills/s': 'q5b:s' }, 'copilot-cli': {} },
  },
  {
    title: 'a number in `skills`',
    tree: { [M]: { name: 'p11', skills: [7] }, 'skills/a/SKILL.md': skill('a') },
    seen: { 'claude-code': {}, codex: { 'skills/a': 'p11:a' }, 'copilot-cli': {} },
  },
  {
    title: 'a good path beside one without `./`',
    tree: {
      [M]: { name: 'p3', skills: ['./extra', 'skills'] },
      'skills/a/SKILL.md': skill('a'),
      'extra/b/SKILL.md': skill('b'),
    },
    seen: { codex: { 'extra/b': 'p3:b' }, 'claude-code': {} },
  },
  {
    title: 'a trailing comma in the manifest',
    tree: { [M]: '{"name": "t",}', 'skills/a/SKILL.md': skill('a') },
    seen: { 'claude-code': {}, codex: {}, 'copilot-cli': { 'skills/a': 'a' } },
  },
  {
    title: 'no name in the manifest',
    tree: { 'folder/.claude-plugin/plugin.json': { version: '1.0.0' }, 'folder/skills/a/SKILL.md': skill('a') },
    seen: { 'claude-code': {}, 'copilot-cli': { 'folder/skills/a': 'a' } },
  },
  ...['a/b', 'a:b', 'a b'].map((name) => ({
    title: `the name \`${name}\``,
    tree: { [M]: { name }, 'skills/a/SKILL.md': skill('a') },
    seen: { 'claude-code': {} },
  })),
  {
    title: 'a name with other letters',
    tree: { [M]: { name: 'größe_1.x' }, 'skills/a/SKILL.md': skill('a') },
    seen: { 'claude-code': { 'skills/a': 'größe_1.x:a' } },
  },
  ...[{ name: 'g' }, { version: '1.0.0' }, { name: 'a_b', version: '1.0.0' }].map((manifest) => ({
    title: `an extension of Gemini CLI with ${JSON.stringify(manifest)}`,
    tree: { [GEMINI]: manifest, 'skills/a/SKILL.md': skill('a') },
    seen: { 'gemini-cli': {} },
  })),
  {
    title: 'the same with a comment',
    tree: { [GEMINI]: '{"name": "g", "version": "1.0.0"} // x', 'skills/a/SKILL.md': skill('a') },
    seen: { 'gemini-cli': {} },
  },
  {
    title: 'the manifests of Qwen Code, which takes names with `_`',
    tree: { 'qwen-extension.json': { name: 'a_b', version: '1.0.0' }, 'skills/a/SKILL.md': skill('a') },
    seen: { 'qwen-code': { 'skills/a': 'a_b:a' } },
  },
  {
    title: 'four manifests of Copilot CLI',
    tree: {
      'a/.plugin/plugin.json': { name: 'a', skills: './one' },
      'a/.github/plugin/plugin.json': { name: 'a', skills: './two' },
      'a/one/x/SKILL.md': skill('x'),
      'a/two/x/SKILL.md': skill('x'),
      'b/.github/plugin/plugin.json': { name: 'b', skills: './one' },
      'b/.claude-plugin/plugin.json': { name: 'b', skills: './two' },
      'b/one/y/SKILL.md': skill('y'),
      'b/two/y/SKILL.md': skill('y'),
    },
    seen: { 'copilot-cli': { 'a/one/x': 'x', 'b/one/y': 'y' } },
  },
  {
    title: 'in Copilot CLI skills at several levels, but not below another one',
    tree: {
      [M]: { name: 'd3' },
      'skills/1/x/SKILL.md': skill('x'),
      'skills/1/2/3/4/5/six/SKILL.md': skill('six'),
      'skills/1/x/y/SKILL.md': skill('y'),
    },
    seen: { 'copilot-cli': { 'skills/1/x': 'x', 'skills/1/2/3/4/5/six': 'six' } },
  },
  {
    title: 'an extension of Qwen Code with skills in other places',
    tree: {
      'qwen-extension.json': { name: 'e', skills: './extra' },
      'SKILL.md': skill('root'),
      'skills/SKILL.md': skill('top'),
      'skills/a/SKILL.md': skill('a'),
      'skills/.h/SKILL.md': skill('h'),
      'skills/g/u/SKILL.md': skill('u'),
    },
    seen: { 'qwen-code': { 'skills/a': 'e:a', 'skills/.h': 'e:h' } },
  },
  ...(
    [
      [
        ['./extra/b', './skills/a'],
        ['extra/b', 'skills/a'],
      ],
      [['extra/b'], ['extra/b']],
      [['./extra'], []],
      [['./gone'], []],
      [[], []],
      [['./'], ['']],
      [['./skills/'], ['skills/a', 'skills/c']],
      [7, []],
      [undefined, ['skills/a', 'skills/c']],
    ] as const
  ).map(([skills, found]) => ({
    title: `\`skills: ${JSON.stringify(skills)}\` of Claude Code, whose folders Qwen Code copies`,
    tree: {
      [M]: { name: 'f', skills },
      'SKILL.md': skill('root'),
      'extra/b/SKILL.md': skill('b'),
      'skills/a/SKILL.md': skill('a'),
      'skills/c/SKILL.md': skill('c'),
    },
    seen: {
      'qwen-code': Object.fromEntries(found.map((path) => [path, path === '' ? 'f:root' : `f:${path.slice(-1)}`])),
    },
  })),
  {
    title: 'two manifests in Codex',
    tree: {
      [M]: { name: 'claude7', skills: './extra' },
      [CODEX]: { name: 'p7' },
      'skills/a/SKILL.md': skill('a'),
      'extra/b/SKILL.md': skill('b'),
    },
    seen: { codex: { 'skills/a': 'p7:a' }, 'claude-code': { 'skills/a': 'claude7:a', 'extra/b': 'claude7:b' } },
  },
  {
    title: 'a skill and a command of one name: the command wins in a plugin, the skill in `.claude`',
    tree: {
      [M]: { name: 'n24' },
      'skills/both/SKILL.md': skill('both'),
      'commands/both.md': '---\ndescription: Does it.\n---\nBody.\n',
      '.claude/skills/two/SKILL.md': skill('two'),
      '.claude/commands/two.md': '---\ndescription: Does it.\n---\nBody.\n',
    },
    seen: { 'claude-code': { '.claude/skills/two': 'two' } },
  },
  {
    title: 'a skill of the plugin and of the project with one name',
    tree: { [M]: { name: 'n06' }, 'skills/dup/SKILL.md': skill('dup'), '.claude/skills/dup/SKILL.md': skill('dup') },
    seen: { 'claude-code': { 'skills/dup': 'n06:dup', '.claude/skills/dup': 'dup' } },
  },
  {
    title: 'folders with other names',
    tree: {
      [M]: { name: 'q19' },
      'Skills/a/SKILL.md': skill('a'),
      'skill/c/SKILL.md': skill('c'),
      '.claude-plugin/skills/b/SKILL.md': skill('b'),
    },
    seen: { 'claude-code': {} },
  },
  {
    title: 'manifests above a skill in a folder of Codex',
    tree: {
      '.agents/skills/z/.codex-plugin/plugin.json': { name: 'znine' },
      '.agents/skills/z/.claude-plugin/plugin.json': { name: 'other' },
      '.agents/skills/z/z9/SKILL.md': skill('z9'),
      '.agents/skills/z6/.cursor-plugin/plugin.json': { name: 'Z Six' },
      '.agents/skills/z6/SKILL.md': skill('z6'),
      '.agents/skills/z7/.claude-plugin/plugin.json': {},
      '.agents/skills/z7/SKILL.md': skill('z7'),
      '.agents/skills/z8/.claude-plugin/plugin.json': '{',
      '.agents/skills/z8/SKILL.md': skill('z8'),
      '.agents/skills/z10/.github/plugin/plugin.json': { name: 'gh' },
      '.agents/skills/z10/SKILL.md': skill('z10'),
    },
    seen: {
      codex: {
        '.agents/skills/z/z9': 'znine:z9',
        '.agents/skills/z6': 'Z Six:z6',
        '.agents/skills/z7': 'z7:z7',
        '.agents/skills/z8': 'z8',
        '.agents/skills/z10': 'z10',
      },
    },
  },
  {
    title: 'a manifest in the root of the repository of Codex',
    tree: { [M]: { name: 'wsroot' }, '.agents/skills/x/SKILL.md': skill('x') },
    seen: { codex: { '.agents/skills/x': 'wsroot:x' } },
  },
  {
    title: 'plugins in `.claude/skills`',
    tree: {
      '.claude/skills/pa/.claude-plugin/plugin.json': { name: 'na' },
      '.claude/skills/pa/skills/x/SKILL.md': skill('x-name'),
      '.claude/skills/pb/.claude-plugin/plugin.json': { name: 'nb' },
      '.claude/skills/pb/SKILL.md': skill('pb-own'),
      '.claude/skills/pb/skills/y/SKILL.md': skill('y'),
      '.claude/skills/pc/.claude-plugin/plugin.json': { name: 'na' },
      '.claude/skills/pc/skills/z/SKILL.md': skill('z'),
      '.claude/skills/ph/.claude-plugin/plugin.json': { name: 'nh' },
      '.claude/skills/ph/SKILL.md': skill('ph-own'),
      '.claude/skills/pk/.claude-plugin/plugin.json': '{"name": "nk",}',
      '.claude/skills/pk/SKILL.md': skill('pk'),
      '.claude/skills/pk/skills/w/SKILL.md': skill('w'),
      '.claude/skills/synced/.claude-plugin/plugin.json': { name: 'ns' },
      '.claude/skills/synced/SKILL.md': skill('synced'),
      '.claude/skills/synced/skills/s/SKILL.md': skill('s'),
      '.claude/skills/grp/pg/.claude-plugin/plugin.json': { name: 'ng' },
      '.claude/skills/grp/pg/skills/v/SKILL.md': skill('v'),
    },
    seen: {
      'claude-code': {
        '.claude/skills/pa/skills/x': 'na:x (na:x-name)',
        '.claude/skills/pb': 'pb (pb-own)',
        '.claude/skills/pb/skills/y': 'nb:y',
        '.claude/skills/ph': 'ph (ph-own)',
        '.claude/skills/pk': 'pk',
      },
    },
  },
  {
    title: 'entries of a marketplace',
    tree: {
      '.claude-plugin/marketplace.json': {
        name: 'mk',
        owner: { name: 'x' },
        plugins: [
          { name: 'm1', source: './', skills: ['./shared/one'], strict: false },
          { name: 'm2', source: './p2', skills: ['./extra'] },
          { name: 'm4', source: './p4', strict: false },
          { name: 'm5', source: './p5', skills: ['./extra'], strict: false },
          { name: 'm6', source: './p6', skills: ['./extra'] },
          { name: 'm7', source: './p7', skills: ['./x/SKILL.md', './gone'] },
        ],
      },
      'shared/one/SKILL.md': skill('one-name'),
      'shared/two/SKILL.md': skill('two'),
      'skills/r/SKILL.md': skill('r'),
      'p2/skills/a/SKILL.md': skill('a'),
      'p2/extra/b/SKILL.md': skill('b'),
      'p4/.claude-plugin/plugin.json': { name: 'p4name' },
      'p4/skills/d/SKILL.md': skill('d'),
      'p5/.claude-plugin/plugin.json': { name: 'p5name', skills: './more' },
      'p5/skills/e/SKILL.md': skill('e'),
      'p6/.claude-plugin/plugin.json': { name: 'p6name', skills: './more' },
      'p6/skills/i/SKILL.md': skill('i'),
      'p6/more/g/SKILL.md': skill('g'),
      'p6/extra/h/SKILL.md': skill('h'),
      'p7/skills/j/SKILL.md': skill('j'),
      'p7/x/SKILL.md': skill('x'),
    },
    seen: {
      'claude-code': {
        'shared/one': 'm1:one-name',
        'p2/skills/a': 'm2:a',
        'p2/extra/b': 'm2:b',
        'p4/skills/d': 'p4name:d',
        'p6/skills/i': 'p6name:i',
        'p6/more/g': 'p6name:g',
        'p6/extra/h': 'p6name:h',
        'p7/skills/j': 'm7:j',
      },
    },
  },
];

describe('the list of a client has from a plugin', () => {
  for (const { title, tree, seen } of CASES) {
    it(title, () => {
      const workspace = open(tree);
      const found = Object.fromEntries(Object.keys(seen).map((id) => [id, listedBy(workspace, id)]));
      assert.deepEqual(found, seen);
    });
  }
});

it('Copilot CLI prefixes equal names of plugins that are loaded together, after the names of the project', () => {
  const tree = {
    [`P1/${M}`]: { name: 'p1' },
    'P1/skills/a/SKILL.md': skill('a'),
    'P1/skills/b/SKILL.md': skill('b'),
    'P1/skills/c/SKILL.md': skill('c'),
    'P1/skills/u/SKILL.md': skill('u'),
    [`P2/${M}`]: { name: 'p2' },
    'P2/skills/a/SKILL.md': skill('a'),
    'P2/skills/d/SKILL.md': skill('D'),
    [`P3/${M}`]: { name: 'p3' },
    'P3/skills/e/SKILL.md': skill('same'),
    'P3/skills/f/SKILL.md': skill('same'),
    '.github/skills/b/SKILL.md': skill('b'),
    '.github/skills/d/SKILL.md': skill('d'),
    'home/.copilot/skills/u/SKILL.md': skill('u'),
  };
  const workspace = open(tree);
  const files = [...workspace.analysis.agentSkills.subjects].map(({ file }) => file);
  const place = { start: '/w', repository: '/w', home: '/w/home' };
  const results = predict(stepsOf(findClient('copilot-cli') ?? assert.fail()), files, place);
  const names = [...results.values()].flatMap(
    (all) => all?.map(({ value }) => ('code' in value ? [] : value.name)) ?? [],
  );
  assert.deepEqual(names.flat().sort(), ['D', 'b', 'c', 'd', 'p1:a', 'p2:a', 'same', 'u']);
  const { found } = rowOf(workspace, 'copilot-cli', 'P1/skills/a/SKILL.md');
  assert.match(
    found.reasons[0]?.text ?? '',
    /\. If another installed plugin has a skill of this name, the name begins with `p1:`\.$/,
  );
  assert.doesNotMatch(rowOf(workspace, 'copilot-cli', 'P1/skills/c/SKILL.md').found.reasons[0]?.text ?? '', /another/);
});

it('a command that a manifest names replaces a skill also if its file was not read', () => {
  const manifest = { name: 'p', commands: ['./more/x.md'] };
  const workspace = open({ [M]: manifest, 'skills/x/SKILL.md': skill('x'), 'commands/x.md': skill('x') });
  const found = (): string => rowOf(workspace, 'claude-code', 'skills/x/SKILL.md').found.outcome;
  assert.equal(found(), 'yes');
  const affected = workspace.apply({ kind: 'exists', uri: 'file:///w/more/x.md', exists: true });
  assert.ok(affected === 'all' || affected.has('file:///w/skills/x/SKILL.md'));
  assert.equal(found(), 'no');
  workspace.apply({ kind: 'exists', uri: 'file:///w/more/x.md', exists: false });
  assert.equal(found(), 'yes');
});

it('a skill in several plugins is loaded once, with the one that was installed first', () => {
  const skills = ['./shared/one'];
  const plugins = [
    { name: 'z1', source: './', skills },
    { name: 'a1', source: './', skills },
    { name: 'b1', source: './', skills: ['./other'] },
  ];
  const manifest = { name: 'mk', owner: { name: 'x' }, plugins };
  const workspace = open({ '.claude-plugin/marketplace.json': manifest, 'shared/one/SKILL.md': skill('one') });
  const { found, name } = rowOf(workspace, 'claude-code', 'shared/one/SKILL.md');
  assert.equal(name, 'z1:one');
  assert.match(
    found.reasons[0]?.text ?? '',
    /^The client loads it once, with the plugin `z1` or `a1` that was installed first, after /,
  );
});

it('a client finds a skill of a plugin that it then does not load', () => {
  const tree = { [`p/${CODEX}`]: { name: 'p' }, 'p/gemini-extension.json': { name: 'p', version: '1.0.0' } };
  const workspace = open({ ...tree, 'p/skills/a/SKILL.md': skill(null) });
  for (const id of ['codex', 'gemini-cli']) {
    const { found, loaded } = rowOf(workspace, id, 'p/skills/a/SKILL.md');
    assert.deepEqual([found.outcome, loaded.outcome], ['yes', 'no']);
    assert.match(
      found.reasons[0]?.text ?? '',
      /^The client loads it with the (?:plugin|extension) `p`, after the (?:plugin|extension) is/,
    );
  }
});

describe('a skill that the manifest leaves out is not found, and nothing says that it is loaded', () => {
  const tree = {
    [`p/${M}`]: { name: 'p', skills: ['./extra'] },
    'p/skills/a/SKILL.md': skill('a'),
    'p/extra/b/SKILL.md': skill('b'),
    'p/lost/c/SKILL.md': skill('c'),
    'p/examples/d/SKILL.md': skill('d'),
  };
  const cells = (id: string, path: string): readonly string[] => {
    const { found, loaded, listed } = rowOf(open(tree), id, `p/${path}/SKILL.md`);
    return [found, loaded, listed].map(({ outcome }) => outcome);
  };

  for (const [id, path] of [
    ['codex', 'skills/a'],
    ['codex', 'lost/c'],
    ['claude-code', 'lost/c'],
    ['qwen-code', 'skills/a'],
    ['qwen-code', 'lost/c'],
  ] as const) {
    it(`${path} in ${id}`, () => {
      assert.deepEqual(cells(id, path), ['no', 'no', 'no']);
      const { found } = rowOf(open(tree), id, `p/${path}/SKILL.md`);
      assert.equal(
        found.reasons[0]?.text,
        `The plugin does not ship \`${path}\`: its manifest does not name this folder.`,
      );
    });
  }

  it('but an example keeps its row, as if it were installed', () => {
    assert.deepEqual(cells('claude-code', 'examples/d'), ['unknown', 'yes', 'yes']);
    const { found } = rowOf(open(tree), 'claude-code', 'p/examples/d/SKILL.md');
    assert.match(found.reasons[0]?.text ?? '', /A client finds it only after it is installed in another folder\.$/);
  });
});

it('a manifest may name one command many thousands of times', () => {
  const commands = Array.from({ length: 40_000 }, () => './x.md');
  const start = performance.now();
  const workspace = open({
    [`p/${M}`]: { name: 'k', commands },
    'p/x.md': '---\ndescription: Chops.\n---\nChop.\n',
    'p/skills/x/SKILL.md': skill('x'),
  });
  assert.equal(rowOf(workspace, 'claude-code', 'p/skills/x/SKILL.md').found.outcome, 'no');
  assert.ok(performance.now() - start < 5_000);
});

it('the order in which two manifests of a plugin are read does not matter', () => {
  const files: readonly (readonly [string, unknown])[] = [
    [`p/${M}`, { name: 'k', commands: { x: { source: './other/x.md', description: 'Chops.' } } }],
    ['.claude-plugin/marketplace.json', { plugins: [{ name: 'q', source: './p', commands: ['./other/x.md'] }] }],
    ['p/other/x.md', 'Chop.\n'],
    ['p/skills/x/SKILL.md', skill('x')],
  ];
  const read = (order: typeof files) => {
    const workspace = open(Object.fromEntries(order));
    const { analysis } = workspace;
    const file = analysis.file('file:///w/p/skills/x/SKILL.md') ?? assert.fail();
    const rows = ['claude-code', 'codex'].map((id) => rowOf(workspace, id, 'p/skills/x/SKILL.md').found);
    return { rows, plugins: analysis.plugins.shipping(file.uri), findings: check(file, analysis) };
  };
  const { findings } = read(files);
  assert.match(findings.map(({ message }) => message).join(), /Claude Code uses instead of a skill in a plugin/);
  assert.deepEqual(read([...files].reverse()), read(files));
});
