/** The published schemas in the real yaml-language-server, with the settings of the page. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { after, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import {
  type CompletionItem,
  createProtocolConnection,
  type Diagnostic,
  type Hover,
  type Position,
  type ProtocolConnection,
} from 'vscode-languageserver-protocol/node';
import { NODE } from '../packaged/installed.ts';
import { until } from '../protocol/until.ts';
import { temporaryFolder } from '../temporary.mjs';

const packages = process.env.SKILL_COMPOSER_YAML_LANGUAGE_SERVER ?? '';
const SCRIPT = join(packages, 'node_modules', 'yaml-language-server', 'bin', 'yaml-language-server');

/** The page's JSON blocks, with the paths of this checkout. */
const [inYaml = {}, inMarkdown = {}] = [
  ...(readFileSync('docs/editors.md', 'utf8').split('\n## yaml-language-server\n')[1] ?? '').matchAll(
    /^```json\n(.*?)^```$/gms,
  ),
].map(([, text = '']): Record<string, unknown> => JSON.parse(text.replaceAll('/path/to/skill-composer', resolve())));

interface Editor {
  readonly completion: (path: string, marked: string) => Promise<readonly CompletionItem[]>;
  readonly hover: (path: string, marked: string) => Promise<string>;
  readonly problems: (path: string, text: string) => Promise<readonly Diagnostic[]>;
}

const open: { readonly connection: ProtocolConnection; readonly end: () => void }[] = [];
after(() => {
  for (const { connection, end } of open) {
    connection.dispose();
    end();
  }
});

/** An editor with these settings; `known` is a position that has a hover once the settings are applied. */
async function editorWith(
  flat: Record<string, unknown>,
  known: readonly [path: string, marked: string],
): Promise<Editor> {
  const folder = temporaryFolder();
  const child = spawn(NODE, [SCRIPT, '--stdio'], { cwd: folder });
  const connection = createProtocolConnection(child.stdout, child.stdin);
  open.push({ connection, end: () => child.kill() });
  const yaml = Object.fromEntries(Object.entries(flat).map(([key, value]) => [key.replace('yaml.', ''), value]));
  const sections: Record<string, unknown> = { yaml: { ...yaml, schemaStore: { enable: false } } };
  connection.onRequest('workspace/configuration', ({ items }: { items: { section: string }[] }) =>
    items.map(({ section }) => sections[section] ?? {}),
  );
  connection.onRequest('client/registerCapability', () => null);
  const published = new Map<string, (all: readonly Diagnostic[]) => void>();
  connection.onNotification(
    'textDocument/publishDiagnostics',
    ({ uri, diagnostics }: { uri: string; diagnostics: Diagnostic[] }) => published.get(uri)?.(diagnostics),
  );
  connection.listen();
  const capabilities = {
    workspace: { configuration: true, didChangeConfiguration: { dynamicRegistration: true } },
    textDocument: { completion: { completionItem: { snippetSupport: true } }, hover: {} },
  };
  await connection.sendRequest('initialize', {
    ...{ processId: process.pid, rootUri: pathToFileURL(folder).href, capabilities },
  });
  await connection.sendNotification('initialized', {});
  await connection.sendNotification('workspace/didChangeConfiguration', { settings: sections });
  let count = 0;
  // Each file has its own folder, because the server caches parsed files.
  const placeFor = (path: string): string => {
    const place = join(folder, String(count++), path);
    mkdirSync(dirname(place));
    return place;
  };
  const opened = async (path: string, text: string): Promise<string> => {
    writeFileSync(path, text);
    const uri = pathToFileURL(path).href;
    const languageId = path.endsWith('.md') ? 'markdown' : 'yaml';
    await connection.sendNotification('textDocument/didOpen', { textDocument: { uri, languageId, version: 1, text } });
    return uri;
  };
  const asked = async <Answer>(method: string, path: string, marked: string): Promise<Answer> => {
    const uri = await opened(placeFor(path), marked.replace('$0', ''));
    return connection.sendRequest<Answer>(method, { textDocument: { uri }, position: cursorOf(marked) });
  };
  const hover = async (path: string, marked: string): Promise<string> =>
    JSON.stringify((await asked<Hover | null>('textDocument/hover', path, marked))?.contents ?? '');
  // The server does not report when it has applied the settings.
  await until('the settings to be in force', async () => (await hover(...known)) !== '""');
  return {
    hover,
    async completion(path, marked) {
      return (await asked<{ items: CompletionItem[] }>('textDocument/completion', path, marked)).items;
    },
    async problems(path, text) {
      const place = placeFor(path);
      const answer = new Promise<readonly Diagnostic[]>((done) => published.set(pathToFileURL(place).href, done));
      await opened(place, text);
      return answer;
    },
  };
}

function cursorOf(marked: string): Position {
  const before = marked.slice(0, marked.indexOf('$0')).split('\n');
  return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
}

const labels = (items: readonly CompletionItem[]): readonly string[] => items.map(({ label }) => label);

const plain = (more: string): string => `---\nname: tidy\n${more}---\n\n# Tidy\n\nTidy: *them*, {{ now }}.\n`;

describe('yaml-language-server', () => {
  it('completes and describes the frontmatter of a plain `SKILL.md`, and reports nothing', async () => {
    const editor = await editorWith(inMarkdown, ['SKILL.md', plain('').replace('name', 'na$0me')]);
    const items = await editor.completion('SKILL.md', plain('de$0\n'));
    assert.ok(labels(items).includes('description'), labels(items).join());
    assert.ok(labels(items).includes('allowed-tools'), labels(items).join());
    assert.match(JSON.stringify(items.find(({ label }) => label === 'description')?.documentation ?? ''), /\w+ \w+/);
    assert.match(await editor.hover('SKILL.md', plain('descrip$0tion: Tidies notes.\n')), /when/);
    assert.deepEqual(await editor.problems('SKILL.md', plain('descriptoin: Tidies notes.\n')), []);
  });

  it('completes the keys of a skill, and the values of an enum', async () => {
    const editor = await editorWith(inMarkdown, ['SKILL.md', plain('').replace('name', 'na$0me')]);
    const keys = await editor.completion('a.skill.md', plain('inp$0\n'));
    assert.ok(labels(keys).includes('input_schema'), labels(keys).join());
    assert.ok(!labels(keys).includes('allowed-tools'), labels(keys).join());
    const words = await editor.completion('a.skill.md', plain('operation: $0\n'));
    assert.ok(labels(words).includes('READ') && labels(words).includes('WRITE'), labels(words).join());
  });

  it('completes, describes and checks the catalog and contracts', async () => {
    const editor = await editorWith(inYaml, ['skills.config.yaml', 'to$0ols: []\n']);
    const sound = 'tools:\n  - {name: read_page, description: Reads a page.}\n';
    assert.deepEqual(await editor.problems('skills.config.yaml', sound), []);
    assert.match(await editor.hover('skills.config.yaml', sound.replace('tools', 'to$0ols')), /tool/);
    const problems = await editor.problems('a.skill.yaml', 'name: a\ndescription: Reads.\nversion: 1\nlevl: 1\n');
    const told = problems.map(({ range, message }) => `${range.start.line}: ${message}`);
    assert.ok(told.includes('2: Incorrect type. Expected "string".'), told.join('\n'));
    assert.ok(told.includes('3: Property levl is not allowed.'), told.join('\n'));
    const keys = await editor.completion('b.skill.yaml', 'name: b\n$0\n');
    assert.ok(labels(keys).includes('composes'), labels(keys).join());
  });
});
