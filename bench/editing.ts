/** Measures the CPU time, and the time that an editor waits for the server, when a document is opened and edited. */
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { ComposeReply } from '../server/src/protocol.ts';
import { cpuOf, idle, median, quantile } from './process.ts';
import { type Server, type Target, withServer } from './server.ts';
import { chooserOf, paragraph } from './words.ts';

/** The number of lines that are edited in turn. In each line, a character is typed and removed again. */
const VISITS = 44;
const WARM_UP_EDITS = 300;
const WARM_UP_OPENINGS = 20;
const OPENINGS = 9;

interface EditOptions {
  /** The text to append to the document. */
  readonly appended?: string;
  /** The lines to type in; all lines by default. */
  readonly kinds?: readonly Kind[];
  /** True to measure until the server is idle, so that the CPU time includes the work on other files. */
  readonly untilIdle?: true;
}

/** Makes successive edits in an indexed workspace. Returns the wall and CPU time of an edit in milliseconds. */
export function measureEdits(target: Target, path: string, edits: number, options: EditOptions = {}) {
  return withServer(target, async (server) => {
    const document = createDocument(server, path, options);
    await document.open();
    await idle(server.pid);
    for (let number = 0; number < WARM_UP_EDITS; number++) await document.type();
    const waits: number[] = [];
    const before = cpuOf(server.pid);
    for (let number = 0; number < edits; number++) {
      waits.push(await document.type());
      await sleep(3);
    }
    if (options.untilIdle) await idle(server.pid);
    return { cpu: (cpuOf(server.pid) - before) / edits, median: median(waits), p95: quantile(waits, 0.95) };
  });
}

/**
 * Measures successive edits in a skill of at least `lines` lines, until the preview has its prompt. Returns the wall and
 * CPU time of an edit in milliseconds.
 */
export function measurePrompts(target: Target, path: string, lines: number, edits: number) {
  const choose = chooserOf(lines);
  const appended = `\n## Description: a long text\n\n${Array.from({ length: lines / 2 }, () => `${paragraph(choose, 1)}\n`).join('\n')}`;
  return withServer(target, async (server) => {
    const document = createDocument(server, path, { appended, kinds: ['prose'] });
    const params = { uri: pathToFileURL(path).href };
    const compose = async (): Promise<number> => {
      const began = performance.now();
      await document.type();
      await server.connection.sendRequest('skill/samples', params);
      const { result } = await server.connection.sendRequest<ComposeReply>('skill/compose', params);
      if (!result.ok || result.composition.prompt.length < appended.length)
        throw new Error('The prompt is not complete.');
      return performance.now() - began;
    };
    await document.open();
    await idle(server.pid);
    for (let number = 0; number < 8; number++) await compose();
    const waits: number[] = [];
    const before = cpuOf(server.pid);
    for (let number = 0; number < edits; number++) waits.push(await compose());
    return { cpu: (cpuOf(server.pid) - before) / edits, median: median(waits) };
  });
}

/**
 * Measures the time in milliseconds from opening a document to its diagnostics, while the workspace is read and
 * afterwards.
 */
export function measureOpening(target: Target, path: string) {
  return withServer(target, async (server) => {
    const document = createDocument(server, path);
    let copies = 0;
    const openCopies = async (count: number): Promise<number> => {
      const waits: number[] = [];
      for (let number = 0; number < count; number++) {
        waits.push(await document.open(++copies));
        await sleep(20);
      }
      return median(waits);
    };
    await openCopies(WARM_UP_OPENINGS);
    const reading = await openCopies(OPENINGS);
    const before = cpuOf(server.pid);
    await idle(server.pid);
    if (cpuOf(server.pid) - before < 200) throw new Error('The workspace had been read too soon.');
    return { reading, idle: await openCopies(OPENINGS) };
  });
}

/** Measures the CPU time for opening the first file in an indexed workspace, in milliseconds. */
export function measureFirstOpening(target: Target, path: string) {
  return withServer(target, async (server) => {
    await idle(server.pid);
    const before = cpuOf(server.pid);
    await createDocument(server, path).open();
    return { cpu: cpuOf(server.pid) - before };
  });
}

