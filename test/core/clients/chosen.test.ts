/** The chain of five steps: found, loaded, listed, chosen, delivered (docs/clients.md, "Will it be chosen?"). */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import type { Client } from '../../../server/src/clients/facts/client.ts';
import { clients, findClient } from '../../../server/src/clients/facts/clients.ts';
import { BUDGETED } from '../../../server/src/clients/matrix/budget.ts';
import { type ChosenQuery, chosenView } from '../../../server/src/features/clients/chosen.ts';
import type { ChainOutcome, ChosenView } from '../../../server/src/protocol/chosen.ts';
import { fileFor, fixtureOf } from './fixtures.ts';
import { CONDITIONS, type Outcome, outcomeOf } from './outcomes.ts';

/** Returns the chain of the first file. Paths are relative to the workspace. */
function chainOf(
  files: Readonly<Record<string, string>>,
  client: string,
  {
    cases = {},
    ...asked
  }: Partial<Omit<ChosenQuery, 'cases'>> & { readonly cases?: Readonly<Record<string, boolean>> } = {},
): ChosenView {
  const workspace = new Workspace();
  const uris = Object.keys(files).map((path) => (path.startsWith('file:') ? path : `file:///w/${path}`));
  for (const [at, text] of Object.values(files).entries()) workspace.apply({ kind: 'text', uri: uris[at] ?? '', text });
  const { analysis } = workspace;
  const uri = uris[0] ?? '';
  const file = analysis.file(uri);
  const view =
    file &&
    chosenView(analysis, file, {
      ...{ client, request: undefined, arguments: undefined, ...asked },
      cases: Object.entries(cases).map(([request, should]) => ({ request, should, uri, span: { start: 0, end: 1 } })),
    });
  assert.ok(view);
  return view;
}

const stepOf = ({ steps }: ChosenView, wanted: string) => {
  const step = steps.find(({ name }) => name === wanted);
  assert.ok(step);
  return step;
};

const outcomesOf = ({ steps }: ChosenView): readonly ChainOutcome[] => steps.map(({ outcome }) => outcome);

const skill = (name: string, description: string, body = 'Do it.', ...keys: readonly string[]): string =>
  `---\nname: ${name}\ndescription: ${description}\n${keys.map((key) => `${key}\n`).join('')}---\n\n${body}\n`;

const dirOf = ({ dirs }: Client): string =>
  dirs.value
    .find(({ at, conditional }) => at !== 'home' && at !== 'elsewhere' && !conditional)
    ?.path.replace('*', 'a') ?? 'skills';

const SKIPPED: readonly Outcome[] = ['skipped_with_message', 'skipped_silently', 'rejected'];

describe('the texts of the steps', () => {
  it('names no position in a list that may not contain the skill', () => {
    const files = {
      '.cursor/skills/win/SKILL.md': skill('win', 'Reviews a change: bugs first.'),
      '.cursor/skills/other/SKILL.md': skill('other', 'Does it.'),
    };
    const { outcome, text } = stepOf(chainOf(files, 'cursor'), 'listed');
    assert.equal(outcome, 'unknown');
    assert.match(text, /It is not known whether the list contains the skill\./);
    assert.doesNotMatch(text, /In the list, it is|the only skill/);
  });

  it('says that a client repairs a value, without what it would show if it did not', () => {
    const files = { '.claude/skills/win/SKILL.md': skill('win', 'Does it.', 'Do it.', 'metadata:\n\tauthor: me') };
    const { outcome, text } = stepOf(chainOf(files, 'claude-code'), 'loaded');
    assert.equal(outcome, 'yes');
    assert.match(text, /which the client fixes automatically/);
    assert.doesNotMatch(text, /first line of the body/);
  });

  it('counts one token as one', () => {
    const text = (body: string) =>
      stepOf(chainOf({ '.claude/skills/win/SKILL.md': skill('win', 'Does it.', body) }, 'claude-code'), 'delivered')
        .text;
    assert.match(text('x'), /The body has ≈ 1 token\./);
    assert.match(text('Do all of it.'), /The body has ≈ \d+ tokens\./);
  });
});

