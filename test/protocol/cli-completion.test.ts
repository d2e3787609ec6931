/** `completion`: what shells make of the scripts. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { assertStopped, folderWith, run, skill } from './cli.ts';

const folder = folderWith({ 'a.skill.md': skill('a'), 'deep/b.skill.md': skill('b') });

async function scriptOf(shell: string): Promise<string> {
  const { status, stdout, stderr } = await run(folder, ['completion', shell]);
  assert.equal(stderr, '');
  assert.equal(status, 0);
  return stdout;
}

const has = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0;

const outputOf = (shell: string, words: readonly string[], input?: string): string => {
  const { status, stdout, stderr } = spawnSync(shell, words, { cwd: folder, encoding: 'utf8', input });
  assert.equal(status, 0, stderr);
  return stdout;
};

/** What bash proposes at the end of each line; it has cut the lines into words. */
async function proposed(...lines: readonly (readonly string[])[]): Promise<readonly (readonly string[])[]> {
  const script = folderWith({ 'completion.bash': await scriptOf('bash') });
  const quoted = (word: string): string => `'${word}'`;
  const calls = lines.map(
    (words) =>
      `COMP_WORDS=(skill-composer ${words.map(quoted).join(' ')}); COMP_CWORD=${words.length}; _skill_composer; echo "\${COMPREPLY[*]}"`,
  );
  const source = `source ${quoted(join(script, 'completion.bash'))}\n${calls.join('\n')}\n`;
  const answers = outputOf('bash', ['--norc', '-c', source]).split('\n').slice(0, lines.length);
  return answers.map((answer) => answer.split(' ').filter((word) => word !== ''));
}

for (const shell of ['bash', 'zsh', 'fish']) {
  it(`${shell} reads its script`, { skip: has(shell) ? false : `There is no \`${shell}\` on the PATH.` }, async () => {
    const script = folderWith({ script: await scriptOf(shell) });
    outputOf(shell, ['-n', join(script, 'script')]);
  });
}

it('a shell that has no script is refused, and so is a format', async () => {
  assertStopped(await run(folder, ['completion', 'zshh']), /Did you mean `zsh`\?/);
  assertStopped(await run(folder, ['completion', 'bash', '--format', 'json']), /it prints a script/);
});

describe('bash', { skip: has('bash') ? false : 'There is no `bash` on the PATH.' }, () => {
  it('proposes the commands of the help, and those below them', async () => {
    const { stdout } = await run(folder, ['--help']);
    const known = [...(stdout.split('Commands:')[1] ?? '').matchAll(/^ {2}([a-z]+)/gm)].map(([, name]) => name);
    const [commands, below, after] = await proposed([''], ['tools', ''], ['--cwd', 'check', '']);
    assert.deepEqual(commands, known);
    assert.deepEqual(below, ['pull']);
    assert.deepEqual(after, known);
  });

  it('proposes the options of a command, and those of all', async () => {
    const [check, pull] = await proposed(['check', '--f'], ['tools', 'pull', '--']);
    assert.deepEqual(check?.toSorted(), ['--fail-on', '--fix', '--format']);
    assert.ok(pull?.includes('--server') && pull.includes('--cwd') && !pull.includes('--fix'), pull?.join());
  });

  it('proposes files where a path is asked for, and folders where a folder is', async () => {
    const lines = [
      ['check', ''],
      ['check', '--cwd', ''],
      ['check', '--baseline', 'a'],
      ['match', '--top', ''],
    ];
    const [files, folders, file, number] = await proposed(...lines);
    assert.deepEqual(files, ['a.skill.md', 'deep']);
    assert.deepEqual(folders, ['deep']);
    assert.deepEqual(file, ['a.skill.md']);
    assert.deepEqual(number, []);
  });

  it('goes on after the sign of equality', async () => {
    const [rule, severity, format, out, joined] = await proposed(
      ['check', '--rule', 'unknown-to'],
      ['check', '--rule', 'unknown-tool', '=', 'e'],
      ['check', '--format', '=', 'j'],
      ['check', '--out', 'json', '=', 'a'],
      ['check', '--out', '=', 'json', '=', 'a'],
    );
    assert.deepEqual(rule, ['unknown-tool=']);
    assert.deepEqual(severity, ['error']);
    assert.deepEqual(format, ['json', 'junit']);
    assert.deepEqual([out, joined], [['a.skill.md'], ['a.skill.md']]);
  });

  it('proposes the rules where a rule is asked for', async () => {
    const { stdout } = await run(folder, ['explain']);
    const [rules = []] = await proposed(['explain', '']);
    assert.ok(rules.length > 50);
    for (const rule of rules) assert.ok(stdout.includes(rule), rule);
  });

  it('proposes for each command just the formats that it takes', async () => {
    const [names = []] = await proposed(['']);
    const commands = names.map((name) => (name === 'tools' ? ['tools', 'pull'] : [name]));
    const formats = await proposed(...commands.map((words) => [...words, '--format', '']));
    for (const [at, words] of commands.entries()) {
      assert.deepEqual(formats[at], await wordsOf([...words, '--format', 'zzzz']), words.join(' '));
    }
  });

  it('proposes of every other closed set just what is taken', async () => {
    const rows = [
      ['check', '--fail-on'],
      ['check', '--rule', 'unknown-tool', '='],
      ['compose', '--source'],
      ['match', '--source'],
      ['new', '--kind'],
      ['convert', '--to'],
      ['convert', '--to', 'record', '--report'],
      ['test', '--export'],
      ['completion'],
    ];
    const found = await proposed(...rows.map((words) => [...words, '']));
    for (const [at, words] of rows.entries()) {
      const line = [...words, 'zzzz'].join(' ').replace(' = ', '=').split(' ');
      const taken = await wordsOf(line);
      assert.ok(taken.length > 1, line.join(' '));
      assert.deepEqual(found[at], taken, words.join(' '));
    }
  });
});

