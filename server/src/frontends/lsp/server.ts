/**
 * The first of the two scripts of the language server, which answers `initialize`. One bundle serves both Node and
 * browsers, and runs the file for the current host.
 */
import { isNode } from '../../io/environment.ts';

/** The bundler includes these files. Each is executed only when it is required. */
declare const require: (file: './node.ts' | './browser.ts') => unknown;

if (isNode()) require('./node.ts');
else require('./browser.ts');
