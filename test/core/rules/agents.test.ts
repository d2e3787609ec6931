// biome-ignore-all lint/suspicious/noTemplateCurlyInString: commands have variables in braces.
/** Agents and commands: which clients are asked, what an edit affects, and files without findings. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { check } from '../../../server/src/rules/engine/check.ts';

const ROOT = 'file:///w';

type Files = Readonly<Record<string, string>>;

function open(files: Files, clients?: readonly string[]): Workspace {
  const workspace = new Workspace();
  workspace.apply({ kind: 'roots', folders: [ROOT] });
  const catalog = clients ? { 'skills.config.yaml': `agent_skills: {clients: [${clients.join(', ')}]}\n` } : {};
  for (const [path, text] of Object.entries({ ...files, ...catalog }))
    workspace.apply({ kind: 'text', uri: `${ROOT}/${path}`, text });
  return workspace;
}

const RULES =
  /^(?:agent-(?:key-ignored|not-loaded|tools)|built-in-agent|agent-skill-unknown-key|skill-not-preloaded|unknown-agent|command-frontmatter|self-running-command|unfilled-placeholder)$/;

/** Returns the findings about agents and commands in a file, as `SEVERITY RULE: MESSAGE`. */
function findingsIn({ analysis }: Workspace, path: string): readonly string[] {
  const file = analysis.file(`${ROOT}/${path}`);
  assert.ok(file);
  return check(file, analysis).flatMap(({ rule, severity, message }) =>
    RULES.test(rule) ? [`${severity} ${rule}: ${message}`] : [],
  );
}

const findings = (files: Files, clients?: readonly string[]) =>
  findingsIn(open(files, clients), Object.keys(files)[0] ?? '');

const AGENT = '.claude/agents/cook.md';
const agent = (more = '') => `---\nname: cook\ndescription: Cooks soup.\n${more}---\n\nCook.\n`;
const SKILL = '.claude/skills/chop/SKILL.md';
const skill = (more = '') => `---\nname: chop\ndescription: Chops leeks.\n${more}---\n\nChop.\n`;

describe('the clients of an agent', () => {
  it('are those of its folder, unless the author chose others', () => {
    const files = { [AGENT]: '---\nname: cook\n---\n' };
    const message =
      'warning agent-not-loaded: Claude Code does not load this agent. The `description` is missing. Add it.';
    assert.deepEqual(findings(files), [message]);
    assert.deepEqual(findings(files, ['claude-code']), [message]);
    assert.deepEqual(findings(files, ['codex']), []);
  });

  it('are several for one cause, if the author chose both', () => {
    assert.deepEqual(findings({ [AGENT]: '---\nname: cook\n---\n' }, ['claude-code', 'copilot-cli']), [
      'warning agent-not-loaded: Claude Code and GitHub Copilot CLI do not load this agent. The `description` is missing. Add it.',
    ]);
  });

  it('are not sure in a folder that other clients read, too', () => {
    const files = { '.github/agents/cook.agent.md': '---\nname: cook\n---\n' };
    const message =
      'agent-not-loaded: GitHub Copilot CLI does not load this agent. The `description` is missing. Add it.';
    assert.deepEqual(findings(files), [`hint ${message}`]);
    assert.deepEqual(findings(files, ['copilot-cli']), [`warning ${message}`]);
    assert.deepEqual(findings(files, ['vscode']), []);
  });

  it('include Copilot CLI for a list of skills that Claude Code takes as a text', () => {
    const files = { [AGENT]: agent('skills: chop\n'), [SKILL]: skill() };
    assert.deepEqual(findings(files), []);
    assert.deepEqual(findings(files, ['claude-code', 'copilot-cli']), [
      'warning agent-not-loaded: GitHub Copilot CLI does not load this agent. `skills` must be a list of texts.',
    ]);
  });
});

