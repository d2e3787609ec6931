/** Files that the body of a `SKILL.md` names without a link (docs/rules/broken-link.md). */
import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { findMovedFile } from '../../../server/src/rules/any-file/links.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import { SkillFile } from '../../../server/src/skill/skill-file.ts';
import { mentionedFiles } from '../../../server/src/skill-folder/mentioned-files.ts';
import { scriptUses } from '../../../server/src/skill-folder/script-calls.ts';
import { SkillFolder } from '../../../server/src/skill-folder/skill-folder.ts';
import { sliceOf } from '../../../server/src/text.ts';

const FOLDER = 'file:///w/.claude/skills/tidy-notes';
const URI = `${FOLDER}/SKILL.md`;
const HEAD = '---\nname: tidy-notes\ndescription: Tidies notes. Use it for notes.\n---\n\n';

const pathsIn = (body: string): readonly string[] =>
  mentionedFiles(new SkillFile(URI, HEAD + body)).map(({ path }) => path);

/** The findings of `broken-link` in a skill without other files, as `SEVERITY PATH`. */
function missingIn(body: string): readonly string[] {
  const workspace = new Workspace();
  workspace.apply({ kind: 'text', uri: URI, text: HEAD + body });
  workspace.apply({ kind: 'folder', uri: URI, folder: new SkillFolder(FOLDER, []) });
  const file = workspace.analysis.file(URI) ?? assert.fail();
  for (const { uris, folder } of mentionedFiles(file)) {
    for (const uri of uris) workspace.apply({ kind: 'exists', uri, exists: false });
    workspace.apply({ kind: 'exists', uri: folder, exists: true });
  }
  return check(file, workspace.analysis)
    .filter(({ rule }) => rule === 'broken-link')
    .map(({ severity, span }) => `${severity} ${sliceOf(file.text, span)}`);
}

/** Commands that make or remove the file `x.db`, in which `D` is the variable of the skill's folder. */
const MAKING = [
  'touch D/x.db',
  'touch D/y.json D/x.db',
  'touch "D/x.db"',
  'cp a.md D/x.db',
  'mv D/y.tmp D/x.db',
  'cp -r a.md \\\n  D/x.db',
  'python3 a.py | tee -a D/x.db',
  'rm -f D/x.db',
  'sudo rm D/x.db',
  'sqlite3 D/x.db "select 1"',
  'python3 -m venv D/x.db',
  'ls > D/x.db',
  'ls >> "D/x.db" 2>&1',
  'ls &> D/x.db',
  'cc a.c -o D/x.db',
  'sort a.txt --output=D/x.db',
  'mkdir -p D/x.db && ls',
  'cat <<EOF > D/x.db',
];

test('a path beside a link to a `SKILL.md` is a file of this skill', () => {
  const body = 'Read @references/flour.md, run `scripts/weigh.py`, and follow [the plan](../oven-plan/SKILL.md).';
  assert.deepEqual(pathsIn(body), ['references/flour.md', 'scripts/weigh.py']);
  assert.deepEqual(missingIn(body), ['hint references/flour.md', 'warning scripts/weigh.py']);
  assert.deepEqual(pathsIn('Run `scripts/weigh.py` of the oven skill.'), []);
});

describe('a path beside an English word that resembles a word of another language', () => {
  for (const word of [
    'general',
    'generator',
    'generation',
    'optionally',
    'cache',
    '--no-cache',
    'gem',
    'np',
    'salvage',
  ])
    it(`must exist: ${word}`, () => {
      assert.deepEqual(missingIn(`Read \`references/x.md\` about the ${word} first.\n`), ['warning references/x.md']);
    });

  it('need not exist beside the word of the other language', () => {
    for (const words of [
      'génère',
      'il est généré',
      'genera',
      'generato',
      'optionales',
      'mis en cache',
      'np.',
      'pl.',
      'salva',
    ])
      assert.deepEqual(missingIn(`Il file \`references/x.md\`: ${words} qui.\n`), [], words);
  });
});

