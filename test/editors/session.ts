/** A session with an editor: a new home folder, the setup of `docs/editors.md`, and a skill with a mistake. */
import { strict as assert } from 'node:assert';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { temporaryFolder } from '../temporary.mjs';

/** The result of each step of a session. */
export interface SessionResults {
  readonly problem?: string;
  readonly findings: readonly string[];
  readonly fixed: string;
  readonly hover: string;
  readonly completion: readonly string[];
  readonly definition: string;
  readonly renamed: string;
  readonly formatted: string;
  readonly after: readonly string[];
  /** The text that the finding about the missing skill covers, after an emoji and a combining letter. */
  readonly marked: string;
  readonly actions: readonly string[];
  /** The files of the folder, and the texts of `other`, after the missing skill is created and a skill renamed. */
  readonly files: readonly string[];
  readonly created?: string;
  readonly other: string;
  readonly snippets: boolean;
  readonly messages: string;
}

const catalog = 'tools:\n  - {name: read_page, description: Reads one page of the wiki.}\n';

/** Positions after non-ASCII letters differ if client and server use different encodings. `spare` is unused. */
export const skill = `---
description: "Räumt 🐉 Seiten auf: use it for pages."
name: broken
version: 1.0.0
tools: [reed_page]
input_schema: {note: "string, 🐉 first", slug: string, spare: string}
framing: Frame
---

## prompt template: Frame

\`\`\`jinja
🐉 {{ note }} {{ slug }}
\`\`\`
`;

/** Refers to a missing and an existing skill, after an emoji and a combining letter. */
export const other = `---
name: other
description: "Räumt auf: use it for pages."
---

🐉 cafe\u0301: see #skill:gone and #skill:part.
`;

export const part = '---\nname: part\ndescription: "One part: use it for pages."\n---\n\nDo it.\n';

/** Returns the code block of a page in `docs` with this name, which is the word after the language. */
export function documentedBlock(name: string, path = 'editors.md'): string {
  const page = readFileSync(join('docs', path), 'utf8');
  const block = new RegExp(`^\`\`\`\\w+ ${name}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(page)?.[1];
  assert.ok(block, `docs/${path} has a block \`${name}\``);
  return block;
}

/** Shows each finding at the end of its line, which is the default since Helix 25.07. */
export const HELIX_COMMANDS =
  'mkdir -p ~/.config/helix && printf \'[editor]\\nend-of-line-diagnostics = "hint"\\n\' > ~/.config/helix/config.toml';

/** Returns the reason why an editor cannot be tested, or false if the editor can be tested. */
export const missingReason = (program: string, ...words: readonly string[]): string | false =>
  spawnSync(program, words, { encoding: 'utf8' }).status === 0 ? false : `There is no \`${program}\` that can do this.`;

export interface Session {
  /** The path of the editor's start file in the new home folder, and its text. */
  readonly configuration: readonly [path: string, text: string];
  /** The shell commands that run first, in the checkout. */
  readonly commands: string;
  readonly program: string;
  /** The command that starts the editor. `$SESSION` is the path of the script. */
  readonly words: (home: string) => readonly string[];
  /** More files of the folder, by their names. */
  readonly files?: Readonly<Record<string, string>>;
}

/** A new home folder with the command, the documented setup, and skills in `work`. */
export interface Home {
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Sets up a new home folder as the page describes. */
export function setUp({ configuration, commands, files = {} }: Omit<Session, 'program' | 'words'>): Home {
  const home = temporaryFolder();
  const put = (path: string, text: string): string => {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
    return join(home, path);
  };
  const command = put(
    'bin/skill-composer',
    `#!/bin/sh\nexec '${process.execPath}' '${resolve('dist/cli.cjs')}' "$@"\n`,
  );
  // The package is installed globally on the machine of a user. Here, it is the checkout.
  const npm = put('bin/npm', `#!/bin/sh\n[ "$*" = 'root --global' ] && echo '${join(home, 'modules')}'\n`);
  for (const file of [command, npm]) chmodSync(file, 0o755);
  mkdirSync(join(home, 'modules'));
  symlinkSync(resolve(), join(home, 'modules', 'skill-composer'));
  put('work/skills.config.yaml', catalog);
  put('work/broken.skill.md', skill);
  put('work/other.skill.md', other);
  put('work/part.skill.md', part);
  for (const [name, text] of Object.entries(files)) put(`work/${name}`, text);
  put(...configuration);
  const path = `${dirname(command)}${delimiter}${process.env.PATH}`;
  const env = { PATH: path, HOME: home, TMPDIR: home, LANG: 'C.UTF-8', TERM: 'dumb' };
  execFileSync('sh', ['-e', '-c', commands], { env });
  return { home, env };
}

/** Sets up a new home folder, and runs the session in the editor. */
export function runSession<Results = SessionResults>({ program, words, ...session }: Session): Results {
  const { home, env } = setUp(session);
  const seen = join(home, 'seen.json');
  const options = { cwd: join(home, 'work'), encoding: 'utf8', timeout: 120_000, env: { ...env, SEEN: seen } } as const;
  const run = spawnSync(program, words(home), options);
  assert.doesNotMatch(`${run.stdout}${run.stderr}`, /\bError\b|E\d+:/, 'the editor has nothing to complain about');
  return JSON.parse(readFileSync(seen, 'utf8')) as Results;
}

/** The expected results of every editor. */
export function assertSeen(seen: SessionResults): void {
  assert.equal(seen.problem, undefined);
  assert.deepEqual(seen.findings, ['unknown-tool'], 'and no unused parameter: the setting has reached the server');
  assert.equal(seen.fixed.trimEnd(), skill.replace('reed_page', 'read_page').trimEnd());
  assert.match(seen.hover, /Reads one page of the wiki/);
  assert.ok(seen.completion.includes('read_page'), seen.completion.join(', '));
  assert.equal(seen.definition, 'skills.config.yaml');
  assert.equal(seen.renamed, seen.fixed.replace('slug: string', 'page: string').replace('{{ slug }}', '{{ page }}'));
  assert.match(seen.formatted, /^---\nname: broken\ndescription: /);
  assert.match(seen.formatted, /^## PromptTemplate: Frame$/m);
  assert.deepEqual(seen.after, []);
  assert.equal(seen.marked, '#skill:gone');
  assert.equal(seen.snippets, false, 'as the editor declares without a plugin for snippets');
}

const others = ['broken.skill.md', 'other.skill.md', 'skills.config.yaml'];

/** The expected results of an editor that creates and renames files. */
export function assertFilesChanged(seen: SessionResults): void {
  assert.deepEqual(seen.files, [...others, 'gone.skill.md', 'piece.skill.md'].sort());
  assert.match(seen.created ?? '', /^---\nname: gone\n/);
  assert.equal(seen.other.trimEnd(), other.replace('#skill:part', '#skill:piece').trimEnd());
}

/** The expected results of an editor that neither creates nor renames files. */
export function assertFilesKept(seen: SessionResults): void {
  assert.deepEqual(seen.files, [...others, 'part.skill.md'].sort());
  assert.ok(!seen.actions.some((title) => title.startsWith('Create')), seen.actions.join(', '));
  assert.equal(seen.other.trimEnd(), other.replace('#skill:part', '#skill:piece').trimEnd());
  assert.match(
    seen.messages,
    /This editor does not rename files with a skill\. Rename ‘part\.skill\.md’ to ‘piece\.skill\.md’\./,
  );
}