describe('an agent', () => {
  const cases: readonly (readonly [name: string, path: string, text: string])[] = [
    ['in a deeper folder is read', '.claude/agents/kitchen/cook.md', agent()],
    ['may have keys that no client knows', AGENT, agent('category: food\nversion: 2\n')],
    ['may repeat a key', AGENT, '---\nname: cook\ndescription: One.\ndescription: Two.\n---\n'],
    ['may have a colon in its description', AGENT, '---\nname: cook\ndescription: Cooks: soup.\n---\n'],
    ['may have a text as tools', AGENT, agent('tools: Read, Grep\n')],
    ['may have no frontmatter in a README', '.claude/agents/README.md', '# Agents\n\nText.\n'],
    ['of OpenCode may have no frontmatter', '.opencode/agent/cook.md', 'Cook.\n'],
    [
      'of OpenCode may have tools as a map',
      '.opencode/agents/cook.md',
      '---\ndescription: Cooks.\ntools: {write: false}\n---\n',
    ],
    ['beside skills that no manifest ships is not read', 'docs/agents/cook.md', '---\ntitle: Cook\n---\n'],
    ['of another client is not read', '.cursor/agents/cook.md', '---\ntitle: Cook\n---\n'],
  ];
  for (const [name, path, text] of cases) it(name, () => assert.deepEqual(openFindings(path, text), []));

  function openFindings(path: string, text: string): readonly string[] {
    const workspace = open({ [path]: text, [SKILL]: skill() });
    return workspace.analysis.file(`${ROOT}/${path}`) ? findingsIn(workspace, path) : [];
  }

  it('that stops OpenCode is an error', () => {
    assert.deepEqual(findings({ '.opencode/agents/cook.md': '---\ndescription: Cooks.\nmode: helper\n---\n' }), [
      'error agent-not-loaded: OpenCode does not start because of this file. `mode` must be `subagent`, `primary` or `all`.',
    ]);
  });

  it('or a command that stops OpenCode is an error', () => {
    assert.deepEqual(findings({ '.opencode/command/cook.md': '---\nsubtask: "yes"\n---\nCook.\n' }), [
      'error agent-not-loaded: OpenCode does not start because of this file. `subtask` must be `true` or `false`.',
    ]);
    assert.deepEqual(findings({ '.opencode/commands/cook.md': '---\ndescription: "Cooks\nx: [y]\n---\nCook.\n' }), []);
  });

  it('with a colon that a client does not repair has the fix of other YAML', () => {
    const text = '---\nname: cook\ndescription: Cooks: soup.\n---\n';
    const { analysis } = open({ [AGENT]: text }, ['copilot-cli']);
    const file = analysis.file(`${ROOT}/${AGENT}`) ?? assert.fail();
    const [found] = check(file, analysis);
    assert.match(found?.message ?? '', /contains a colon\. Put it in quotes\.$/);
    assert.deepEqual(
      found?.fixes.map(({ title, safe }) => ({ title, safe })),
      [{ title: 'Put the value in quotes', safe: true }],
    );
  });

  it('of an extension of another client is not one of Claude Code', () => {
    const cook = '---\nname: cook\ndescription: Cooks.\nmax_turns: 3\nhooks: {}\n---\n';
    const manifest = '{"name": "kitchen", "version": "1.0.0"}';
    assert.deepEqual(findings({ 'e/agents/cook.md': cook, 'e/gemini-extension.json': manifest }), []);
    const both = { 'e/gemini-extension.json': manifest, 'e/.claude-plugin/plugin.json': '{"name": "kitchen"}' };
    assert.match(findings({ 'e/agents/cook.md': cook, ...both }).join(), /Claude Code ignores `hooks`/);
  });

  it('has a finding for each key that stops OpenCode', () => {
    const text = '---\ndescription: 5\nmode: helper\ntools: [read]\n---\n';
    assert.equal(findings({ '.opencode/agents/cook.md': text }).length, 3);
  });

  it('keeps the findings about its other keys beside a colon that the client repairs', () => {
    const [first, ...others] = findings({
      [AGENT]: '---\nname: cook\ndescription: Cooks: soup.\nmaxTurns: many\n---\n',
    });
    assert.equal(
      first,
      'warning agent-key-ignored: `maxTurns` must be a positive integer. Claude Code ignores this value.',
    );
    assert.deepEqual(others, []);
  });

  it('closed with dots is not loaded', () => {
    const [first, ...others] = findings({ [AGENT]: '---\nname: cook\ndescription: Cooks.\n...\nCook.\n' });
    assert.match(first ?? '', /^warning agent-not-loaded: .* The frontmatter is not closed\. Write a line `---`/);
    assert.deepEqual(others, []);
  });

  it('or a command closed with dots has the fix `---`', () => {
    for (const path of [AGENT, '.claude/commands/cook.md']) {
      const { analysis } = open({ [path]: '---\nname: cook\ndescription: Cooks.\n...\nCook.\n' });
      const [found] = check(analysis.file(`${ROOT}/${path}`) ?? assert.fail(), analysis);
      assert.equal(found?.fixes[0]?.title, 'Replace `...` with `---`', path);
    }
  });

  it('or a command with other invalid YAML has an advice', () => {
    for (const path of [AGENT, '.claude/commands/cook.md'])
      assert.match(
        findings({ [path]: '---\nname: cook\ndescription: "Cooks\n---\nCook.\n' })[0] ?? '',
        /not valid YAML\. Correct it here, or put the text in quotes\.$/,
      );
  });

  it('that asks for a skill in other letter case has the name of the skill', () => {
    assert.deepEqual(findings({ [AGENT]: agent('skills: [Chop]\n'), [SKILL]: skill() }), [
      'hint skill-not-preloaded: Unknown skill `Chop`. Did you mean `chop`? Upper and lower case differ in Claude Code.',
    ]);
    assert.deepEqual(findings({ [AGENT]: agent('skills: [Slice]\n'), [SKILL]: skill() }), []);
    const upper = '.claude/skills/Chop/SKILL.md';
    assert.deepEqual(findings({ [AGENT]: agent('skills: [Chop]\n'), [upper]: skill(), [SKILL]: skill() }), []);
  });
});

describe('the agent of a plugin', () => {
  it('has the bare name of a skill of the plugin only for Copilot CLI', () => {
    const files = {
      'p/agents/cook.md': agent('skills: [chop]\n'),
      'p/.claude-plugin/plugin.json': '{"name": "kitchen"}',
      'p/skills/chop/SKILL.md': skill(),
    };
    assert.match(findings(files)[0] ?? '', /^hint .* Write `kitchen:chop`\.$/);
    assert.equal(findings(files, ['claude-code']).length, 1);
    assert.deepEqual(findings(files, ['claude-code', 'copilot-cli']), []);
  });
});