describe('every outcome of every client decides a step', () => {
  for (const client of clients) {
    it(client.id, () => {
      for (const condition of CONDITIONS) {
        if (condition === 'duplicate_name') continue;
        const fact = outcomeOf(client, condition);
        const { uri, text } = fileFor(client, fixtureOf(client, condition));
        const view = chainOf({ [uri]: text }, client.id);
        const [loaded, listed, chosen] = ['loaded', 'listed', 'chosen'].map((name) => stepOf(view, name));
        const told = `${condition}: ${JSON.stringify(view.steps)}`;
        if (SKIPPED.includes(fact.value)) {
          assert.deepEqual(
            [loaded?.outcome, listed?.outcome, chosen?.outcome],
            ['no', 'not-reached', 'not-reached'],
            told,
          );
          assert.ok(
            loaded?.reasons.every(({ source, checked }) => source !== '' && checked !== ''),
            told,
          );
        } else if (fact.value === 'hidden_from_model') {
          assert.deepEqual([listed?.outcome, chosen?.outcome], ['no', 'no'], told);
        } else if (fact.value === 'truncated') {
          assert.ok(listed?.isPartial || listed?.outcome !== 'yes', told);
        } else assert.notEqual(loaded?.outcome, 'no', told);
      }
    });
  }
});

const long = 'Tidies the notes of a novelist and finds people, places and things. '.repeat(40).trim();

/** The files of each situation; the first file is the skill. */
const SITUATIONS: Readonly<Record<string, (client: Client) => Readonly<Record<string, string>>>> = {
  'in its folder': (client) => ({ [`${dirOf(client)}/tidy/SKILL.md`]: skill('tidy', 'Tidies notes.') }),
  'not installed': () => ({ 'tidy/SKILL.md': skill('tidy', 'Tidies notes.') }),
  'in the folder of another client': (client) => ({
    [`${dirOf(clients.find((one) => one.ownFolders[0] && one !== client && one.id !== 'claude-code' && one.id !== 'codex') ?? client)}/tidy/SKILL.md`]:
      skill('tidy', 'Tidies notes.'),
  }),
  'below its folder': (client) => ({
    [`${dirOf(client)}/a/b/c/d/e/f/g/tidy/SKILL.md`]: skill('tidy', 'Tidies notes.'),
  }),
  'not for models': (client) => ({
    [`${dirOf(client)}/tidy/SKILL.md`]: skill('tidy', 'Tidies notes.', 'Do it.', 'disable-model-invocation: true'),
  }),
  'not for people': (client) => ({
    [`${dirOf(client)}/tidy/SKILL.md`]: skill('tidy', 'Tidies notes.', 'Do it.', 'user-invocable: false'),
  }),
  'only for some files': (client) => ({
    [`${dirOf(client)}/tidy/SKILL.md`]: skill('tidy', 'Tidies notes.', 'Do it.', 'paths: ["*.md"]'),
  }),
  'with a long description': (client) => ({ [`${dirOf(client)}/tidy/SKILL.md`]: skill('tidy', long) }),
  'in a list that is too long': (client) =>
    Object.fromEntries(
      Array.from({ length: BUDGETED.includes(client) ? 60 : 2 }, (_, at) => {
        const name = at === 0 ? 'tidy' : `a${at}`;
        return [`${dirOf(client)}/${name}/SKILL.md`, skill(name, long.slice(0, 900))];
      }),
    ),
  'with arguments, a variable and a command': (client) => ({
    [`${dirOf(client)}/tidy/SKILL.md`]: skill(
      'tidy',
      'Tidies notes.',
      'Tidy $ARGUMENTS with ${CLAUDE_SKILL_DIR}/tidy.sh.\n\nThe last change: !`git log -1`.',
    ),
  }),
};

const MARKS: Readonly<Record<ChainOutcome, string>> = {
  yes: '✓',
  no: '✗',
  depends: '~',
  unknown: '?',
  'not-reached': '-',
};

describe('each situation in each client', () => {
  it('has the reviewed outcomes', () => {
    const path = 'test/core/clients/chains.txt';
    const width = Math.max(...Object.keys(SITUATIONS).map((name) => name.length));
    const actual = clients.map((client) => {
      const lines = Object.entries(SITUATIONS).map(([name, filesFor]) => {
        const { steps } = chainOf(filesFor(client), client.id);
        const shown = steps.map(
          (step) => `${step.name} ${MARKS[step.outcome]}${step.isPartial ? '½' : ''}${step.isUnverified ? '(?)' : ''}`,
        );
        return `  ${name.padEnd(width)}  ${shown.join('  ')}`;
      });
      return [client.id, ...lines].join('\n');
    });
    const text = `${actual.join('\n\n')}\n`;
    if (process.env.UPDATE_EXPECT === '1') writeFileSync(path, text);
    assert.equal(text, readFileSync(path, 'utf8'));
  });
});

