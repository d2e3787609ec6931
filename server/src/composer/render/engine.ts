/**
 * MiniJinja as a function that always returns: bounded in time and memory, with no run seeing another. The only importer
 * of `minijinja-js`. The package's glue has one current instance for all engines, so each run sets its own.
 */
import * as glue from 'minijinja-js/dist/bundler/minijinja_js_bg.js';
import bytes from 'minijinja-js/dist/bundler/minijinja_js_bg.wasm';
import { version } from 'minijinja-js/package.json';
import { boundMemory, PAGE } from './bounded-memory.ts';

/** What renders here; a composition reports it. */
export const ENGINE: { readonly name: 'minijinja-js'; readonly version: string } = { name: 'minijinja-js', version };

export interface NamedTemplate {
  readonly name: string;
  readonly text: string;
}

/** `template` is the one that could not be loaded; without it the failure came while rendering. */
export type Outcome =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'error'; readonly message: string; readonly template?: string }
  /** The engine stopped in the middle of its work, and its instance cannot be used again. */
  | { readonly kind: 'trap'; readonly reason: 'memory' | 'panic' | 'recursion'; readonly template?: string };

/** 64 MiB: more than any prompt that fits a model. */
const MAX_PAGES = 1024;
/** An instance that has grown beyond is not used again, so that no run finds less memory than another. */
const MAX_KEPT_PAGES = 256;
/** Instructions of the engine in one run. */
const FUEL = 10_000_000;

interface Instance {
  readonly exports: Readonly<Record<string, unknown>>;
  readonly memory: { readonly buffer: ArrayBuffer; readonly grow: (pages: number) => number };
  /** The message of the last panic; the engine writes none where memory is exhausted. */
  panic: string;
}

export class TemplateEngine {
  readonly #module = new WebAssembly.Module(boundMemory(bytes, MAX_PAGES));
  #instance: Instance | undefined;

  /** Renders the template `main` of `templates`, whose names are distinct. Never throws. */
  run(templates: readonly NamedTemplate[], main: string, context: unknown): Outcome {
    this.#instance ??= this.#start();
    const instance = this.#instance;
    const outcome = runIn(instance, templates, main, context);
    if (outcome.kind === 'trap' || instance.memory.buffer.byteLength > MAX_KEPT_PAGES * PAGE) {
      this.#instance = undefined;
    }
    return outcome;
  }

  #start(): Instance {
    const imports = Object.entries(glue).map(([name, value]) =>
      // The glue writes to the console where the engine reports a panic.
      name.startsWith('__wbg_error_') ? [name, readPanic] : [name, value],
    );
    const { exports } = new WebAssembly.Instance(this.#module, { './minijinja_js_bg.js': Object.fromEntries(imports) });
    const instance: Instance = { exports, memory: exports.memory as Instance['memory'], panic: '' };
    function readPanic(start: number, length: number): void {
      const from = start >>> 0;
      instance.panic = String.fromCharCode(...new Uint8Array(instance.memory.buffer, from, Math.min(length, 300)));
    }
    // The engine says what a panic is about only after it has refused something for the first time.
    runIn(instance, [], '', {});
    return instance;
  }
}

function runIn(instance: Instance, templates: readonly NamedTemplate[], main: string, context: unknown): Outcome {
  glue.__wbg_set_wasm(instance.exports);
  const environment = new glue.Environment();
  environment.debug = true;
  environment.undefinedBehavior = 'strict';
  environment.fuel = FUEL;
  const outcome = render(instance, environment, templates, main, context);
  // Else the garbage collector would free it later, in the memory of whichever instance is current then.
  if (outcome.kind === 'trap') environment.__destroy_into_raw();
  else environment.free();
  // The glue keeps views of the memory, and renews them only where growing has detached their buffer.
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

/** What the engine itself refuses is an `Error` and no subclass; anything else is a trap. */
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