describe('the values of an agent', () => {
  it('may be misspelt names of models, which the client uses as they are', () => {
    assert.deepEqual(findings({ [AGENT]: agent('model: sonet\n') }), [
      'warning agent-key-ignored: Unknown model `sonet`. Did you mean `sonnet`? Claude Code uses the name as it is written.',
    ]);
    const { analysis } = open({ [AGENT]: agent('model: "sonet" # small\n') });
    const [found] = check(analysis.file(`${ROOT}/${AGENT}`) ?? assert.fail(), analysis);
    assert.deepEqual(
      found?.fixes[0]?.edits[0]?.edits.map(({ newText }) => newText),
      ['"sonnet"'],
    );
    for (const model of [
      'Sonnet',
      'opus[1m]',
      'claude-sonnet-5',
      'glm-5',
      'my-model',
      'opus5',
      '4',
      '[sonet]',
      'inherit',
    ])
      assert.deepEqual(findings({ [AGENT]: agent(`model: ${model}\n`) }), [], model);
    assert.deepEqual(findings({ '.opencode/agents/cook.md': '---\ndescription: Cooks.\nmodel: sonet\n---\n' }), []);
  });

  it('may be a colour that the client does not have', () => {
    assert.match(
      findings({ [AGENT]: agent('color: mauve\n') })[0] ?? '',
      /`color` must be `red`, .* ignores this value\.$/,
    );
    assert.deepEqual(findings({ [AGENT]: agent('color: cyan\n') }), []);
  });
});

describe('an agent with the name of a built-in one', () => {
  const explore = agent().replace('name: cook', 'name: Explore');

  it('replaces it in a project', () => {
    assert.deepEqual(findings({ [AGENT]: explore }), [
      'hint built-in-agent: This agent replaces `Explore` of Claude Code, with its prompt and its tools. Rename it, unless you want this.',
    ]);
    const general = agent().replace('name: cook', 'name: general-purpose');
    assert.match(findings({ [AGENT]: general })[0] ?? '', /It also runs the skills with `context: fork`\.$/);
  });

  it('replaces nothing in a plugin, in another letter case, for another client, or if it is not loaded', () => {
    assert.deepEqual(findings({ [AGENT]: agent().replace('name: cook', 'name: explore') }), []);
    assert.deepEqual(findings({ 'p/agents/x.md': explore, 'p/.claude-plugin/plugin.json': '{"name": "k"}' }), []);
    assert.deepEqual(findings({ '.github/agents/x.md': explore }), []);
    assert.deepEqual(
      findings({ [AGENT]: '---\nname: Explore\n---\n' }).filter((one) => one.includes('built-in')),
      [],
    );
  });
});

describe('a key in two spellings', () => {
  const keys = 'allowed-tools: Read\nallowed_tools: Grep\n';

  it('has the name of the right one, without a fix', () => {
    for (const [path, text] of [
      [SKILL, skill(keys)],
      ['.claude/commands/chop.md', skill(keys)],
      [AGENT, agent('disallowedTools: Read\ndisallowed_tools: Grep\n')],
    ] as const) {
      const { analysis } = open({ [path]: text });
      const found = check(analysis.file(`${ROOT}/${path}`) ?? assert.fail(), analysis).filter(({ message }) =>
        message.startsWith('Unknown key'),
      );
      assert.deepEqual(
        found.map(({ severity, fixes }) => [severity, fixes.length]),
        [['warning', 0]],
        path,
      );
      const isSkill = path === SKILL;
      const right = isSkill
        ? /Did you mean `allowed-tools`\?$/
        : /The file has `(?:allowed-tools|disallowedTools)`, too\./;
      assert.match(found[0]?.message ?? '', right);
    }
  });
});

describe('the agents that a manifest lists', () => {
  const files = (agents: string): Files => ({
    'p/.claude-plugin/plugin.json': `{"name": "kitchen", "agents": ${agents}}`,
    'p/skills/chop/SKILL.md': skill('disable-model-invocation: true\n'),
    'p/agents/sub/cook.md': agent('hooks: {}\n'),
    'p/team/agents/chef.md': agent('skills: [chop]\ntools: Reed\n').replace('name: cook', 'name: chef'),
    'p/agents/waiter.md': agent().replace('name: cook', 'name: waiter'),
  });
  const listed = files('["./agents/sub/cook.md", "./team/agents/chef.md"]');
  const run = (name: string, more: Files = listed) =>
    findings({ 'p/skills/run/SKILL.md': skill(`context: fork\nagent: ${name}\n`), ...more });

  it('have the name of the plugin before their own, without their folders, and replace the others', () => {
    for (const name of ['kitchen:cook', 'kitchen:chef']) assert.deepEqual(run(name), [], name);
    assert.match(run('kitchen:waiter')[0] ?? '', /unknown-agent/);
    assert.match(run('chef')[0] ?? '', /Did you mean `kitchen:chef`/);
    assert.deepEqual(run('kitchen:sub:cook', files('[]'))[0]?.includes('unknown-agent'), true);
  });

  it('may be files that are not read, of which nothing is known', () => {
    assert.deepEqual(run('kitchen:host', files('["./team/host.md"]')), []);
  });

  it('have the findings of a plugin, and those of its skills', () => {
    const workspace = open(listed);
    assert.match(findingsIn(workspace, 'p/agents/sub/cook.md')[0] ?? '', /ignores `hooks` in the agent of a plugin/);
    assert.match(findingsIn(workspace, 'p/team/agents/chef.md').join(), /does not hand over `chop`/);
    const chef = workspace.analysis.file(`${ROOT}/p/team/agents/chef.md`) ?? assert.fail();
    assert.ok(check(chef, workspace.analysis).some(({ rule }) => rule === 'unknown-tool'));
  });

  it('are the only ones of the plugin that Claude Code loads', () => {
    const workspace = open(listed);
    assert.deepEqual(findingsIn(workspace, 'p/agents/waiter.md'), [
      'hint agent-not-loaded: Claude Code does not load this agent, because `agents` in the manifest of `kitchen` does not list it. Add it there, or remove that key.',
    ]);
    const affected = workspace.apply({
      kind: 'text',
      uri: `${ROOT}/p/.claude-plugin/plugin.json`,
      text: '{"name": "kitchen"}',
    });
    assert.equal(affected, 'all');
    assert.deepEqual(findingsIn(workspace, 'p/agents/waiter.md'), []);
    assert.deepEqual(findingsIn(open(listed, ['copilot-cli']), 'p/agents/waiter.md'), []);
  });
});