const AT = '.claude/skills';
const PLACES = 'Finds people, places, weapons, ships, horses, days, kings, towers, gates, rivers and walls in drafts.';
const rivals = (own: string, ...others: readonly (readonly [string, string])[]): Readonly<Record<string, string>> => ({
  [`${AT}/tidy/SKILL.md`]: skill('tidy', own),
  ...Object.fromEntries(others.map(([name, text]) => [`${AT}/${name}/SKILL.md`, skill(name, text)])),
});

describe('the ranking for a request', () => {
  const rankingOf = (files: Readonly<Record<string, string>>, request: string, client = 'claude-code') => {
    const { ranking } = chainOf(files, client, { request });
    assert.ok(ranking);
    return ranking;
  };
  const decisive = (files: Readonly<Record<string, string>>, request: string, client?: string) => {
    const { outcome, rival, decisive: words } = rankingOf(files, request, client);
    return [outcome, rival?.name, ...words.map(({ word, why }) => `${word}: ${why}`)];
  };

  it('names the words that only the rival has', () => {
    const files = rivals('Tidies notes.', ['merge', 'Merges notes about people.']);
    assert.deepEqual(decisive(files, 'merge the notes'), ['rival', 'merge', 'merge: missing']);
    const { text, place } = rankingOf(files, 'merge the notes');
    assert.equal(text, '`merge` ranks first. Only its text contains “merge”. This skill ranks at position 2.');
    assert.equal(place, 2);
  });

  it('names the folder of a rival with the same name', () => {
    const files = {
      '.claude/skills/notes/SKILL.md': skill('notes', 'Tidies notes.'),
      '.agents/skills/notes/SKILL.md': skill('notes', 'Merges notes about people.'),
    };
    const { text } = rankingOf(files, 'merge the notes of people', 'cursor');
    assert.match(text, /^`notes` in `\.agents\/skills\/notes` ranks first\./);
  });

  it('names the words that are in the part that the client cuts', () => {
    const files = rivals(`${'Tidies notes of people. '.repeat(70)}Also merges them.`, ['merge-it', 'Merges.']);
    assert.deepEqual(decisive(files, 'merging'), ['rival', 'merge-it', 'merge: cut']);
    assert.match(rankingOf(files, 'merging').text, /only in the part that Claude Code cuts/);
  });

  it('names the words that are in the name of the rival', () => {
    const files = rivals('Tidies scenes.', ['scenes', 'Tidies scenes.']);
    assert.deepEqual(decisive(files, 'scenes'), ['rival', 'scenes', 'scenes: name']);
  });

  it('says that the text of the rival is shorter', () => {
    const files = {
      ...rivals(`${PLACES} Tidies scenes.`, ['sort', 'Sorts scenes.']),
      'skills.config.yaml': 'matching: {margin: 0.01}\n',
    };
    assert.equal(decisive(files, 'scenes')[0], 'rival');
    assert.equal(decisive(files, 'scenes')[2], 'scenes: weight');
  });

  it('does not decide between equal texts', () => {
    const files = rivals('Sorts scenes.', ['sorter', 'Sorts scenes.']);
    const { outcome, text } = rankingOf(files, 'scenes');
    assert.equal(outcome, 'tie');
    assert.match(text, /`sorter`/);
    assert.equal(stepOf(chainOf(files, 'claude-code', { request: 'scenes' }), 'chosen').outcome, 'depends');
  });

  it('says that no skill has a word of the request', () => {
    assert.deepEqual(decisive(rivals('Tidies notes.'), 'zebra'), ['none', undefined]);
  });

  it('does not call a skill the first if it has hardly a word of the request', () => {
    const request = 'sort the old oak table, the zebra, seven blue kites, rain, bread, a clock, chalk and honey';
    const files = rivals('Tidies notes.', ['scenes', `${PLACES} Sorts scenes.`]);
    assert.equal(
      rankingOf(files, request).text,
      'No skill in the list matches this request well. The nearest is `scenes`, with 1 %.',
    );
    assert.equal(stepOf(chainOf(files, 'claude-code', { request }), 'chosen').outcome, 'depends');
  });

  it('uses only the text that the client lists', () => {
    const files = { [`.agents/skills/tidy/SKILL.md`]: skill('tidy', 'Merges notes.') };
    assert.equal(rankingOf(files, 'merge', 'codex').outcome, 'chosen');
    // Cline lists only names.
    assert.equal(rankingOf(files, 'merge', 'cline').outcome, 'none');
  });

  it('includes only the skills in the list of the client', () => {
    const files = {
      '.agents/skills/tidy/SKILL.md': skill('tidy', 'Tidies notes.'),
      '.claude/skills/merge-notes/SKILL.md': skill('merge-notes', 'Merges notes.'),
    };
    assert.equal(rankingOf(files, 'merge notes', 'codex').outcome, 'chosen');
  });

  it('decides the routing cases', () => {
    const files = rivals('Tidies notes.', ['merge', 'Merges notes about people.']);
    const view = chainOf(files, 'claude-code', {
      cases: { 'tidy it': true, 'merge people': true, 'merge notes': false },
    });
    assert.deepEqual(
      view.cases.map(({ request, holds }) => [request, holds]),
      [
        ['tidy it', true],
        ['merge people', false],
        ['merge notes', true],
      ],
    );
    assert.deepEqual(
      [stepOf(view, 'chosen').outcome, stepOf(view, 'chosen').text],
      ['depends', '2 of 3 routing cases hold.'],
    );
  });
});

