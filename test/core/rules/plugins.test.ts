/** Findings about skills of plugins: valid layouts have none, and no fix takes a skill out of its plugin. */
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import { applyEdits } from '../../../server/src/text.ts';

const skill = (name: string): string =>
  `---\nname: ${name}\ndescription: Sorts the ${name} shelves of one shop when asked.\n---\n\nDo it.\n`;

const M = '.claude-plugin/plugin.json';

/** Returns the findings of all `SKILL.md` files as `path rule: message`, and the folders to which fixes move a skill. */
function findings(tree: Readonly<Record<string, unknown>>, clients?: readonly string[]) {
  const workspace = new Workspace();
  workspace.apply({ kind: 'roots', folders: ['file:///w'] });
  for (const [path, content] of Object.entries(tree)) {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    workspace.apply({ kind: 'text', uri: `file:///w/${path}`, text });
  }
  if (clients) workspace.apply({ kind: 'clients', clients });
  const { analysis } = workspace;
  const all = Object.keys(tree)
    .filter((path) => path.endsWith('SKILL.md'))
    .flatMap((path) => {
      const file = analysis.file(`file:///w/${path}`) ?? assert.fail(path);
      return check(file, analysis).map((one) => ({ path, ...one }));
    });
  return {
    messages: all.map(({ path, rule, message }) => `${path} ${rule}: ${message}`),
    moves: all.flatMap(({ fixes }) => fixes.flatMap(({ moves }) => (moves ? [moves.to] : []))),
  };
}

describe('a valid plugin has no finding', () => {
  const trees: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    'with a skill in the root': { 'dir/SKILL.md': skill('own'), [`dir/${M}`]: { name: 'p' } },
    'with `./` in `skills`': { 'dir/SKILL.md': skill('own'), [`dir/${M}`]: { name: 'p', skills: ['./'] } },
    'with `.` in `skills`': { 'dir/SKILL.md': skill('own'), [`dir/${M}`]: { name: 'p', skills: '.' } },
    'with one skill directly in `skills`': { 'dir/skills/SKILL.md': skill('own'), [`dir/${M}`]: { name: 'p' } },
    'with a skill that an entry names': {
      'dir/shared/one/SKILL.md': skill('own'),
      'dir/.claude-plugin/marketplace.json': {
        name: 'm',
        owner: { name: 'x' },
        plugins: [{ name: 'p', source: './', skills: ['./shared/one'] }],
      },
    },
    'in `.claude/skills`': {
      [`.claude/skills/pa/${M}`]: { name: 'na' },
      '.claude/skills/pa/skills/x/SKILL.md': skill('x'),
      [`.claude/skills/pb/${M}`]: { name: 'nb' },
      '.claude/skills/pb/SKILL.md': skill('pb'),
    },
    'as an extension of Gemini CLI with a skill directly in `skills`': {
      'gemini-extension.json': { name: 'g', version: '1.0.0' },
      'skills/SKILL.md': skill('own'),
      'skills/a/SKILL.md': skill('a'),
    },
  };
  for (const [title, tree] of Object.entries(trees)) {
    it(title, () => {
      assert.deepEqual(findings(tree).messages, []);
      assert.deepEqual(findings(tree, ['claude-code']).messages, []);
    });
  }
});