describe('an agent of Copilot CLI', () => {
  it('finds skills only without the name of their plugin', () => {
    const own = { '.github/agents/cook.md': agent('skills: [kitchen:chop]\n') };
    assert.match(
      findings(own, ['copilot-cli'])[0] ?? '',
      /^warning .*hands over no skill `kitchen:chop`.*Write `chop`\.$/,
    );
    assert.deepEqual(findings(own), []);
    const shared = { [AGENT]: agent('skills: [kitchen:chop]\n') };
    assert.deepEqual(findings(shared), []);
    assert.match(
      findings(shared, ['claude-code', 'copilot-cli'])[0] ?? '',
      /^hint .*hands over no skill `kitchen:chop`/,
    );
  });

  it('has frontmatter', () => {
    assert.match(findings({ '.github/agents/cook.md': 'Cook.\n' }, ['copilot-cli'])[0] ?? '', /has no frontmatter/);
  });
});

describe('agents of one name', () => {
  const files = { [AGENT]: agent(), '.claude/agents/more/cook.md': agent() };

  it('are one finding, which the other files show only if they are open', () => {
    const workspace = open(files);
    const all = Object.keys(files).map((path) => findingsIn(workspace, path));
    const message =
      'warning agent-not-loaded: Claude Code loads only one of the 2 agents named `cook`, without a message. Rename the others.';
    assert.deepEqual(all, [[message], [message]]);
    const second = workspace.analysis.file(`${ROOT}/.claude/agents/more/cook.md`);
    assert.ok(second);
    assert.deepEqual(
      check(second, workspace.analysis).map(({ repeats }) => repeats),
      [`${ROOT}/${AGENT}`],
    );
    workspace.apply({ kind: 'delete', uri: `${ROOT}/.claude/agents/more/cook.md` });
    assert.deepEqual(findingsIn(workspace, AGENT), []);
  });

  it('may be in different projects, or broken', () => {
    assert.deepEqual(findings({ [AGENT]: agent(), 'sub/.claude/agents/cook.md': agent() }), []);
    assert.deepEqual(findings({ [AGENT]: agent(), '.claude/agents/chef.md': '---\nname: cook\n---\n' }), []);
  });
});

describe('a command of OpenCode', () => {
  const COMMAND = '.opencode/commands/chop.md';
  const named = (workspace: Workspace, path: string) => {
    const file = workspace.analysis.file(`${ROOT}/${path}`);
    assert.ok(file);
    return check(file, workspace.analysis).flatMap(({ rule, message }) =>
      rule === 'duplicate-skill' ? [message] : [],
    );
  };

  it('is used instead of a skill with its name', () => {
    const own = '.opencode/skills/chop/SKILL.md';
    const workspace = open({ [own]: skill(), [COMMAND]: 'Chop.\n' });
    assert.match(named(workspace, own)[0] ?? '', /^`\.opencode\/commands\/chop\.md` .* OpenCode uses instead/);
    const affected = workspace.apply({ kind: 'delete', uri: `${ROOT}/${COMMAND}` });
    assert.ok(affected !== 'all' && affected.has(`${ROOT}/${own}`));
    assert.deepEqual(named(workspace, own), []);
  });

  it('concerns skills in other folders only if OpenCode is a target', () => {
    const files = { [SKILL]: skill(), [COMMAND]: 'Chop.\n' };
    assert.deepEqual(named(open(files), SKILL), []);
    assert.equal(named(open(files, ['claude-code', 'opencode']), SKILL).length, 1);
  });
});

