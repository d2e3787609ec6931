/** The version of the package, for `--version`, logs and `serverInfo`; and of what renders templates. */
// Named, so that the bundles hold these two entries and not the whole of it.
import { dependencies, version } from '../../../../package.json';

export const VERSION: string = version;

/** Versions are exact, so this is what was bundled; to ask the engine itself would be to load it. */
export const ENGINE_VERSION: string = dependencies['minijinja-js'];