function createDocument(server: Server, path: string, { appended = '', kinds }: EditOptions = {}) {
  const { connection } = server;
  const uri = pathToFileURL(path).href;
  const languageId = extname(path) === '.md' ? 'markdown' : 'yaml';
  const lines = `${readFileSync(path, 'utf8')}${appended}`.split('\n');
  const newLine = Math.max(
    1,
    lines.findIndex((line) => line.startsWith('effects:')),
  );
  lines.splice(newLine, 0, '');
  const places = placesOf(lines, newLine, kinds);
  let version = 1;
  let typed = 0;
  let resultId: string | undefined;

  /** Returns the time from `send` to the diagnostics, in milliseconds. */
  const diagnosed = async (of: string, ofVersion: number, send: () => Promise<void>): Promise<number> => {
    const began = performance.now();
    const published = server.pull ? undefined : server.published(of, ofVersion);
    await send();
    await published;
    if (server.pull) {
      const params = { textDocument: { uri: of }, ...(of === uri && resultId ? { previousResultId: resultId } : {}) };
      const report = await connection.sendRequest<{ resultId?: string }>('textDocument/diagnostic', params);
      if (of === uri) resultId = report.resultId;
    }
    return performance.now() - began;
  };
  return {
    /** Opens the document, or a copy of the document under another name. */
    open(copy?: number): Promise<number> {
      const text = lines.join('\n');
      const textDocument =
        copy === undefined
          ? { uri, languageId, version, text }
          : {
              uri: uri.replace(/[^/]*$/, (name) => `copy-${copy}-${name}`),
              ...{ languageId, version },
              text: text.replace(/^name: .*$/m, (line) => `${line}-${copy}`),
            };
      return diagnosed(textDocument.uri, version, () =>
        connection.sendNotification('textDocument/didOpen', { textDocument }),
      );
    },
    /** Types a character at the end of a line, or removes it again. */
    type(): Promise<number> {
      const line = places[(typed >> 1) % places.length] ?? newLine;
      const inserts = typed++ % 2 === 0;
      const before = lines[line] ?? '';
      const end = { line, character: before.length };
      const start = inserts ? end : { line, character: before.length - 1 };
      lines[line] = inserts ? `${before}x` : before.slice(0, -1);
      version++;
      const change = server.sendsWholeText
        ? { text: lines.join('\n') }
        : { range: { start, end }, text: inserts ? 'x' : '' };
      return diagnosed(uri, version, () =>
        connection.sendNotification('textDocument/didChange', {
          textDocument: { uri, version },
          contentChanges: [change],
        }),
      );
    },
  };
}

/** The kind of line to edit. */
export type Kind = 'description' | 'value' | 'new key' | 'prose' | 'template';

/**
 * Returns the numbers of the lines to edit, with the wanted kinds in turn. A file without `---` consists only of
 * frontmatter.
 */
function placesOf(
  lines: readonly string[],
  newLine: number,
  wanted: readonly Kind[] = ['value', 'new key', 'prose', 'template'],
): readonly number[] {
  const close = lines[0] === '---' ? lines.indexOf('---', 1) : lines.length;
  const places: Record<Kind, number[]> = { description: [], value: [], 'new key': [newLine], prose: [], template: [] };
  let fence = '';
  lines.forEach((line, number) => {
    if (number < close) {
      if (/^ *(?:- )?[\w-]+: +[^\s"'[{|>&*].*[a-z.]$/.test(line)) places.value.push(number);
      if (line.startsWith('description: ')) places.description.push(number);
    } else if (line.startsWith('```')) fence = fence === '' ? line : '';
    else if (fence.includes('jinja') && /\{[{%]/.test(line)) places.template.push(number);
    else if (fence === '' && line.length > 40) places.prose.push(number);
  });
  const kinds = wanted.map((kind) => places[kind]).filter((lines) => lines.length > 0);
  return Array.from({ length: VISITS }, (_, visit) => {
    const kind = kinds[visit % kinds.length] ?? [newLine];
    return kind[Math.floor((visit * kind.length) / VISITS)] ?? newLine;
  });
}
