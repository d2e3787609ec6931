/** One session with a language server, as an editor would have it, and what it costs. */
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type Client, type Handlers, startClient } from './client.ts';
import { cpuOf, quantile, resting, treeOf } from './process.ts';

export interface Target {
  readonly command: readonly string[];
  readonly workspace: string;
  /** The file that is edited. */
  readonly document: string;
  readonly edits: number;
  /** True where the server waits to be asked for diagnostics. */
  readonly pull?: boolean;
  /** By section, for servers that ask. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly handlers?: Handlers;
}

/** Milliseconds; the processor's where the name says `Cpu`. */
export interface Costs {
  readonly initialized: number;
  /** From opening a document to its diagnostics, while the workspace is being read. */
  readonly openedWhileLoading: number;
  /** The same, when nothing else is to be done. */
  readonly openedIdle: number;
  /** Until the server rests after its start. */
  readonly indexCpu: number;
  readonly editCpu: number;
  readonly editP50: number;
  readonly editP95: number;
  /** Of 20 edits 15 ms apart, all together. */
  readonly burstCpu: number;
  /** Of a completion after an edit; undefined where there is none. */
  readonly completionCpu: number | undefined;
}

export const BURST = 20;
const WARM_UP = 24;
const COPIES = 9;
const COMPLETIONS = 10;
/** At how many places somebody types, one after the other. */
const VISITS = 44;

interface Capabilities {
  readonly textDocumentSync?: number | { readonly change?: number };
  readonly completionProvider?: unknown;
  readonly diagnosticProvider?: unknown;
}

interface Published {
  readonly uri: string;
  readonly version?: number;
}

export async function drive(target: Target): Promise<Costs> {
  const waiters: ((published: Published) => void)[] = [];
  const client = startClient(target.command, target.workspace, {
    'workspace/configuration': ({ items }: { items: readonly { section?: string }[] }) =>
      items.map(({ section }) => (section === undefined ? target.settings : target.settings?.[section]) ?? null),
    'textDocument/publishDiagnostics': (published: Published) => {
      for (const waiter of [...waiters]) waiter(published);
    },
    ...target.handlers,
  });
  try {
    return await session(target, client, waiters);
  } finally {
    await client.close();
  }
}

async function session(target: Target, client: Client, waiters: ((published: Published) => void)[]): Promise<Costs> {
  const rootUri = pathToFileURL(target.workspace).href;
  const { capabilities } = await client.request<{ capabilities: Capabilities }>('initialize', {
    processId: process.pid,
    rootUri,
    workspaceFolders: [{ uri: rootUri, name: 'workspace' }],
    capabilities: clientCapabilities(target.pull === true),
    initializationOptions: target.options ?? {},
  });
  const initialized = performance.now() - client.started;
  client.notify('initialized', {});
  if (target.settings) client.notify('workspace/didChangeConfiguration', { settings: target.settings });

  const buffer = createBuffer(target, client, capabilities);
  // Who asks tells what he has, and what is the same is not sent again.
  const resultIds = new Map<string, string | undefined>();
  const diagnosed = async (act: () => void, uri = buffer.uri): Promise<number> => {
    const began = performance.now();
    if (target.pull) {
      act();
      const asked = { textDocument: { uri }, previousResultId: resultIds.get(uri) };
      const { resultId } = await client.request<{ resultId?: string }>('textDocument/diagnostic', asked);
      const waited = performance.now() - began;
      resultIds.set(uri, resultId);
      return waited;
    }
    const wanted = buffer.version() + (uri === buffer.uri ? 1 : 0);
    const heard = new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('No diagnostics came.')), 120_000);
      const waiter = (published: Published) => {
        if (published.uri !== uri || (uri === buffer.uri && (published.version ?? wanted) < wanted)) return;
        clearTimeout(timer);
        waiters.splice(waiters.indexOf(waiter), 1);
        resolve();
      };
      waiters.push(waiter);
    });
    act();
    await heard;
    return performance.now() - began;
  };
  // The name of a `SKILL.md` is what makes it a skill, so its folder is another one.
  const copy = (number: number): string =>
    buffer.uri.replace(/[^/]*(?:\/SKILL\.md)?$/, (name) => `copy-${number}-${name}`);
  /** Of copies of the document, one after the other. */
  const openedOften = async (first: number): Promise<number> => {
    const waits: number[] = [];
    for (let number = first; number < first + COPIES; number++) {
      const uri = copy(number);
      waits.push(await diagnosed(() => buffer.open(uri), uri));
      await sleep(40);
    }
    return quantile(waits, 0.5);
  };
  // The first ones wait for the server to load, and for code to be compiled, too.
  await diagnosed(() => buffer.open());
  for (let first = 1; first < WARM_UP; first += COPIES) await openedOften(first);
  const openedWhileLoading = await openedOften(WARM_UP + COPIES);
  await resting(client.pid);
  const pids = treeOf(client.pid);
  const indexCpu = cpuOf(pids);
  const openedIdle = await openedOften(WARM_UP + 2 * COPIES);

  for (let number = 0; number < WARM_UP; number++) await diagnosed(() => buffer.type());
  const waits: number[] = [];
  const before = cpuOf(pids);
  for (let number = 0; number < target.edits; number++) {
    waits.push(await diagnosed(() => buffer.type()));
    await sleep(3);
  }
  const editCpu = (cpuOf(pids) - before) / target.edits;

  const beforeBurst = cpuOf(pids);
  for (let number = 0; number < BURST; number++) {
    if (number === BURST - 1) await diagnosed(() => buffer.type());
    else buffer.type();
    await sleep(15);
  }
  await resting(client.pid);
  const burstCpu = cpuOf(pids) - beforeBurst;
  const completionCpu = capabilities.completionProvider ? await completing(client, buffer, pids) : undefined;
  const [editP50, editP95] = [quantile(waits, 0.5), quantile(waits, 0.95)];
  return { initialized, openedWhileLoading, openedIdle, indexCpu, editCpu, editP50, editP95, burstCpu, completionCpu };
}

