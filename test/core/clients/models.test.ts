/** The model that the list of a client is made for, and the texts about the size of the list. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import manifest from '../../../package.json' with { type: 'json' };
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import type { Client } from '../../../server/src/clients/facts/client.ts';
import { clients, findClient } from '../../../server/src/clients/facts/clients.ts';
import { MODEL_NAMES, type ModelChoice, modelChoice } from '../../../server/src/clients/facts/models.ts';
import { entriesOf, entryOf, type Listing, listingOf } from '../../../server/src/clients/matrix/budget.ts';
import { limitText, listText, needText } from '../../../server/src/clients/matrix/limit-text.ts';
import { type Subject, subjectOf } from '../../../server/src/clients/matrix/subject.ts';
import { SkillFile } from '../../../server/src/skill/skill-file.ts';
import { skillText } from './fixtures.ts';

const named = (id: string): Client => {
  const client = findClient(id);
  assert.ok(client);
  return client;
};

const subjectAt = (name: string, ...lines: readonly string[]): Subject => {
  const uri = `file:///w/skills/${name}/SKILL.md`;
  const { agentSkill } = new SkillFile(uri, skillText(`name: ${name}`, ...lines)).summary;
  assert.ok(agentSkill);
  return subjectOf(uri, agentSkill);
};

const skills = (count: number, length: number): readonly Subject[] =>
  Array.from({ length: count }, (_, at) =>
    subjectAt(`m${String(at + 1).padStart(3, '0')}-skill`, `description: ${'x'.repeat(length)}`),
  );

function listOf(id: string, all: readonly Subject[], model?: ModelChoice): Listing {
  const listing = listingOf(named(id), entriesOf(all.map((subject) => entryOf(named(id), subject))), model);
  assert.ok(listing);
  return listing;
}

const totalOf = (id: string, model?: ModelChoice): number => listOf(id, [], model).limit.total;

describe('the model of a list', () => {
  it('has the size that each client was seen to use', () => {
    const sizes: readonly (readonly [string, ModelChoice, number])[] = [
      ['claude-code', undefined, 30_000],
      ['claude-code', ['claude-sonnet-4-5'], 8000],
      ['claude-code', ['claude-sonnet-4-6[1m]'], 40_000],
      ['claude-code', ['claude-opus-4-1'], 30_000],
      ['claude-code', ['opus'], 30_000],
      ['codex', undefined, 10_000],
      ['codex', ['gpt-5.5'], 5440],
      ['codex', ['gpt-daybreak-red-latest'], 7440],
      ['droid', undefined, 15_000],
      // Droid was seen to ignore the context of a model of the user.
      ['droid', 200_000, 15_000],
      ['droid', 1_000_000, 15_000],
    ];
    for (const [id, model, size] of sizes) assert.equal(totalOf(id, model), size, `${id}, ${model}`);
  });

  it('is the first name that the client knows, else its default model', () => {
    assert.equal(totalOf('claude-code', ['gpt-5.5', 'claude-sonnet-4-5']), 8000);
    assert.equal(totalOf('codex', ['gpt-5.5', 'claude-sonnet-4-5']), 5440);
    assert.equal(totalOf('codex', ['claude-sonnet-4-5']), 10_000);
  });

  it('may have a name with a date, or with another sign between numbers', () => {
    assert.equal(totalOf('droid', ['claude-sonnet-4-5']), totalOf('droid', ['claude-sonnet-4-5-20250929']));
    assert.equal(totalOf('droid', ['claude-sonnet-4-5']), 10_800);
    assert.equal(totalOf('droid', ['claude-fable-5-1']), 15_000);
  });

  it('does not change a list with a fixed limit', () => {
    for (const id of ['qwen-code', 'copilot-cli', 'openclaw', 'zed']) {
      for (const model of [200_000, ['claude-sonnet-4-5'], ['gpt-5.5']]) assert.equal(totalOf(id, model), totalOf(id));
    }
  });

  it('is read from a size, a name or names, without unknown names', () => {
    assert.equal(modelChoice(200_000), 200_000);
    assert.deepEqual(modelChoice('gpt-5.5'), ['gpt-5.5']);
    assert.deepEqual(modelChoice(['my-model', 'gpt-5.5']), ['gpt-5.5']);
    for (const value of [undefined, '', 'my-model', [], 0, -1, 1.5, {}, null])
      assert.equal(modelChoice(value), undefined);
  });

  it('is offered by the setting', () => {
    const { anyOf } = manifest.contributes.configuration.properties['skillComposer.agentSkills.model'];
    assert.deepEqual(anyOf[0]?.enum, ['', ...MODEL_NAMES]);
    assert.deepEqual(anyOf[2]?.items?.enum, MODEL_NAMES);
  });

  it('belongs to a client whose list depends on the context', () => {
    for (const { id, listing } of clients) {
      const { value } = listing.budget;
      const isShare = typeof value === 'object' && value?.percentOfContext !== undefined;
      assert.equal(listing.models !== undefined, isShare, id);
      const names = (listing.models?.value ?? []).map(({ name }) => name);
      assert.equal(new Set(names).size, names.length, id);
    }
  });
});

describe('the text about a list', () => {
  it('names the model, the size of its context, and what the skills of the client leave', () => {
    const textOf = (model?: ModelChoice) => limitText(listOf('claude-code', [], model));
    const own = 'its 13 own skills take 6,076, which leaves';
    assert.deepEqual([undefined, 200_000, ['claude-sonnet-4-5-20250929'], ['gpt-5.5']].map(textOf), [
      `Claude Code lists skills in 30,000 characters for its default model (1,000,000 tokens of context); ${own} 23,924`,
      `Claude Code lists skills in 8,000 characters for a model with 200,000 tokens of context; ${own} 1,924`,
      `Claude Code lists skills in 8,000 characters for claude-sonnet-4-5-20250929 (200,000 tokens of context); ${own} 1,924`,
      `Claude Code lists skills in 30,000 characters for its default model (1,000,000 tokens of context); ${own} 23,924`,
    ]);
  });

  it('names a fixed limit, the setting that turns it on, and texts that count', () => {
    assert.deepEqual(
      ['copilot-cli', 'qwen-code', 'vscode', 'openclaw', 'zed'].map((id) => limitText(listOf(id, []))),
      [
        'GitHub Copilot CLI lists skills in 15,000 characters',
        'Qwen Code lists skills in 8,000 characters; its 14 own skills take 5,856, which leaves 2,144',
        'VS Code lists skills in 15,000 characters, only with the setting github.copilot.chat.skillTool.enabled',
        'OpenClaw lists skills in 18,000 characters, at most 150 of them; the texts around the list take 370, which leaves 17,630',
        'Zed lists skills in 51,200 bytes',
      ],
    );
  });

  it('says what a client does with a list that is too long', () => {
    const needOf = (id: string, all: readonly Subject[], model?: ModelChoice) => needText(listOf(id, all, model));
    assert.equal(needOf('claude-code', skills(1, 20)), 'The skill here needs 35 characters');
    assert.deepEqual(
      [
        needOf('claude-code', skills(60, 300), 200_000),
        needOf('codex', skills(120, 600)),
        needOf('droid', skills(120, 600)),
        needOf('copilot-cli', skills(120, 600)),
        needOf('openclaw', skills(60, 600)),
        needOf('openclaw', skills(160, 600)),
      ],
      [
        'The 60 skills here need 18,900 characters, so the client removes at least 57 descriptions, those of the least used skills',
        'The 120 skills here need 19,440 tokens, so the client cuts 120 descriptions to about 69 tokens',
        'The 120 skills here need 73,560 characters, so the client lists 107 skills by name only',
        'The 120 skills here need 84,360 characters, so the client lists 99 skills by name only',
        'The 60 skills here need 44,160 characters, so the client cuts 60 descriptions to about 155 characters',
        'The 160 skills here need 117,760 characters, so the client lists 150 skills by name only and omits 10 skills',
      ],
    );
  });

  it('names the keys that Qwen Code drops from a list that is too long', () => {
    const described = ['description: Sorts stamps.', 'when_to_use: When stamps are on the table.'];
    const long = [...skills(12, 200), subjectAt('with-when', ...described)];
    const text = listText(listOf('qwen-code', long));
    assert.match(text, /so the client keeps only the first line of 1 description, without `when_to_use`\.$/);
  });
});

describe('a list of OpenClaw that is too long', () => {
  // The function that makes the list in openclaw@2026.9.6 returned these lengths for the same files.
  const SEEN = [
    [30, 700, 220],
    [60, 600, 155],
    [60, 220, 155],
    [90, 600, 58],
    [100, 600, 39],
    [120, 600, 9],
  ] as const;

  it('shortens all descriptions to one length', () => {
    for (const [count, length, kept] of SEEN)
      assert.equal(listOf('openclaw', skills(count, length)).shortenedTo, kept, `${count} skills`);
  });

  it('has no descriptions if less than four characters are left, and at most 150 entries', () => {
    const outcomesIn = ({ entries, outcomeOf }: Listing) => entries.inOrder.map((entry) => outcomeOf(entry));
    assert.deepEqual(outcomesIn(listOf('openclaw', skills(140, 600))), Array(140).fill('name-only'));
    const many = outcomesIn(listOf('openclaw', skills(200, 300)));
    assert.deepEqual([many.indexOf('dropped'), new Set(many).size], [150, 2]);
  });
});

describe('a changed model', () => {
  const claudeCode = named('claude-code');
  const uriOf = (at: number): string => `file:///w/.claude/skills/s${at}/SKILL.md`;
  const open = (): Workspace => {
    const workspace = new Workspace();
    workspace.apply({ kind: 'roots', folders: ['file:///w'] });
    for (let at = 0; at < 40; at++) {
      const text = skillText(`name: s${at}`, `description: ${'d'.repeat(100)}`);
      workspace.apply({ kind: 'text', uri: uriOf(at), text });
    }
    return workspace;
  };
  const totalIn = ({ analysis }: Workspace) => analysis.listings.find(claudeCode, uriOf(0))?.limit.total;

  it('of the setting changes the lists and the skills that are cut, and all files are checked', () => {
    const workspace = open();
    assert.deepEqual([totalIn(workspace), workspace.analysis.listLosses.counts?.cut], [30_000, 0]);
    assert.equal(workspace.apply({ kind: 'model', model: ['claude-sonnet-4-5'] }), 'all');
    assert.equal(totalIn(workspace), 8000);
    assert.equal(workspace.analysis.listLosses.counts?.cut, 24);
    assert.deepEqual(workspace.apply({ kind: 'model', model: ['claude-sonnet-4-5'] }), new Set());
    workspace.apply({ kind: 'model', model: undefined });
    assert.deepEqual([totalIn(workspace), workspace.analysis.listLosses.counts?.cut], [30_000, 0]);
  });

  it('of the setting takes precedence over that of the catalog', () => {
    const workspace = open();
    const uri = 'file:///w/skills.config.yaml';
    workspace.apply({ kind: 'text', uri, text: 'agent_skills: {model: claude-sonnet-4-5}\n' });
    assert.equal(totalIn(workspace), 8000);
    workspace.apply({ kind: 'model', model: 100_000 });
    assert.equal(totalIn(workspace), 4000);
  });

  it('keeps the entries, and an edit of a skill makes only its own entry again', () => {
    const workspace = open();
    const entriesIn = () => workspace.analysis.listings.find(claudeCode, uriOf(0))?.entries.inOrder ?? [];
    const before = entriesIn();
    assert.equal(before.length, 40);
    workspace.apply({ kind: 'text', uri: uriOf(7), text: skillText('name: s7', 'description: Sorts stamps.') });
    const after = entriesIn();
    const changed = after.filter((entry) => !before.includes(entry)).map(({ name }) => name);
    assert.deepEqual(changed, ['s7']);
  });
});
