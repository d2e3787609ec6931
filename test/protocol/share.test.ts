/** The finding about a folder of skills in an editor, and the fix that makes its skills available to another client. */
import assert from 'node:assert/strict';
import { lstatSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { CodeAction, Diagnostic } from 'vscode-languageserver-protocol/node';
import type { EmitReply } from '../../server/src/protocol.ts';
import { withServer } from './server.ts';

const skill = (name: string): string =>
  `---\nname: ${name}\ndescription: Does ${name}. Use it to do ${name}.\n---\n\nDo it.\n`;
const pathOf = (name: string): string => `.claude/skills/${name}/SKILL.md`;
const FILES = {
  ...Object.fromEntries(['a', 'b', 'c'].map((name) => [pathOf(name), skill(name)])),
  'skills.config.yaml': 'agent_skills: {clients: [claude-code, codex]}\n',
};
const isAboutFolder = ({ code }: Diagnostic): boolean => code === 'agent-skill-not-loaded';

test('a folder has one finding, open files have their own, and a fix shares all skills', {
  skip: process.platform === 'win32',
}, async () => {
  await withServer(
    FILES,
    async (server) => {
      const { connection, uri, published } = server;
      await server.open(pathOf('b'), skill('b'));
      const [own] = await published(pathOf('b'), (all) => all.some(isAboutFolder));
      assert.match(String(own?.message ?? ''), /^OpenAI Codex does not load this skill\./);
      await server.open(pathOf('a'), skill('a'));
      const [first] = await published(pathOf('a'), (all) => all.some(isAboutFolder));
      assert.match(String(first?.message ?? ''), /^OpenAI Codex does not load the 3 skills in `\.claude\/skills`\./);
      const actions = await connection.sendRequest<CodeAction[]>('textDocument/codeAction', {
        textDocument: { uri: uri(pathOf('a')) },
        range: first?.range,
        context: { diagnostics: [] },
      });
      const [share] = actions;
      assert.equal(share?.title, 'Make the 3 skills in ‘.claude/skills’ available to OpenAI Codex');
      assert.equal(share?.command?.command, 'test.share');
      const [{ skills, clients }] = (share?.command?.arguments ?? []) as [{ skills: string[]; clients: string[] }];
      const [one, ...more] = skills;
      const reply = await connection.sendRequest<EmitReply>('skill/emit', {
        ...{ folder: uri('').replace(/\/$/, ''), uri: one, more, clients, again: false, overwrite: [] },
      });
      assert.ok('targets' in reply, JSON.stringify(reply));
      assert.equal(reply.targets.length, 3);
      assert.ok(lstatSync(fileURLToPath(uri('.agents/skills/c'))).isSymbolicLink());
      await published(pathOf('a'), (all) => !all.some(isAboutFolder));
      await published(pathOf('b'), (all) => !all.some(isAboutFolder));
    },
    { initializationOptions: { trusted: true, shareCommand: 'test.share', diagnostics: 'push' } },
  );
});