const clientCapabilities = (pull: boolean) => ({
  general: { positionEncodings: ['utf-16'] },
  textDocument: {
    publishDiagnostics: { versionSupport: true },
    synchronization: { didSave: true },
    // As VS Code says it.
    completion: {
      completionItem: { snippetSupport: true, resolveSupport: { properties: ['documentation', 'detail'] } },
      completionList: { itemDefaults: ['editRange', 'insertTextFormat', 'insertTextMode', 'data'] },
    },
    ...(pull ? { diagnostic: { dynamicRegistration: false } } : {}),
  },
  workspace: { configuration: true, workspaceFolders: true },
});

async function completing(client: Client, buffer: Buffer, pids: readonly number[]): Promise<number> {
  const before = cpuOf(pids);
  for (let number = 0; number < COMPLETIONS; number++) {
    buffer.type();
    await client.request('textDocument/completion', { textDocument: { uri: buffer.uri }, position: buffer.keyPlace });
  }
  return (cpuOf(pids) - before) / COMPLETIONS;
}

interface Buffer {
  readonly uri: string;
  /** Where a key may be typed. */
  readonly keyPlace: { readonly line: number; readonly character: number };
  version(): number;
  /** Opens the document, or a copy of it under another name. */
  open(uri?: string): void;
  /** Types a character at the end of a value, of a new key, of prose or in a template, or takes it away again. */
  type(): void;
}

/** The lines at whose ends somebody types, of each kind some; a file of YAML is all frontmatter. */
function sitesOf(lines: readonly string[], keyLine: number): readonly number[] {
  const close = lines[0] === '---' ? lines.indexOf('---', 1) : lines.length;
  const values: number[] = [];
  const prose: number[] = [];
  const template: number[] = [];
  let fence = '';
  lines.forEach((line, number) => {
    if (number < close) {
      if (/^ *(?:- )?[\w-]+: +[^\s"'[{|>&*].*[a-z.]$/.test(line)) values.push(number);
    } else if (line.startsWith('```')) fence = fence === '' ? line : '';
    else if (fence.includes('jinja') && /\{[{%]/.test(line)) template.push(number);
    else if (fence === '' && line.length > 40) prose.push(number);
  });
  const kinds = [values, [keyLine], prose, template].filter((kind) => kind.length > 0);
  return Array.from({ length: VISITS }, (_, visit) => {
    const kind = kinds[visit % kinds.length] ?? [keyLine];
    return kind[Math.floor((visit * kind.length) / VISITS)] ?? keyLine;
  });
}

function createBuffer({ document }: Target, client: Client, { textDocumentSync }: Capabilities): Buffer {
  const uri = pathToFileURL(document).href;
  const languageId = extname(document) === '.md' ? 'markdown' : 'yaml';
  const lines = readFileSync(document, 'utf8').split('\n');
  // A new line in the frontmatter, on which keys are completed.
  const keyLine = Math.max(
    1,
    lines.findIndex((line) => line.startsWith('effects:')),
  );
  lines.splice(keyLine, 0, '');
  const sites = sitesOf(lines, keyLine);
  const isFull = (typeof textDocumentSync === 'object' ? textDocumentSync.change : textDocumentSync) === 1;
  let version = 0;
  let typed = 0;
  return {
    uri,
    keyPlace: { line: keyLine, character: 0 },
    version: () => version,
    open(name = uri) {
      if (name === uri) version++;
      const copied = /\/copy-(\d+)-[^/]*(?:\/SKILL\.md)?$/.exec(name)?.[1];
      const whole = lines.join('\n');
      // Skills of one name are judged together, which is not what is measured.
      const text = copied === undefined ? whole : whole.replace(/^name: .*$/m, (line) => `${line}-${copied}`);
      client.notify('textDocument/didOpen', { textDocument: { uri: name, languageId, version: 1, text } });
    },
    type() {
      version++;
      const line = sites[(typed >> 1) % sites.length] ?? 1;
      const isInsert = typed++ % 2 === 0;
      const before = lines[line] ?? '';
      const end = { line, character: before.length };
      const start = isInsert ? end : { line, character: before.length - 1 };
      lines[line] = isInsert ? `${before}x` : before.slice(0, -1);
      const change = isFull ? { text: lines.join('\n') } : { range: { start, end }, text: isInsert ? 'x' : '' };
      client.notify('textDocument/didChange', { textDocument: { uri, version }, contentChanges: [change] });
    },
  };
}