describe('a skill that a client loses has one finding', () => {
  it('for Codex as a target client, in the root', () => {
    const tree = { [`dir/${M}`]: { name: 'p' }, 'dir/SKILL.md': skill('own') };
    assert.deepEqual(findings(tree, ['claude-code', 'codex']).messages, [
      'dir/SKILL.md agent-skill-not-loaded: OpenAI Codex does not load this skill. A `SKILL.md` in the root of a plugin is not loaded, only folders in `skills`. Move the file to a folder in `skills`.',
    ]);
  });

  it('at the file that hides others', () => {
    const tree = {
      [M]: { name: 'p' },
      'skills/SKILL.md': skill('own'),
      'skills/a/SKILL.md': skill('a'),
      'skills/b/SKILL.md': skill('b'),
    };
    const expected = [
      'skills/SKILL.md unshipped-skill: Claude Code and GitHub Copilot CLI load only this skill of `skills`, and not the 2 others. Move this file to a folder of its own.',
    ];
    assert.deepEqual(findings(tree).messages, expected);
    assert.deepEqual(findings(tree, ['claude-code', 'codex']).messages, expected);
  });

  it('two levels deep, also below a skill in the root', () => {
    const tree = {
      [`dir/${M}`]: { name: 'p' },
      'dir/SKILL.md': skill('own'),
      'dir/skills/g/u/SKILL.md': skill('u'),
      'dir/skills/v/SKILL.md': skill('v'),
      'dir/skills/v/examples/w/SKILL.md': skill('w'),
    };
    assert.deepEqual(findings(tree).messages, [
      'dir/SKILL.md unshipped-skill: Claude Code does not load this skill. A `SKILL.md` in the root of a plugin is loaded only without a folder `skills`, or if the key `skills` names `./`. Move it to a folder in `skills`.',
      'dir/skills/g/u/SKILL.md unshipped-skill: The plugin `p` does not ship this skill in Claude Code: its folder is too deep. Move it directly into `skills`, or add it to `skills` in the manifest.',
    ]);
  });

  it('two levels deep beside a list, which only adds folders in Claude Code', () => {
    const tree = {
      [M]: { name: 'p', skills: ['./extra'] },
      'extra/a/SKILL.md': skill('a'),
      'skills/deep/b/SKILL.md': skill('b'),
    };
    assert.deepEqual(findings(tree).messages, [
      'skills/deep/b/SKILL.md unshipped-skill: The plugin `p` does not ship this skill in Claude Code: its folder is too deep. Move it directly into `skills`, or add it to `skills` in the manifest.',
    ]);
    const extension = {
      'gemini-extension.json': { name: 'g', version: '1.0.0' },
      'skills/deep/b/SKILL.md': skill('b'),
    };
    assert.deepEqual(findings(extension).messages, [
      'skills/deep/b/SKILL.md unshipped-skill: The extension `g` does not ship this skill in Gemini CLI: its folder is too deep. Move it directly into `skills`.',
    ]);
  });

  it('without a description, in the list of Claude Code', () => {
    const text = skill('a').replace('description', 'license');
    const [message] = findings({ [M]: { name: 'p' }, 'skills/a/SKILL.md': text }, ['claude-code']).messages;
    assert.match(message ?? '', /Claude Code does not show this skill to the model\.$/);
  });

  it('with the command of its name', () => {
    const tree = { [M]: { name: 'p' }, 'skills/a/SKILL.md': skill('a'), 'commands/a.md': skill('a') };
    assert.deepEqual(findings(tree, ['claude-code']).messages, [
      'skills/a/SKILL.md duplicate-skill: `commands/a.md` defines a command with the same name, which Claude Code uses instead of a skill in a plugin. Delete the command, or rename one of them. Claude Code does not load this skill.',
    ]);
  });
});

it('no fix takes a skill out of its plugin', () => {
  const tree = {
    [`.claude/skills/grp/pg/${M}`]: { name: 'ng' },
    '.claude/skills/grp/pg/skills/v/SKILL.md': skill('v'),
    '.claude/skills/deep/w/SKILL.md': skill('w'),
  };
  const { messages, moves } = findings(tree, ['claude-code']);
  assert.equal(messages.length, 2);
  assert.deepEqual(moves, ['file:///w/.claude/skills/w']);
});

it('a new skill, a removed one and an edit of the manifest change what is found', () => {
  const workspace = new Workspace();
  const text = (path: string, content: string) =>
    workspace.apply({ kind: 'text', uri: `file:///w/${path}`, text: content });
  const rules = (path: string) => {
    const { analysis } = workspace;
    return check(analysis.file(`file:///w/${path}`) ?? assert.fail(path), analysis).map(({ rule }) => rule);
  };
  text('dir/SKILL.md', skill('own'));
  assert.deepEqual(rules('dir/SKILL.md'), ['agent-skill-name-folder']);
  assert.equal(text(`dir/${M}`, '{"name": "p"}'), 'all');
  assert.deepEqual(rules('dir/SKILL.md'), []);
  const affected = text('dir/skills/a/SKILL.md', skill('a'));
  assert.ok(affected === 'all' || affected.has('file:///w/dir/SKILL.md'));
  assert.deepEqual(rules('dir/SKILL.md'), ['unshipped-skill']);
  workspace.apply({ kind: 'delete', uri: 'file:///w/dir/skills/a/SKILL.md' });
  assert.deepEqual(rules('dir/SKILL.md'), []);
  assert.equal(text(`dir/${M}`, '{"name": "p", "skills": "./skills"}'), 'all');
  assert.deepEqual(rules('dir/SKILL.md'), ['unshipped-skill']);
});

