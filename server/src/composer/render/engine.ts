/**
 * Runs MiniJinja in bounded time and memory, and keeps runs independent of each other. Only this file imports
 * `minijinja-js`. The glue code of `minijinja-js` has one current instance for all engines, so each run first sets its
 * instance.
 */
import * as glue from 'minijinja-js/dist/bundler/minijinja_js_bg.js';
import bytes from 'minijinja-js/dist/bundler/minijinja_js_bg.wasm';
import { version } from 'minijinja-js/package.json';

/** The template engine, as a composition reports it. */
export const ENGINE: { readonly name: 'minijinja-js'; readonly version: string } = { name: 'minijinja-js', version };

export interface NamedTemplate {
  readonly name: string;
  readonly text: string;
}

/**
 * The result of a run. `template` is the name of a template that could not be loaded; if it is absent, rendering
 * failed.
 */
export type Outcome =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'error'; readonly message: string; readonly template?: string }
  /** The engine crashed, and its instance cannot be used again. */
  | { readonly kind: 'trap'; readonly reason: 'memory' | 'panic' | 'recursion'; readonly template?: string };

/** The memory limit in pages: 64 MiB, which is more than any prompt for a model needs. */
const MAX_PAGES = 1024;
/** The maximum size in pages of an instance that is used again, so that all runs have the same memory available. */
const MAX_KEPT_PAGES = 256;
/** The maximum number of engine instructions in one run. */
const FUEL = 10_000_000;

interface Instance {
  readonly exports: Readonly<Record<string, unknown>>;
  readonly memory: { readonly buffer: ArrayBuffer; readonly grow: (pages: number) => number };
  /** The message of the last panic; empty if the engine wrote no message, for example because memory is exhausted. */
  panic: string;
}

/** The compiled module with its current instance, which all modes of an engine share. */
interface Machine {
  readonly module: WebAssembly.Module;
  instance: Instance | undefined;
}

/**
 * The template engine with its compiled module. An engine is large, so create a single engine and reuse it. An undefined
 * value may be tested unless the engine is `strict` (docs/templates.md, "Undefined values").
 */
export class TemplateEngine {
  readonly #machine: Machine;
  readonly #isStrict: boolean;

  constructor(
    machine: Machine = { module: new WebAssembly.Module(boundMemory(bytes, MAX_PAGES)), instance: undefined },
    isStrict = false,
  ) {
    this.#machine = machine;
    this.#isStrict = isStrict;
  }

  /** Returns this engine, or the engine in strict mode with the same module. */
  inMode(isStrict: boolean): TemplateEngine {
    return isStrict === this.#isStrict ? this : new TemplateEngine(this.#machine, isStrict);
  }

