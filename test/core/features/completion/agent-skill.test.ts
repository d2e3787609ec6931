// biome-ignore-all lint/suspicious/noTemplateCurlyInString: snippets have tab stops in braces.
/** Keys and values of a `SKILL.md`. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { complete } from '../cursor.ts';

test('offers the tools of clients and MCP servers in a string, in a list and on a new line of a SKILL.md', () => {
  const offered = (frontmatter: string) =>
    complete({
      'skills.config.yaml': 'tools: [{name: own_tool}, {from: mcp.json}]\n',
      'skills.tools.json':
        '{"tools": [{"name": "find_page", "server": "wiki"}, {"name": "odd name", "server": "wiki"}]}',
      'a/SKILL.md': `---\nname: a\n${frontmatter}\n---\n`,
    });
  const text = offered('allowed-tools: Read Gr$0');
  assert.deepEqual(text.labels.slice(0, 4), ['mcp__wiki__find_page', 'wiki(find_page)', 'Read(…)', 'Write']);
  assert.ok(!text.labels.includes('Read') && !text.labels.some((label) => /own_tool|odd/.test(label)));
  assert.equal(text.item('Grep').detail, 'Claude Code');
  assert.equal(text.item('mcp__wiki__find_page').detail, 'wiki, Claude Code');
  assert.equal(text.item('wiki(find_page)').detail, 'wiki, GitHub Copilot CLI');
  assert.equal(text.accept('Grep'), '---\nname: a\nallowed-tools: Read Grep\n---\n');
  assert.match(text.accept('Bash(…)'), /allowed-tools: Read Bash\(\$\{1:git\}:\*\)\n/);
  const accepted = (frontmatter: string, label = 'Grep') =>
    offered(frontmatter).accept(label).split('\n').slice(2, -2).join('\n');
  assert.equal(accepted('allowed-tools:$0'), 'allowed-tools: Grep');
  assert.equal(accepted('allowed-tools: "Bash(git:*), $0"'), 'allowed-tools: "Bash(git:*), Grep"');
  assert.equal(accepted('allowed-tools: R$0ea Write', 'Read'), 'allowed-tools: Read Write');
  assert.equal(accepted('disallowed-tools: [Read, W$0]', 'Write'), 'disallowed-tools: [Read, Write]');
  assert.equal(accepted('allowed-tools:\n  - Read\n  - $0'), 'allowed-tools:\n  - Read\n  - Grep');
  assert.equal(accepted('allowed-tools:\n  $0'), 'allowed-tools:\n  - Grep');
  assert.ok(!offered('allowed-tools:\n  - Read\n  - $0').labels.includes('Read'));
  assert.deepEqual(offered('allowed-tools: Bash(gi$0').labels, []);
  assert.deepEqual(offered('license: R$0').labels.includes('Read'), false);
});

test('offers programs from the code blocks of a SKILL.md in the brackets of a shell tool', () => {
  const body =
    '```bash\n# make nothing\ngit add . && git commit -m x\nif true; then npm test; fi\nCI=1 npm ci\ngit push\n```\n';
  const offered = (frontmatter: string, clients = 'claude-code') =>
    complete({
      'skills.config.yaml': `agent_skills: {clients: [${clients}]}\n`,
      'a/SKILL.md': `---\nname: a\n${frontmatter}\n---\n\n${body}`,
    });
  assert.deepEqual(offered('allowed-tools: Read Bash($0').labels, ['git:*', 'npm:*']);
  assert.match(offered('allowed-tools: Bash(gi$0) Read').accept('git:*'), /^allowed-tools: Bash\(git:\*\) Read$/m);
  assert.deepEqual(offered('allowed-tools: Shell($0', 'cursor').labels, ['git', 'npm']);
  assert.deepEqual(offered('allowed-tools: Read($0').labels, []);
});

test('offers the tools of target clients in a SKILL.md, starting with clients that support the key', () => {
  const offered = (clients: string, frontmatter = 'allowed-tools: $0') =>
    complete({
      'skills.config.yaml': `agent_skills: {clients: [${clients}]}\ntools: [{from: mcp.json}]\n`,
      'skills.tools.json': '{"tools": [{"name": "find_page", "server": "wiki"}]}',
      'a/SKILL.md': `---\nname: a\n${frontmatter}\n---\n`,
    });
  const both = offered('gemini-cli, copilot-cli');
  assert.deepEqual(both.labels.slice(0, 3), ['wiki(find_page)', 'shell', 'shell(…)']);
  assert.ok(both.labels.indexOf('url') < both.labels.indexOf('mcp_wiki_find_page'));
  assert.equal(both.item('run_shell_command').detail, 'Gemini CLI (grants nothing)');
  assert.ok(!both.labels.includes('Bash'));
  assert.equal(offered('opencode, kilo-code').item('bash').detail, 'OpenCode, Kilo Code (grants nothing)');
  assert.equal(offered('cursor').item('Shell').detail, 'Cursor');
  assert.equal(offered('claude-code, cursor').item('Read').detail, 'Claude Code, Cursor');
  assert.match(JSON.stringify(both.item('shell').documentation), /separated by commas, or a list/);
  assert.match(JSON.stringify(both.item('glob').documentation), /The key has no effect in Gemini CLI/);
  assert.ok(offered('gemini-cli', 'disallowed-tools: $0').labels.includes('Bash'), 'whose key it is');
  assert.deepEqual(offered('gemini-cli', 'tools: $0').labels, []);
});

test('offers the keys of the standard before keys of clients in a SKILL.md', () => {
  const { labels, item } = complete({ 'pdf-forms/SKILL.md': '---\n$0\n---\n' });
  assert.deepEqual(labels.slice(0, 3), ['name', 'description', 'license']);
  assert.ok(labels.indexOf('allowed-tools') < labels.indexOf('argument-hint'));
  assert.match(item('argument-hint').detail ?? '', /Claude Code/);
  assert.match(JSON.stringify(item('name').textEdit), /pdf-forms/);
  assert.deepEqual(complete({ 'a/SKILL.md': '---\nuser-invocable: $0\n---\n' }).labels, ['true', 'false']);
  assert.ok(complete({ 'a/SKILL.md': '---\neffort: $0\n---\n' }).labels.includes('xhigh'));
  assert.deepEqual(complete({ 'a/SKILL.md': '---\nname: a\ndescription: b\n---\n## $0\n' }).labels, []);
});
