/** The command lines in the manual have existing commands and options. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { run } from './cli.ts';

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'client/pipelines/README.md',
  'samples/README.md',
  'samples/mistakes/README.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' }).flatMap((name) =>
    name.endsWith('.md') ? [join('docs', name)] : [],
  ),
];

/** Returns the arguments of each command line on a page, whether on a separate line or in a code span. */
const linesOf = (page: string): readonly string[] => {
  const text = readFileSync(page, 'utf8');
  const found = [
    ...text.matchAll(/^(?: {4,}|\$ |)(?:\$ )?skill-composer ([a-z].*)$/gm),
    ...text.matchAll(/`skill-composer ([a-z][^`]*)`/g),
  ];
  // Ignores quoted text, and text after a comment or a pipe.
  return found.map(([, words = '']) => words.replace(/"[^"]*"|'[^']*'| #.*| \|.*/g, ''));
};

test('every command line in the manual uses an existing command and existing options', async () => {
  const lines = pages.flatMap((page) => linesOf(page).map((line) => ({ page, line })));
  assert.ok(lines.length > 60, `${lines.length} lines`);
  const commandOf = (line: string): string => /^tools pull|^[a-z-]+/.exec(line)?.[0] ?? '';
  const commands = [...new Set(lines.map(({ line }) => commandOf(line)))];
  const helps = new Map(
    await Promise.all(
      commands.map(async (command) => {
        const { status, stdout } = await run('.', [...command.split(' '), '--help']);
        return [command, status === 0 ? stdout : undefined] as const;
      }),
    ),
  );
  const wrong = lines.flatMap(({ page, line }) => {
    const help = helps.get(commandOf(line));
    if (help === undefined) return [`${page}: ${line}`];
    const options = line.match(/(?<= )--[a-z-]+/g) ?? [];
    return options
      .filter((option) => !new RegExp(`${option}\\b`).test(help))
      .map((option) => `${page}: ${line}: ${option}`);
  });
  assert.deepEqual(wrong, []);
});

test('the manual lists every option of every command', async () => {
  const manual = pages.map((page) => readFileSync(page, 'utf8')).join('\n');
  const { stdout } = await run('.', ['--help']);
  const commands = [...(stdout.split('Commands:')[1] ?? '').matchAll(/^ {2}([a-z]+)/gm)].map(([, name = '']) => name);
  assert.ok(commands.includes('mcp'), commands.join());
  const missing: string[] = [];
  for (const words of [...commands.map((command) => [command]), ['tools', 'pull']]) {
    const help = await run('.', [...words, '--help']);
    for (const [, option] of help.stdout.matchAll(/^ {2}(?:-h, )?(--[a-z-]+)/gm)) {
      if (!new RegExp(`${option}(?![\\w-])`).test(manual)) missing.push(`${words.join(' ')} ${option}`);
    }
  }
  assert.deepEqual(missing, []);
});