describe('an edit', () => {
  it('of a skill checks the agents that ask for it, if its keys change', () => {
    const workspace = open({ [AGENT]: agent('skills: [chop]\n'), [SKILL]: skill() });
    assert.deepEqual(findingsIn(workspace, AGENT), []);
    const affected = workspace.apply({
      kind: 'text',
      uri: `${ROOT}/${SKILL}`,
      text: skill('disable-model-invocation: true\n'),
    });
    assert.ok(affected !== 'all' && affected.has(`${ROOT}/${AGENT}`));
    assert.match(
      findingsIn(workspace, AGENT)[0] ?? '',
      /does not hand over `chop`, because of `disable-model-invocation`/,
    );
    const body = `${skill('disable-model-invocation: true\n')}More.\n`;
    const after = workspace.apply({ kind: 'text', uri: `${ROOT}/${SKILL}`, text: body });
    assert.ok(after !== 'all' && !after.has(`${ROOT}/${AGENT}`));
  });

  it('of an agent checks the skills that it runs, if its name changes or it is no longer loaded', () => {
    const forked = skill('context: fork\nagent: cook\n');
    const workspace = open({ [SKILL]: forked, [AGENT]: agent() });
    assert.deepEqual(findingsIn(workspace, SKILL), []);
    for (const [text, message] of [
      ['---\nname: cook\n---\n', /does not load the agent `cook`/],
      [agent().replace('cook', 'chef'), /The workspace has no agent `cook`/],
    ] as const) {
      const affected = workspace.apply({ kind: 'text', uri: `${ROOT}/${AGENT}`, text });
      assert.ok(affected !== 'all' && affected.has(`${ROOT}/${SKILL}`));
      assert.match(findingsIn(workspace, SKILL)[0] ?? '', message);
    }
    workspace.apply({ kind: 'text', uri: `${ROOT}/${AGENT}`, text: agent() });
    assert.deepEqual(findingsIn(workspace, SKILL), []);
    const affected = workspace.apply({ kind: 'delete', uri: `${ROOT}/${AGENT}` });
    assert.ok(affected !== 'all' && affected.has(`${ROOT}/${SKILL}`));
  });

  it('are other skills only if they run in this agent, or in one that is not known', () => {
    const forked = (name: string, key: string) =>
      `---\nname: ${name}\ndescription: d\ncontext: fork\n${key}\n---\nDo.\n`;
    const files = {
      '.claude/agents/chef.md': agent().replace('cook', 'chef'),
      '.claude/skills/quoted/SKILL.md': forked('quoted', '"agent": cook'),
      '.claude/skills/unknown/SKILL.md': forked('unknown', 'agent: coook'),
      '.claude/skills/other/SKILL.md': forked('other', 'agent: chef'),
      '.claude/skills/own/SKILL.md': forked('own', 'agent: Explore'),
    };
    const workspace = open(files);
    const affected = workspace.apply({ kind: 'text', uri: `${ROOT}/${AGENT}`, text: agent() });
    assert.ok(affected !== 'all');
    const names = [...affected].map((uri) => uri.replace(`${ROOT}/.claude/`, '')).sort();
    assert.deepEqual(names, ['agents/cook.md', 'skills/quoted/SKILL.md', 'skills/unknown/SKILL.md']);
  });

  it('do not refuse a command with the usual form of an argument hint', () => {
    const command = '---\ndescription: Chops.\nargument-hint: [leek] [knife]\n---\n\nChop $ARGUMENTS.\n';
    assert.deepEqual(findings({ '.claude/commands/chop.md': command }), []);
  });

  it('are not the skills in a folder of agents', () => {
    const { index } = open({
      'src/agents/foo/SKILL.md': skill(),
      'src/agents/bar.skill.md': skill(),
      '.github/agents/foo/SKILL.md': skill(),
    }).analysis;
    assert.equal(index.graph.skills.size, 3);
    assert.equal(index.agents.size, 0);
  });

  it('have short messages, also with an enormous name', () => {
    const long = 'x'.repeat(100_000);
    const unknown = skill(`context: fork\nagent: ${long}\n`);
    const twice = agent().replace('name: cook', `name: ${long}`);
    const texts = [...findings({ [SKILL]: unknown }), ...findings({ [AGENT]: twice, '.claude/agents/b.md': twice })];
    assert.equal(texts.length, 2);
    for (const text of texts) assert.ok(text.length < 400, String(text.length));
  });
});

