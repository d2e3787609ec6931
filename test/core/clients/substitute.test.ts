/** A client substitutes arguments by its own rules. Unknown placeholders stay as they are. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fillArguments } from '../../../server/src/abilities/placeholders.ts';
import { commandsIn } from '../../../server/src/abilities/self-running.ts';
import { clients, findClient } from '../../../server/src/clients/facts/clients.ts';
import { distinctPlaceholders } from '../../../server/src/features/clients/invocation.ts';

const rulesOf = (id: string) => findClient(id)?.arguments?.value ?? assert.fail(`${id} fills in nothing`);

function fill(id: string, body: string, text: string, names: readonly string[] = []): string {
  const { replacements, appended } = fillArguments(body, rulesOf(id), { text, names });
  let out = '';
  let at = 0;
  for (const { start, end, text: value } of replacements) {
    out += body.slice(at, start) + value;
    at = end;
  }
  return out + body.slice(at) + appended;
}

describe('arguments of a call', () => {
  it('are replaced by five clients', () => {
    const known = clients.filter((client) => client.arguments?.value).map(({ id }) => id);
    assert.deepEqual(known, ['claude-code', 'copilot-cli', 'opencode', 'kilo-code', 'goose']);
  });

  for (const id of ['claude-code', 'opencode', 'kilo-code', 'goose']) {
    it(`$ARGUMENTS is replaced with all of them, including quotes (${id})`, () => {
      assert.equal(fill(id, 'Do $ARGUMENTS now.', 'a "b c"'), 'Do a "b c" now.');
    });
  }

  it('$1 is the second argument in Claude Code, and the first in Goose, OpenCode and Kilo Code', () => {
    assert.equal(fill('claude-code', '$0 $1', 'one two'), 'one two');
    assert.equal(fill('goose', '$1 $2', 'one two'), 'one two');
    assert.equal(fill('opencode', '$1 $2', 'one two'), 'one two');
    assert.equal(fill('kilo-code', '$1 $2', 'one two'), 'one two');
  });

  it('$0 is not a placeholder if counting begins at 1', () => {
    assert.equal(fill('goose', '$0 $1', 'one'), '$0 one');
    assert.equal(fill('kilo-code', '$0 $1', 'one'), '$0 one');
  });

  it('OpenCode removes amounts, and replaces $0 with `undefined`, also without arguments', () => {
    const body = 'A stamp for $5 costs more than one for $0.50, and less than one for US$20!';
    const delivered = 'A stamp for  costs more than one for undefined.50, and less than one for US!';
    assert.equal(fill('opencode', body, ''), delivered);
    assert.equal(fill('opencode', body, 'red blue'), delivered);
    assert.equal(fill('opencode', '[$0] [$1]', 'red'), '[undefined] [red]');
    assert.equal(fill('opencode', '[$0]', ''), '[]');
    assert.equal(fill('opencode', '[$0]', 'red "dark blue"'), '[dark blue]');
  });

  it('quotes in a word divide it in OpenCode', () => {
    assert.equal(fill('opencode', '[$1] [$2]', "don't sort it's"), '[don] [t sort it s]');
    assert.equal(fill('opencode', '[$1] [$2] [$3]', 'a#b #c; d'), '[a#b] [#c;] [d]');
  });

  for (const [given, first, second] of [
    ['dark red', 'dark', 'red'],
    ['fix #42 now', 'fix', '$1'],
    ['a#b c', 'a#b', 'c'],
    ['red; dark blue', 'red', '$1'],
    ['a && b', 'a', '$1'],
    ['a | b', 'a', '$1'],
    ['a > out b', 'a', '$1'],
    ['size=3 red', 'red', '$1'],
    ['x a=1', 'x', 'a=1'],
    ["don't sort red, it's blue", 'dont sort red, its', 'blue'],
    ['a\\ b c', 'a b', 'c'],
    ['a"b"c d', 'abc', 'd'],
    ['say "hi', 'say', '"hi'],
    ["it's late now", "it's late now", '$1'],
    ['# only', '#', 'only'],
    ['a `date` b', 'a', '$1'],
    ['"" b', '', 'b'],
    ['$HOME *.md', '$HOME', '*.md'],
  ] as const) {
    it(`Claude Code splits \`${given}\` as a shell does`, () => {
      assert.equal(fill('claude-code', '[$0] [$1]', given), `[${first}] [${second}]`);
    });
  }

  it('$ARGUMENTS[N] counts from 0 if supported; otherwise its index is text', () => {
    assert.equal(fill('claude-code', '$ARGUMENTS[1]', 'one two'), 'two');
    assert.equal(fill('goose', '$ARGUMENTS[1]', 'one two'), 'two');
    assert.equal(fill('opencode', '$ARGUMENTS[1]', 'one two'), 'one two[1]');
  });

  it('the highest number receives the rest in OpenCode, and only its own argument in others', () => {
    assert.equal(fill('opencode', '$1, $2', 'one two three'), 'one, two three');
    assert.equal(fill('goose', '$1, $2', 'one two three'), 'one, two');
  });

  it('a missing one is kept in Claude Code, is empty in Goose and OpenCode, and is kept if unknown', () => {
    assert.equal(fill('claude-code', '[$0][$3]', 'one'), '[one][$3]');
    assert.equal(fill('goose', '[$1][$3]', 'one'), '[one][]');
    assert.equal(fill('opencode', '[$1][$3]', 'one'), '[one][]');
    assert.equal(fill('kilo-code', '[$1][$3]', 'one'), '[one][$3]');
  });

  it('GitHub Copilot CLI counts from 0, and removes a missing one', () => {
    assert.equal(fill('copilot-cli', '[$0] [$1] [$2] \\$1 $ARGUMENTS[1]', 'red blue'), '[red] [blue] [] $1 blue');
    assert.equal(fill('copilot-cli', 'Do it.', 'soon'), 'Do it.\n\nARGUMENTS: soon');
  });

  it('names are the arguments in their order, and a missing one is empty', () => {
    assert.equal(fill('claude-code', '$topic by $day', '"old tower"', ['topic', 'day']), 'old tower by ');
    assert.equal(fill('goose', '$topic', 'x', ['topic']), 'x');
    assert.equal(fill('opencode', '$topic $1', 'x', ['topic']), '$topic x');
  });

  it('a word after a dollar sign that is no name stays', () => {
    assert.equal(fill('claude-code', '$HOME $0', 'x', ['topic']), '$HOME x');
    assert.equal(fill('claude-code', '$ARGUMENTSX $0', 'x'), '$ARGUMENTSX x');
  });

  it('a backslash keeps the placeholder in Claude Code, and is text elsewhere', () => {
    assert.equal(fill('claude-code', '\\$0 $0', 'x'), '$0 x');
    assert.equal(fill('goose', '\\$1', 'x'), '\\x');
  });

  it('two backslashes do not keep the placeholder, and stay', () => {
    assert.equal(fill('claude-code', '\\\\$0 \\HOME', 'x'), '\\\\x \\HOME');
  });

  it('a number before a letter is not a placeholder in Claude Code', () => {
    assert.equal(fill('claude-code', '$0K $0.10 $B$0', 'x'), '$0K x.10 $Bx');
  });

  it('a body that names none is followed by the text, as each client puts it', () => {
    assert.equal(fill('claude-code', 'Do it.', 'soon'), 'Do it.\n\nARGUMENTS: soon');
    assert.equal(fill('goose', 'Do it.', 'soon'), 'Do it.\n\nARGUMENTS: soon');
    assert.equal(fill('opencode', 'Do it.', 'soon'), 'Do it.\n\nsoon');
    assert.equal(fill('claude-code', 'Do it.', ' '), 'Do it.');
  });

  it('what is filled in is not looked at again', () => {
    assert.equal(fill('claude-code', '$0 $1', '$1 $0'), '$1 $0');
  });
});

it('the placeholders of a body are told once each, as they are written', () => {
  assert.deepEqual(distinctPlaceholders('$0 $ARGUMENTS $0 \\$1 $HOME $day', ['day']), ['$0', '$ARGUMENTS', '$day']);
});

it('commands are found where the client runs them, and never in a plain code span', () => {
  const body = 'Now: !`git log`, x!`ls` and `!no`.\n\n```!\nmake\n```\n';
  const texts = (id: string) =>
    commandsIn(body, findClient(id)?.commands?.value ?? undefined).map(({ command }) => command);
  assert.deepEqual(texts('claude-code'), ['git log', 'make']);
  assert.deepEqual(texts('openhands'), ['git log', 'ls']);
});

it('Claude Code runs commands in fences and code spans, and text between two spans; OpenHands does not', () => {
  const texts = (body: string, id: string) =>
    commandsIn(body, findClient(id)?.commands?.value ?? undefined).map(({ command }) => command);
  for (const [body, command] of [
    ['```markdown\nPull request: !`gh pr view $1`\n```\n', 'gh pr view $1'],
    ['Write `` !`git status` `` there.', 'git status'],
    ['<!-- !`git status` -->', 'git status'],
    ['````markdown\n```!\nmake\n```\n````\n', 'make'],
    ['Wrapped with `if !` to fail. It uses `find` as ever.', 'to fail. It uses'],
    ['`ship !` and\nthen `x`', 'and\nthen'],
  ] as const) {
    assert.deepEqual(texts(body, 'claude-code'), [command], body);
    assert.deepEqual(texts(body, 'openhands'), [], body);
  }
  for (const body of ['`!` and `as!` and `x`', '``!`git status` ``', 'KEY=!`cmd`', '``` !\nmake\n```\n', '`a !'])
    assert.deepEqual(texts(body, 'claude-code'), [], body);
});
