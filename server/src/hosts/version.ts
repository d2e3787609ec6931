/** The version of the package, for `--version`, logs and `serverInfo`; and of what renders templates. */
import manifest from '../../../package.json' with { type: 'json' };

export const VERSION: string = manifest.version;

/** Versions are exact, so this is what was bundled; to ask the engine itself would be to load it. */
export const ENGINE_VERSION: string = manifest.dependencies['minijinja-js'];
