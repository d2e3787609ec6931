/** Booleans of a skill, and keys of an agent, in VS Code (read in code-server@4.139.1). */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { findClient } from '../../../server/src/clients/facts/clients.ts';
import { pipelineOf } from '../../../server/src/clients/pipeline/pipelines.ts';
import { check } from '../../../server/src/rules/engine/check.ts';

const SKILL = 'file:///w/.github/skills/chop/SKILL.md';

function open(key: string, clients: readonly string[]) {
  const workspace = new Workspace();
  workspace.apply({ kind: 'roots', folders: ['file:///w'] });
  workspace.apply({ kind: 'clients', clients });
  const text = `---\nname: chop\ndescription: Chops leeks. Use it for leeks.\n${key}\n---\n\nChop.\n`;
  workspace.apply({ kind: 'text', uri: SKILL, text });
  const { analysis } = workspace;
  const file = analysis.file(SKILL) ?? assert.fail();
  const vscode = findClient('vscode') ?? assert.fail();
  const [row] = analysis.agentSkills.rowsOf(file, [vscode], analysis.findLink);
  const found = check(file, analysis).flatMap(({ rule, severity, message, fixes }) =>
    rule === 'agent-skill-key-value' ? fixes.map(({ title }) => `${severity}: ${message} [${title}]`) : [],
  );
  return { listed: row?.listed.outcome, found };
}

describe('a Boolean in VS Code', () => {
  it('hides a skill if its text is `true`', () => {
    const listed = (value: string) => open(`disable-model-invocation: ${value}`, ['vscode']).listed;
    for (const value of ['true', '"true"', "'true'"]) assert.equal(listed(value), 'no', value);
    for (const value of ['True', 'TRUE', 'yes', '1', 'false', '"false"']) assert.equal(listed(value), 'yes', value);
  });

  it('is reported in another letter case', () => {
    assert.deepEqual(open('disable-model-invocation: True', ['vscode']).found, [
      'warning: `disable-model-invocation` must be `true` or `false` for VS Code, but is `True`. [Replace with `true`]',
    ]);
    assert.deepEqual(open('disable-model-invocation: True', ['claude-code', 'copilot-cli']).found, []);
  });

  it('is a hint in quotes, unless another client refuses it', () => {
    assert.deepEqual(open('disable-model-invocation: "true"', ['vscode', 'claude-code']).found, [
      'hint: VS Code accepts `true` in quotes, but shows an error in the editor. Remove the quotes. [Remove the quotes]',
    ]);
    assert.deepEqual(open('user-invocable: "true"', ['vscode', 'copilot-cli']).found, [
      'error: `user-invocable` must be `true` or `false` for GitHub Copilot CLI, but is a string. GitHub Copilot CLI does not load this skill. [Replace with `true`]',
    ]);
    assert.deepEqual(open('disable-model-invocation: "true"', ['claude-code']).found, []);
    assert.deepEqual(open('disable-model-invocation: true', ['vscode']).found, []);
  });

  it('has one fact about its letter case in the keys and in the steps', () => {
    assert.equal(findClient('vscode')?.exactBooleans?.value, pipelineOf('vscode')?.admit.words === 'exact');
  });
});

describe('an agent in VS Code', () => {
  const AGENT = 'file:///w/.github/agents/cook.agent.md';
  const findings = (keys: string, clients?: readonly string[]) => {
    const workspace = new Workspace();
    workspace.apply({ kind: 'roots', folders: ['file:///w'] });
    if (clients) workspace.apply({ kind: 'clients', clients });
    workspace.apply({
      kind: 'text',
      uri: AGENT,
      text: `---\nname: cook\ndescription: Cooks soup.\n${keys}\n---\n\nCook.\n`,
    });
    const { analysis } = workspace;
    return check(analysis.file(AGENT) ?? assert.fail(), analysis).flatMap(({ rule, severity, message }) =>
      rule.startsWith('agent-') ? [`${severity} ${rule}: ${message}`] : [],
    );
  };
  const vscode = ['vscode'];

  it('has values of other types that VS Code ignores', () => {
    assert.deepEqual(findings('agents: chef', vscode), [
      'warning agent-key-ignored: `agents` must be a list. VS Code ignores this value.',
    ]);
    assert.match(findings('user-invocable: False', vscode)[0] ?? '', /`user-invocable` must be `true` or `false`\./);
    assert.match(findings('target: vs-code', vscode)[0] ?? '', /`target` must be `vscode` or `github-copilot`/);
    for (const keys of ['model: [a, b]', 'tools: read, edit', 'target: vscode', 'user-invocable: "false"', 'tools:'])
      assert.deepEqual(findings(keys, vscode), [], keys);
  });

  it('has one finding for a value that Copilot CLI refuses, too', () => {
    const found = findings('model: {a: b}', ['vscode', 'copilot-cli']);
    assert.equal(found.length, 1);
    assert.match(found[0] ?? '', /^warning agent-not-loaded: GitHub Copilot CLI does not load this agent/);
  });

  it('has handoffs with a label, an agent and a prompt', () => {
    const handoff = (more: string) => `handoffs:\n  - label: Serve\n    agent: waiter\n${more}`;
    assert.deepEqual(findings(handoff('    prompt: Serve it.'), vscode), []);
    assert.deepEqual(findings(handoff('    send: true'), vscode), [
      'warning agent-key-ignored: VS Code ignores this handoff, because it has no `prompt`. Add it.',
    ]);
    assert.match(findings(handoff('    send: true'))[0] ?? '', /^hint /);
    assert.match(
      findings('handoffs: [waiter]', vscode)[0] ?? '',
      /is not a map\. Write `label`, `agent` and `prompt`\.$/,
    );
    assert.deepEqual(findings(handoff('    send: true'), ['copilot-cli']), []);
  });

  it('starts other agents only with the tool `agent`', () => {
    assert.match(
      findings('agents: [waiter]\ntools: [read]', vscode)[0] ?? '',
      /`tools` does not contain `agent`\. Add it\.$/,
    );
    for (const keys of [
      'agents: [waiter]\ntools: [read, agent]',
      'agents: [waiter]\ntools: read, agent',
      'agents: [waiter]',
      'agents: []\ntools: [read]',
      "agents: ['*']\ntools: ['*']",
    ])
      assert.deepEqual(findings(keys, vscode), [], keys);
  });

  it('hands over no skill', () => {
    assert.match(findings('skills: [chop]', vscode)[0] ?? '', /^hint .*VS Code ignores `skills`/);
    assert.deepEqual(findings('skills: [chop]'), []);
  });
});
