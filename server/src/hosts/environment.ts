/** What a host runs in, and the versions of the package and of the template engine. */
// Named imports, so that the bundles hold these two entries alone.
import { dependencies, version } from '../../../package.json';

declare const process: { readonly versions?: { readonly node?: string } } | undefined;

/** Whether this runs in Node, or else in a worker of a browser: one bundle serves both. */
export const isNode = (): boolean => typeof process !== 'undefined' && process?.versions?.node !== undefined;

export const VERSION: string = version;

/** Dependencies are pinned exactly, so this is the version in the bundle. */
export const ENGINE_VERSION: string = dependencies['minijinja-js'];
