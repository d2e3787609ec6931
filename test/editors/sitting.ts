/** A person who sits down with an editor: a home that is new, what `docs/editors.md` tells to do, and a skill with a mistake. */
import { strict as assert } from 'node:assert';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';

/** What came of each step of a session. */
export interface Seen {
  readonly problem?: string;
  readonly findings: readonly string[];
  readonly fixed: string;
  readonly hover: string;
  readonly completion: readonly string[];
  readonly definition: string;
  readonly renamed: string;
  readonly formatted: string;
  readonly after: readonly string[];
}

const catalog = 'tools:\n  - {name: read_page, description: Reads one page of the wiki.}\n';

/** The places behind the letters outside of ASCII are wrong where the two sides count differently. `spare` is unused. */
const skill = `---
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

/** The blocks of a language in a section of the page. */
export function documented(section: string, language: string): readonly string[] {
  const page = readFileSync('docs/editors.md', 'utf8');
  const [, text = ''] = new RegExp(`^## ${section}\\n([\\s\\S]*?)(?=^## )`, 'm').exec(page) ?? [];
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, block = '']) => block,
  );
}

/** Why an editor cannot be tried, if so. */
export const missing = (program: string, ...words: readonly string[]): string | false =>
  spawnSync(program, words, { encoding: 'utf8' }).status === 0 ? false : `There is no \`${program}\` that can do this.`;

export interface Sitting {
  /** The file below the new home that the editor reads when it starts, and its text. */
  readonly configuration: readonly [path: string, text: string];
  /** What is run in a shell in the checkout before. */
  readonly commands: readonly string[];
  readonly program: string;
  /** The words that start the editor, which finds the script of the session by `$SESSION`. */
  readonly words: (home: string) => readonly string[];
}

/** Does what the page tells in a new home, then has the editor run the session. */
export function sit({ configuration, commands, program, words }: Sitting): Seen {
  const home = mkdtempSync(join(tmpdir(), 'skill-composer-home-'));
  try {
    const put = (path: string, text: string): string => {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      writeFileSync(join(home, path), text);
      return join(home, path);
    };
    const command = put(
      'bin/skill-composer',
      `#!/bin/sh\nexec '${process.execPath}' '${resolve('dist/cli.cjs')}' "$@"\n`,
    );
    chmodSync(command, 0o755);
    put('work/skills.config.yaml', catalog);
    put('work/broken.skill.md', skill);
    put(...configuration);
    const seen = join(home, 'seen.json');
    const path = `${dirname(command)}${delimiter}${process.env.PATH}`;
    const env = { PATH: path, HOME: home, LANG: 'C.UTF-8', TERM: 'dumb', SEEN: seen };
    for (const block of commands) execFileSync('sh', ['-e', '-c', block], { env });
    const run = spawnSync(program, words(home), { cwd: join(home, 'work'), encoding: 'utf8', timeout: 120_000, env });
    assert.doesNotMatch(`${run.stdout}${run.stderr}`, /\bError\b|E\d+:/, 'the editor has nothing to complain about');
    return JSON.parse(readFileSync(seen, 'utf8')) as Seen;
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}

/** What every editor is to have seen. */
export function assertSeen(seen: Seen): void {
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
}
