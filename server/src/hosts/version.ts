/** The version of the package, for `--version`, logs and `serverInfo`. */
import manifest from '../../../package.json' with { type: 'json' };

export const VERSION: string = manifest.version;