it('ranks only the first hundred cases', () => {
  const cases = Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`tidy ${at}`, true]));
  const view = chainOf(rivals('Tidies notes.'), 'claude-code', { cases });
  assert.deepEqual([view.cases.length, view.moreCases], [100, 50]);
});

describe('the calls of a skill', () => {
  const deliveredIn = (client: string, folder: string, body: string, ...keys: readonly string[]) => {
    const view = chainOf({ [`${folder}/tidy/SKILL.md`]: skill('tidy', 'Tidies notes.', body, ...keys) }, client);
    return { ...view, text: stepOf(view, 'delivered').text };
  };

  it('show the text around the body, once if both kinds of call have the same', () => {
    const { frames } = deliveredIn('claude-code', '.claude/skills', 'Do it.');
    assert.deepEqual(
      frames.map(({ calls, gives, after, isExact }) => ({ calls, gives, after, isExact })),
      [{ calls: ['model', 'person'], gives: 'body', after: '', isExact: true }],
    );
    assert.match(frames[0]?.before ?? '', /^Base directory for this skill: \/.*\/\.claude\/skills\/tidy\n\n$/);
  });

  it('have no frame where the model reads the file itself', () => {
    const { frames, text } = deliveredIn('pi', '.pi/skills', 'Do it.');
    assert.deepEqual(
      frames.map(({ calls }) => calls),
      [['person']],
    );
    assert.match(text, /The model reads the file itself, with its frontmatter\./);
    assert.match(text, /A call by name \(`\/skill:tidy`\) sends the body\./);
  });

  it('say what is left of a text that is too long, and show the text that arrives', () => {
    const long = `${'Merge the notes of each day.\n'.repeat(1_200)}`;
    const view = deliveredIn('qwen-code', '.qwen/skills', long);
    assert.match(
      view.text,
      /The text of the model's call is too long: of 3\d,\d{3} characters, the model gets only the first 1,9\d\d/,
    );
    assert.equal(stepOf(view, 'delivered').outcome, 'no');
    const [byModel] = view.frames;
    assert.deepEqual([byModel?.calls, byModel?.gives], [['model'], 'nothing']);
    assert.match(
      byModel?.before ?? '',
      /^<persisted-output>\n[\s\S]*Merge the notes of each day\.\n\.\.\.\n<\/persisted-output>$/,
    );
    const ends = deliveredIn('qwen-code', '.qwen/skills', 'Merge.\n'.repeat(1_100));
    assert.match(
      ends.text,
      /the model gets the first 1,\d{3} and the last 5,\d{3}, and must read a file for the rest\./,
    );
    assert.doesNotMatch(deliveredIn('claude-code', '.claude/skills', long).text, /too long/);
    assert.doesNotMatch(deliveredIn('qwen-code', '.qwen/skills', 'Merge.').text, /too long/);
  });

  it('name the key because of which Claude Code asks for permission', () => {
    const { text } = deliveredIn('claude-code', '.claude/skills', 'Do it.', 'allowed-tools: Read', 'hooks: {}');
    assert.match(
      text,
      /The model's call needs a permission, because the skill has `allowed-tools` and `hooks`; `claude -p` refuses it without a rule for `Skill\(tidy\)`\./,
    );
    assert.doesNotMatch(deliveredIn('claude-code', '.claude/skills', 'Do it.').text, /permission/);
  });

  it('are only those that the skill allows', () => {
    const byModel = deliveredIn('claude-code', '.claude/skills', 'Do it.', 'user-invocable: false');
    assert.deepEqual(byModel.frames[0]?.calls, ['model']);
    assert.doesNotMatch(byModel.text, /by name/);
    const keys = ['disable-model-invocation: true', 'allowed-tools: Read'];
    const byName = deliveredIn('claude-code', '.claude/skills', 'Do it.', ...keys);
    assert.deepEqual(byName.frames[0]?.calls, ['person']);
    assert.doesNotMatch(byName.text, /model's call|permission/);
  });

  it('name the option that Gemini CLI and Qwen Code need without a person', () => {
    assert.match(
      deliveredIn('gemini-cli', '.gemini/skills', 'Do it.').text,
      /The model's call needs a permission; `gemini -p` does not offer the tool without `-y`\./,
    );
    assert.match(deliveredIn('qwen-code', '.qwen/skills', 'Do it.').text, /`qwen -p` refuses it without `-y`\./);
  });

  it('say where a call by name is plain text', () => {
    const { text } = deliveredIn('copilot-cli', '.github/skills', 'Do it.');
    assert.match(text, /Without a person at the terminal, `\/tidy` goes to the model as plain text\./);
  });

  it('say that placeholders are filled in only in a call by name', () => {
    for (const [client, folder] of [
      ['opencode', '.opencode/skills'],
      ['copilot-cli', '.github/skills'],
    ] as const) {
      const { parts, text } = deliveredIn(client, folder, 'Tidy $ARGUMENTS.');
      assert.deepEqual(
        parts.map(({ outcome, isByNameOnly }) => [outcome, isByNameOnly]),
        [['filled', true]],
        client,
      );
      assert.match(
        text,
        /fills in `\$ARGUMENTS` only in a call by name; in its own call, the model reads it as written\./,
      );
    }
    assert.equal(deliveredIn('claude-code', '.claude/skills', 'Tidy $ARGUMENTS.').parts[0]?.isByNameOnly, undefined);
  });

  it('are not described for a client that was not observed', () => {
    const { frames, text } = deliveredIn('zed', '.agents/skills', 'Do it.');
    assert.deepEqual(frames, []);
    assert.doesNotMatch(text, /call/);
  });
});

describe('the delivered body', () => {
  const body = 'Tidy $ARGUMENTS.\n\n!`git log -1`\n\nAn example:\n\n```\n!`rm -rf x`\n```';
  const files = { [`${AT}/tidy/SKILL.md`]: skill('tidy', 'Tidies notes.', body) };

  it('contains the arguments, and marks the commands that run, also in code', () => {
    const { body: delivered, parts } = chainOf(files, 'claude-code', { arguments: 'the old tower' });
    assert.ok(delivered);
    assert.match(delivered.text, /^Tidy the old tower\./);
    assert.deepEqual(
      delivered.commands.map(({ start, end }) => delivered.text.slice(start, end)),
      ['!`git log -1`', '!`rm -rf x`'],
    );
    assert.deepEqual(
      parts.map(({ kind, outcome, isInCode }) => [kind, outcome, isInCode]),
      [
        ['argument', 'filled', false],
        ['command', 'filled', false],
        ['command', 'filled', true],
      ],
    );
  });

  it('contains text that the client takes for a placeholder, but not text with a backslash', () => {
    const prices = { [`${AT}/tidy/SKILL.md`]: skill('tidy', 'Tidies notes.', 'It costs $10.00, or \\$5 a day.') };
    const { parts, steps } = chainOf(prices, 'claude-code', { arguments: 'the old tower' });
    assert.deepEqual(
      parts.map(({ kind, written, outcome }) => [kind, written, outcome]),
      [['text', '$10', 'filled']],
    );
    assert.match(steps.at(-1)?.text ?? '', /^If the skill is called with arguments, the client replaces `\$10`\. /);
    const codex = { '.agents/skills/tidy/SKILL.md': skill('tidy', 'Tidies notes.', 'It costs $10.00.') };
    assert.deepEqual(chainOf(codex, 'codex').parts, []);
  });

  it('explains the placeholders for which a call has too few arguments', () => {
    const text = 'Move $0 to $1, or to $2. It costs $10.';
    const moves = { [`${AT}/tidy/SKILL.md`]: skill('tidy', 'Tidies notes.', text) };
    const { steps, body: delivered } = chainOf(moves, 'claude-code', { arguments: 'a b' });
    assert.match(delivered?.text ?? '', /^Move a to b, or to \$2\. It costs \$10\./);
    const sentence = 'With these arguments, `$2` and `$10` stay as written, because there are too few.';
    assert.ok(steps.at(-1)?.text.includes(sentence), steps.at(-1)?.text);
    assert.doesNotMatch(chainOf(moves, 'claude-code').steps.at(-1)?.text ?? '', /too few/);
  });

  it('keeps the placeholders in a client that fills in none', () => {
    const codex = { '.agents/skills/tidy/SKILL.md': skill('tidy', 'Tidies notes.', body) };
    const { parts, steps, body: delivered } = chainOf(codex, 'codex', { arguments: 'the old tower' });
    assert.deepEqual(new Set(parts.map(({ outcome }) => outcome)), new Set(['kept']));
    assert.equal(steps.at(-1)?.outcome, 'no');
    assert.match(delivered?.text ?? '', /\$ARGUMENTS/);
  });

  it('is reached by name if the model does not see the skill', () => {
    const hidden = { [`${AT}/tidy/SKILL.md`]: skill('tidy', 'Tidies.', 'Do it.', 'disable-model-invocation: true') };
    assert.deepEqual(outcomesOf(chainOf(hidden, 'claude-code')), ['yes', 'yes', 'no', 'no', 'yes']);
  });
});

it('a list that the model must ask for depends on its call', () => {
  const files = { 'skills/tidy/SKILL.md': skill('tidy', 'Tidies notes.') };
  const { steps } = chainOf(files, 'google-adk:skills');
  const step = steps.find(({ name }) => name === 'listed');
  assert.equal(step?.outcome, 'depends');
  assert.match(
    step?.text ?? '',
    /^The model sees the list only after it calls `list_skills`\. It is the only skill in the list\./,
  );
  assert.equal(outcomesOf(chainOf(files, 'strands:skills'))[2], 'yes');
});

it('the first target client is shown by default, else the first client that finds the skill', () => {
  const text = skill('tidy', 'Tidies notes.');
  const byDefault = (files: Readonly<Record<string, string>>) =>
    chainOf(files, undefined as unknown as string, { client: undefined }).client.id;
  assert.equal(byDefault({ '.gemini/skills/tidy/SKILL.md': text }), 'gemini-cli');
  assert.equal(byDefault({ 'tidy/SKILL.md': text }), clients[0]?.id);
  assert.equal(
    byDefault({ 'tidy/SKILL.md': text, 'skills.config.yaml': 'agent_skills: {clients: [zed]}\n' }),
    findClient('zed')?.id,
  );
});

it('other files have no chain', () => {
  const workspace = new Workspace();
  const uri = 'file:///w/tidy.skill.md';
  workspace.apply({ kind: 'text', uri, text: skill('tidy', 'Tidies notes.') });
  const file = workspace.analysis.file(uri);
  assert.ok(file);
  const query = { client: undefined, request: undefined, arguments: undefined, cases: [] };
  assert.equal(chosenView(workspace.analysis, file, query), undefined);
});

it('the chain without a client is that of the owner of the plugin, also if it refuses the plugin', () => {
  for (const [path, manifest, owner] of [
    ['.claude-plugin/plugin.json', '{"name": "p",}', 'claude-code'],
    ['.claude-plugin/plugin.json', '{"name": "a/b"}', 'claude-code'],
    ['gemini-extension.json', '{"name": "p"}', 'gemini-cli'],
  ] as const) {
    const files = { 'skills/a/SKILL.md': '---\nname: a\ndescription: Does it.\n---\nBody.\n', [path]: manifest };
    const workspace = new Workspace();
    for (const [at, text] of Object.entries(files)) workspace.apply({ kind: 'text', uri: `file:///w/${at}`, text });
    const file = workspace.analysis.file('file:///w/skills/a/SKILL.md');
    assert.ok(file);
    const view = chosenView(workspace.analysis, file, {
      client: undefined,
      request: undefined,
      arguments: undefined,
      cases: [],
    });
    assert.deepEqual([view?.client.id, stepOf(view ?? assert.fail(), 'found').outcome], [owner, 'no']);
  }
});