describe('a marketplace', () => {
  /** Returns the findings of a marketplace as `message`, and the titles of their fixes. */
  const findingsOf = (content: unknown) => {
    const workspace = new Workspace();
    const uri = 'file:///w/kitchen/.claude-plugin/marketplace.json';
    workspace.apply({ kind: 'roots', folders: ['file:///w'] });
    workspace.apply({ kind: 'text', uri, text: JSON.stringify(content) });
    const file = workspace.analysis.file(uri) ?? assert.fail();
    return check(file, workspace.analysis).flatMap(({ rule, message, fixes }) =>
      /plugin-(?:manifest|key)$/.test(rule) ? [[message, ...fixes.map(({ title }) => title)]] : [],
    );
  };

  it('with an unknown kind of source has one finding, whose fix is the kind that it names', () => {
    const of = (kind: string) =>
      findingsOf({
        name: 'm',
        owner: { name: 'x' },
        plugins: [{ name: 'p', source: { source: kind, url: 'https://example.com/p.git' } }],
      });
    const end = 'Claude Code cannot install the plugin.';
    assert.deepEqual(of('git'), [
      [`Unknown kind of source \`git\`. Did you mean \`url\`? ${end}`, 'Replace with `url`'],
    ]);
    assert.deepEqual(of('githb'), [
      [`Unknown kind of source \`githb\`. Did you mean \`github\`? ${end}`, 'Replace with `github`'],
    ]);
    assert.equal(of('svn-server').length, 1);
  });

  it('names the key in which the folder of sources belongs', () => {
    const [found] = findingsOf({ name: 'm', owner: { name: 'x' }, pluginRoot: './', plugins: [] });
    assert.equal(found?.[0], 'Claude Code ignores the unknown key `pluginRoot`. It belongs in `metadata`.');
  });

  it('in the root is moved if Claude Code is a client, and no other file of this name has a finding', () => {
    const plugins = [{ name: 'p', source: './p' }];
    const found = (content: unknown, clients?: readonly string[], beside?: string) => {
      const workspace = new Workspace();
      const uri = 'file:///w/marketplace.json';
      workspace.apply({ kind: 'roots', folders: ['file:///w'] });
      workspace.apply({ kind: 'text', uri, text: JSON.stringify(content) });
      if (beside) workspace.apply({ kind: 'text', uri: `file:///w/${beside}`, text: JSON.stringify(content) });
      if (clients) workspace.apply({ kind: 'clients', clients });
      const file = workspace.analysis.file(uri) ?? assert.fail();
      return check(file, workspace.analysis).map(({ severity, fixes }) => [severity, fixes[0]?.moves?.to]);
    };
    const to = 'file:///w/.claude-plugin/marketplace.json';
    assert.deepEqual(found({ name: 'm', plugins }), [['warning', to]]);
    assert.deepEqual(found({ name: 'm', plugins }, ['claude-code']), [['error', to]]);
    assert.deepEqual(found({ name: 'm', plugins }, ['copilot-cli']), []);
    assert.deepEqual(found({ name: 'm', plugins }, undefined, '.claude-plugin/marketplace.json'), []);
    for (const other of [{ plugins: [] }, { plugins: [{ name: 'p' }] }, { plugins: { name: 'p' } }, [], 7, null])
      assert.deepEqual(found(other), []);
  });

  it('names the map that lacks a key', () => {
    const messages = findingsOf({ owner: { email: 'a@example.com' }, plugins: [{ source: './p' }] }).map(
      ([first]) => first,
    );
    assert.deepEqual(messages, [
      'Missing key `name`. Claude Code refuses the marketplace.',
      'Missing key `name` in `owner`. Claude Code refuses the marketplace.',
      'Missing key `name`. Claude Code cannot install the plugin.',
    ]);
  });
});