describe('the agent of a skill', () => {
  const run = (name: string, files: Files = {}) =>
    findings({ [SKILL]: skill(`context: fork\nagent: ${name}\n`), ...files });
  const plugin = {
    'p/.claude-plugin/plugin.json': '{"name": "kitchen"}',
    'p/agents/chef.md': '---\ndescription: Cooks.\n---\n',
  };

  it('has the name of its plugin before its own', () => {
    assert.deepEqual(run('kitchen:chef', plugin), []);
    for (const name of ['chef', 'Chef', 'kitchen:Chef'])
      assert.match(run(name, plugin)[0] ?? '', /^warning .*Did you mean `kitchen:chef`/, name);
  });

  it('has it also in a skill of the plugin, if no clients are chosen', () => {
    const files = { 'p/skills/chop/SKILL.md': skill('context: fork\nagent: chef\n'), ...plugin };
    assert.match(findings(files)[0] ?? '', /^warning .*Did you mean `kitchen:chef`/);
    assert.deepEqual(findings(files, ['codex']), []);
    const extension = { 'p/gemini-extension.json': plugin['p/.claude-plugin/plugin.json'] };
    assert.deepEqual(findings({ 'p/skills/chop/SKILL.md': skill('context: fork\nagent: chef\n'), ...extension }), []);
  });

  it('may be a file that the manifest of its plugin lists', () => {
    const manifest = (more: string) => ({ 'p/.claude-plugin/plugin.json': `{"name": "kitchen"${more}}` });
    const own = (more: string) =>
      findings({ 'p/skills/chop/SKILL.md': skill('context: fork\nagent: chef\n'), ...manifest(more) });
    assert.equal(run('kitchen:chef', manifest('')).length, 1);
    assert.equal(own('').length, 1);
    const listed = ', "agents": ["./team/chef.md"]';
    assert.deepEqual(run('kitchen:chef', manifest(listed)), []);
    assert.deepEqual(own(listed), []);
    assert.equal(run('other:chef', manifest(listed)).length, 1);
  });

  it('has the names of its folders in the plugin before its own', () => {
    const files = {
      ...plugin,
      'p/agents/sub/deep.md': '---\ndescription: Cooks.\n---\n',
      'p/agents/sub/more/two.md': '---\nname: dd\ndescription: Cooks.\n---\n',
    };
    assert.deepEqual(run('kitchen:sub:deep', files), []);
    assert.deepEqual(run('kitchen:sub:more:dd', files), []);
    assert.match(run('kitchen:deep', files)[0] ?? '', /^(?:hint|warning) /);
    assert.match(run('dd', files)[0] ?? '', /Did you mean `kitchen:sub:more:dd`/);
  });

  it('may be deep in the folder of its client, also with the suffix of Copilot', () => {
    const broken = '---\nname: cook\n---\n';
    for (const path of ['.claude/agents/a/b/c/cook.md', '.claude/agents/cook.agent.md', '.github/agents/a/b/cook.md'])
      assert.match(findings({ [path]: broken })[0] ?? '', /agent-not-loaded/, path);
    assert.match(findings({ '.opencode/agent/a/b/cook.md': '---\nmode: x\n---\n' })[0] ?? '', /does not start/);
    assert.match(findings({ '.claude/commands/s/t/cook.md': '---\ndescription: "x\n---\n' })[0] ?? '', /command-front/);
    const { analysis } = open({ '.claude/agents/a/skills/b.md': broken, '.claude/agents/a/b/SKILL.md': skill() });
    assert.equal(analysis.index.agents.size, 0);
  });

  it('may be below a hidden folder', () => {
    const { analysis } = open({ '.claude/agents/.old/cook.md': '---\nname: cook\n---\n' });
    assert.match(
      findingsIn(open({ '.claude/agents/.old/cook.md': '---\nname: cook\n---\n' }), '.claude/agents/.old/cook.md')[0] ??
        '',
      /agent-not-loaded/,
    );
    assert.equal(analysis.index.agents.size, 1);
    assert.deepEqual(run('kitchen:.old:cook', { ...plugin, 'p/agents/.old/cook.md': agent() }), []);
  });

  it('differs in letter case', () => {
    assert.match(run('explore')[0] ?? '', /^warning .*Did you mean `Explore`/);
  });

  it('may be one of the user', () => {
    assert.match(run('sommelier')[0] ?? '', /^hint /);
  });

  it('has no effect without `context: fork`, which another rule reports', () => {
    assert.deepEqual(findings({ [SKILL]: skill('agent: nobody-here\n') }), []);
  });
});

