/** Agents as names: definition, references, rename, hover and completion. */
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { utf16 } from '../../../../server/src/features/locate.ts';
import { definition, references } from '../../../../server/src/features/navigation/definition.ts';
import { isRefusal, planRename } from '../../../../server/src/features/rename/rename.ts';
import { applyEdits } from '../../../../server/src/text.ts';
import { at, complete, hoverAt } from '../cursor.ts';

const skill = (agent: string) =>
  `---\nname: chop\ndescription: Chops leeks.\ncontext: fork\nagent: ${agent}\n---\n\nChop.\n`;
const agent = (name: string) => `---\nname: ${name}\ndescription: Cooks soup.\n---\n\nCook.\n`;
const PLUGIN = {
  'p/.claude-plugin/plugin.json': '{"name": "kitchen"}',
  'p/agents/chef.md': agent('chef'),
};

function placesOf(files: Readonly<Record<string, string>>) {
  const { analysis, file, offset } = at(files);
  const name = (uri: string) => uri.replace('file:///skills-here/', '');
  return {
    defined: definition(analysis, file, offset, utf16, false).map((one) =>
      'uri' in one ? `${name(one.uri)}:${one.range.start.line}` : '',
    ),
    used: references(analysis, file, offset, utf16, true).map(({ uri, range }) => `${name(uri)}:${range.start.line}`),
  };
}

function renamed(files: Readonly<Record<string, string>>, newName: string): Readonly<Record<string, string>> | string {
  const { analysis, file, offset } = at(files);
  const plan = planRename(analysis, file, offset, newName);
  if (isRefusal(plan)) return plan.refusal;
  return Object.fromEntries(
    plan.edits.map(({ uri, edits }) => [
      uri.replace('file:///skills-here/', ''),
      applyEdits(analysis.file(uri)?.text ?? '', edits),
    ]),
  );
}