  /**
   * Renders the template `main`, which is one of `templates`. The names of `templates` must be distinct. Never throws.
   */
  run(templates: readonly NamedTemplate[], main: string, context: unknown): Outcome {
    const machine = this.#machine;
    machine.instance ??= start(machine.module);
    const { instance } = machine;
    const outcome = runIn(instance, this.#isStrict, templates, main, context);
    if (outcome.kind === 'trap' || instance.memory.buffer.byteLength > MAX_KEPT_PAGES * PAGE) {
      machine.instance = undefined;
    }
    return outcome;
  }
}

function start(module: WebAssembly.Module): Instance {
  const imports = Object.entries(glue).map(([name, value]) =>
    // The glue would write an engine panic to the console.
    name.startsWith('__wbg_error_') ? [name, readPanic] : [name, value],
  );
  const { exports } = new WebAssembly.Instance(module, { './minijinja_js_bg.js': Object.fromEntries(imports) });
  const instance: Instance = { exports, memory: exports.memory as Instance['memory'], panic: '' };
  function readPanic(start: number, length: number): void {
    const from = start >>> 0;
    instance.panic = String.fromCharCode(...new Uint8Array(instance.memory.buffer, from, Math.min(length, 300)));
  }
  // The engine reports panic messages only after its first error, so this run causes an error.
  runIn(instance, false, [], '', {});
  return instance;
}

function runIn(
  instance: Instance,
  isStrict: boolean,
  templates: readonly NamedTemplate[],
  main: string,
  context: unknown,
): Outcome {
  glue.__wbg_set_wasm(instance.exports);
  const environment = new glue.Environment();
  environment.debug = true;
  environment.undefinedBehavior = isStrict ? 'strict' : 'semi_strct';
  environment.fuel = FUEL;
  const outcome = render(instance, environment, templates, main, context);
  // Release the environment now, because the garbage collector would free it in the memory of a later instance.
  if (outcome.kind === 'trap') environment.__destroy_into_raw();
  else environment.free();
  // The glue caches views of the memory, and renews these views only if their buffer is detached. Growing the memory by
  // 0 pages detaches the buffer.
  instance.memory.grow(0);
  return outcome;
}

function render(
  instance: Instance,
  environment: glue.Environment,
  templates: readonly NamedTemplate[],
  main: string,
  context: unknown,
): Outcome {
  for (const { name, text } of templates) {
    const outcome = attempt(instance, () => environment.addTemplate(name, text));
    if (outcome.kind !== 'text') return { ...outcome, template: name };
  }
  return attempt(instance, () => environment.renderTemplate(main, context));
}

/**
 * Calls `work` and returns its result. The engine reports its errors as plain `Error` objects; objects of a subclass of
 * `Error` are traps.
 */
function attempt(instance: Instance, work: () => unknown): Outcome {
  instance.panic = '';
  try {
    const text = work();
    return { kind: 'text', text: typeof text === 'string' ? text : '' };
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    const message = error instanceof Error ? error.message : String(error);
    if (name === 'Error') return { kind: 'error', message };
    if (name === 'RangeError' || name === 'InternalError' || /out of bounds|call stack|exhausted/.test(message)) {
      return { kind: 'trap', reason: 'recursion' };
    }
    const outOfMemory = instance.panic === '' || instance.panic.includes('capacity overflow');
    return { kind: 'trap', reason: outOfMemory ? 'memory' : 'panic' };
  }
}

// Bounds the memory of a WebAssembly module before it is compiled.

const MEMORY_SECTION = 5;

/** One page is 64 KiB. */
const PAGE = 65_536;

/**
 * Returns a copy of a WebAssembly module whose memory can grow to at most `pages` pages of 64 KiB. A module without its
 * own memory, or whose memory already has a limit, is returned unchanged. The bytes must be a valid module (WebAssembly
 * core specification, 5.5.8).
 */
export function boundMemory(module: Uint8Array<ArrayBuffer>, pages: number): Uint8Array<ArrayBuffer> {
  for (let at = 8; at < module.length; ) {
    const length = readNumber(module, at + 1);
    const end = length.end + length.value;
    if (module[at] !== MEMORY_SECTION) at = end;
    else {
      const count = readNumber(module, length.end);
      const limits = module[count.end];
      // Multiple, shared and 64-bit memories encode their limits differently, but the engine does not use such
      // memories.
      if (count.value !== 1 || limits !== 0) return module;
      const minimum = readNumber(module, count.end + 1);
      const content = [1, 1, ...writeNumber(minimum.value), ...writeNumber(Math.max(pages, minimum.value))];
      const section = [MEMORY_SECTION, ...writeNumber(content.length), ...content];
      const result = new Uint8Array(at + section.length + module.length - end);
      result.set(module.subarray(0, at));
      result.set(section, at);
      result.set(module.subarray(end), at + section.length);
      return result;
    }
  }
  return module;
}

/** Reads a number in unsigned LEB128. `end` is the offset after the number. */
function readNumber(bytes: Uint8Array, start: number): { readonly value: number; readonly end: number } {
  let value = 0;
  let at = start;
  for (let factor = 1; ; factor *= 128) {
    const byte = bytes[at++] ?? 0;
    value += (byte & 127) * factor;
    if (byte < 128) return { value, end: at };
  }
}

function writeNumber(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return [...bytes, rest];
}

/** A parsed error message from the engine. */
export interface EngineError {
  /** The kind as the engine names it: `undefined value`, `invalid operation`. */
  readonly kind: string;
  /** The text after the kind; may be empty. */
  readonly detail: string;
  /**
   * The location, absent if the engine does not report it. `line` is counted from 1. `column` is in code points,
   * counted from 0, and is absent if the failing code has several lines. `length` is in code points.
   */
  readonly at?: { readonly template: string; readonly line: number; readonly column?: number; readonly length: number };
}

/** Reads the kind, the template and the position marked by carets from an error message of the engine. Never throws. */
export function parseEngineMessage(message: string): EngineError {
  const cut = message.search(/\n-{3,}/);
  const head = cut < 0 ? message : message.slice(0, cut);
  const place = /^([\s\S]*) \(in ([\s\S]*):(\d+)\)$/.exec(head.trimEnd());
  const summary = place?.[1] ?? head.trimEnd();
  const colon = summary.indexOf(': ');
  const kind = colon < 0 ? summary : summary.slice(0, colon);
  const detail = colon < 0 ? '' : summary.slice(colon + 2);
  if (!place) return { kind, detail };
  const code = cut < 0 ? '' : (message.slice(cut).split('\n~~~', 1)[0] ?? '');
  // Lines of code begin with their number; only the line of carets begins with `i`.
  const carets = /\n {5}i ( *)(\^+) /.exec(code);
  const at = { template: place[2] ?? '', line: Number(place[3]), length: carets?.[2]?.length ?? 0 };
  return { kind, detail, at: carets ? { ...at, column: carets[1]?.length ?? 0 } : at };
}

/** The engine stores column numbers in 16 bits. */
const LAST_COLUMN = 65_535;

/**
 * Returns the part of `text` that an error points at, in UTF-16 code units. If the error has no column, the result is
 * the whole line, and `exact` is false.
 */
export function spanOfError(text: string, { line, column, length }: NonNullable<EngineError['at']>) {
  let start = 0;
  for (let i = 1; i < line; i++) {
    const next = text.indexOf('\n', start);
    if (next < 0) break;
    start = next + 1;
  }
  const lineEnd = text.indexOf('\n', start);
  const end = lineEnd < 0 ? text.length : lineEnd;
  if (column === undefined || column >= LAST_COLUMN) return { start, end, exact: false };
  const from = advance(text, start, column);
  return { start: from, end: Math.min(end, advance(text, from, length)), exact: true };
}

/** Returns the offset `count` code points after `from`. */
function advance(text: string, from: number, count: number): number {
  let at = from;
  for (let i = 0; i < count && at < text.length; i++) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return at;
}
