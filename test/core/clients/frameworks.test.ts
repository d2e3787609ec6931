/** Frameworks are clients of the folders that a user names (docs/clients.md, "Frameworks"). */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import type { Client } from '../../../server/src/clients/facts/client.ts';
import { findClient, frameworks, unknownClient } from '../../../server/src/clients/facts/clients.ts';
import { foldersForClients } from '../../../server/src/clients/matrix/client-folders.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import { skillText } from './fixtures.ts';

const client = (id: string): Client => findClient(id) ?? assert.fail(id);

describe('a framework with a folder', () => {
  it('is found by its ID and a folder below the workspace', () => {
    for (const { id } of frameworks) {
      const found = client(`${id}:src/skills`);
      assert.deepEqual(
        found.dirs.value.map(({ path, at }) => [path, at]),
        [['src/skills', 'root']],
      );
      assert.deepEqual(client(`${id}:./src/skills/`), found);
      assert.deepEqual(client(id).dirs.value, []);
    }
  });

  it('needs a folder that does not lead outside', () => {
    for (const folder of [
      '',
      '/',
      '/skills',
      '..',
      '../skills',
      'a/../../b',
      'a//b',
      './',
      'a/.',
      'a\\\\b',
      ' ',
      'C:/x',
      ' skills',
      'skills ',
      '.',
      './',
    ])
      assert.equal(findClient(`mastra:${folder}`), undefined, folder);
    assert.match(unknownClient('mastra:../skills'), /no folder below the workspace\. Write `mastra:FOLDER`/);
    assert.equal(findClient('claude-code:skills'), undefined);
  });

  it('is the folder to which its skills are converted', () => {
    assert.deepEqual(foldersForClients([client('mastra:src/skills'), client('claude-code')]), [
      { path: '.claude/skills', clients: [client('claude-code')] },
      { path: 'src/skills', clients: [client('mastra:src/skills')] },
    ]);
  });
});

const DESCRIPTION = 'description: Sorts limes by size. Use it for limes.';

/** Returns the messages about one skill for one client. */
function messages(id: string, path: string, ...frontmatter: readonly string[]): readonly string[] {
  const workspace = new Workspace();
  const uri = `file:///w/${path}/SKILL.md`;
  workspace.apply({ kind: 'text', uri, text: skillText(...frontmatter) });
  workspace.apply({ kind: 'clients', clients: [id] });
  return check(workspace.analysis.file(uri) ?? assert.fail(), workspace.analysis).map(({ message }) => message);
}

