/**
 * The engine as a function that always comes back. Its module is compiled once; an instance that has stopped dead, or
 * has grown, is thrown away and another one made, which costs a millisecond. What is kept from one run to the next is
 * only which templates are loaded: no run can see another.
 */
import type { Environment } from 'minijinja-js/dist/bundler/minijinja_js_bg.js';
import { boundMemory, PAGE } from './bounded-memory.ts';

/** The package's glue, as far as it is used here. */
export interface Glue {
  readonly __wbg_set_wasm: (exports: Readonly<Record<string, unknown>>) => void;
  readonly Environment: new () => Environment;
}

export interface NamedTemplate {
  readonly name: string;
  readonly text: string;
}

/** `template` is the one that could not be loaded; without it the failure came while rendering. */
export type Outcome =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'error'; readonly message: string; readonly template?: string }
  | { readonly kind: 'trap'; readonly reason: 'memory' | 'panic' | 'recursion'; readonly template?: string };

/** What is loaded in one slot stays there, whatever the others load. */
export type Slot = 'plain' | 'marked' | 'condition';

export interface Engine {
  readonly run: (slot: Slot, templates: readonly NamedTemplate[], main: string, context: unknown) => Outcome;
}

/** 64 MB: more than any prompt that fits a model, and quickly exhausted by a text that doubles. */
const MEMORY_PAGES = 1024;
/** An instance that has grown beyond is not used again, so that no run finds less memory than another. */
const KEPT_PAGES = 256;
/** Instructions of the engine: a third of a second of nothing but loops. A template of 100 KB full of loops takes 50,000. */
const FUEL = 10_000_000;

interface Memory {
  readonly buffer: ArrayBuffer;
  readonly grow: (pages: number) => number;
}

interface Loaded {
  readonly environment: Environment;
  readonly texts: Map<string, string>;
}

/** `said` is what the engine wrote before it stopped dead: the message of a panic; it has no words for exhausted memory. */
interface Life {
  readonly memory: Memory;
  readonly slots: Map<Slot, Loaded>;
  said: string;
}

export function engineOf(glue: Glue, bytes: Uint8Array<ArrayBuffer>): Engine {
  let module: WebAssembly.Module | undefined;
  let life: Life | undefined;

  const begin = (): Life => {
    module ??= new WebAssembly.Module(boundMemory(bytes, MEMORY_PAGES));
    const hear = (start: number, length: number) => {
      if (life) life.said = readAscii(life.memory, start, length);
    };
    const instance = new WebAssembly.Instance(module, { './minijinja_js_bg.js': overheard(glue, hear) });
    glue.__wbg_set_wasm(instance.exports);
    life = { memory: instance.exports.memory as Memory, slots: new Map(), said: '' };
    const plain = fresh(glue);
    life.slots.set('plain', plain);
    // The engine says what a panic is about only after it has refused something for the first time.
    guarded(life, () => plain.environment.renderTemplate('', {}));
    return life;
  };

  const end = ({ memory, slots }: Life) => {
    // Else the garbage collector would free them one day, in the memory of another instance.
    for (const { environment } of slots.values()) environment.__destroy_into_raw();
    // The glue keeps views of the memory, and renews them only where their buffer is detached.
    memory.grow(0);
    life = undefined;
  };

  const load = (current: Life, { texts, environment }: Loaded, templates: readonly NamedTemplate[]) => {
    const wanted = new Set(templates.map(({ name }) => name));
    for (const name of texts.keys()) {
      if (wanted.has(name)) continue;
      environment.removeTemplate(name);
      texts.delete(name);
    }
    for (const { name, text } of templates) {
      if (texts.get(name) === text) continue;
      const outcome = guarded(current, () => environment.addTemplate(name, text));
      if (outcome.kind === 'text') texts.set(name, text);
      else {
        if (outcome.kind === 'error') environment.removeTemplate(name);
        texts.delete(name);
        return { ...outcome, template: name };
      }
    }
    return undefined;
  };

  const run: Engine['run'] = (slot, templates, main, context) => {
    const current = life ?? begin();
    const loaded = current.slots.get(slot) ?? fresh(glue);
    current.slots.set(slot, loaded);
    const { environment } = loaded;
    const outcome =
      load(current, loaded, templates) ?? guarded(current, () => environment.renderTemplate(main, context));
    if (outcome.kind === 'trap' || current.memory.buffer.byteLength > KEPT_PAGES * PAGE) end(current);
    return outcome;
  };
  return { run };
}

function fresh(glue: Glue): Loaded {
  const environment = new glue.Environment();
  environment.debug = true;
  environment.undefinedBehavior = 'strict';
  environment.fuel = FUEL;
  return { environment, texts: new Map() };
}

/** Only what the engine itself refuses is an `Error` and no more: anything else has left the instance as it stood. */
function guarded(life: Life, work: () => unknown): Outcome {
  life.said = '';
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
    const outOfMemory = life.said === '' || life.said.includes('capacity overflow');
    return { kind: 'trap', reason: outOfMemory ? 'memory' : 'panic' };
  }
}

type Imports = Record<string, (...values: never[]) => unknown>;

/** The glue writes to the console where the engine reports a panic; we say it at the place where it belongs. */
function overheard(glue: Glue, hear: (start: number, length: number) => void): Imports {
  return Object.fromEntries(
    Object.entries(glue).map(([name, value]) => [name, name.startsWith('__wbg_error_') ? hear : value]),
  );
}

function readAscii({ buffer }: Memory, start: number, length: number): string {
  const from = start >>> 0;
  return String.fromCharCode(...new Uint8Array(buffer, from, Math.min(length, 300)));
}
