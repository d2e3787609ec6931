/** Keys, values and names in agents and commands. */
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { complete, hoverAt } from '../cursor.ts';

const SKILL = '---\nname: chop-leeks\ndescription: Chops leeks.\n---\n\nChop.\n';
const offered = (path: string, frontmatter: string) =>
  complete({ [path]: `---\n${frontmatter}\n---\n\nCook.\n`, '.claude/skills/chop-leeks/SKILL.md': SKILL });

describe('completion in an agent of a plugin', () => {
  const files = (clients: string) => ({
    'p/agents/cook.md': '---\nname: cook\nskills: [$0]\n---\n\nCook.\n',
    'p/.claude-plugin/plugin.json': '{"name": "kitchen"}',
    'p/skills/chop-leeks/SKILL.md': SKILL,
    '.claude/skills/wash/SKILL.md': SKILL.replace('chop-leeks', 'wash'),
    'skills.config.yaml': clients,
  });

  it('inserts the name of the plugin before that of its own skill', () => {
    const { accept } = complete(files('# none\n'));
    assert.match(accept('chop-leeks'), /skills: \[kitchen:chop-leeks\]/);
    assert.match(accept('wash'), /skills: \[wash\]/);
  });

  it('inserts the bare name for Copilot CLI', () => {
    const { accept } = complete(files('agent_skills: {clients: [claude-code, copilot-cli]}\n'));
    assert.match(accept('chop-leeks'), /skills: \[chop-leeks\]/);
  });
});

describe('completion in an agent', () => {
  it('offers the keys of the client to which its folder belongs, the required ones first', () => {
    const claude = offered('.claude/agents/cook.md', '$0').labels;
    assert.deepEqual(claude.slice(0, 2), ['name', 'description']);
    assert.ok(claude.includes('permissionMode') && !claude.includes('temperature'));
    const openCode = offered('.opencode/agents/cook.md', 'description: Cooks.\n$0').labels;
    assert.ok(
      openCode.includes('temperature') && !openCode.includes('permissionMode') && !openCode.includes('description'),
    );
    assert.ok(offered('.github/agents/cook.agent.md', '$0').labels.includes('mcp-servers'));
  });

  it('offers values, tools and skills', () => {
    assert.deepEqual(offered('.claude/agents/cook.md', 'permissionMode: $0').labels.slice(0, 2), [
      'acceptEdits',
      'auto',
    ]);
    assert.equal(
      offered('.claude/agents/cook.md', 'tools: Read, Gr$0').accept('Grep'),
      '---\ntools: Read, Grep\n---\n\nCook.\n',
    );
    assert.equal(
      offered('.claude/agents/cook.md', 'skills: [$0]').accept('chop-leeks'),
      '---\nskills: [chop-leeks]\n---\n\nCook.\n',
    );
    assert.equal(
      offered('.claude/agents/cook.md', 'skills:\n  - $0').accept('chop-leeks'),
      '---\nskills:\n  - chop-leeks\n---\n\nCook.\n',
    );
  });
});

describe('completion in a command', () => {
  it('offers the keys of a skill in Claude Code that have an effect', () => {
    const { labels } = offered('.claude/commands/chop.md', '$0');
    assert.ok(labels.includes('description') && labels.includes('argument-hint') && labels.includes('allowed-tools'));
    assert.ok(!labels.includes('name') && !labels.includes('license'));
  });

  it('of a plugin offers its second name', () => {
    assert.ok(offered('tools/commands/chop.md', '$0').labels.includes('name'));
    const text = hoverAt({ 'tools/commands/chop.md': '---\nna$0me: cut\ndescription: Chops.\n---\n' })?.text ?? '';
    assert.match(text, /second name of the command[\s\S]*2\.1\.332/);
  });
});

describe('hover in an agent', () => {
  it('describes a key with the client that was run', () => {
    const text =
      hoverAt({ '.claude/agents/cook.md': '---\nname: cook\ndescription: Cooks.\nski$0lls: [a]\n---\n' })?.text ?? '';
    assert.match(text, /receives before its task/);
    assert.match(text, /2\.1\.332/);
  });
});