describe('a command', () => {
  const COMMAND = '.claude/commands/chop.md';
  const command = (body: string) => ({ [COMMAND]: `---\ndescription: Chops.\n---\n\n${body}\n` });

  it('has no folder for its variable', () => {
    assert.deepEqual(findings(command('Run ${CLAUDE_SKILL_DIR}/chop.sh.')), [
      'hint unfilled-placeholder: Claude Code does not replace `${CLAUDE_SKILL_DIR}`, so the model reads it as written. A command has no folder. Write the path from the project.',
    ]);
  });

  it('runs commands in its text as a skill does', () => {
    assert.match(findings(command('Now: !`git status`'))[0] ?? '', /^hint self-running-command/);
    assert.deepEqual(findings(command('Now: !`git status`'), ['codex']), []);
  });

  it('has values that the validator of Claude Code accepts', () => {
    const messages = (keys: string) =>
      findings({ [COMMAND]: `---\n${keys}\n---\n\nChop.\n` }).filter((one) => one.includes('command-frontmatter'));
    for (const keys of ['description: [x]', 'description: {a: b}'])
      assert.match(messages(keys).join(), /`description` must be a text\. Claude Code ignores this value\.$/, keys);
    for (const value of ['7', 'true', '{a: b}', '[Read, 7]'])
      assert.match(messages(`allowed-tools: ${value}`).join(), /`allowed-tools` must be a text or a list/, value);
    const RIGHT = ['description: 26', 'description: true', 'description:', 'description: 2026-01-01'];
    for (const keys of [...RIGHT, 'allowed-tools:', 'allowed-tools: [Read]', 'allowed-tools: Read'])
      assert.deepEqual(messages(keys), [], keys);
  });

  it('of a plugin has a description, so that the model sees it', () => {
    const one = (keys: string, clients?: readonly string[]) =>
      findings({ 'p/commands/chop.md': keys, 'p/.claude-plugin/plugin.json': '{"name": "k"}' }, clients);
    for (const text of ['---\nallowed-tools: Read\n---\nChop.\n', '---\ndescription: ""\n---\nChop.\n'])
      assert.match(one(text).join(), /^hint .* because it is in a plugin and has no `description`\. Add it\.$/, text);
    assert.deepEqual(one('---\ndescription: Chops.\n---\nChop.\n'), []);
    for (const text of ['---\ndescription:\n---\nChop.\n', '---\ndisable-model-invocation: false\n---\nChop.\n'])
      assert.match(one(text).join(), /has no `description`\. Add it\.$/, text);
    for (const keys of ['disable-model-invocation: true', 'description: ""\ndisable-model-invocation: true'])
      assert.deepEqual(one(`---\n${keys}\n---\nChop.\n`), [], keys);
    assert.deepEqual(one('---\nallowed-tools: Read\n---\nChop.\n', ['codex']), []);
  });

  it('of a plugin may have the description of the manifest, or a plugin of another client', () => {
    const chop = { 'p/commands/chop.md': '---\nallowed-tools: Read\n---\nChop.\n' };
    const named = '{"name": "k", "commands": {"cut": {"source": "./commands/chop.md", "description": "Cuts."}}}';
    assert.deepEqual(findings({ ...chop, 'p/.claude-plugin/plugin.json': named }), []);
    assert.deepEqual(findings({ ...chop, 'p/.codex-plugin/plugin.json': '{"name": "k"}' }), []);
    const entry = { '.claude-plugin/marketplace.json': '{"plugins": [{"name": "k", "source": "./p"}]}' };
    assert.match(findings({ ...chop, ...entry }).join(), /has no `description`/);
  });

  it('of a plugin is not loaded if the manifest lists other commands', () => {
    const listed = (commands: string, clients?: readonly string[]) =>
      findings(
        {
          'p/commands/chop.md': '---\nallowed-tools: Read\n---\nChop.\n',
          'p/.claude-plugin/plugin.json': `{"name": "k", "commands": ${commands}}`,
        },
        clients,
      );
    const UNLISTED =
      'hint command-frontmatter: Claude Code does not load this command, because `commands` in the manifest of `k` does not list it. Add it there, or remove that key.';
    for (const commands of ['[]', '"./other"', '["./commands/cut.md"]', '{"x": {"content": "Cut."}}'])
      assert.deepEqual(listed(commands), [UNLISTED], commands);
    assert.match(listed('"./commands"').join(), /has no `description`/);
    // The manifest has a finding for such a path.
    assert.deepEqual(listed('"commands/"'), []);
    assert.deepEqual(listed('[]', ['codex']), []);
  });

  it('has no fix for a space in its name if the new name is taken', () => {
    const text = '---\ndescription: Chops.\n---\nChop.\n';
    const fixesOf = (files: Files) => {
      const { analysis } = open({ '.claude/commands/to%20chop.md': text, ...files });
      const file = analysis.file(`${ROOT}/.claude/commands/to%20chop.md`) ?? assert.fail();
      return check(file, analysis).flatMap(({ fixes }) => fixes.map(({ title }) => title));
    };
    assert.deepEqual(fixesOf({}), ['Rename to `to-chop.md`']);
    assert.deepEqual(fixesOf({ '.claude/commands/to-chop.md': text }), []);
  });

  it('may have a key in two spellings', () => {
    assert.deepEqual(findings({ [COMMAND]: '---\ndescription: Chops.\nDescription: Cuts.\n---\nChop.\n' }), [
      'warning command-frontmatter: Unknown key `Description`. The file has `description`, too. Remove one of them.',
    ]);
  });

  it('has the name of its file in Claude Code', () => {
    const named = { '.claude/commands/cut/chop.md': '---\nname: slice\ndescription: Chops.\n---\nChop.\n' };
    assert.match(findings(named)[0] ?? '', /^hint .* Claude Code calls this command `\/cut:chop`, after its file/);
    assert.deepEqual(findings({ [COMMAND]: '---\nname: chop\n---\nChop.\n' }), []);
    assert.deepEqual(findings({ [COMMAND]: '---\nname: slice\n---\nChop.\n' }, ['claude-code', 'copilot-cli']), []);
  });

  it('names scripts of its project, or of its plugin, once each', () => {
    const broken = (path: string, files: Files, missing: readonly string[], there: readonly string[]) => {
      const workspace = open(files);
      for (const uri of missing) workspace.apply({ kind: 'exists', uri: `${ROOT}/${uri}`, exists: false });
      for (const uri of there) workspace.apply({ kind: 'exists', uri: `${ROOT}/${uri}`, exists: true });
      const file = workspace.analysis.file(`${ROOT}/${path}`) ?? assert.fail();
      return check(file, workspace.analysis).flatMap(({ rule, severity }) =>
        rule === 'broken-link' ? [severity] : [],
      );
    };
    const own = { [COMMAND]: '`scripts/chop.sh`\n\n`scripts/chop.sh`\n\n[a](gone.md)\n' };
    assert.deepEqual(broken(COMMAND, own, ['scripts/chop.sh'], ['scripts']), ['hint']);
    assert.deepEqual(broken(COMMAND, own, ['scripts/chop.sh', 'scripts'], []), []);
    const text =
      '---\ndescription: Chops.\n---\nRun `${CLAUDE_PLUGIN_ROOT}/run/x.sh`, then `${CLAUDE_PLUGIN_ROOT}/run/x.sh`.\n';
    const manifest = { 'p/.claude-plugin/plugin.json': '{"name": "kitchen"}' };
    const paths = ['p/commands/a/chop.md', 'p/agents/chop.md'];
    for (const path of paths)
      assert.deepEqual(broken(path, { [path]: text, ...manifest }, ['p/run/x.sh'], []), ['hint'], path);
    for (const path of paths) assert.deepEqual(broken(path, { [path]: text }, ['p/run/x.sh'], []), [], path);
    assert.deepEqual(broken('p/skills/x/SKILL.md', { 'p/skills/x/SKILL.md': text, ...manifest }, ['p/run/x.sh'], []), [
      'hint',
    ]);
  });

  it('has a name that people can type', () => {
    const path = '.claude/commands/chop leeks.md'.replace(' ', '%20');
    const { analysis } = open({ [path]: 'Chop.\n' });
    const [found] = check(analysis.file(`${ROOT}/${path}`) ?? assert.fail(), analysis);
    assert.match(
      found?.message ?? '',
      /^People cannot call this command in Claude Code, because its name contains a space\./,
    );
    assert.equal(found?.fixes[0]?.moves?.to, `${ROOT}/.claude/commands/chop-leeks.md`);
    assert.equal(found?.severity, 'hint');
  });

  it('in a subfolder has the name of the folder before its own', () => {
    const caller = `${skill()}\nRun \`/thin-slice\` and /thin-slice.\n`;
    const messages = (files: Files) => {
      const workspace = open({ [SKILL]: caller, ...files });
      const file = workspace.analysis.file(`${ROOT}/${SKILL}`) ?? assert.fail();
      return check(file, workspace.analysis).flatMap(({ rule, severity, message }) =>
        rule === 'skill-not-found' ? [`${severity}: ${message}`] : [],
      );
    };
    const deep = { '.claude/commands/cut/all/thin-slice.md': 'Slice.\n' };
    assert.deepEqual(messages(deep), ['hint: Unknown skill `thin-slice`. Did you mean `cut:all:thin-slice`?']);
    assert.deepEqual(messages({ ...deep, '.claude/commands/thin-slice.md': 'Slice.\n' }), []);
    assert.deepEqual(
      messages({ ...deep, '.claude/skills/thin-slice/SKILL.md': skill().replace('chop', 'thin-slice') }),
      [],
    );
    assert.deepEqual(messages({}), []);
  });

  it('is not loaded by Copilot CLI for more faults, if the author chose it', () => {
    const both = ['claude-code', 'copilot-cli'];
    const one = (text: string, clients: readonly string[] | undefined) => findings({ [COMMAND]: text }, clients);
    const colon = '---\ndescription: Chops: leeks.\n---\nChop.\n';
    assert.deepEqual(one(colon, undefined), []);
    assert.deepEqual(one(colon, both), [
      'warning command-frontmatter: GitHub Copilot CLI does not load this command. A value without quotes contains a colon. Put it in quotes.',
    ]);
    const quote = '---\ndescription: "Chops.\n---\nChop.\n';
    assert.deepEqual(one(quote, both), [
      'warning command-frontmatter: Claude Code ignores the frontmatter of this command, and GitHub Copilot CLI does not load it. The frontmatter is not valid YAML. Correct it here, or put the text in quotes.',
    ]);
    assert.match(
      one(quote, ['copilot-cli'])[0] ?? '',
      /^warning command-frontmatter: GitHub Copilot CLI does not load/,
    );
    const list = one('---\ndescription: [x]\n---\nChop.\n', both);
    assert.equal(list.length, 1);
    assert.match(list[0] ?? '', /GitHub Copilot CLI does not load this command\. `description` must be a text\.$/);
    assert.match(one('---\nname: A name\n---\nChop.\n', both).join(), /The `name` contains a space\. Remove it\.$/);
    const deep = findings({ '.claude/commands/sub/chop.md': 'Chop.\n' }, both);
    assert.match(deep[0] ?? '', /GitHub Copilot CLI loads no commands in subfolders/);
    assert.deepEqual(findings({ '.claude/commands/sub/chop.md': 'Chop.\n' }), []);
    assert.deepEqual(one('Chop.\n', both), []);
  });

  it('may have no frontmatter', () => {
    assert.deepEqual(findings({ [COMMAND]: 'Chop $ARGUMENTS.\n' }), []);
    assert.deepEqual(findings({ [COMMAND]: '' }), []);
  });
});

