/** The step `deliver`: the text that reaches a model (docs/clients.md, "Delivered"). */
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { type Call, type CalledSkill, type Delivered, deliver } from '../../../server/src/clients/pipeline/deliver.ts';
import { pipelineOf } from '../../../server/src/clients/pipeline/pipelines.ts';
import { type Ask, isChoice, type Setting } from '../../../server/src/clients/pipeline/setting.ts';

const FRONTMATTER = '---\nname: tidy\ndescription: Tidies notes.\n---\n';
const place = { start: '/w', repository: '/w' };

const first: Ask = <Value>(_: string, value: Setting<Value>): Value =>
  isChoice(value) ? (value.oneOf[0] as Value) : value;

function skill(body: string, files: readonly string[] = []): CalledSkill {
  return {
    ...{ name: 'tidy', description: 'Tidies notes.', path: '/w/.x/skills/tidy/SKILL.md', scope: 'project' },
    ...{ text: FRONTMATTER + body, bodyStart: FRONTMATTER.length, files },
  };
}

function call(client: string, kind: Call, called: CalledSkill, text = ''): Delivered | undefined {
  const rules = pipelineOf(client)?.deliver ?? assert.fail(`${client} has no step`);
  const fill = (content: string) => ({ text: content.replaceAll('$ARGUMENTS', text), appended: '' });
  return deliver(rules, kind, called, { text, fill }, place, first);
}

const textOf = (delivered: Delivered | undefined): string | undefined =>
  delivered && delivered.before + delivered.content + delivered.after;

