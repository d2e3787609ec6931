/** The counts of skills that target clients do not list: they follow every change, in the status and in the list. */
import { strict as assert } from 'node:assert';
import { rmSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  type AboutReply,
  AboutRequest,
  SkillsChangedNotification,
  type SkillsChangedParams,
  type SkillsReply,
  SkillsRequest,
  StatusNotification,
  type UnlistedReply,
  UnlistedRequest,
} from '../../server/src/protocol.ts';
import { withServer } from './server.ts';
import { until } from './until.ts';

const skill = (name: string, description = 'description: What it does.\n'): string =>
  `---\nname: ${name}\n${description}---\n\nDo it.\n`;
const CATALOG = 'skills.config.yaml';
const catalog = (clients: string): string => `agent_skills: {clients: [${clients}]}\n`;
const GREET = '.claude/skills/greet/SKILL.md';
const WAVE = '.claude/skills/wave/SKILL.md';

test('the counts and the rows follow edits, catalogs, settings, and added and deleted files', async () => {
  const files = { [GREET]: skill('greet'), [WAVE]: skill('wave'), [CATALOG]: catalog('claude-code, vscode') };
  await withServer(files, async ({ connection, open, uri }) => {
    const rows = new Map<string, readonly string[] | null>();
    const { skills } = await connection.sendRequest<SkillsReply>(SkillsRequest.method, {});
    for (const one of skills) rows.set(one.uri, one.notListedBy);
    connection.onNotification(SkillsChangedNotification.method, ({ changed, gone }: SkillsChangedParams) => {
      for (const one of changed) rows.set(one.uri, one.notListedBy);
      for (const one of gone) rows.delete(one);
    });
    let status = '';
    const ask = async (): Promise<void> => {
      const { lists } = await connection.sendRequest<AboutReply>(AboutRequest.method, {});
      status = lists ? `${lists.skills} ${lists.notListed} ${lists.clients.map(({ name }) => name)}` : 'not known';
    };
    connection.onNotification(StatusNotification.method, ask);
    const shows = (counts: string, of: Readonly<Record<string, readonly string[] | null>>): Promise<void> =>
      until(`${counts} instead of ${status}`, () => {
        const shown = Object.fromEntries([...rows].map(([one, by]) => [one.slice(uri('').length + 1), by]));
        return status === counts && JSON.stringify(shown) === JSON.stringify(of);
      });
    const change = (path: string, version: number, text: string): Promise<void> =>
      connection.sendNotification('textDocument/didChange', {
        textDocument: { uri: uri(path), version },
        contentChanges: [{ text }],
      });
    await ask();
    await shows('2 0 Claude Code,VS Code', { [GREET]: [], [WAVE]: [] });

    await open(GREET);
    await change(GREET, 2, skill('greet', ''));
    await shows('2 1 Claude Code,VS Code', { [GREET]: ['VS Code'], [WAVE]: [] });

    await open(CATALOG, catalog('goose, codex'));
    // Codex does not read the folder, which Goose reads.
    await shows('2 0 Goose', { [GREET]: [], [WAVE]: [] });

    await connection.sendNotification('workspace/didChangeConfiguration', {
      settings: { skillComposer: { agentSkills: { clients: ['vscode'] } } },
    });
    await shows('2 1 VS Code', { [GREET]: ['VS Code'], [WAVE]: [] });

    const reply = await connection.sendRequest<UnlistedReply>(UnlistedRequest.method, {});
    assert.deepEqual(
      reply.skills.map(({ name, kind, reasons, range }) => ({ name, kind, reasons, line: range.start.line })),
      [
        {
          ...{ name: 'greet', kind: 'not-listed', line: 1 },
          reasons: [{ clients: ['VS Code'], text: reply.skills[0]?.reasons[0]?.text }],
        },
      ],
    );
    assert.match(reply.skills[0]?.reasons[0]?.text ?? '', /^The description is missing, so .*\.$/);

    rmSync(fileURLToPath(uri(WAVE)));
    await connection.sendNotification('workspace/didChangeWatchedFiles', { changes: [{ uri: uri(WAVE), type: 3 }] });
    await shows('1 1 VS Code', { [GREET]: ['VS Code'] });

    await open('.claude/skills/new/SKILL.md', skill('new'));
    await shows('2 1 VS Code', { [GREET]: ['VS Code'], '.claude/skills/new/SKILL.md': [] });
  });
});

