/** A program in the place of Claude Code, for tests of `observe`. */
import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { temporaryFolder } from '../temporary.mjs';

export const plainSkill = (name: string, description: string, body = `The body of ${name}, which is long.`): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}\n`;

/** Asks the model at the address of Claude Code's variable, as its program does. `entries` are the lines of its list. */
const ASKING = `
const { existsSync, readdirSync, readFileSync } = require('node:fs');
const folder = process.cwd() + '/.claude/skills';
const names = existsSync(folder) ? readdirSync(folder).sort() : [];
const read = (name) => readFileSync(folder + '/' + name + '/SKILL.md', 'utf8');
const entry = (name) => '- ' + name + ': ' + /^description: (.*)$/m.exec(read(name))[1];
const ask = async (messages) => {
  const body = { model: 'm', tools: [{ name: 'Skill' }], messages };
  const reply = await fetch(process.env.ANTHROPIC_BASE_URL + '/v1/messages', { method: 'POST', body: JSON.stringify(body) });
  return (await reply.json()).content[0];
};
const listOf = (entries) => [{ role: 'user', content:
  'The following skills are available for use with the Skill tool:\\n\\n' + entries.join('\\n') }];
const converse = async (messages, deliver) => {
  for (;;) {
    const turn = await ask(messages);
    if (turn.type === 'text') return;
    messages.push({ role: 'assistant', content: [turn] });
    messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: turn.id, content: 'Launching skill' }] });
    messages.push({ role: 'user', content: deliver(turn.input.skill) });
  }
};
const bodyOf = (name) => 'Base directory for this skill: ' + folder + '/' + name + '\\n\\n' +
  read(name).split('---\\n').slice(2).join('---\\n').trimStart();
`;

/** A program that sends what is predicted. */
export const FAITHFUL = 'converse(listOf(names.map(entry)), bodyOf);';

/** A program that sends another entry for the first skill. */
export const DIFFERING = FAITHFUL.replace('entry)', "entry).with(0, '- ' + names[0] + ': Another text.')");

/** Returns a folder with a program `claude` that runs a script with the functions above. */
export const installed = (program: string, version = '2.1.332'): string =>
  installedAs(`#!${process.execPath}\n${ASKING}\n${program}\n`, version);

/** Returns a folder with a program `claude`: a script of the shell, which starts at once. */
export const installedShell = (lines: string): string => installedAs(`#!/bin/sh\n${lines}\n`, '2.1.332');

function installedAs(text: string, version: string): string {
  const folder = temporaryFolder({
    'package/package.json': `{\n  "name": "x",\n  "version": "${version}"\n}\n`,
    'package/claude': text,
  });
  chmodSync(join(folder, 'package', 'claude'), 0o755);
  return join(folder, 'package');
}

/** The value of `PATH` that begins with a folder. */
export const pathWith = (folder: string): string => [folder, process.env.PATH].join(delimiter);

/** Returns the commands of running processes that contain a word (Linux only). */
export const processesWith = (word: string): readonly string[] =>
  readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      return command.includes(word) ? [command] : [];
    } catch {
      return [];
    }
  });