describe('a hook', () => {
  it('with a misspelt key that it needs has one finding, whose fix is the key', () => {
    const workspace = new Workspace();
    const uri = 'file:///w/hooks/hooks.json';
    const text = '{"hooks": {"Stop": [{"hooks": [{"type": "command", "comand": "x.sh"}]}]}}';
    workspace.apply({ kind: 'roots', folders: ['file:///w'] });
    workspace.apply({ kind: 'text', uri: `file:///w/${M}`, text: '{"name": "p"}' });
    workspace.apply({ kind: 'text', uri, text });
    const file = workspace.analysis.file(uri) ?? assert.fail();
    const [found, ...others] = check(file, workspace.analysis);
    assert.equal(found?.message, 'Unknown key `comand`. Did you mean `command`? Claude Code ignores this entry.');
    assert.deepEqual(
      found.fixes.map(({ title }) => title),
      ['Rename to `command`'],
    );
    assert.deepEqual(others, []);
  });
});

it('a marketplace in another folder is reported only if no one above it is in the right one', () => {
  const content = { name: 'm', owner: { name: 'x' }, plugins: [{ name: 'p', source: './p' }] };
  const misplaced = (more: Readonly<Record<string, unknown>>, own: unknown = content) => {
    const workspace = new Workspace();
    workspace.apply({ kind: 'roots', folders: ['file:///w'] });
    for (const [path, one] of Object.entries({ 'src/data/marketplace.json': own, ...more }))
      workspace.apply({ kind: 'text', uri: `file:///w/${path}`, text: JSON.stringify(one) });
    const file = workspace.analysis.file('file:///w/src/data/marketplace.json') ?? assert.fail();
    return check(file, workspace.analysis).filter(({ message }) => message.includes('reads a marketplace only in'))
      .length;
  };
  assert.equal(misplaced({}), 1);
  for (const folder of ['', 'src/', 'src/data/'])
    assert.equal(misplaced({ [`${folder}.claude-plugin/marketplace.json`]: { ...content, plugins: [] } }), 0, folder);
  // Other programs have files of this name, too.
  assert.equal(misplaced({}, { ...content, name: undefined }), 0);
});

it('a folder without quotes in the command of a hook is a hint, as in `claude plugin validate`', () => {
  const workspace = new Workspace();
  const uri = 'file:///w/hooks/hooks.json';
  workspace.apply({ kind: 'roots', folders: ['file:///w'] });
  workspace.apply({ kind: 'text', uri: `file:///w/${M}`, text: '{"name": "p"}' });
  const fixed = (command: string): unknown => {
    const text = JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command }] }] } });
    workspace.apply({ kind: 'text', uri, text });
    const [found] = check(workspace.analysis.file(uri) ?? assert.fail(), workspace.analysis);
    const edits = found?.fixes.flatMap((fix) => fix.edits.flatMap((one) => one.edits));
    return edits && JSON.parse(applyEdits(text, edits)).hooks.Stop[0].hooks[0].command;
  };
  const ROOT = '${CLAUDE_PLUGIN_ROOT}';
  for (const [command, right] of [
    [`${ROOT}/x.sh`, `"${ROOT}"/x.sh`],
    ['$CLAUDE_PLUGIN_ROOT/x.sh', '"$CLAUDE_PLUGIN_ROOT"/x.sh'],
    [`cd ${ROOT} && ls`, `cd "${ROOT}" && ls`],
    [`node ${ROOT}/a.js "${ROOT}/b"`, `node "${ROOT}"/a.js "${ROOT}/b"`],
    ['${CLAUDE_PLUGIN_DATA}/x', '"${CLAUDE_PLUGIN_DATA}"/x'],
    [`"${ROOT}"/x.sh`, undefined],
    [`"${ROOT}/x.sh"`, undefined],
    [`'${ROOT}/x.sh'`, undefined],
    [`bash -c "${ROOT}/x.sh"`, undefined],
  ] as const) {
    assert.equal(fixed(command), right);
  }
  fixed('"${CLAUDE_PLUGIN_DATA}/x" ${CLAUDE_PLUGIN_ROOT}/y');
  const [found] = check(workspace.analysis.file(uri) ?? assert.fail(), workspace.analysis);
  assert.match(found?.message ?? '', /^`\$\{CLAUDE_PLUGIN_ROOT\}` without quotes/);
});