describe('the delivered text', () => {
  it('has the folder before the body in Claude Code, without the white space before the body', () => {
    const text = 'Base directory for this skill: /w/.x/skills/tidy\n\nDo it.\n\n';
    assert.equal(textOf(call('claude-code', 'model', skill('\n\n  Do it.\n\n'))), text);
  });

  it('keeps the white space of a file without frontmatter in Claude Code', () => {
    const plain = { ...skill(''), text: '\nDo it.\n', bodyStart: 0 };
    assert.equal(call('claude-code', 'model', plain)?.content, '\nDo it.\n');
  });

  it('is the whole file in Codex, if a person calls the skill', () => {
    const delivered = call('codex', 'person', skill('\nDo $ARGUMENTS.\n'), 'all');
    assert.equal(delivered?.gives, 'file');
    assert.equal(delivered.content, `${FRONTMATTER}\nDo $ARGUMENTS.\n`);
    assert.equal(delivered.before, '<skill>\n<name>tidy</name>\n<path>/w/.x/skills/tidy/SKILL.md</path>\n');
  });

  it('is not known where no observation shows it', () => {
    assert.equal(call('codex', 'model', skill('Do it.')), undefined);
    assert.equal(call('cline', 'person', skill('Do it.')), undefined);
  });

  it('has arguments after the body in Pi only if the call has them', () => {
    assert.match(textOf(call('pi', 'person', skill('Do it.'), 'red'))?.slice(-20) ?? '', /<\/skill>\n\nred$/);
    assert.match(textOf(call('pi', 'person', skill('Do it.')))?.slice(-20) ?? '', /<\/skill>$/);
  });

  it('has arguments in the body in OpenCode only if a person calls the skill', () => {
    assert.equal(call('opencode', 'person', skill('Do $ARGUMENTS.'), 'red')?.content, 'Do red.');
    assert.equal(call('opencode', 'model', skill('Do $ARGUMENTS.'), 'red')?.content, 'Do $ARGUMENTS.');
  });

  it('is not known for a call without arguments where every observed call had some', () => {
    assert.ok(call('qwen-code', 'person', skill('Do it.'), 'red'));
    assert.equal(call('qwen-code', 'person', skill('Do it.')), undefined);
  });

  it('has no line for arguments in Cline if the call has none', () => {
    assert.match(
      textOf(call('cline', 'model', skill('Do it.'))) ?? '',
      /<command-name>tidy<\/command-name>\n<command-inst/,
    );
  });

  it('has no middle in Cline if it is longer than 8,000 characters', () => {
    const all = textOf(call('cline', 'model', skill('x'.repeat(11_000)))) ?? '';
    assert.equal(all.length, 8_000);
    const [, count = 0] = /x\n\n\.\.\.\[truncated (\d+) chars\]\.\.\.\n\nx/.exec(all) ?? [];
    assert.equal(all.replace(/[^x]/g, '').length + Number(count), 11_000);
    assert.doesNotMatch(textOf(call('cline', 'model', skill('x'.repeat(7_800)))) ?? '', /truncated/);
  });

  it('has only its first lines in Kilo Code if it has more than 2,000 lines or 51,200 bytes', () => {
    for (const [whole, cut] of [
      ['a\n'.repeat(1_980), 'a\n'.repeat(2_000)],
      ['é'.repeat(25_000), 'é\n'.repeat(25_600)],
    ] as const) {
      assert.equal(call('kilo-code', 'model', skill(whole))?.cut, undefined);
      assert.notEqual(call('kilo-code', 'model', skill(cut))?.cut, undefined);
    }
  });

  it('has no secrets in GitHub Copilot CLI', () => {
    const body = [
      'qpdf --password=mypassword --decrypt a.pdf',
      'encrypt(password="a b"); user_password="abc"; password=\'a\'; --token=abc',
      '`password=abc` Authorization: Bearer abc, https://user:pass@host.com/x, https://user@host.com',
    ].join('\n');
    assert.equal(
      call('copilot-cli', 'model', skill(body))?.content,
      [
        'qpdf --****** --decrypt a.pdf',
        'encrypt(******); user_password="abc"; password=\'a\'; --token=abc',
        '`****** Authorization: ****** ******host.com/x, https://user@host.com',
      ].join('\n'),
    );
  });

  it('names folders with many files in GitHub Copilot CLI, above the files', () => {
    const many = (folder: string, count: number) =>
      Array.from({ length: count }, (_, at) => `${folder}/${String(at).padStart(2, '0')}.md`);
    const files = ['z.md', ...many('b', 49), 'b/x/y.md', ...many('a/c', 51), 'a/c/d/e.md', ...many('top', 50)];
    const before = call('copilot-cli', 'model', skill('Do it.', files))?.before ?? '';
    assert.match(
      before,
      /\n\nSummarized directories:\n {2}- a\/c\/ \(52 items\)\nRelated files \(use view tool to read\):\n {2}- /,
    );
    assert.equal(before.split('\n').filter((line) => line.startsWith('  - /w/')).length, 1 + 50 + 50);
    const only = call('copilot-cli', 'model', skill('Do it.', many('a', 51)))?.before ?? '';
    assert.match(only, /\n\nSummarized directories:\n {2}- a\/ \(51 items\)\n\n$/);
  });

  it('has no line for a missing description in Cline', () => {
    const { description: _, ...without } = skill('Do it.');
    assert.match(
      textOf(call('cline', 'model', skill('Do it.'), 'red')) ?? '',
      /Description: Tidies notes\.\n\nDo it\./,
    );
    assert.doesNotMatch(textOf(call('cline', 'model', without, 'red')) ?? '', /Description/);
  });

  it('keeps a dollar sign and placeholders in names of folders and in descriptions', () => {
    const odd = { ...skill('Do it.'), path: "/w/$&/{name}/$'/SKILL.md", description: '{path} $1' };
    assert.match(textOf(call('claude-code', 'model', odd)) ?? '', /skill: \/w\/\$&\/\{name\}\/\$'\n/);
    assert.match(textOf(call('continue-cli', 'model', odd)) ?? '', /<skill_description>\{path\} \$1</);
  });
});

describe('the list of files', () => {
  const files = ['references/b.md', 'references/a/c.md', '.note.md', 'LICENSE', 'extra.md', 'node_modules/x/y.js'];

  it('contains absolute paths, and no file of `node_modules`, in GitHub Copilot CLI', () => {
    const lines = call('copilot-cli', 'model', skill('Do it.', files))?.files?.lines ?? [];
    const names = ['.note.md', 'LICENSE', 'extra.md', 'references/a/c.md', 'references/b.md'];
    assert.deepEqual(
      lines,
      names.map((name) => `  - /w/.x/skills/tidy/${name}`),
    );
  });

  it('contains paths from the start folder in Continue', () => {
    const { after = '' } = call('continue-cli', 'model', skill('Do it.', ['a.md', 'b.md'])) ?? {};
    assert.match(after, /<skill_files>\.x\/skills\/tidy\/a\.md,\.x\/skills\/tidy\/b\.md<\/skill_files>/);
  });

  it('is absent for a skill without other files', () => {
    assert.doesNotMatch(textOf(call('continue-cli', 'model', skill('Do it.'))) ?? '', /skill_files/);
  });

  it('has ten files in any order in OpenCode', () => {
    const many = Array.from({ length: 12 }, (_, at) => `n${at}.md`);
    const { isExact, shown, lines } = call('opencode', 'model', skill('Do it.', many))?.files ?? {};
    assert.deepEqual([isExact, shown, lines?.length], [false, 10, 12]);
    assert.equal(call('opencode', 'model', skill('Do it.', ['a.md']))?.files?.isExact, true);
  });

  it('is a tree in Gemini CLI, which names an ignored folder without its files', () => {
    const { after = '' } = call('gemini-cli', 'model', skill('Do it.', files)) ?? {};
    const lines = after.split('\n').filter((line) => /──|tidy\//.test(line));
    assert.deepEqual(lines, [
      '/w/.x/skills/tidy/',
      '├───.note.md',
      '├───extra.md',
      '├───LICENSE',
      '├───SKILL.md',
      '├───node_modules/...',
      '└───references/',
      '    ├───b.md',
      '    └───a/',
      '        └───c.md',
    ]);
    assert.match(after, /Folders or files indicated with \.\.\./);
  });

  it('is cut in a tree with more than 200 files and folders', () => {
    const many = Array.from({ length: 250 }, (_, at) => `n${at}.md`);
    const { isExact, shown } = call('gemini-cli', 'model', skill('Do it.', many))?.files ?? {};
    assert.deepEqual([isExact, shown], [false, 200]);
  });
});
