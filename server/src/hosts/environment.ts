/** The runtime of a host, and the versions of the package and of the template engine. */
// Named imports, so that the bundles contain only these two entries of `package.json`.
import { dependencies, version } from '../../../package.json';

declare const process: { readonly versions?: { readonly node?: string } } | undefined;

/** Returns whether the code runs in Node. If not, it runs in a web worker: the same bundle serves both. */
export const isNode = (): boolean => typeof process !== 'undefined' && process?.versions?.node !== undefined;

export const VERSION: string = version;

/** The version of the template engine in the bundle. It is exact, because dependencies are pinned. */
export const ENGINE_VERSION: string = dependencies['minijinja-js'];
