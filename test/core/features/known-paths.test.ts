// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the variables of a client have braces.
/**
 * Paths whose start is known: each form in each kind of file, with each feature (docs/rules/broken-link.md). `§` is the path
 * from the folder that the form names.
 */
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { findPath } from '../../../server/src/features/completion/paths.ts';
import { utf16 } from '../../../server/src/features/locate.ts';
import { definition } from '../../../server/src/features/navigation/definition.ts';
import { movedPathEdits } from '../../../server/src/features/rename/moved-paths.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import { urisToProbe } from '../../../server/src/skill-folder/referenced-files.ts';
import { SkillFolder } from '../../../server/src/skill-folder/skill-folder.ts';
import { applyEdits } from '../../../server/src/text.ts';
import { folderOf } from '../../../server/src/vocabulary/dialect.ts';

const ROOT = 'file:///w/';
const HEAD = '---\nname: tidy\ndescription: Tidies notes. Use it for notes.\n---\n\n';

const KINDS = {
  'skill of a plugin': 'tools/skills/tidy/SKILL.md',
  'agent of a plugin': 'tools/agents/tidy.md',
  'command of a plugin': 'tools/commands/tidy.md',
  'skill of a project': '.claude/skills/tidy/SKILL.md',
  'agent of a project': '.claude/agents/tidy.md',
  'command of a project': '.claude/commands/tidy.md',
} as const;

type Kind = keyof typeof KINDS;

interface Row {
  /** The text, in which `§` is the path. */
  readonly text: string;
  readonly path: string;
  /** The kinds of files, each with the file that the path names. */
  readonly names: Partial<Record<Kind, string>>;
  readonly severity?: 'hint';
}

const SKILLS = { 'skill of a plugin': 'tools/skills/tidy/', 'skill of a project': '.claude/skills/tidy/' } as const;

const below = (folders: Partial<Record<Kind, string>>, path: string): Row['names'] =>
  Object.fromEntries(Object.entries(folders).map(([kind, folder]) => [kind, folder + path]));

const OF_PLUGIN = {
  'skill of a plugin': 'tools/',
  'agent of a plugin': 'tools/',
  'command of a plugin': 'tools/',
} as const;

const OF_FOLDERS = {
  'skill of a plugin': 'tools/skills/',
  'agent of a plugin': 'tools/skills/',
  'command of a plugin': 'tools/skills/',
  'skill of a project': '.claude/skills/',
  'agent of a project': '.claude/skills/',
  'command of a project': '.claude/skills/',
} as const;

const OF_PROJECT = {
  'skill of a project': '.claude/skills/',
  'agent of a project': '.claude/skills/',
  'command of a project': '.claude/skills/',
} as const;

const ROWS: readonly Row[] = [
  { text: 'Read `§`.', path: 'references/merging.md', names: below(SKILLS, 'references/merging.md') },
  { text: 'Read [it](§).', path: 'references/merging.md', names: below(SKILLS, 'references/merging.md') },
  { text: 'Read `§`.', path: 'references/表の形と値と名.csv', names: below(SKILLS, 'references/表の形と値と名.csv') },
  {
    text: 'Read @§ first.',
    path: 'references/merging.md',
    names: below(SKILLS, 'references/merging.md'),
    severity: 'hint',
  },
  { text: 'Run `${CLAUDE_SKILL_DIR}/§`.', path: 'scripts/merge.sh', names: below(SKILLS, 'scripts/merge.sh') },
  {
    text: '```bash\nsh "${CLAUDE_SKILL_DIR}"/§ x\n```',
    path: 'scripts/merge.sh',
    names: below(SKILLS, 'scripts/merge.sh'),
  },
  {
    text: 'Read [it](${CLAUDE_SKILL_DIR}/§).',
    path: 'references/merging.md',
    names: below(SKILLS, 'references/merging.md'),
  },
  { text: 'Run `${CLAUDE_PLUGIN_ROOT}/§`.', path: 'scripts/merge.sh', names: below(OF_PLUGIN, 'scripts/merge.sh') },
  {
    text: '```bash\nsh ${CLAUDE_PLUGIN_ROOT}/§ x\n```',
    path: 'scripts/merge.sh',
    names: below(OF_PLUGIN, 'scripts/merge.sh'),
  },
  { text: 'Read [it](${CLAUDE_PLUGIN_ROOT}/§).', path: 'docs/merging.md', names: below(OF_PLUGIN, 'docs/merging.md') },
  { text: 'Follow `skills/§`.', path: '_shared/merging.md', names: below(OF_FOLDERS, '_shared/merging.md') },
  {
    text: 'Follow `.claude/skills/§`.',
    path: 'tidy/notes/表の形と値.md',
    names: below(OF_PROJECT, 'tidy/notes/表の形と値.md'),
  },
  {
    text: '```bash\npython3 ~/.claude/skills/§\n```',
    path: 'tidy/scripts/order.py',
    names: below(OF_FOLDERS, 'tidy/scripts/order.py'),
    severity: 'hint',
  },
];