describe('a path below the variable of the skill folder', () => {
  it('need not exist if a command makes or removes the file', () => {
    for (const written of MAKING) {
      const command = written.replaceAll('D/', '${CLAUDE_SKILL_DIR}/');
      const forms = [`\`\`\`bash\n${command}\n\`\`\``, `\`\`\`\n${command}\n\`\`\``];
      if (!command.includes('\n')) forms.push(`Run \`${command}\` first.`, `!\`${command}\``);
      for (const form of forms) {
        const missing = missingIn(`${form}\n\nThen read \`\${CLAUDE_SKILL_DIR}/x.db\`.\n`);
        assert.deepEqual(
          missing.filter((one) => one.endsWith('x.db')),
          [],
          form,
        );
      }
    }
  });

  it('must exist if a command only reads the file', () => {
    for (const command of ['cat D/scripts/x.sh', 'cp D/scripts/x.sh a.sh', 'sqlite3 a.db < D/scripts/x.sh']) {
      const written = command.replaceAll('D/', '${CLAUDE_SKILL_DIR}/');
      assert.deepEqual(missingIn(`\`\`\`bash\n${written}\n\`\`\`\n`), ['warning scripts/x.sh'], command);
    }
    assert.deepEqual(missingIn('```bash\n# cat ${CLAUDE_SKILL_DIR}/scripts/x.sh\n```\n'), []);
  });

  it('has a hint outside of the usual folders', () => {
    assert.deepEqual(missingIn('Read `${CLAUDE_SKILL_DIR}/state.json`.'), ['hint state.json']);
    assert.deepEqual(missingIn('Read `${CLAUDE_SKILL_DIR}/references/a.md`.'), ['warning references/a.md']);
  });
});

describe('a path after `@`', () => {
  it('is not checked in text about the project, like a path without a mark', () => {
    assert.deepEqual(missingIn('Read @scripts/a.md.'), ['hint scripts/a.md']);
    assert.deepEqual(missingIn('Read @scripts/a.md in the repository.'), []);
    assert.deepEqual(missingIn('Run `touch references/a.md`, then read @references/a.md.'), []);
  });
});

describe('the name in a path', () => {
  const NAMES = ['app.prod.properties', 'a.configuration', 'v1.2.tar.gz', 'a.b.markdown', 'x.d.ts'];

  it('is never cut', () => {
    for (const name of NAMES) {
      for (const after of ['', '.', ',', ' and', ') or', '. Then', ':3']) {
        const path = `references/${name}`;
        assert.deepEqual(pathsIn(`Read \${CLAUDE_SKILL_DIR}/${name}${after}`), [name]);
        assert.deepEqual(pathsIn(`Read @${path}${after}`), [path]);
        assert.deepEqual(pathsIn(`Read \`${path}${after}\``), [path]);
      }
    }
    for (const name of [
      'a.b.{x}',
      'a.b.*',
      'a.b.$X',
      'a.c++',
      `a.b.${'x'.repeat(50)}`,
      'a.b_c',
      'a.md~',
      'a.b@2x.png',
    ]) {
      assert.deepEqual(pathsIn(`Read \${CLAUDE_SKILL_DIR}/${name} and \`references/${name}\``), [], name);
    }
  });
});

describe('mentioned files in hostile text', () => {
  const PARTS = [
    'a.',
    'a.b.{',
    '${CLAUDE_SKILL_DIR}/',
    '${CLAUDE_SKILL_DIR}/a.',
    '@references/',
    '@references/a.b.{',
    'references/a.b/',
    '本references/a',
    '+references/',
    '~/skills/a/b',
    'cp ',
    'touch a',
    '> ',
    '>',
    ' --out',
    ' -o',
    '\\\n',
    '`a` ',
    '|',
    '$(',
  ];

  it('are found in linear time', () => {
    for (const part of PARTS) {
      for (const start of ['', '${CLAUDE_SKILL_DIR}/', '```bash\n', '`']) {
        const began = performance.now();
        const body = start + part.repeat(100_000 / part.length);
        pathsIn(body);
        scriptUses(new SkillFile(URI, HEAD + body), () => false);
        const took = performance.now() - began;
        assert.ok(took < 2_000, `${start}${part}: ${took} ms`);
      }
    }
  });
});

test('a missing file may be a plural, or have another extension, but not another version', () => {
  const paths = ['guide.md', 'terms.md', 'run.sh', 'run.js', 'v1.3', 'notes-2.1'];
  const workspace = new Workspace();
  workspace.apply({ kind: 'text', uri: URI, text: `${HEAD}Tidy.` });
  const folder = new SkillFolder(
    FOLDER,
    paths.map((path) => ({ path, text: '' })),
  );
  workspace.apply({ kind: 'folder', uri: URI, folder });
  const file = workspace.analysis.file(URI) ?? assert.fail();
  const found = (path: string) => findMovedFile(file, workspace.analysis, `${FOLDER}/${path}`);
  assert.deepEqual(['guides.md', 'term.md', 'guide.txt', 'run.py', 'v1.2', 'notes-2.0'].map(found), [
    'guide.md',
    'terms.md',
    'guide.md',
    undefined,
    undefined,
    undefined,
  ]);
});

test('paths of plugins in a block that shows a Markdown file need not exist', () => {
  const block = (lang: string) => `\`\`\`${lang}\nRun ${'$'}{CLAUDE_SKILL_DIR}/scripts/check.sh.\n\`\`\`\n`;
  assert.deepEqual(['markdown', 'md', 'bash'].map(block).map(missingIn), [[], [], ['warning scripts/check.sh']]);
});