test('an edit of one skill updates the row of another skill that a list then omits', async () => {
  const pathOf = (at: number): string => `.agents/skills/s-${at}/SKILL.md`;
  const long = (at: number, length = 950): string => skill(`s-${at}`, `description: ${'d'.repeat(length)}\n`);
  const numbers = Array.from({ length: 53 }, (_, at) => at + 10);
  const files = Object.fromEntries(numbers.map((at) => [pathOf(at), long(at)]));
  await withServer({ ...files, [CATALOG]: catalog('zed') }, async ({ connection, open, uri }) => {
    const { skills } = await connection.sendRequest<SkillsReply>(SkillsRequest.method, {});
    assert.ok(skills.every(({ notListedBy }) => notListedBy?.length === 0));
    const omitted = new Set<string>();
    connection.onNotification(SkillsChangedNotification.method, ({ changed }: SkillsChangedParams) => {
      for (const one of changed) if (one.notListedBy?.length) omitted.add(one.uri);
    });
    for (const at of [10, 11, 12, 13, 14, 15, 16, 17]) await open(pathOf(at), long(at, 1023));
    for (const at of [20, 21, 22, 23, 24, 25, 26, 27]) await open(pathOf(at), long(at, 1023));
    await until('the last skill of the list', () => omitted.has(uri(pathOf(62))));
    const reply = await connection.sendRequest<UnlistedReply>(UnlistedRequest.method, {});
    assert.match(
      reply.skills.at(-1)?.reasons[0]?.text ?? '',
      /^Zed lists skills in 51,200 bytes\. The 53 skills here need [\d,]+ bytes, so the client omits 1 skill\. The list omits this skill\.$/,
    );
  });
});

test('a change of the model in the settings changes the list and its text, and an unknown model is reported', async () => {
  const names = Array.from({ length: 40 }, (_, at) => `s-${at}`);
  const long = `description: ${'d'.repeat(100)}\n`;
  const files = Object.fromEntries(names.map((name) => [`.claude/skills/${name}/SKILL.md`, skill(name, long)]));
  await withServer(files, async ({ connection }) => {
    const set = (model: unknown): Promise<void> =>
      connection.sendNotification('workspace/didChangeConfiguration', {
        settings: { skillComposer: { agentSkills: { model } } },
      });
    const textNow = async (): Promise<string> => {
      const { skills } = await connection.sendRequest<UnlistedReply>(UnlistedRequest.method, {});
      return skills[0]?.reasons[0]?.text ?? '';
    };
    const shows = async (expected: RegExp): Promise<void> => {
      let text = await textNow();
      for (let tries = 0; tries < 100 && !expected.test(text); tries++) text = await textNow();
      assert.match(text, expected);
    };
    await set('claude-sonnet-4-5');
    await shows(
      /in 8,000 characters for claude-sonnet-4-5 \(200,000 tokens of context\); .* at least 2\d descriptions/,
    );
    await set(100_000);
    await shows(/in 4,000 characters for a model with 100,000 tokens of context/);
    const told = new Promise<string>((resolve) =>
      connection.onNotification('window/showMessage', ({ message }: { readonly message: string }) => resolve(message)),
    );
    await set('claude-sonet-4-5');
    await shows(/^$/);
    assert.match(
      await told,
      /agentSkills\.model.: Unknown model .claude-sonet-4-5.\. Did you mean .claude-sonnet-4-5./,
    );
  });
});
