/** A workspace after edits of agents, commands, plugins and settings of skills equals a new workspace with the same files. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Analysis } from '../../server/src/analysis/analysis.ts';
import { type Change, Workspace } from '../../server/src/analysis/workspace.ts';
import { clients } from '../../server/src/clients/facts/clients.ts';
import { check } from '../../server/src/rules/engine/check.ts';
import { cases } from '../random.ts';
import { ROOT, shown } from './opened.ts';

const skill = (name: string, more = '', body = 'Chop.'): string =>
  `---\nname: ${name}\ndescription: Chops leeks.\n${more}---\n\n${body}\n`;
const agent = (name: string, more = '', body = 'Cook.'): string =>
  `---\nname: ${name}\ndescription: Cooks soup.\n${more}---\n\n${body}\n`;

const SKILLS = [
  skill('chop'),
  skill('peel'),
  skill('chop', 'disable-model-invocation: true\n'),
  skill('chop', 'context: fork\nagent: cook\n'),
  skill('chop', 'context: fork\n"agent": cook\n'),
  '---\n{name: chop, description: Chops., context: fork, agent: kitchen:cook}\n---\nChop.\n',
  skill('chop', 'context: fork\nagent: kitchen:cook\n'),
  skill('chop', 'paths: ["*.md"]\n'),
  '---\nname: chop\n---\nChop.\n',
];
const AGENTS = [
  agent('cook'),
  agent('chef'),
  agent('cook', 'skills: [chop, peel]\n'),
  agent('cook', 'skills: [kitchen:chop]\ntools: Read\n', 'Use the `chop` skill. Run /peel.'),
  agent('cook', 'tools: Read\n', 'Use the `chop` skill.'),
  '---\nname: cook\n---\nCook.\n',
  '---\ndescription: Cooks.\n---\nCook.\n',
  agent('constructor', 'tools: []\nhooks: []\n'),
  'No frontmatter.\n',
];
const COMMANDS = [
  '---\ndescription: d\nagent: cook\ncontext: fork\n---\nDo.\n',
  '---\ndescription: "d\n---\nDo.\n',
  'Use the `chop` skill.\n',
];
const FILES: readonly (readonly [path: string, texts: readonly string[]])[] = [
  ...[
    '.claude/skills/chop',
    '.claude/skills/peel',
    'p/skills/chop',
    'p/skills/peel',
    'q/skills/chop',
    '.agents/skills/chop',
    'p',
  ].map((folder) => [`${folder}/SKILL.md`, SKILLS] as const),
  ...[
    '.claude/agents/cook.md',
    '.claude/agents/chef.md',
    '.claude/agents/sub/cook.md',
    'p/agents/cook.md',
    'q/agents/cook.md',
    '.github/agents/cook.agent.md',
    '.opencode/agent/cook.md',
  ].map((path) => [path, AGENTS] as const),
  ...['.claude/commands/chop.md', 'p/commands/chop.md', 'p/commands/peel.md', '.opencode/command/chop.md'].map(
    (path) => [path, COMMANDS] as const,
  ),
  ...['p', 'q'].map(
    (folder) =>
      [
        `${folder}/.claude-plugin/plugin.json`,
        [
          '{"name": "kitchen"}',
          '{"name": "pantry"}',
          '{"name": "kitchen", "skills": ["./skills/chop"]}',
          '{"name": "kitchen", "commands": "./other"}',
          '{',
          '{"name": "kitchen", "skills": "skills"}',
        ],
      ] as const,
  ),
  [
    '.claude-plugin/marketplace.json',
    ['{"name": "m", "owner": {"name": "o"}, "plugins": [{"name": "kitchen", "source": "./p"}]}', '{}'],
  ],
  ...['.claude/skills/chop', 'p/skills/chop', '.agents/skills/chop'].map(
    (folder) =>
      [
        `${folder}/agents/openai.yaml`,
        [
          'policy: {allow_implicit_invocation: false}\n',
          'policy: {allow_implicit_invocation: "false"}\n',
          'policy: {products: [chatgpt]}\n',
          '',
        ],
      ] as const,
  ),
  [
    'skills.config.yaml',
    [
      'clients: [claude-code]\n',
      'clients: [codex, opencode]\n',
      'clients: [copilot-cli]\n',
      'rules: {agent-tools: off}\n',
    ],
  ],
];

const change: fc.Arbitrary<Change> = fc.constantFrom(...FILES).chain(([path, texts]) => {
  const uri = `${ROOT}/${path}`;
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...texts).map((text): Change => ({ kind: 'text', uri, text })) },
    fc.constant<Change>({ kind: 'delete', uri }),
  );
});

/** The findings of every file, and the rows of every skill, in a form that can be compared. */
function stateOf(analysis: Analysis): ReadonlyMap<string, string> {
  const state = new Map<string, string>();
  for (const file of analysis.allFiles()) {
    state.set(file.uri, JSON.stringify(check(file, analysis)));
    const { agentSkill } = file.summary;
    if (!agentSkill) continue;
    const rows = analysis.clientRows(file, clients);
    state.set(`${file.uri} rows`, JSON.stringify(rows.map(({ client, ...row }) => [client.id, row])));
  }
  return state;
}

test('a workspace after edits of client files has the findings and rows of a new one', () => {
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 25 }), (changes) => {
      const workspace = new Workspace();
      const state = new Map<string, Change>();
      let before: ReadonlyMap<string, string> = new Map();
      for (const next of changes) {
        const affected = workspace.apply(next);
        const key = 'uri' in next ? next.uri : next.kind;
        state.delete(key);
        if (next.kind !== 'delete') state.set(key, next);
        const after = stateOf(workspace.analysis);
        for (const [uri, findings] of after) {
          const isTold =
            uri.endsWith(' rows') || affected === 'all' || affected.has(uri) || findings === (before.get(uri) ?? '[]');
          assert.ok(
            isTold,
            `${uri} is not affected by ${shown(JSON.stringify(next))}: ${before.get(uri)} → ${findings}`,
          );
        }
        before = after;
      }
      const fresh = new Workspace();
      for (const one of [...state.values()].reverse()) fresh.apply(one);
      const expected = stateOf(fresh.analysis);
      assert.deepEqual([...before.keys()].sort(), [...expected.keys()].sort());
      for (const [uri, findings] of before) assert.equal(findings, expected.get(uri), uri);
    }),
    cases(20),
  );
});
