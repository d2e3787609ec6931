/** The runtime of a host, and the versions of the package and of the template engine. */
// Named imports, so that the bundles contain only these two entries of `package.json`.
import { dependencies, version } from '../../../package.json';

declare const process: { readonly versions?: { readonly node?: string } } | undefined;

/** Returns whether the code runs in Node; otherwise, the code runs in a web worker. */
export const isNode = (): boolean => typeof process !== 'undefined' && process?.versions?.node !== undefined;

export const VERSION: string = version;

/** The exact version of the template engine in the bundle; `package.json` pins dependencies. */
export const ENGINE_VERSION: string = dependencies['minijinja-js'];

const NEEDED = [
  '@eslint-community/regexpp',
  '@langchain/core',
  '@langchain/langgraph',
  'ajv',
  'ajv-formats',
  'fastest-levenshtein',
  'minijinja-js',
  're2js',
] as const;

/** The packages that an exported project needs, with exact versions (docs/langgraph.md). */
export const PROJECT_PACKAGES: ReadonlyMap<string, string> = new Map(NEEDED.map((name) => [name, dependencies[name]]));
