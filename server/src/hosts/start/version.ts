/** The versions of the package and of the template engine. */
// Named imports, so that the bundles hold these two entries alone.
import { dependencies, version } from '../../../../package.json';

export const VERSION: string = version;

/** Dependencies are pinned exactly, so this is the version in the bundle. */
export const ENGINE_VERSION: string = dependencies['minijinja-js'];