it('thousands of agents are read in linear time', () => {
  const start = performance.now();
  const agents = Array.from({ length: 4_000 }, (_, at) => [
    `.claude/agents/a${at}.md`,
    agent().replace('cook', `a${at}`),
  ]);
  const workspace = new Workspace();
  workspace.apply({ kind: 'partial', partial: true });
  for (const [path, text] of agents) workspace.apply({ kind: 'text', uri: `${ROOT}/${path}`, text: text ?? '' });
  workspace.apply({ kind: 'partial', partial: false });
  assert.deepEqual(findingsIn(workspace, '.claude/agents/a7.md'), []);
  assert.ok(performance.now() - start < 5_000);
});

it('a command with the name of a missing skill affects the agents that ask for the skill', () => {
  const workspace = open({
    'p/.claude-plugin/plugin.json': '{"name": "k"}',
    'p/agents/cook.md': agent('skills: [k:x]\n'),
  });
  const uri = `${ROOT}/p/commands/x.md`;
  const findingsOf = () => {
    const file = workspace.analysis.file(`${ROOT}/p/agents/cook.md`) ?? assert.fail();
    return check(file, workspace.analysis).filter(({ rule }) => rule === 'skill-not-found').length;
  };
  assert.equal(findingsOf(), 1);
  const affected = workspace.apply({ kind: 'text', uri, text: '---\ndescription: Chops.\n---\nChop.\n' });
  assert.ok(affected === 'all' || affected.has(`${ROOT}/p/agents/cook.md`));
  assert.equal(findingsOf(), 0);
});
