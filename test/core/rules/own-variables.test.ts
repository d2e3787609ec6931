/** Variables of code with the name of an argument, which Claude Code replaces (docs/rules/unescaped-dollar.md). */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import { applyEdits } from '../../../server/src/text.ts';

const URI = 'file:///w/.claude/skills/pack-files/SKILL.md';
const skill = (names: string, body: string): string =>
  `---\nname: pack-files\ndescription: Packs files. Use it before files are sent.\narguments: ${names}\n---\n\n${body}\n`;

function findingsIn(text: string, uri = URI) {
  const workspace = new Workspace();
  workspace.apply({ kind: 'text', uri, text });
  const file = workspace.analysis.file(uri);
  const found = file ? check(file, workspace.analysis) : [];
  return found.filter(({ rule }) => rule === 'unescaped-dollar');
}
const namesIn = (names: string, body: string): readonly string[] =>
  findingsIn(skill(names, body)).map(({ message }) => /`\$(\w+)`/.exec(message)?.[1] ?? '');
const sh = (...lines: string[]): string => `\`\`\`bash\n${lines.join('\n')}\n\`\`\``;

describe('a variable of code with the name of an argument', () => {
  const text = skill(
    '[file, HOME]',
    `Pack $file into one archive.\n\n${sh('for file in *.txt; do', '  gzip "$file" && mv "$file.gz" "$HOME/out/${file}.gz"', 'done')}`,
  );

  it('is one finding for each name, with its uses in code', () => {
    const found = findingsIn(text);
    assert.deepEqual(
      found.map(({ message, related, severity }) => [severity, message, related.length]),
      [
        [
          'hint',
          'Claude Code replaces `$file` with the argument `file`, or removes it. Write `${file}` to keep the variable, or rename the argument.',
          1,
        ],
        [
          'hint',
          'Claude Code replaces `$HOME` with the argument `HOME`, or removes it. Write `${HOME}` to keep the variable, or rename the argument.',
          0,
        ],
      ],
    );
  });

  it('is kept by each fix', () => {
    const fixes = findingsIn(text)[0]?.fixes ?? [];
    assert.deepEqual(
      fixes.map(({ title }) => title),
      ['Write `${file}`', 'Write `\\$file`'],
    );
    for (const { edits } of fixes) {
      const fixed = applyEdits(
        text,
        edits.flatMap((one) => one.edits),
      );
      assert.ok(fixed.includes('Pack $file into'));
      assert.deepEqual(findingsIn(fixed).length, 1);
    }
  });

  for (const [what, ...lines] of [
    ['an assignment', 'url=https://example.com', 'curl "$url"'],
    ['an export', 'export url=https://example.com', 'curl $url'],
    ['a local variable', 'get() {', '  local url=$(cat list)', '  curl "$url"', '}'],
    ['a loop over lines', 'while IFS= read -r url; do', '  curl "$url"', 'done < list'],
    ['several names of `read`', 'while read -r name url; do curl "$url"; done < list'],
    ['a loop without `in`', 'for url; do curl "$url"; done'],
    ['`printf -v`', "printf -v url '%s/x' a", 'curl $url'],
    ['a prompt', '$ url=a', '$ curl $url'],
  ] as const)
    it(`is set by ${what}`, () => assert.deepEqual(namesIn('[url]', sh(...lines)), ['url']));

  it('is set in other languages with a dollar sign', () => {
    const of = (lang: string, code: string) => namesIn('file', `\`\`\`${lang}\n${code}\n\`\`\``);
    assert.deepEqual(of('powershell', '$file = Get-Item x\nRemove-Item $file'), ['file']);
    assert.deepEqual(of('powershell', 'foreach ($file in Get-ChildItem) { $file }'), ['file']);
    assert.deepEqual(of('php', 'foreach ($files as $file) { echo $file; }'), ['file']);
    assert.deepEqual(of('perl', 'for my $file (@files) { print $file }'), ['file']);
  });

  it('is an argument if the code only reads it, or sets another variable to it', () => {
    for (const lines of [
      ['gh pr view $pr'],
      ['pr="$pr"', 'gh pr view "$pr"'],
      ['NUMBER=$pr', 'gh pr view $NUMBER'],
      ['make mode=debug pr=1', 'gh pr view $pr'],
      ['gh pr view \\$pr', 'pr=1'],
      ['pr=1', 'gh pr view "${pr}"'],
    ])
      assert.deepEqual(namesIn('[pr]', sh(...lines)), [], lines.join('; '));
    assert.deepEqual(namesIn('[other]', sh('pr=1', 'gh pr view $pr')), []);
    assert.deepEqual(namesIn('[HOME]', 'Read $HOME first.'), []);
    assert.deepEqual(namesIn('[file]', `\`\`\`python\nopen(file=1)\n\`\`\`\n\n${sh('cat $file')}`), []);
  });

  it('is found in commands, too', () => {
    const text = skill('[file]', sh('file=a', 'cat "$file"')).replace(/^name: .*\n/m, '');
    assert.equal(findingsIn(text, 'file:///w/.claude/commands/pack.md').length, 1);
  });

  it('is the script itself after commands about paths', () => {
    const found = findingsIn(skill('[a]', sh('python3 "$(dirname "$(readlink -f "$0")")/scripts/read.py"')));
    assert.deepEqual(
      found.map(({ message }) => /`(\$0)`/.exec(message)?.[1]),
      ['$0'],
    );
  });

  it('is found in linear time', () => {
    const long = `${'a=1 '.repeat(20_000)}\n${'read -r a '.repeat(5_000)}\n${'export -x '.repeat(5_000)}`;
    assert.deepEqual(namesIn('[zz]', sh(long, 'echo $zz')), []);
  });
});