/** The words that the refusal of a wrong one lists; none where it lists none. */
async function wordsOf(line: readonly string[]): Promise<readonly string[]> {
  const [command = ''] = line;
  const argument = ['compose', 'diff', 'match', 'convert', 'new'].includes(command) ? ['a.skill.md'] : [];
  const { stderr } = await run(folder, [...line, ...argument]);
  return /It is one of (.*)\.$/m.exec(stderr)?.[1]?.split(', ') ?? [];
}

/** Stand for what the completion system of zsh gives to a function; each prints what it would offer. */
const ZSH = `
compdef() { : }
compset() { [[ $PREFIX == *=* ]] || return 1; PREFIX=\${PREFIX#*=} }
compadd() { local -a all=("\${@[$@[(i)--]+1,-1]}"); print -r -- \${(M)all:#$PREFIX*} }
_describe() { local -a all=(\${found%%:*}); print -r -- \${(M)all:#$PREFIX*} }
_files() { print -r -- FILES "$@" }
`;

it('zsh proposes commands, options, their values and paths', {
  skip: has('zsh') ? false : 'There is no `zsh` on the PATH.',
}, async () => {
  const folder = folderWith({ script: await scriptOf('zsh') });
  const lines = [
    'chec',
    'check --fai',
    'check --format ju',
    'check --format=ju',
    'tools pull --serv',
    'check ',
    'check --cwd ',
  ];
  const calls = [...lines, 'check --rule unknown-to', 'check --rule unknown-tool=e'].map((line) => {
    const words = line.split(' ').map((word) => `'${word}'`);
    return `words=(skill-composer ${words.join(' ')}); CURRENT=$#words; PREFIX=$words[-1]; _skill_composer`;
  });
  const found = outputOf('zsh', ['-f', '-c', `${ZSH}source ${join(folder, 'script')}\n${calls.join('\n')}\n`]);
  const expected = ['check', '--fail-on', 'junit', 'junit', '--server', 'FILES', 'FILES -/', 'unknown-tool', 'error'];
  assert.deepEqual(found.trimEnd().split('\n'), expected);
});

it('fish proposes commands, options and formats', {
  skip: has('fish') ? false : 'There is no `fish` on the PATH.',
}, async () => {
  const script = folderWith({ script: await scriptOf('fish') });
  const lines = ['chec', 'check --fai', 'check --format ju', 'tools pull --serv', 'check --rule unknown-tool=e'];
  const asked = lines.map((line) => `complete -C 'skill-composer ${line}'`).join('\n');
  const found = outputOf('fish', ['--no-config', '-c', `source ${join(script, 'script')}\n${asked}`]);
  const words = found
    .trim()
    .split('\n')
    .map((line) => line.split('\t')[0]);
  assert.deepEqual(words, ['check', '--fail-on', 'junit', '--server', 'unknown-tool=error']);
});