describe('the name of an agent', () => {
  const files = (marked: 'skill' | 'agent') => ({
    '.claude/skills/chop/SKILL.md': skill(marked === 'skill' ? 'co$0ok' : 'cook'),
    '.claude/agents/cook.md': agent(marked === 'agent' ? 'co$0ok' : 'cook'),
    '.claude/commands/chop.md': '---\ncontext: fork\nagent: cook\n---\nChop.\n',
    'other/.claude/agents/cook.md': agent('cook'),
  });
  const all = ['.claude/agents/cook.md:1', '.claude/commands/chop.md:2', '.claude/skills/chop/SKILL.md:4'];

  it('is found from the skill and from the agent', () => {
    assert.deepEqual(placesOf(files('skill')), { defined: ['.claude/agents/cook.md:1'], used: all });
    assert.deepEqual(placesOf(files('agent')), { defined: ['.claude/agents/cook.md:1'], used: all });
  });

  it('is renamed in all of these files', () => {
    const after = renamed(files('skill'), 'chef');
    assert.ok(typeof after === 'object');
    assert.deepEqual(
      Object.keys(after).sort(),
      all.map((one) => one.split(':')[0]),
    );
    assert.match(after['.claude/agents/cook.md'] ?? '', /^name: chef$/m);
    assert.match(after['.claude/skills/chop/SKILL.md'] ?? '', /^agent: chef$/m);
    assert.match(String(renamed(files('agent'), 'a:b')), /not a valid name/);
  });

  it('renames the file that has it, too', () => {
    const moved = (files: Readonly<Record<string, string>>) => {
      const { analysis, file, offset } = at(files);
      const plan = planRename(analysis, file, offset, 'chef');
      const name = (uri: string) => uri.replace('file:///skills-here/', '');
      return isRefusal(plan) ? plan.refusal : plan.moves.map(({ from, to }) => `${name(from)} → ${name(to)}`);
    };
    assert.deepEqual(moved(files('skill')), ['.claude/agents/cook.md → .claude/agents/chef.md']);
    assert.deepEqual(moved(files('agent')), ['.claude/agents/cook.md → .claude/agents/chef.md']);
    assert.deepEqual(moved({ '.github/agents/cook.agent.md': agent('co$0ok') }), [
      '.github/agents/cook.agent.md → .github/agents/chef.agent.md',
    ]);
    assert.deepEqual(moved({ '.claude/agents/other.md': agent('co$0ok') }), []);
    const taken = { '.claude/agents/cook.md': agent('co$0ok'), '.claude/agents/chef.md': agent('waiter') };
    assert.match(String(moved(taken)), /already exists\. Choose another name\.$/);
    const listed = {
      'p/agents/cook.md': agent('co$0ok'),
      'p/.claude-plugin/plugin.json': '{"name": "kitchen", "agents": ["./agents/cook.md"]}',
    };
    assert.deepEqual(moved(listed), []);
  });

  it('is that of the agent in the project of the skill, not of another one', () => {
    const others = {
      'a/.claude/agents/cook.md': agent('cook'),
      'ab/.claude/agents/cook.md': agent('cook'),
    };
    const marked = { 'ab/.claude/skills/chop/SKILL.md': skill('co$0ok'), ...others };
    assert.deepEqual(placesOf(marked).defined, ['ab/.claude/agents/cook.md:1']);
    assert.deepEqual(Object.keys(renamed(marked, 'chef')), [
      'ab/.claude/agents/cook.md',
      'ab/.claude/skills/chop/SKILL.md',
    ]);
    const outside = { 'c/.claude/skills/chop/SKILL.md': skill('co$0ok'), ...others };
    assert.deepEqual(placesOf(outside).defined, []);
    assert.match(String(renamed(outside, 'chef')), /not a name that can be renamed/);
    const only = { 'c/.claude/skills/chop/SKILL.md': skill('co$0ok'), 'a/.claude/agents/cook.md': agent('cook') };
    assert.deepEqual(placesOf(only).defined, ['a/.claude/agents/cook.md:1']);
  });

  it('follows that of its plugin', () => {
    const marked = { 'p/skills/chop/SKILL.md': skill('kitchen:ch$0ef'), ...PLUGIN };
    assert.deepEqual(placesOf(marked).defined, ['p/agents/chef.md:1']);
    const after = renamed(marked, 'head-chef');
    assert.match(
      typeof after === 'object' ? (after['p/skills/chop/SKILL.md'] ?? '') : '',
      /^agent: kitchen:head-chef$/m,
    );
  });

  it('is found and renamed with an apostrophe, in quotes and in a flow map', () => {
    const marked = (name: string, call: string) => ({
      '.claude/skills/chop/SKILL.md': call,
      '.claude/agents/cook.md': agent(name),
    });
    const inBraces = '---\n{name: chop, description: Chops., context: fork, "agent": "co$0ok"} # cook\n---\n\nChop.\n';
    for (const files of [
      marked("Ann's cook", skill("Ann's co$0ok")),
      marked('"Ann\'s cook"', skill("Ann's co$0ok")),
      marked("'cook'", inBraces),
    ]) {
      assert.deepEqual(placesOf(files).defined, ['.claude/agents/cook.md:1']);
      const after = renamed(files, 'chef');
      assert.ok(typeof after === 'object', String(after));
      assert.match(after['.claude/agents/cook.md'] ?? '', /^name: ["']?chef["']?$/m);
      assert.match(after['.claude/skills/chop/SKILL.md'] ?? '', /agent"?: ["']?chef["']?[\n}]/);
    }
    const after = renamed(marked('cook', skill('co$0ok')), '24');
    assert.match(String(Object.values(after)[0]), /["']24["']/);
  });

  it('is read in linear time', () => {
    const start = performance.now();
    placesOf({ '.claude/skills/chop/SKILL.md': skill(`$0'${'a'.repeat(200_000)}:'`) });
    assert.ok(performance.now() - start < 5_000);
  });

  it('is described and offered', () => {
    assert.match(hoverAt(files('skill'))?.text ?? '', /\*\*cook\*\* · agent\s+Cooks soup\./);
    const { labels } = complete({
      '.claude/skills/chop/SKILL.md': skill('$0'),
      '.claude/agents/cook.md': agent('cook'),
      ...PLUGIN,
    });
    assert.deepEqual(labels.slice(0, 2), ['cook', 'kitchen:chef']);
    const twice = complete({
      '.claude/skills/chop/SKILL.md': skill('kit$0'),
      '.claude-plugin/marketplace.json': '{"name": "m", "plugins": [{"name": "kitchen", "source": "./p"}]}',
      ...PLUGIN,
    });
    assert.deepEqual(
      twice.labels.filter((label) => label.startsWith('kitchen')),
      ['kitchen:chef'],
    );
    assert.ok(labels.includes('Explore'));
  });

  it('cannot be renamed if it is that of the file', () => {
    const marked = {
      'p/skills/chop/SKILL.md': skill('kitchen:ch$0ef'),
      'p/.claude-plugin/plugin.json': '{"name": "kitchen"}',
      'p/agents/chef.md': '---\ndescription: Cooks.\n---\nCook.\n',
    };
    assert.match(String(renamed(marked, 'head-chef')), /has the name of its file/);
  });
});