describe('findings for a framework', () => {
  const plain = ['name: limes', DESCRIPTION];

  it('are absent for a plain skill in its folder', () => {
    for (const { id } of frameworks) {
      assert.deepEqual(messages(`${id}:src/skills`, 'src/skills/limes', ...plain), [], id);
      assert.deepEqual(messages(`${id}:src/skills`, 'packages/web/src/skills/limes', ...plain), [], id);
      assert.deepEqual(messages(id, 'src/skills/limes', ...plain), [], id);
    }
  });

  /** A skill with a key, a value, a placeholder and a command that a framework does not read. */
  const foreign = [...plain, 'allowed-tools: Read', 'user-invocable: false', 'argument-hint: "[size]"'];
  const BODY = '\nUse $ARGUMENTS, then !`ls` and $1.\n';

  /** Returns the findings that name a framework. */
  const about = (path: string, clients: readonly string[], links: readonly string[] = []): readonly string[] => {
    const workspace = new Workspace();
    const uri = `file:///w/${path}/SKILL.md`;
    workspace.apply({ kind: 'text', uri, text: `${skillText(...foreign)}${BODY}` });
    for (const one of links) {
      const link = { folder: true, file: false, first: `file:///w/${one}`, target: uri };
      workspace.apply({ kind: 'link', uri: `file:///w/${one}/SKILL.md`, link });
    }
    workspace.apply({ kind: 'clients', clients });
    const found = check(workspace.analysis.file(uri) ?? assert.fail(), workspace.analysis);
    return found.filter(({ message }) => /\((?:src\/)?skills\)/.test(message)).map(({ rule }) => rule);
  };

  it('are absent for a skill in another folder, if no other target finds it', () => {
    for (const { id } of frameworks) {
      for (const path of ['.claude/skills/limes', 'docs/limes']) {
        assert.deepEqual(about(path, [`${id}:src/skills`]), [], `${id} ${path}`);
        assert.deepEqual(about('docs/limes', ['claude-code', `${id}:src/skills`]), [], id);
      }
      assert.notDeepEqual(about('src/skills/limes', [`${id}:src/skills`]), [], id);
    }
  });

  it('name only its folder for a skill that another target finds', () => {
    for (const { id } of frameworks) {
      const found = about('.claude/skills/limes', ['claude-code', `${id}:src/skills`]);
      assert.deepEqual(found, ['agent-skill-not-loaded'], id);
    }
  });

  it('are about the content of a skill that a link puts into its folder', () => {
    const found = about('.claude/skills/limes', ['claude-code', 'mastra:src/skills'], ['src/skills/limes']);
    assert.ok(found.includes('unfilled-placeholder') && !found.includes('agent-skill-not-loaded'), found.join());
  });

  const losses: readonly (readonly [what: string, frontmatter: readonly string[], losing: readonly string[]])[] = [
    ['a name that is not the folder', ['name: lemons', DESCRIPTION], ['google-adk', 'mastra']],
    ['capitals in the name', ['name: Limes', DESCRIPTION], ['google-adk', 'mastra']],
    ['an underscore in the name', ['name: limes_1', DESCRIPTION], ['google-adk', 'mastra']],
    ['no name', [DESCRIPTION], ['deepagents', 'google-adk', 'strands', 'mastra', 'ai-sdk']],
    [
      'a description of 1,025 characters',
      ['name: limes', `description: ${'Sorts limes. '.repeat(79).trimEnd().slice(0, 1025)}`],
      ['google-adk', 'mastra'],
    ],
    ['a list of allowed tools', [...plain, 'allowed-tools: [Read]'], ['google-adk']],
    [
      'an unquoted colon',
      ['name: limes', 'description: Sorts limes: by size.'],
      ['deepagents', 'google-adk', 'mastra', 'ai-sdk'],
    ],
    ['a key twice', [...plain, DESCRIPTION], ['deepagents', 'google-adk', 'strands', 'mastra', 'ai-sdk']],
  ];
  for (const [what, frontmatter, losing] of losses) {
    it(`name the frameworks that lose a skill with ${what}`, () => {
      const found = frameworks.filter(({ id, name }) =>
        messages(`${id}:src/skills`, 'src/skills/limes', ...frontmatter).some((message) =>
          message.includes(`${name} (src/skills) does not load this skill`),
        ),
      );
      assert.deepEqual(
        found.map(({ id }) => id),
        losing,
      );
    });
  }
});