/** Returns a workspace with a file, and with other files on the disk. */
function open(kind: Kind, body: string, disk: readonly string[]) {
  const uri = ROOT + KINDS[kind];
  const workspace = new Workspace();
  workspace.apply({ kind: 'roots', folders: [ROOT.slice(0, -1)] });
  workspace.apply({ kind: 'text', uri: `${ROOT}tools/.claude-plugin/plugin.json`, text: '{"name": "tools"}' });
  workspace.apply({ kind: 'text', uri, text: `${HEAD}${body}\n` });
  const encoded = disk.map((path) => ROOT + path.split('/').map(encodeURIComponent).join('/'));
  const own = `${folderOf(uri)}/`;
  if (uri.endsWith('SKILL.md')) {
    const files = encoded.filter((one) => one.startsWith(own));
    const folder = files.map((one) => ({ path: decodeURIComponent(one.slice(own.length)), text: '' }));
    workspace.apply({ kind: 'folder', uri, folder: new SkillFolder(folderOf(uri), folder) });
  }
  const file = () => workspace.analysis.file(uri) ?? assert.fail();
  for (;;) {
    const { exists } = workspace.index.facts;
    const wanted = urisToProbe(file(), exists, workspace.analysis.folder(uri)).filter((one) => !exists.has(one));
    if (wanted.length === 0) break;
    for (const one of wanted) {
      const isThere = encoded.some((other) => other === one || other.startsWith(`${one}/`));
      workspace.apply({ kind: 'exists', uri: one, exists: isThere });
    }
  }
  return { analysis: workspace.analysis, file: file(), encoded };
}

const findingsIn = ({ analysis, file }: ReturnType<typeof open>) =>
  check(file, analysis).filter(({ rule }) => ['broken-link', 'unreferenced-file'].includes(rule));

for (const { text, path, names, severity } of ROWS) {
  for (const [kind, target = ''] of Object.entries(names) as [Kind, string][]) {
    // The folder exists, so that the path is not one of another project.
    const beside = target.replace(/[^/]*$/, 'other.txt');
    describe(`\`${text.replace('§', path).replaceAll('\n', ' ')}\` in the ${kind}`, () => {
      const body = text.replace('§', path);

      it('is right if the file exists, and Go to Definition leads to it', () => {
        const opened = open(kind, body, [target]);
        assert.deepEqual(findingsIn(opened), []);
        const { analysis, file, encoded } = opened;
        const places = definition(analysis, file, file.text.indexOf(path) + path.length - 2, utf16, false);
        assert.deepEqual(
          places.map((one) => ('uri' in one ? one.uri : one.targetUri)),
          encoded,
        );
      });

      it('is reported if the file is missing', () => {
        const found = findingsIn(open(kind, body, [beside]));
        const isOfClient = !KINDS[kind].endsWith('SKILL.md') && severity === undefined;
        assert.deepEqual(
          found.map((one) => [one.rule, one.severity]),
          [['broken-link', severity ?? (isOfClient || path.startsWith('docs/') ? found[0]?.severity : 'warning')]],
        );
      });

      it('follows the file when it moves', () => {
        const { analysis, file, encoded } = open(kind, `${body}\n\n${body}`, [target]);
        const from = encoded[0] ?? '';
        const to = from.replace(/\/[^/]*$/, '/moved.md');
        const edits = movedPathEdits(analysis, [{ from, to }]).find(({ uri }) => uri === file.uri)?.edits ?? [];
        const changed = body.replace(path, path.replace(/[^/]*$/, 'moved.md'));
        assert.equal(applyEdits(file.text, edits), `${HEAD}${changed}\n\n${changed}\n`);
      });

      it('is completed', () => {
        const { file } = open(kind, body, []);
        const place = findPath(file, file.text.indexOf(path) + path.lastIndexOf('/') + 1);
        assert.equal(place?.folder, ROOT + target.split('/').slice(0, -1).map(encodeURIComponent).join('/'));
      });
    });
  }
}

describe('a misspelt path in a skill', () => {
  for (const { text, path, names } of ROWS) {
    const kind = 'skill of a plugin';
    const target = names[kind] ?? '';
    if (!target.startsWith('tools/skills/tidy/')) continue;
    it(`has a fix: ${text.replace('§', path).replaceAll('\n', ' ')}`, () => {
      const wrong = path.replace(/(\/[^/])([^/])([^/])([^/]*)$/, '$1$3$2$4');
      const opened = open(kind, text.replace('§', wrong), [target]);
      const [fix] = findingsIn(opened)[0]?.fixes ?? [];
      const fixed = applyEdits(opened.file.text, fix?.edits[0]?.edits ?? []);
      assert.deepEqual(findingsIn(open(kind, fixed.slice(HEAD.length).trimEnd(), [target])), []);
      assert.notEqual(fixed, opened.file.text);
    });
  }
});