it('a skill that a client of its plugin refuses for another reason is shipped', () => {
  for (const [manifest, client] of [
    ['.codex-plugin/plugin.json', 'codex'],
    ['gemini-extension.json', 'gemini-cli'],
  ] as const) {
    for (const text of ['---\nname: a\n---\n\nDo it.\n', '---\nname: a\ndescription: "x\n---\n\nDo it.\n']) {
      const tree = { [`p/${manifest}`]: { name: 'p', version: '1.0.0' }, 'p/skills/a/SKILL.md': text };
      const { messages } = findings(tree, [client]);
      assert.ok(messages.length > 0);
      assert.deepEqual(
        messages.filter((message) => message.includes(' unshipped-skill: ')),
        [],
      );
    }
  }
});

it('a finding names the plugins around a skill in the same order, whatever was read first', () => {
  const manifests = { [`p/${M}`]: { name: 'pa' }, 'p/.codex-plugin/plugin.json': { name: 'pb' } };
  const u = { 'p/skills/g/h/i/j/k/l/m/SKILL.md': skill('m') };
  const { messages } = findings({ ...manifests, ...u });
  assert.deepEqual(findings({ ...u, ...Object.fromEntries(Object.entries(manifests).reverse()) }).messages, messages);
  assert.match(
    messages.join(),
    /unshipped-skill: The plugins `pa` and `pb` do not ship this skill in Claude Code and OpenAI Codex: /,
  );
});

it('a wrong value in a marketplace has one finding, and no fix removes a key that is needed', () => {
  const workspace = new Workspace();
  const uri = 'file:///w/.claude-plugin/marketplace.json';
  const check1 = (entry: unknown) => {
    const text = JSON.stringify({ name: 'm', owner: { name: 'o' }, plugins: [entry] });
    workspace.apply({ kind: 'text', uri, text });
    return check(workspace.analysis.file(uri) ?? assert.fail(), workspace.analysis);
  };
  for (const source of ['local', 'git', 'githb']) {
    const [one, ...others] = check1({ name: 'p', source: { source, repo: 'a/b' } });
    assert.match(one?.message ?? '', /^Unknown kind of source/);
    assert.deepEqual(others, []);
  }
  for (const entry of [
    { name: null, source: './' },
    { name: 'p', source: null },
  ]) {
    const [one, ...others] = check1(entry);
    assert.match(one?.message ?? '', /cannot be `null`/);
    assert.deepEqual(others, []);
    assert.deepEqual(
      one?.fixes.filter(({ title }) => title.startsWith('Remove')),
      [],
    );
  }
});