describe('several folders of one framework', () => {
  const [A, B] = ['mastra:src/a', 'mastra:src/b'];

  /** Returns the messages about one skill. */
  const about = (path: string, clients: readonly string[], only?: string): readonly string[] => {
    const workspace = new Workspace();
    const uri = `file:///w/${path}/SKILL.md`;
    workspace.apply({ kind: 'text', uri, text: skillText('name: lemons', DESCRIPTION) });
    const catalog = `agent_skills:\n  clients: [${clients.join(', ')}]\n${only === undefined ? '' : `  only: {${only}}\n`}`;
    workspace.apply({ kind: 'text', uri: 'file:///w/skills.config.yaml', text: catalog });
    return check(workspace.analysis.file(uri) ?? assert.fail(), workspace.analysis).map(({ message }) => message);
  };

  it('each concern only the skills in them', () => {
    assert.deepEqual(about('src/a/lemons', [A, B]), []);
    assert.deepEqual(about('src/b/lemons', [A, B]), []);
  });

  it('are one client for a skill in neither of them', () => {
    const [message = '', ...others] = about('.claude/skills/lemons', [A, B, 'claude-code']);
    assert.match(message, /^Mastra \(src\/a\) does not load this skill\./);
    assert.deepEqual(others, []);
  });

  it('are one folder in two spellings', () => {
    const [message = ''] = about('.claude/skills/lemons', [A, 'mastra:./src/a/', 'claude-code']);
    assert.match(message, /^Mastra \(src\/a\) does not load this skill\./);
  });

  it('are all meant by the framework under `only`', () => {
    for (const named of ['mastra', A, 'mastra:./src/a/']) {
      const found = about('src/a/limes', [A, 'claude-code'], `src/a: [${named}]`);
      assert.match(found.join(' '), /Mastra \(src\/a\) does not load this skill/, named);
      assert.doesNotMatch(found.join(' '), /Claude Code/, named);
    }
  });
});

describe('the folder of a framework', () => {
  const open = (files: Readonly<Record<string, string>>) => {
    const workspace = new Workspace();
    workspace.apply({ kind: 'roots', folders: ['file:///w'] });
    for (const [path, text] of Object.entries(files)) workspace.apply({ kind: 'text', uri: `file:///w/${path}`, text });
    const fileAt = (path: string) => workspace.analysis.file(`file:///w/${path}`) ?? assert.fail(path);
    return {
      found: (path: string, id: string) => workspace.analysis.clientRows(fileAt(path), [client(id)])[0]?.found.outcome,
      messages: (path: string) => check(fileAt(path), workspace.analysis).map(({ message }) => message),
    };
  };
  const SKILL = 'skills/limes/SKILL.md';
  const CATALOG = 'agent_skills: {clients: [claude-code, mastra:skills]}\n';
  const text = skillText('name: limes', DESCRIPTION);

  it('is a folder of skills for every client that is asked for', () => {
    assert.equal(open({ [SKILL]: text, 'skills.config.yaml': CATALOG }).found(SKILL, 'claude-code'), 'no');
    assert.equal(open({ [SKILL]: text }).found(SKILL, 'claude-code'), 'unknown');
  });

  it('may be that of a plugin, whose skills other clients load with the plugin', () => {
    const plugin = { '.claude-plugin/plugin.json': '{"name": "fruit", "description": "x", "version": "1.0.0"}' };
    const { found, messages } = open({ [SKILL]: text, 'skills.config.yaml': CATALOG, ...plugin });
    assert.equal(found(SKILL, 'claude-code'), 'yes');
    assert.deepEqual(messages(SKILL), []);
  });

  it('is reported in the catalog if it contains no skill', () => {
    const { messages } = open({ [SKILL]: text, 'skills.config.yaml': CATALOG.replace(':skills', ':skils') });
    assert.deepEqual(messages('skills.config.yaml'), [
      'No skill below this catalog is in a folder `skils`. Did you mean `skills`?',
    ]);
    assert.deepEqual(open({ 'skills.config.yaml': CATALOG }).messages('skills.config.yaml'), []);
  });

  it('is corrected at its own place, also if the name of the framework contains it', () => {
    const workspace = new Workspace();
    const uri = 'file:///w/skills.config.yaml';
    workspace.apply({ kind: 'text', uri: 'file:///w/ma/limes/SKILL.md', text });
    workspace.apply({ kind: 'text', uri, text: 'agent_skills: {clients: [mastra:mas]}\n' });
    const file = workspace.analysis.file(uri) ?? assert.fail();
    const [finding] = check(file, workspace.analysis);
    assert.equal(finding && file.text.slice(finding.span.start - 7, finding.span.end), 'mastra:mas');
  });
});
