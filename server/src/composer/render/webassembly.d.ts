/** Types for the parts of WebAssembly that the engine uses. The core is compiled without the Node and DOM types. */
declare namespace WebAssembly {
  interface Module {
    readonly module?: never;
  }
  interface Instance {
    readonly exports: Readonly<Record<string, unknown>>;
  }
  const Module: new (bytes: Uint8Array<ArrayBuffer>) => Module;
  const Instance: new (
    module: Module,
    imports: Readonly<Record<string, Readonly<Record<string, (...values: never[]) => unknown>>>>,
  ) => Instance;
}

/**
 * The glue of the engine. `__destroy_into_raw` removes an environment from the garbage collector without freeing it.
 */
declare module 'minijinja-js/dist/bundler/minijinja_js_bg.js' {
  export function __wbg_set_wasm(exports: Readonly<Record<string, unknown>>): void;
  export class Environment {
    debug: boolean;
    fuel: number | null;
    /** Any other value is a panic of the engine. `semi_strct` is spelled as version 2.11 spells it. */
    undefinedBehavior: 'strict' | 'chainable' | 'lenient' | 'semi_strct';
    addTemplate(name: string, source: string): void;
    renderTemplate(name: string, context: unknown): string;
    free(): void;
    __destroy_into_raw(): number;
  }
}

/** The bundler imports a module as its bytes. */
declare module 'minijinja-js/dist/bundler/minijinja_js_bg.wasm' {
  const bytes: Uint8Array<ArrayBuffer>;
  export default bytes;
}