describe('a list with many faults', () => {
  const check1 = (manifest: unknown) => {
    const workspace = new Workspace();
    const uri = `file:///w/${M}`;
    workspace.apply({ kind: 'roots', folders: ['file:///w'] });
    workspace.apply({ kind: 'text', uri, text: JSON.stringify(manifest) });
    workspace.apply({ kind: 'exists', uri: `file:///w/${'x'.repeat(5_000)}`, exists: false });
    return check(workspace.analysis.file(uri) ?? assert.fail(), workspace.analysis);
  };
  const many = (write: (at: number) => string) => Array.from({ length: 30 }, (_, at) => write(at));

  it('of one kind has one finding, with the other places and one fix', () => {
    const [found, ...others] = check1({ name: 'p', skills: many((at) => `s${at}`) });
    assert.deepEqual(others, []);
    assert.equal(
      found?.message,
      'A path in `skills` must begin with `./` (30 paths): write `./s0`. Claude Code does not load the plugin.',
    );
    assert.equal(found.related.length, 29);
    assert.deepEqual(
      found.fixes.map(({ title, safe, edits }) => [title, safe, edits[0]?.edits.length]),
      [['Correct 30 paths', true, 30]],
    );
  });

  it('in Codex, too', () => {
    const workspace = new Workspace();
    const uri = 'file:///w/.codex-plugin/plugin.json';
    workspace.apply({ kind: 'roots', folders: ['file:///w'] });
    workspace.apply({ kind: 'text', uri, text: JSON.stringify({ name: 'p', skills: many((at) => `s${at}`) }) });
    const [found, ...others] = check(workspace.analysis.file(uri) ?? assert.fail(), workspace.analysis);
    assert.deepEqual(others, []);
    assert.equal(
      found?.message,
      'A path in `skills` must begin with `./` (30 paths): write `./s0`. Codex ignores the key and reads `skills/`.',
    );
    assert.equal(found.fixes[0]?.edits[0]?.edits.length, 30);
  });

  it('of a wrong type, too', () => {
    const [found, ...others] = check1({ name: 'p', keywords: [...many(String).map(Number), {}, 'x'] });
    assert.deepEqual(
      [found?.message, ...others.map(({ message }) => message)],
      [
        'An item of `keywords` must be a string (31 items). Claude Code ignores the key, but `claude plugin validate` refuses the plugin.',
      ],
    );
    assert.equal(found?.related.length, 30);
    const [hundreds] = check1({ name: 'p', keywords: Array.from({ length: 500 }, (_, at) => at) });
    assert.deepEqual([hundreds?.related.length, hundreds?.fixes[0]?.title], [30, 'Correct 500 items']);
    const [numbers] = check1({ name: 'p', keywords: [1, 2] });
    assert.deepEqual(
      numbers?.fixes.map(({ title, safe, edits }) => [title, safe, edits[0]?.edits.map(({ newText }) => newText)]),
      [['Correct 2 items', true, ['"1"', '"2"']]],
    );
  });

  it('of two kinds has two', () => {
    const messages = check1({ name: 'p', skills: ['a', 'b', './c/SKILL.md', './d/SKILL.md'] }).map(
      (one) => one.message,
    );
    assert.equal(messages.length, 2);
    assert.match(messages.join(), /must be a folder \(2 paths\): write `.\/c`. Claude Code does not load them\./);
  });

  it('with long texts has short messages', () => {
    const long = 'x'.repeat(5_000);
    for (const manifest of [
      { name: 'p', skills: [long] },
      { name: 'p', skills: [`./${long}`] },
      { name: 'p', [long]: 1 },
      { name: `${long}/` },
    ]) {
      const found = check1(manifest);
      assert.ok(found.length > 0);
      for (const { message, fixes } of found) {
        for (const text of [message, ...fixes.map(({ title }) => title)]) assert.ok(text.length < 400, text);
      }
    }
  });
});

describe('a fix of a manifest', () => {
  const fixed = (text: string, path: string = M): readonly (readonly [string, unknown])[] => {
    const workspace = new Workspace();
    const uri = `file:///w/${path}`;
    workspace.apply({ kind: 'roots', folders: ['file:///w'] });
    if (path !== M) workspace.apply({ kind: 'text', uri: `file:///w/${M}`, text: '{"name": "p"}' });
    workspace.apply({ kind: 'text', uri, text });
    const [found] = check(workspace.analysis.file(uri) ?? assert.fail(), workspace.analysis);
    return (found?.fixes ?? []).map(({ title, edits }) => [
      title,
      JSON.parse(
        applyEdits(
          text,
          edits.flatMap((one) => one.edits),
        ),
      ),
    ]);
  };

  it('removes a key that names the folder that is read anyway', () => {
    for (const agents of ['"./agents/"', '["./agents"]']) {
      const fixes = fixed(`{"name": "p", "agents": ${agents}}`);
      assert.deepEqual(fixes, [['Remove the key `agents`', { name: 'p' }]]);
    }
    assert.deepEqual(fixed('{"name": "p", "agents": "./helpers/"}'), []);
    assert.deepEqual(fixed('{"name": "p", "agents": ["./agents/", "./helpers/"]}'), []);
  });

  it('puts a hook in the list `hooks`', () => {
    const hook = '"type": "command", "command": "x.sh"';
    for (const matcher of ['', '"matcher": "Write", ']) {
      const outer = matcher === '' ? {} : { matcher: 'Write' };
      const hooks = [{ type: 'command', command: 'x.sh' }];
      assert.deepEqual(fixed(`{"hooks": {"PostToolUse": [{${matcher}${hook}}]}}`, 'hooks/hooks.json'), [
        ['Put it in `hooks`', { hooks: { PostToolUse: [{ ...outer, hooks }] } }],
      ]);
    }
  });

  it('splits a text at its commas', () => {
    assert.deepEqual(fixed('{"name": "p", "keywords": "invoice, tax"}'), [
      ['Make it a list', { name: 'p', keywords: ['invoice', 'tax'] }],
    ]);
  });
});
